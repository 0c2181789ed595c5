#!/bin/sh
# nvdisasm that writes down that it was asked for code.
case $* in *-hex*) echo "$@" >> "$NVDISASM_LOG" ;; esac
exec "$NVDISASM" "$@"
