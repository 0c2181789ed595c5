//===- SourceLines.cpp - which lines machine code comes from --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -lineinfo ptxas writes an ordinary DWARF line table. A kernel's rows
// are one sequence, whose start is the only address for a loader to fill in:
// until then it is 0, as addresses in the code are.
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/Sass.h"

#include "regdem/MachineCode/Cubin.h"
#include "regdem/MachineCode/RawCode.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regdem {

bool readSourceLines(StringRef Image, SassKernel &K) {
  auto C = expectedToOptional(Cubin::read(Image));
  const CubinSection *Table = C ? C->find(".debug_line") : nullptr;
  if (!Table)
    return false;
  StringMap<std::unique_ptr<MemoryBuffer>> Sections;
  auto Context = DWARFContext::create(Sections, /*AddrSize=*/8);
  DWARFDataExtractor Data(Table->Bytes, /*IsLittleEndian=*/true,
                          /*AddressSize=*/8);
  DWARFDebugLine::LineTable Lines;
  uint64_t Offset = 0;
  bool IsWhole = true;
  Error E = Lines.parse(Data, &Offset, *Context, /*U=*/nullptr,
                        [&IsWhole](Error Recovered) {
                          IsWhole = false;
                          consumeError(std::move(Recovered));
                        });
  if (E) {
    consumeError(std::move(E));
    return false;
  }
  if (!IsWhole || Offset != Table->Bytes.size() ||
      Lines.Sequences.size() != 1 || Lines.Sequences.front().LowPC != 0 ||
      Lines.Sequences.front().HighPC != codeBytesOf(Image))
    return false;
  for (SassBlock &B : K.Blocks)
    for (SassInstruction &I : B.Instructions) {
      auto Row = partition_point(Lines.Rows, [&I](const auto &Row) {
        return Row.Address.Address <= I.Address;
      });
      I.SourceLine = Row == Lines.Rows.begin() ? 0 : std::prev(Row)->Line;
    }
  return true;
}

} // namespace regdem
