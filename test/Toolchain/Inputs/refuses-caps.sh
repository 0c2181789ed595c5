#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The assembler called $ASSEMBLER, which refuses programs with `.maxnreg` where
# it is told to, by --refuse or $CAPS, and crashes at them by --crash.
what=$CAPS
for argument; do
  case $argument in
  --refuse | --crash) what=$argument ;;
  *)
    if [ -f "$argument" ] && grep -q '^\.maxnreg' "$argument"; then capped=1; fi
    set -- "$@" "$argument"
    ;;
  esac
  shift
done
if [ -n "$capped" ] && [ "$what" = --refuse ]; then
  echo "no cap is wanted" >&2
  exit 4
fi
if [ -n "$capped" ] && [ "$what" = --crash ]; then
  kill -SEGV $$
fi
exec "$ASSEMBLER" "$@"
