# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion of RegDem's programs: the options that --help names, else files.
_regdem() {
  local word="${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  if [[ "$word" == -* ]]; then
    local options
    options="$("$1" --help 2>/dev/null | grep -oE -- '(^|[ ,[])--?[a-zA-Z][a-zA-Z-]*' |
      tr -d ' ,[' | sort -u)"
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  fi
}
complete -o default -F _regdem regdem-finish regdem-opt regdem-llc regdem-nvcc regdem-analyse regdem-launches regdem-tune regdem-report
