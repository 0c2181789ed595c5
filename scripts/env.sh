# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# To be sourced, by bash or zsh, from anywhere: finds the CUDA toolkit, exports
# its folder as CUDA_PATH and puts its programs in front of PATH. Looks at
# CUDA_PATH, CUDA_HOME, /usr/local/cuda and then the copy that bootstrap.sh
# keeps in .cuda/; with REGDEM_IGNORE_SYSTEM_CUDA=1 at that copy alone. Where
# there is none, CUDA_PATH is unset. CUDA 13's folder of thrust and CUB goes to
# the end of CPATH, as clang does not look there. Changes nothing else.

regdem_fetched="$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")/.." && pwd)/.cuda"
regdem_local_cuda="$regdem_fetched/toolkit"

# Prints the folder of the first complete toolkit; fails if there is none.
regdem_find_cuda() {
  local folder
  for folder in "${CUDA_PATH:-}" "${CUDA_HOME:-}" /usr/local/cuda \
                "$regdem_local_cuda"; do
    if [[ "${REGDEM_IGNORE_SYSTEM_CUDA:-0}" == 1 &&
          "$folder" != "$regdem_local_cuda" ]]; then
      continue
    fi
    if [[ -n "$folder" && -x "$folder/bin/ptxas" &&
          -f "$folder/include/cuda.h" ]]; then
      echo "$folder"
      return 0
    fi
  done
  return 1
}

if CUDA_PATH="$(regdem_find_cuda)"; then
  export CUDA_PATH
  case ":$PATH:" in
    ":$CUDA_PATH/bin:"*) ;;
    *) export PATH="$CUDA_PATH/bin:$PATH" ;;
  esac
  # Where CUDA 13 keeps thrust, CUB and what cooperative groups include.
  if [[ -d "$CUDA_PATH/include/cccl" ]]; then
    case ":${CPATH:-}:" in
      *":$CUDA_PATH/include/cccl:"*) ;;
      *) export CPATH="${CPATH:+$CPATH:}$CUDA_PATH/include/cccl" ;;
    esac
  fi
else
  unset CUDA_PATH
fi

