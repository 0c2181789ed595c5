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
// Kinds are only ever added, so that nothing has to be locked: a lock that
// another thread holds during fork() would stay locked in the child.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE // secure_getenv()

#include "Dispatcher.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/// Launches that differ in nothing that the choice of a build depends on but
/// the grid.
typedef struct Kind {
  struct Kind *Next; ///< That was there before.
  const RegDemKernel *Kernel;
  uint64_t BlockXY;
  uint32_t BlockZ;
  uint32_t Build; ///< 0: the kernel itself.
  uint64_t Shared, Launches;
} Kind;

static Kind *Newest;
static pid_t Process; ///< That has seen them: not its children.

/// The file's name; null where nobody wants a log.
static const char *fileName(void) {
  static const char *Name;
  static int IsRead;
  if (!__atomic_load_n(&IsRead, __ATOMIC_ACQUIRE)) {
    const char *Text = secure_getenv("REGDEM_LAUNCH_LOG");
    __atomic_store_n(&Name, Text && *Text ? Text : NULL, __ATOMIC_RELAXED);
    __atomic_store_n(&IsRead, 1, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&Name, __ATOMIC_RELAXED);
}

/// Lines that are written at once, so that those of other threads and processes
/// come before or after them.
typedef struct {
  FILE *Text;
  char *Bytes;
  size_t Size;
} Lines;

static int begin(Lines *Of) {
  Of->Bytes = NULL;
  Of->Text = fileName() ? open_memstream(&Of->Bytes, &Of->Size) : NULL;
  return Of->Text != NULL;
}

static void end(Lines *Of) {
  if (!fclose(Of->Text)) {
    int File =
        open(fileName(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (File >= 0) {
      ssize_t Written = write(File, Of->Bytes, Of->Size);
      (void)Written; // A log that cannot be written must not stop a program.
      close(File);
    }
  }
  free(Of->Bytes);
}

/// Writes String as JSON has it, with its quotes.
static void writeString(FILE *Text, const char *String) {
  putc('"', Text);
  for (; *String; ++String) {
    unsigned char C = (unsigned char)*String;
    if (C < ' ')
      fprintf(Text, "\\u%04x", C);
    else
      fprintf(Text, C == '"' || C == '\\' ? "\\%c" : "%c", C);
  }
  putc('"', Text);
}

/// Launches as L that take Build, of which there have been none.
static Kind kindOf(const RegDemLaunch *L, uint32_t Build) {
  return (Kind){NULL, L->Kernel, L->BlockXY, L->BlockZ, Build, L->Shared, 0};
}

/// Writes a field with the extents of a grid or block.
static void writeExtents(FILE *Text, const char *Field, uint64_t XY,
                         uint32_t Z) {
  fprintf(Text, "\"%s\":[%u,%u,%u]", Field, (uint32_t)XY, (uint32_t)(XY >> 32),
          Z);
}

/// Writes the start of a line, to which more fields belong.
static void writeEvent(FILE *Text, const char *Event, const Kind *K) {
  fprintf(Text, "{\"event\":\"%s\",\"kernel\":", Event);
  writeString(Text, K->Kernel->Name);
  putc(',', Text);
  writeExtents(Text, "block", K->BlockXY, K->BlockZ);
  fprintf(Text, ",\"dynamic_smem\":%llu,", (unsigned long long)K->Shared);
}

/// The entry for launches as K, from First on up to, but not with, Last; null
/// where there is none.
static Kind *findKind(const Kind *K, Kind *First, const Kind *Last) {
  for (Kind *I = First; I != Last; I = I->Next)
    if (I->Kernel == K->Kernel && I->BlockXY == K->BlockXY &&
        I->BlockZ == K->BlockZ && I->Shared == K->Shared &&
        I->Build == K->Build)
      return I;
  return NULL;
}

/// Adds K, allocated, unless another thread has done so after Newest was First:
/// its entry then.
static Kind *addKind(Kind *K, Kind *First) {
  for (K->Next = First; !__atomic_compare_exchange_n(
           &Newest, &K->Next, K, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
       First = K->Next) {
    Kind *Other = findKind(K, K->Next, First);
    if (Other)
      return Other;
  }
  return K;
}

void __regdem_log(const RegDemLaunch *L, uint32_t Build) {
  if (!fileName())
    return;
  Kind Like = kindOf(L, Build);
  Kind *First = __atomic_load_n(&Newest, __ATOMIC_ACQUIRE);
  Kind *K = findKind(&Like, First, NULL), *Own = NULL;
  if (!K && (Own = malloc(sizeof(Kind)))) {
    *Own = Like;
    __atomic_store_n(&Process, getpid(), __ATOMIC_RELAXED);
    K = addKind(Own, First);
  }
  if (K)
    __atomic_fetch_add(&K->Launches, 1, __ATOMIC_RELAXED);
  if (K != Own) {
    free(Own);
    return;
  }
  Lines To;
  if (!Own || !begin(&To))
    return;
  writeEvent(To.Text, "first", &Like);
  fprintf(To.Text, "\"build\":%u,", Build);
  writeExtents(To.Text, "grid", L->GridXY, L->GridZ);
  fputs("}\n", To.Text);
  end(&To);
}

void __regdem_log_settled(const RegDemLaunch *L, uint32_t Chosen, float Stock,
                          float Build) {
  Kind Like = kindOf(L, Chosen);
  Lines To;
  if (!begin(&To))
    return;
  writeEvent(To.Text, "settled", &Like);
  writeExtents(To.Text, "grid", L->GridXY, L->GridZ);
  fprintf(To.Text, ",\"build\":%u,\"kernel_ms\":%.6f,\"build_ms\":%.6f}\n",
          Chosen, Stock, Build);
  end(&To);
}

__attribute__((destructor)) static void writeAll(void) {
  Lines To;
  if (!Newest || Process != getpid() || !begin(&To))
    return;
  for (const Kind *K = Newest; K; K = K->Next) {
    writeEvent(To.Text, "exit", K);
    fprintf(To.Text, "\"build\":%u,\"launches\":%llu}\n", K->Build,
            (unsigned long long)K->Launches);
  }
  end(&To);
}
