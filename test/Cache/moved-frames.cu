// The frames of a program are moved once: a second compilation gets the same
// program and remarks, and RegDem asks no tool. Damaged entries are none.
// REQUIRES: ptxas, nvdisasm, clang-cuda
// DEFINE: %{build} = env CUDA_PATH=%cuda PTXAS_LOG=%t/log %clang-cuda %regdem -mllvm -regdem-ptxas=%S/Inputs/ptxas.sh -mllvm -regdem-cache=%t/cache -mllvm -regdem-arrays=off -Rpass=regdem -c %S/../Finish/clang.cu
// RUN: rm -rf %t && mkdir %t
// RUN: %{build} -o %t/cold.o 2> %t/cold.txt
// RUN: FileCheck %s < %t/cold.txt
// RUN: test -e %t/log
// RUN: rm %t/log
// RUN: %{build} -o %t/warm.o 2> %t/warm.txt
// RUN: not test -e %t/log
// RUN: cmp %t/cold.o %t/warm.o
// RUN: cmp %t/cold.txt %t/warm.txt
// RUN: %python %S/Inputs/damage.py %t/cache byte
// RUN: %{build} -o %t/again.o 2> %t/again.txt
// RUN: test -e %t/log
// RUN: cmp %t/cold.o %t/again.o
// RUN: cmp %t/cold.txt %t/again.txt

// CHECK: remark: 'bins({{.*}})': frame of 96 bytes a thread, {{.*}} moved from local to shared memory
