#!/bin/sh
# Notes its calls in $CALLS. Does what $NVDISASM does, but reads loads from local
# memory in the kernels 'stack' and 'indexed' as others than they are.
echo "$@" >> "$CALLS"
"$NVDISASM" "$@" | awk '
  /^\.text\./ { misreads = /\.(stack|indexed):/ }
  misreads { sub(/ LDL /, " LDL.U8 ") }
  { print }'
