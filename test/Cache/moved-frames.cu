// The cache has decisions, not programs: frames move in every compilation. A
// second one gets the same program and remarks without a search.
// REQUIRES: ptxas, clang-cuda
// DEFINE: %{build} = env CUDA_PATH=%cuda %clang-cuda %regdem -mllvm -regdem-cache=%t/cache -mllvm -regdem-arrays=off -Rpass=regdem -c %S/../Finish/clang.cu
// RUN: rm -rf %t && mkdir %t
// RUN: %{build} -o %t/cold.o 2> %t/cold.txt
// RUN: FileCheck %s < %t/cold.txt
// RUN: %{build} -o %t/warm.o 2> %t/warm.txt
// RUN: cmp %t/cold.o %t/warm.o
// RUN: grep ', cached' %t/warm.txt
// RUN: sed 's/, cached//' %t/warm.txt | cmp - %t/cold.txt
// RUN: not grep -l ELF -r %t/cache
// RUN: %{build} -mllvm -regdem-cache=off -o %t/off.o 2> %t/off.txt
// RUN: cmp %t/cold.o %t/off.o

// CHECK: remark: 'bins({{.*}})': frame of 96 bytes a thread, {{.*}} moved from local to shared memory
