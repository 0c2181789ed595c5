//===- CubinImage.cpp - the ELF image of a GPU program --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of .nv.info and .nv.info.KERNEL are: format (1 byte), attribute
// (1 byte), and for format 4 a size (2 bytes) and so many bytes of payload; the
// others have 2 bytes of value. LLVM's ELF reader has checked that all headers
// lie within the file.
//
//===----------------------------------------------------------------------===//

#include "CubinImage.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem {

namespace {

enum Attribute : uint8_t {
  MaxThreads = 0x05,      ///< x, y, z of .maxntid.
  RequiredThreads = 0x10, ///< x, y, z of .reqntid.
  FrameSize = 0x11,       ///< Symbol, bytes of its own frame.
  MinStackSize = 0x12,    ///< Symbol, bytes with all that it calls.
  RegisterCount = 0x2f,   ///< Symbol, registers.
  ApiVersion = 0x37       ///< Release of CUDA, 130 for 13.0.
};

constexpr uint8_t WithPayload = 4;
/// st_other of a kernel's symbol.
constexpr uint8_t EntryPoint = 0x10;
/// ABI version of images that have the architecture in bits 8 to 15 of e_flags.
constexpr uint8_t NewFlags = 8;

uint32_t word(StringRef Payload, unsigned N) {
  return support::endian::read32le(Payload.data() + 4 * N);
}

/// Calls Use(attribute, payload, offset of the payload) for each record.
template <class F> void forEachRecord(StringRef Info, F Use) {
  for (size_t At = 0; At + 4 <= Info.size();) {
    uint8_t Format = Info[At], Kind = Info[At + 1];
    size_t Size = 0;
    if (Format == WithPayload) {
      Size = support::endian::read16le(Info.data() + At + 2);
      if (At + 4 + Size > Info.size())
        return;
      Use(Kind, Info.substr(At + 4, Size), At + 4);
    }
    At += 4 + Size;
  }
}

} // namespace

CubinImage::ELFT::Ehdr &CubinImage::header() {
  return *reinterpret_cast<ELFT::Ehdr *>(Bytes.data());
}

const CubinImage::ELFT::Ehdr &CubinImage::header() const {
  return const_cast<CubinImage *>(this)->header();
}

CubinImage::ELFT::Shdr *CubinImage::sections() {
  return reinterpret_cast<ELFT::Shdr *>(Bytes.data() + header().e_shoff);
}

const CubinImage::ELFT::Shdr *CubinImage::sections() const {
  return const_cast<CubinImage *>(this)->sections();
}

CubinImage::ELFT::Sym *CubinImage::symbols() {
  return reinterpret_cast<ELFT::Sym *>(Bytes.data() +
                                       sections()[SymbolTable].sh_offset);
}

uint64_t CubinImage::size(unsigned Section) const {
  return sections()[Section].sh_size;
}

uint64_t CubinImage::alignment(unsigned Section) const {
  return sections()[Section].sh_addralign;
}

StringRef CubinImage::contents(unsigned Section) const {
  const ELFT::Shdr &S = sections()[Section];
  if (S.sh_type == ELF::SHT_NOBITS)
    return "";
  return StringRef(Bytes).substr(S.sh_offset, S.sh_size);
}

StringRef CubinImage::nameOf(unsigned Section) const {
  const ELFT::Ehdr &H = header();
  return contents(H.e_shstrndx)
      .substr(sections()[Section].sh_name)
      .split('\0')
      .first;
}

std::optional<unsigned> CubinImage::findSection(StringRef Name) const {
  const ELFT::Ehdr &H = header();
  for (unsigned I = 1; I < H.e_shnum; ++I)
    if (nameOf(I) == Name)
      return I;
  return std::nullopt;
}

bool CubinImage::hasSection(StringRef Prefix) const {
  const ELFT::Ehdr &H = header();
  for (unsigned I = 1; I < H.e_shnum; ++I)
    if (nameOf(I).starts_with(Prefix))
      return true;
  return false;
}

bool CubinImage::isRelocated(unsigned Section) const {
  const ELFT::Ehdr &H = header();
  for (unsigned I = 1; I < H.e_shnum; ++I) {
    const ELFT::Shdr &S = sections()[I];
    if ((S.sh_type == ELF::SHT_REL || S.sh_type == ELF::SHT_RELA) &&
        S.sh_info == Section && S.sh_size)
      return true;
  }
  return false;
}

