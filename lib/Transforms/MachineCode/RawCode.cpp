//===- RawCode.cpp - what machine code there is in a cubin ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/RawCode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"

using namespace llvm;

namespace regdem {

using File = object::ELF64LEFile;

static bool holdsCode(const File::Elf_Shdr &Section) {
  return Section.sh_flags & ELF::SHF_EXECINSTR &&
         Section.sh_type == ELF::SHT_PROGBITS;
}

/// Fills in Code's functions, which are in section CodeIndex of Image.
static Error readFunctions(const File &Image, size_t CodeIndex, RawCode &Code) {
  auto Sections = Image.sections();
  if (!Sections)
    return Sections.takeError();
  for (const auto &S : *Sections) {
    if (S.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto Symbols = Image.symbols(&S);
    if (!Symbols)
      return Symbols.takeError();
    auto Names = Image.getStringTableForSymtab(S);
    if (!Names)
      return Names.takeError();
    for (const auto &Symbol : *Symbols) {
      if (Symbol.getType() != ELF::STT_FUNC || Symbol.st_shndx != CodeIndex)
        continue;
      Expected<StringRef> Name = Symbol.getName(*Names);
      if (!Name)
        return Name.takeError();
      StringRef &Known = Code.Functions[Symbol.st_value];
      if (Known.empty() || *Name < Known)
        Known = *Name;
    }
  }
  return Error::success();
}

static Expected<RawCode> readCode(StringRef Cubin) {
  Expected<File> Image = File::create(Cubin);
  if (!Image)
    return Image.takeError();
  auto Sections = Image->sections();
  if (!Sections)
    return Sections.takeError();
  std::optional<RawCode> Result;
  size_t CodeIndex = 0, Index = 0;
  for (const auto &S : *Sections) {
    size_t Here = Index++;
    if (!holdsCode(S))
      continue;
    Expected<StringRef> Name = Image->getSectionName(S);
    if (!Name)
      return Name.takeError();
    auto Bytes = Image->getSectionContents(S);
    if (!Bytes)
      return Bytes.takeError();
    if (Result || !Name->consume_front(".text."))
      return createStringError("not one section of code");
    Result = RawCode{*Name, toStringRef(*Bytes), {}};
    CodeIndex = Here;
  }
  if (!Result)
    return createStringError("no code");
  for (const auto &S : *Sections)
    if ((S.sh_type == ELF::SHT_REL || S.sh_type == ELF::SHT_RELA) &&
        S.sh_info == CodeIndex && S.sh_size)
      return createStringError("code that a linker or loader writes into");
  if (Error E = readFunctions(*Image, CodeIndex, *Result))
    return E;
  return std::move(*Result);
}

std::optional<RawCode> rawCodeOf(StringRef Cubin) {
  return expectedToOptional(readCode(Cubin));
}

uint64_t codeBytesOf(StringRef Cubin) {
  std::optional<File> Image = expectedToOptional(File::create(Cubin));
  if (!Image)
    return 0;
  auto Sections = expectedToOptional(Image->sections());
  if (!Sections)
    return 0;
  uint64_t Bytes = 0;
  for (const auto &S : *Sections)
    if (holdsCode(S))
      Bytes += S.sh_size;
  return Bytes;
}

/// The tables of 2/pi for single and double precision.
static bool isSlowPathTable(StringRef Symbol) {
  return Symbol.starts_with("__cudart_i2opi_");
}

/// Appends the offsets to which relocations of section S write such addresses.
template <typename Relocations>
static Error readRelocations(const File &Image, const File::Elf_Shdr &S,
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

static Expected<std::vector<uint64_t>> readTables(StringRef Cubin) {
  Expected<File> Image = File::create(Cubin);
  if (!Image)
    return Image.takeError();
  auto Sections = Image->sections();
  if (!Sections)
    return Sections.takeError();
  std::vector<uint64_t> Offsets;
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
  return Offsets;
}

std::vector<uint64_t> slowPathTables(StringRef Cubin) {
  return expectedToOptional(readTables(Cubin))
      .value_or(std::vector<uint64_t>());
}

} // namespace regdem
