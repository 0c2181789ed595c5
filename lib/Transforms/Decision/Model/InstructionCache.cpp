//===- InstructionCache.cpp - when warps have their code ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionCache.h"

#include <algorithm>

using namespace llvm;

namespace regdem {

InstructionCache::InstructionCache(ArrayRef<TraceStep> Trace,
                                   const MachineTimings &T)
    : T(T), Visits(Trace.size()) {
  unsigned Touched = 0;
  Visit *Last = nullptr;
  std::vector<bool> Known;
  for (size_t I = 0; I != Trace.size(); ++I) {
    uint32_t Line = Trace[I].CodeLine;
    if (Line >= Known.size())
      Known.resize(Line + 1);
    if (Known[Line])
      continue;
    Known[Line] = true;
    ++Touched;
    Visits[I].Line = Line;
    if (Last)
      Last->Next = Line;
    Last = &Visits[I];
  }
  if (Touched <= T.NearCodeLines)
    Visits.clear();
  else
    Lines.resize(Known.size());
}

double InstructionCache::fetch(const Visit &V, double Time) {
  double There = fetchLine(V.Line, Time);
  if (V.Next != NoLine)
    fetchLine(V.Next, Time);
  return std::max(There, Time);
}

double InstructionCache::fetchLine(uint32_t Index, double Time) {
  auto IsIn = [](size_t Came, size_t Which, size_t Capacity) {
    return Which && Came - Which < Capacity;
  };
  Line &L = Lines[Index];
  if (IsIn(Near, L.Near, T.NearCodeLines))
    return L.There;
  L.Near = ++Near;
  bool IsFar = IsIn(Far, L.Far, T.FarCodeLines);
  if (!IsFar)
    L.Far = ++Far;
  Free = std::max(Free, Time) + (IsFar ? T.CodeLineBusy : T.L2CodeLineBusy);
  return L.There = Free;
}

} // namespace regdem
