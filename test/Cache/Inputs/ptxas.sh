#!/bin/sh
# ptxas, which notes in the file of PTXAS_LOG that it was asked.
echo asked >> "${PTXAS_LOG:-/dev/null}"
exec "$CUDA_PATH/bin/ptxas" "$@"
