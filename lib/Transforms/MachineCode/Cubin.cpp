//===- Cubin.cpp - sections, symbols and attributes of a cubin ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/Cubin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace regdem {

/// Whether a section of this type has bytes in the file.
static bool hasBytes(unsigned Type) {
  return Type != ELF::SHT_NOBITS && Type != ELF::SHT_NULL &&
         Type != CubinSection::UnlinkedShared;
}

static Error readSections(const ELFFile &File, Cubin &C) {
  auto Headers = File.sections();
  if (!Headers)
    return Headers.takeError();
  for (const auto &Header : *Headers) {
    Expected<StringRef> Name = File.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    CubinSection S{*Name, Header, ""};
    if (hasBytes(Header.sh_type)) {
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
  for (const CubinSection &S : C.Sections) {
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

std::optional<unsigned> Cubin::indexOf(StringRef Name) const {
  auto Found =
      find_if(Sections, [&](const CubinSection &S) { return S.Name == Name; });
  return Found == Sections.end()
             ? std::nullopt
             : std::optional(static_cast<unsigned>(Found - Sections.begin()));
}

const CubinSection *Cubin::find(StringRef Name) const {
  std::optional<unsigned> Index = indexOf(Name);
  return Index ? &Sections[*Index] : nullptr;
}

bool Cubin::hasSection(StringRef Prefix) const {
  return any_of(Sections, [Prefix](const CubinSection &S) {
    return S.Name.starts_with(Prefix);
  });
}

std::vector<CubinRelocation> Cubin::relocationsOf(unsigned Index) const {
  std::vector<CubinRelocation> All;
  for (const CubinSection &S : Sections)
    if (S.holdsRelocations() && S.Header.sh_info == Index)
      append_range(All, readRelocations(S));
  return All;
}

StringRef Cubin::nameOf(unsigned Index) const {
  return Index < Sections.size() ? Sections[Index].Name : "(none)";
}

unsigned Cubin::architecture() const {
  // ptxas 13 writes ABI version 8, with the number one byte further up.
  bool New = Header.e_ident[ELF::EI_ABIVERSION] >= 8;
  return Header.e_flags >> (New ? 8 : 0) & 0xff;
}

std::vector<CubinRelocation> readRelocations(const CubinSection &S) {
  // Elf64_Rel and Elf64_Rela: offset, type (4 bytes), symbol (4), addend.
  size_t Size = S.Header.sh_type == ELF::SHT_RELA ? 24 : 16;
  std::vector<CubinRelocation> Result;
  for (size_t At = 0; At + Size <= S.Bytes.size(); At += Size)
    Result.push_back({support::endian::read64le(S.Bytes.data() + At),
                      support::endian::read32le(S.Bytes.data() + At + 12)});
  return Result;
}

std::optional<uint32_t> CubinAttribute::word(size_t N) const {
  if (Value.size() < 4 * (N + 1))
    return std::nullopt;
  return support::endian::read32le(Value.data() + 4 * N);
}

Expected<std::vector<CubinAttribute>> readAttributes(StringRef Bytes) {
  std::vector<CubinAttribute> Result;
  while (!Bytes.empty()) {
    if (Bytes.size() < 4)
      return createStringError("attribute without an end");
    CubinAttribute A{static_cast<uint8_t>(Bytes[0]),
                     static_cast<uint8_t>(Bytes[1]), Bytes.slice(2, 4)};
    size_t Size = 4;
    if (A.Format == CubinAttribute::Sized) {
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

} // namespace regdem
