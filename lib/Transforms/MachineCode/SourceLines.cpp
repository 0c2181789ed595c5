//===- SourceLines.cpp - which lines machine code comes from --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -lineinfo ptxas writes an ordinary DWARF line table. The rows of each
// section of code are one sequence, whose start is an address for a loader to
// fill in.
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/Sass.h"

#include "regdem/MachineCode/Cubin.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace regdem {

/// An address of its own for section Index.
static uint64_t startOf(unsigned Index) { return uint64_t{Index} << 32; }

/// The bytes of Table, .debug_line, once each section of code is where it
/// starts.
static std::string relocated(const Cubin &C, unsigned Table) {
  std::string Bytes = C.Sections[Table].Bytes.str();
  for (const CubinRelocation &R : C.relocationsOf(Table))
    if (R.Offset + sizeof(uint64_t) <= Bytes.size() &&
        R.Symbol < C.Symbols.size())
      support::endian::write64le(Bytes.data() + R.Offset,
                                 startOf(C.Symbols[R.Symbol].Entry.st_shndx));
  return Bytes;
}

bool readSourceLines(StringRef Image, SassKernel &K) {
  auto C = expectedToOptional(Cubin::read(Image));
  auto Table = C ? C->indexOf(".debug_line") : std::nullopt;
  auto Home = C ? C->indexOf(".text." + K.Name) : std::nullopt;
  if (!Table || !Home)
    return false;
  std::string Bytes = relocated(*C, *Table);
  StringMap<std::unique_ptr<MemoryBuffer>> Sections;
  auto Context = DWARFContext::create(Sections, /*AddrSize=*/8);
  DWARFDataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
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
  const uint64_t Start = startOf(*Home),
                 End = Start + C->Sections[*Home].Bytes.size();
  auto Its = find_if(Lines.Sequences, [Start](const auto &Sequence) {
    return Sequence.LowPC == Start;
  });
  if (!IsWhole || Offset != Bytes.size() || Its == Lines.Sequences.end() ||
      Its->HighPC != End)
    return false;
  ArrayRef<DWARFDebugLine::Row> Rows(Lines.Rows);
  Rows = Rows.slice(Its->FirstRowIndex, Its->LastRowIndex - Its->FirstRowIndex);
  for (SassBlock &B : K.Blocks)
    for (SassInstruction &I : B.Instructions) {
      auto Row = partition_point(Rows, [&](const auto &Row) {
        return Row.Address.Address <= Start + I.Address;
      });
      I.SourceLine = Row == Rows.begin() ? 0 : std::prev(Row)->Line;
    }
  return true;
}

} // namespace regdem
