// The cache has decisions, not programs: frames move in every compilation. A
// second one gets the same program and remarks without a search, and does not
// check again what is, byte by byte, the program that it has checked.
// REQUIRES: ptxas, nvdisasm, clang-cuda
// DEFINE: %{build} = env CUDA_PATH=%cuda NVDISASM=%nvdisasm NVDISASM_LOG=%t/log %clang-cuda %regdem -mllvm -regdem-disassembler=%S/Inputs/nvdisasm.sh -mllvm -regdem-cache=%t/cache -mllvm -regdem-arrays=off -Rpass=regdem -c %S/../Finish/clang.cu
// RUN: rm -rf %t && mkdir %t
// RUN: %{build} -o %t/cold.o 2> %t/cold.txt
// RUN: FileCheck %s < %t/cold.txt
// RUN: rm %t/log
// RUN: %{build} -o %t/warm.o 2> %t/warm.txt
// RUN: not test -e %t/log
// RUN: cmp %t/cold.o %t/warm.o
// RUN: grep ', cached' %t/warm.txt
// RUN: sed 's/, cached//' %t/warm.txt | cmp - %t/cold.txt
// RUN: not grep -l ELF -r %t/cache
// RUN: %{build} -mllvm -regdem-cache=off -o %t/off.o 2> %t/off.txt
// RUN: test -e %t/log
// RUN: cmp %t/cold.o %t/off.o

// CHECK: remark: 'bins({{.*}})': frame of 96 bytes a thread, {{.*}} moved from local to shared memory
