#compdef regdem-finish regdem-opt regdem-llc regdem-nvcc regdem-analyse regdem-launches regdem-tune regdem-report
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Completion of RegDem's programs: the options that --help names, else files.
_arguments --