std::string CubinImage::architecture() const {
  const ELFT::Ehdr &H = header();
  uint32_t Flags = H.e_flags;
  unsigned SM = H.e_ident[ELF::EI_ABIVERSION] >= NewFlags ? (Flags >> 8) & 0xff
                                                          : Flags & 0xff;
  return ("sm_" + Twine(SM)).str();
}

Expected<CubinImage> CubinImage::read(StringRef Bytes) {
  CubinImage Image(Bytes);
  if (Error E = Image.collect())
    return E;
  return Image;
}

void CubinImage::readProperties(StringRef Info, CubinKernel &K) const {
  auto OfKernel = [&](StringRef Payload) {
    return Payload.size() >= 8 && word(Payload, 0) == K.Symbol;
  };
  forEachRecord(Info, [&](uint8_t Kind, StringRef Payload, size_t) {
    if (Kind == RegisterCount && OfKernel(Payload))
      K.Registers = word(Payload, 1);
    if (Kind == MinStackSize && OfKernel(Payload))
      K.FrameBytes = word(Payload, 1);
    if (Kind == ApiVersion && Payload.size() >= 4)
      K.Release = word(Payload, 0);
    bool Exact = Kind == RequiredThreads;
    if ((Exact || (Kind == MaxThreads && !K.Limit)) && Payload.size() >= 12) {
      BlockLimit L;
      for (unsigned D = 0; D != 3; ++D)
        L.Dimensions[D] = word(Payload, D);
      L.Exact = Exact;
      K.Limit = L;
    }
  });
}

Error CubinImage::collectKernel(unsigned Symbol, const ELFT::Sym &S,
                                StringRef Name) {
  CubinKernel K;
  K.Name = Name.str();
  K.Symbol = Symbol;
  K.Text = S.st_shndx;
  if (nameOf(K.Text) != (".text." + Name).str() || S.st_value != 0)
    return createStringError("kernel '" + Name + "' has no section of its own");
  K.Shared = findSection((".nv.shared." + Name).str());
  if (auto Info = findSection(".nv.info"))
    readProperties(contents(*Info), K);
  if (auto Info = findSection((".nv.info." + Name).str()))
    readProperties(contents(*Info), K);
  Kernels.push_back(std::move(K));
  return Error::success();
}

Error CubinImage::collect() {
  auto File = object::ELFFile<ELFT>::create(Bytes);
  if (!File)
    return File.takeError();
  const ELFT::Ehdr &H = File->getHeader();
  if (H.e_machine != ELF::EM_CUDA)
    return createStringError("not a program for an NVIDIA GPU");
  if (H.e_type != ELF::ET_EXEC)
    return createStringError("it is to be linked yet (ptxas -c)");
  auto Sections = File->sections();
  if (!Sections)
    return Sections.takeError();
  const ELFT::Shdr *Symbols = nullptr;
  for (const ELFT::Shdr &S : *Sections) {
    if (S.sh_type == ELF::SHT_SYMTAB)
      Symbols = &S;
    if (S.sh_type != ELF::SHT_NOBITS)
      if (auto Contents = File->getSectionContents(S); !Contents)
        return Contents.takeError();
  }
  if (!Symbols)
    return createStringError("it has no symbols");
  SymbolTable = static_cast<unsigned>(Symbols - Sections->begin());
  auto Table = File->symbols(Symbols);
  auto Names = File->getStringTableForSymtab(*Symbols);
  if (!Table)
    return Table.takeError();
  if (!Names)
    return Names.takeError();
  for (unsigned I = 0; I != Table->size(); ++I) {
    const ELFT::Sym &S = (*Table)[I];
    if (S.getType() != ELF::STT_FUNC || !(S.st_other & EntryPoint) ||
        S.st_shndx >= H.e_shnum)
      continue;
    Expected<StringRef> Name = S.getName(*Names);
    if (!Name)
      return Name.takeError();
    if (Error E = collectKernel(I, S, *Name))
      return E;
  }
  return Error::success();
}

