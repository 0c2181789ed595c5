//===- Cubin.cpp - sections, symbols and attributes of a cubin ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cubin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <set>

using namespace llvm;

namespace regdem::framecheck {

static Error readSections(const ELFFile &File, Cubin &C) {
  auto Headers = File.sections();
  if (!Headers)
    return Headers.takeError();
  std::set<StringRef> Names;
  for (const auto &Header : *Headers) {
    Expected<StringRef> Name = File.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    if (!Names.insert(*Name).second)
      return createStringError("two sections '" + *Name + "'");
    Section S{*Name, Header, ""};
    if (Header.sh_type != ELF::SHT_NOBITS && Header.sh_type != ELF::SHT_NULL) {
      auto Bytes = File.getSectionContents(Header);
      if (!Bytes)
        return Bytes.takeError();
      S.Bytes = toStringRef(*Bytes);
    }
    C.Sections.push_back(S);
  }
  return Error::success();
}

static Error readSymbols(const ELFFile &File, Cubin &C) {
  for (const Section &S : C.Sections) {
    if (S.Header.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto Table = File.symbols(&S.Header);
    if (!Table)
      return Table.takeError();
    Expected<StringRef> Strings = File.getStringTableForSymtab(
        S.Header, ArrayRef<ELFFile::Elf_Shdr>(*File.sections()));
    if (!Strings)
      return Strings.takeError();
    for (const auto &Entry : *Table) {
      Expected<StringRef> Name = Entry.getName(*Strings);
      if (!Name)
        return Name.takeError();
      C.Symbols.push_back({*Name, Entry});
    }
  }
  return Error::success();
}

Expected<Cubin> Cubin::read(StringRef Image) {
  Expected<ELFFile> File = ELFFile::create(Image);
  if (!File)
    return File.takeError();
  Cubin C;
  C.Header = File->getHeader();
  if (C.Header.e_machine != ELF::EM_CUDA || C.Header.e_type != ELF::ET_EXEC)
    return createStringError("not a linked program for a CUDA GPU");
  if (Error E = readSections(*File, C))
    return E;
  if (Error E = readSymbols(*File, C))
    return E;
  auto Segments = File->program_headers();
  if (!Segments)
    return Segments.takeError();
  C.Segments.assign(Segments->begin(), Segments->end());
  return C;
}

const Section *Cubin::find(StringRef Name) const {
  for (const Section &S : Sections)
    if (S.Name == Name)
      return &S;
  return nullptr;
}

StringRef Cubin::nameOf(unsigned Index) const {
  return Index < Sections.size() ? Sections[Index].Name : "(none)";
}

unsigned Cubin::architecture() const {
  // ptxas 13 writes ABI version 8, with the number one byte further up.
  bool New = Header.e_ident[ELF::EI_ABIVERSION] >= 8;
  return Header.e_flags >> (New ? 8 : 0) & 0xff;
}

std::optional<uint32_t> Attribute::word(size_t N) const {
  if (Value.size() < 4 * (N + 1))
    return std::nullopt;
  return support::endian::read32le(Value.data() + 4 * N);
}

Expected<std::vector<Attribute>> readAttributes(StringRef Bytes) {
  std::vector<Attribute> Result;
  while (!Bytes.empty()) {
    if (Bytes.size() < 4)
      return createStringError("attribute without an end");
    Attribute A{static_cast<uint8_t>(Bytes[0]), static_cast<uint8_t>(Bytes[1]),
                Bytes.slice(2, 4)};
    size_t Size = 4;
    if (A.Format == Attribute::Sized) {
      Size += support::endian::read16le(Bytes.data() + 2);
      A.Value = Bytes.slice(4, Size);
    }
    if (Size > Bytes.size())
      return createStringError("attribute without an end");
    Result.push_back(A);
    Bytes = Bytes.drop_front(Size);
  }
  return Result;
}

} // namespace regdem::framecheck
