// A decision holds for the flags that ptxas was given when it was made.
// REQUIRES: clang-cuda, ptxas
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{build} = rm -f %t/r.jsonl && %clang-cuda --cuda-device-only -c %regdem -mllvm -regdem-cache=%t/cache -mllvm -regdem-report=%t/r.jsonl -DNO_SLOTS -mllvm -regdem-block-size=256 %S/../cuda/auto-unbounded.cu -o %t/k.cubin -Xcuda-ptxas
// RUN: %{build} -v && %report %t/r.jsonl unbounded "decision == 'cap'" "'cached' not in records[0]"
// RUN: %{build} --warn-on-spills && %report %t/r.jsonl unbounded "decision == 'cap'" "'cached' not in records[0]"
// RUN: %{build} --warn-on-spills -Xcuda-ptxas -Werror && %report %t/r.jsonl unbounded "decision == 'stock'" "'cached' not in records[0]"
// RUN: %{build} --warn-on-spills -Xcuda-ptxas -Werror && %report %t/r.jsonl unbounded cached "decision == 'stock'" "'refused' in variants[-1]"