/// Makes room for Count bytes, all zero, at Offset of the file. Whatever stood
/// there stands after them, and so does what was after it; the caller adapts
/// the section that has become longer.
void CubinImage::insert(uint64_t Offset, uint64_t Count) {
  Bytes.insert(Offset, Count, '\0');
  ELFT::Ehdr &H = header();
  auto Moved = [&](uint64_t Value) {
    return Value >= Offset ? Value + Count : Value;
  };
  H.e_shoff = Moved(H.e_shoff);
  H.e_phoff = Moved(H.e_phoff);
  for (unsigned I = 1; I < H.e_shnum; ++I) {
    ELFT::Shdr &S = sections()[I];
    S.sh_offset = Moved(S.sh_offset);
  }
  auto *Segments = reinterpret_cast<ELFT::Phdr *>(Bytes.data() + H.e_phoff);
  for (unsigned I = 0; I != H.e_phnum; ++I) {
    ELFT::Phdr &P = Segments[I];
    bool Around = P.p_offset < Offset && P.p_offset + P.p_filesz >= Offset;
    P.p_offset = Moved(P.p_offset);
    if (!Around)
      continue;
    P.p_filesz = P.p_filesz + Count;
    P.p_memsz = P.p_memsz + Count;
  }
}

void CubinImage::grow(unsigned Section, uint64_t Count) {
  const ELFT::Shdr &S = sections()[Section];
  insert(S.sh_offset + S.sh_size, Count);
  ELFT::Shdr &Grown = sections()[Section];
  Grown.sh_size = Grown.sh_size + Count;
}

void CubinImage::setCode(const CubinKernel &K, StringRef Code) {
  uint64_t Old = size(K.Text);
  if (Code.size() > Old) {
    grow(K.Text, Code.size() - Old);
    symbols()[K.Symbol].st_size = Code.size();
  }
  Bytes.replace(sections()[K.Text].sh_offset, Code.size(), Code.data(),
                Code.size());
}

void CubinImage::setSharedSize(const CubinKernel &K, uint64_t Size) {
  std::string Name = ".nv.shared." + K.Name;
  std::optional<unsigned> Index = findSection(Name);
  uint64_t Old = 0;
  if (!Index) {
    // The name goes to the end of the names, the header to the end of the
    // headers. All that follows stays aligned to 128 bytes, as code has to be.
    unsigned Names = header().e_shstrndx;
    uint64_t NameAt = size(Names);
    uint64_t Offset = sections()[Names].sh_offset + NameAt;
    insert(Offset, alignTo(Name.size() + 1, 128));
    Bytes.replace(Offset, Name.size(), Name);
    sections()[Names].sh_size = NameAt + Name.size() + 1;
    uint64_t Table = header().e_shoff;
    uint64_t End = Table + header().e_shnum * sizeof(ELFT::Shdr);
    insert(End, sizeof(ELFT::Shdr));
    // The table itself begins before what was inserted.
    Index = header().e_shnum;
    header().e_shnum = *Index + 1;
    const ELFT::Shdr Text = sections()[K.Text];
    ELFT::Shdr &S = sections()[*Index];
    S.sh_name = NameAt;
    S.sh_type = ELF::SHT_NOBITS;
    S.sh_flags = ELF::SHF_WRITE | ELF::SHF_ALLOC | ELF::SHF_INFO_LINK;
    S.sh_offset = Text.sh_offset + Text.sh_size;
    S.sh_info = K.Text;
    S.sh_addralign = 16;
  } else {
    Old = size(*Index);
  }
  // It begins where a block's shared memory does, whatever its alignment.
  sections()[*Index].sh_size = Size;
  auto *Segments =
      reinterpret_cast<ELFT::Phdr *>(Bytes.data() + header().e_phoff);
  for (unsigned I = 0; I != header().e_phnum; ++I)
    if (Segments[I].p_flags == (ELF::PF_R | ELF::PF_W))
      Segments[I].p_memsz = Segments[I].p_memsz + (Size - Old);
}

void CubinImage::clearFrame(const CubinKernel &K) {
  std::optional<unsigned> Info = findSection(".nv.info");
  if (!Info)
    return;
  uint64_t Start = sections()[*Info].sh_offset;
  auto OfCode = [&](uint32_t Symbol) {
    return Symbol < size(SymbolTable) / sizeof(ELFT::Sym) &&
           symbols()[Symbol].st_shndx == K.Text;
  };
  forEachRecord(
      contents(*Info), [&](uint8_t Kind, StringRef Payload, size_t At) {
        if ((Kind == FrameSize || Kind == MinStackSize) &&
            Payload.size() >= 8 && OfCode(word(Payload, 0)))
          support::endian::write32le(Bytes.data() + Start + At + 4, 0);
      });
}

} // namespace regdem
