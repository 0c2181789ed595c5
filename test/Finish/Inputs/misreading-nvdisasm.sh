#!/bin/sh
# Notes its calls in $CALLS. Does what $NVDISASM does, but reads loads from local
# memory in the kernels 'divergent' and 'spill32' as others than they are.
echo "$@" >> "$CALLS"
"$NVDISASM" "$@" | awk '
  /^\.text\./ { misreads = /\.(divergent|spill32):/ }
  misreads { sub(/ LDL /, " LDL.U8 ") }
  { print }'
