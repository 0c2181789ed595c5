//===- SlowPathTables.cpp - what only slow paths read ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/SlowPathTables.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"

using namespace llvm;

namespace regdem {

namespace {

using File = object::ELF64LEFile;

/// The tables of 2/pi for single and double precision.
bool isSlowPathTable(StringRef Symbol) {
  return Symbol.starts_with("__cudart_i2opi_");
}

/// Appends the offsets to which relocations of section S write such addresses.
template <typename Relocations>
Error readRelocations(const File &Image, const File::Elf_Shdr &S,
                      Expected<Relocations> List,
                      std::vector<uint64_t> &Offsets) {
  if (!List)
    return List.takeError();
  auto Symbols = Image.getSection(S.sh_link);
  if (!Symbols)
    return Symbols.takeError();
  auto Names = Image.getStringTableForSymtab(**Symbols);
  if (!Names)
    return Names.takeError();
  for (const auto &R : *List) {
    auto Symbol =
        Image.getEntry<File::Elf_Sym>(**Symbols, R.getSymbol(/*isMips=*/false));
    if (!Symbol)
      return Symbol.takeError();
    Expected<StringRef> Name = (*Symbol)->getName(*Names);
    if (!Name)
      return Name.takeError();
    if (isSlowPathTable(*Name))
      Offsets.push_back(R.r_offset);
  }
  return Error::success();
}

Error readTables(StringRef Cubin, std::vector<uint64_t> &Offsets) {
  Expected<File> Image = File::create(Cubin);
  if (!Image)
    return Image.takeError();
  auto Sections = Image->sections();
  if (!Sections)
    return Sections.takeError();
  for (const File::Elf_Shdr &S : *Sections) {
    if (S.sh_type != ELF::SHT_REL && S.sh_type != ELF::SHT_RELA)
      continue;
    Expected<StringRef> Name = Image->getSectionName(S);
    if (!Name)
      return Name.takeError();
    if (!Name->ends_with(".nv.constant4"))
      continue;
    if (Error E = S.sh_type == ELF::SHT_REL
                      ? readRelocations(*Image, S, Image->rels(S), Offsets)
                      : readRelocations(*Image, S, Image->relas(S), Offsets))
      return E;
  }
  return Error::success();
}

} // namespace

std::vector<uint64_t> slowPathTables(StringRef Cubin) {
  std::vector<uint64_t> Offsets;
  if (Error E = readTables(Cubin, Offsets)) {
    consumeError(std::move(E));
    return {};
  }
  return Offsets;
}

} // namespace regdem
