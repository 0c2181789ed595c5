//===- LaunchLog.c - what launches took -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the programs that RegDem compiles, as Dispatcher.c. Writes to the
// file that REGDEM_LAUNCH_LOG names, one JSON object a line: each kind of
// launch when it is first seen, and all of them with their number when the
// program ends, or the shared object with this module is unloaded.
//
//===----------------------------------------------------------------------===//

#include "Dispatcher.h"

#include <stdio.h>
#include <stdlib.h>

/// Launches that differ in nothing that the choice of a build depends on but
/// the grid.
typedef struct {
  const RegDemKernel *Kernel;
  uint32_t Block[3];
  uint32_t Build; ///< 0: the kernel itself.
  uint64_t Shared, Launches;
} Kind;

static Kind *Kinds;
static size_t NumKinds, Room;
static char IsLocked;

/// The file's name; null where nobody wants a log.
static const char *fileName(void) {
  static const char *Name;
  static int IsRead;
  if (!__atomic_load_n(&IsRead, __ATOMIC_ACQUIRE)) {
    const char *Text = getenv("REGDEM_LAUNCH_LOG");
    __atomic_store_n(&Name, Text && *Text ? Text : NULL, __ATOMIC_RELAXED);
    __atomic_store_n(&IsRead, 1, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&Name, __ATOMIC_RELAXED);
}

/// Writes K; with its number of launches, or with the grid of the first.
static void writeKind(FILE *File, const Kind *K, const RegDemLaunch *First) {
  fprintf(File,
          "{\"event\":\"%s\",\"kernel\":\"%s\",\"block\":[%u,%u,%u],"
          "\"dynamic_smem\":%llu,\"build\":%u,",
          First ? "first" : "exit", K->Kernel->Name, K->Block[0], K->Block[1],
          K->Block[2], (unsigned long long)K->Shared, K->Build);
  if (First)
    fprintf(File, "\"grid\":[%u,%u,%u]}\n", (uint32_t)First->GridXY,
            (uint32_t)(First->GridXY >> 32), First->GridZ);
  else
    fprintf(File, "\"launches\":%llu}\n", (unsigned long long)K->Launches);
}

/// The entry for such launches; null where there is none yet.
static Kind *findKind(const RegDemLaunch *L, uint32_t Build) {
  for (size_t I = 0; I != NumKinds; ++I) {
    Kind *K = &Kinds[I];
    if (K->Kernel == L->Kernel && K->Block[0] == (uint32_t)L->BlockXY &&
        K->Block[1] == (uint32_t)(L->BlockXY >> 32) &&
        K->Block[2] == L->BlockZ && K->Shared == L->Shared && K->Build == Build)
      return K;
  }
  return NULL;
}

/// A new entry for such launches; null where memory is short.
static Kind *addKind(const RegDemLaunch *L, uint32_t Build) {
  if (NumKinds == Room) {
    size_t More = Room ? 2 * Room : 16;
    Kind *Moved = realloc(Kinds, More * sizeof(Kind));
    if (!Moved)
      return NULL;
    Kinds = Moved;
    Room = More;
  }
  Kind *K = &Kinds[NumKinds++];
  *K = (Kind){L->Kernel,
              {(uint32_t)L->BlockXY, (uint32_t)(L->BlockXY >> 32), L->BlockZ},
              Build,
              L->Shared,
              0};
  return K;
}

void __regdem_log(const RegDemLaunch *L, uint32_t Build) {
  const char *Name = fileName();
  if (!Name)
    return;
  while (__atomic_test_and_set(&IsLocked, __ATOMIC_ACQUIRE)) {
  }
  Kind *K = findKind(L, Build);
  if (!K && (K = addKind(L, Build))) {
    FILE *File = fopen(Name, "a");
    if (File) {
      writeKind(File, K, L);
      fclose(File);
    }
  }
  if (K)
    ++K->Launches;
  __atomic_clear(&IsLocked, __ATOMIC_RELEASE);
}

void __regdem_log_settled(const RegDemLaunch *L, uint32_t Chosen, float Stock,
                          float Build) {
  const char *Name = fileName();
  FILE *File = Name ? fopen(Name, "a") : NULL;
  if (!File)
    return;
  fprintf(File,
          "{\"event\":\"settled\",\"kernel\":\"%s\",\"block\":[%u,%u,%u],"
          "\"dynamic_smem\":%llu,\"grid\":[%u,%u,%u],\"build\":%u,"
          "\"kernel_ms\":%.6f,\"build_ms\":%.6f}\n",
          L->Kernel->Name, (uint32_t)L->BlockXY, (uint32_t)(L->BlockXY >> 32),
          L->BlockZ, (unsigned long long)L->Shared, (uint32_t)L->GridXY,
          (uint32_t)(L->GridXY >> 32), L->GridZ, Chosen, Stock, Build);
  fclose(File);
}

__attribute__((destructor)) static void writeAll(void) {
  FILE *File = NumKinds ? fopen(fileName(), "a") : NULL;
  if (!File)
    return;
  for (size_t I = 0; I != NumKinds; ++I)
    writeKind(File, &Kinds[I], NULL);
  fclose(File);
}
