// Arrays that data index go to shared memory in builds for launches if the file
// shows all sizes of blocks and they are few: each has a build with room for
// its threads. A kernel that is launched with other sizes, too, has one build
// for all, with its frame moved.
// REQUIRES: clang-cuda
// RUN: %launches -Rpass=regdem -Rpass-analysis=regdem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang %t.o %recording-runtime -o %t.exe
// RUN: %t.exe | FileCheck %s
//
// REMARK-DAG: 'shown(unsigned int const*, float*, int, int)$regdem1' as stock, with arrays rewritten: {{.*}} 12288 bytes of shared memory a block, {{.*}} chosen
// REMARK-DAG: 'shown(unsigned int const*, float*, int, int)$regdem2' as stock, with arrays rewritten: {{.*}} 24576 bytes of shared memory a block, {{.*}} chosen
// REMARK-DAG: 'open(unsigned int const*, float*, int, int)' {{.*}}: blocks of 33 to 1024 threads take build 1
// CHECK:      launch _Z5shownPKjPfii$regdem1{{.*}} grid 10000
// CHECK-NEXT: launch _Z5shownPKjPfii$regdem2{{.*}} grid 5000
// CHECK-NEXT: launch _Z4openPKjPfii$regdem1{{.*}} grid 2500
template <int Kinds>
__device__ void sums(const unsigned *__restrict In, float *__restrict Out,
                     int Count, int Rows) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum[Kinds];
  for (int K = 0; K < Kinds; ++K)
    Sum[K] = 0;
  for (int Row = 0; Row < Rows; ++Row) {
    unsigned W = In[Row * Count + T];
    Sum[W % Kinds] += (W >> 8) * 0.5f;
  }
  for (int K = 0; K < Kinds; ++K)
    Out[K * Count + T] = Sum[K];
}

__global__ void shown(const unsigned *__restrict In, float *__restrict Out,
                      int Count, int Rows) {
  sums<24>(In, Out, Count, Rows);
}

__global__ void open(const unsigned *__restrict In, float *__restrict Out,
                     int Count, int Rows) {
  sums<24>(In, Out, Count, Rows);
}

int main(int Number, char **) {
  shown<<<10000, 128>>>(nullptr, nullptr, 1280000, 64);
  shown<<<5000, 256>>>(nullptr, nullptr, 1280000, 64);
  open<<<2500, 511 + Number>>>(nullptr, nullptr, 1280000, 64);
}
