# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion of RegDem's programs: the options that --help names and their
# values, else files.

# Prints the values that the help of program $1 names for option $2: as
# "--x=<auto|off|PATH>" (words in lower case), on lines "=auto" below
# "--x=<value>", or as "--x {auto,off}".
_regdem_values() {
  "$1" --help 2>/dev/null | awk -v option="$2" '
    $1 ~ /^--?[a-zA-Z]/ { split($1, word, "="); inside = word[1] == option }
    !inside { next }
    $1 ~ /^=/ { print substr($1, 2) }
    match($0, /<[^>]*[|][^>]*>|[{][^}]*[}]/) {
      count = split(substr($0, RSTART + 1, RLENGTH - 2), found, /[|,]/)
      for (i = 1; i <= count; ++i) if (found[i] ~ /^[a-z]+$/) print found[i]
    }' | sort -u
}

_regdem() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="" found=""
  [[ "$COMP_CWORD" -gt 0 ]] && before="${COMP_WORDS[COMP_CWORD - 1]}"
  # Bash takes "=" for a word of its own.
  if [[ "$word" == = ]]; then
    word=""
  elif [[ "$before" == = ]]; then
    before="${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  COMPREPLY=()
  if [[ "$word" == -* ]]; then
    found="$("$1" --help 2>/dev/null | grep -oE -- '(^|[ ,[])--?[a-zA-Z][a-zA-Z-]*' |
      tr -d ' ,[' | sort -u)"
  elif [[ "$before" == -* ]]; then
    found="$(_regdem_values "$1" "$before")"
  fi
  mapfile -t COMPREPLY < <(compgen -W "$found" -- "$word")
}
complete -o default -F _regdem regdem-finish regdem-opt regdem-llc regdem-nvcc regdem-analyse regdem-launches regdem-tune regdem-report
