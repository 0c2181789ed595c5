//===- RawCode.cpp - a kernel's machine code in a cubin -------------------===//
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

std::optional<RawCode> rawCodeOf(StringRef Cubin) {
  Expected<File> Image = File::create(Cubin);
  if (!Image) {
    consumeError(Image.takeError());
    return std::nullopt;
  }
  auto Sections = Image->sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return std::nullopt;
  }
  std::optional<RawCode> Result;
  size_t CodeIndex = 0, Index = 0;
  for (const auto &S : *Sections) {
    size_t Here = Index++;
    if (!holdsCode(S))
      continue;
    Expected<StringRef> Name = Image->getSectionName(S);
    auto Bytes = Image->getSectionContents(S);
    bool Failed = !Name || !Bytes;
    if (!Name)
      consumeError(Name.takeError());
    if (!Bytes)
      consumeError(Bytes.takeError());
    if (Failed || Result || !Name->consume_front(".text."))
      return std::nullopt;
    Result = RawCode{*Name, toStringRef(*Bytes), {}};
    CodeIndex = Here;
  }
  for (const auto &S : *Sections)
    if ((S.sh_type == ELF::SHT_REL || S.sh_type == ELF::SHT_RELA) &&
        S.sh_info == CodeIndex && S.sh_size)
      return std::nullopt;
  if (!Result)
    return std::nullopt;
  if (Error E = readFunctions(*Image, CodeIndex, *Result)) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  return Result;
}

uint64_t codeBytesOf(StringRef Cubin) {
  Expected<File> Image = File::create(Cubin);
  if (!Image) {
    consumeError(Image.takeError());
    return 0;
  }
  auto Sections = Image->sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return 0;
  }
  uint64_t Bytes = 0;
  for (const auto &S : *Sections)
    if (holdsCode(S))
      Bytes += S.sh_size;
  return Bytes;
}

} // namespace regdem
