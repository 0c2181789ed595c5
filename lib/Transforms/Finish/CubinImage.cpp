//===- CubinImage.cpp - the ELF image of a GPU program --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's ELF reader has checked that all headers lie within the file.
//
//===----------------------------------------------------------------------===//

#include "CubinImage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem {

Expected<CubinImage> CubinImage::read(StringRef Bytes, bool MayBeUnlinked) {
  CubinImage Image(Bytes);
  if (Error E = Image.collect(MayBeUnlinked))
    return E;
  return Image;
}

/// Has K say what Info, a section of attributes, says of it.
static Error readProperties(StringRef Info, CubinKernel &K) {
  using A = CubinAttribute;
  auto Attributes = readAttributes(Info);
  if (!Attributes)
    return Attributes.takeError();
  for (const A &Its : *Attributes) {
    std::optional<uint32_t> First = Its.word(0), Second = Its.word(1),
                            Third = Its.word(2);
    bool OfKernel = First == K.Symbol && Second;
    if (Its.Kind == A::RegisterCount && OfKernel)
      K.Registers = *Second;
    // The latter, with callees' frames, is there once these are known.
    if ((Its.Kind == A::FrameSize || Its.Kind == A::MinStackSize) && OfKernel)
      K.FrameBytes = std::max(K.FrameBytes, *Second);
    if (Its.Kind == A::ApiVersion && First)
      K.Release = *First;
    bool Exact = Its.Kind == A::RequiredThreads;
    if ((Exact || (Its.Kind == A::MaxThreads && !K.Limit)) && Third)
      K.Limit = BlockLimit{{*First, *Second, *Third}, Exact};
  }
  return Error::success();
}

Expected<CubinKernel> CubinImage::collectKernel(unsigned Symbol) const {
  const CubinSymbol &S = Now.Symbols[Symbol];
  CubinKernel K;
  K.Name = S.Name.str();
  K.Symbol = Symbol;
  K.Text = S.Entry.st_shndx;
  if (Now.nameOf(K.Text) != ".text." + K.Name || S.Entry.st_value != 0)
    return createStringError("kernel '" + K.Name +
                             "' has no section of its own");
  K.Shared = Now.indexOf(".nv.shared." + K.Name);
  for (const std::string &Info :
       {std::string(".nv.info"), ".nv.info." + K.Name})
    if (const CubinSection *Its = Now.find(Info))
      if (Error E = readProperties(Its->Bytes, K))
        return E;
  return K;
}

Error CubinImage::collect(bool MayBeUnlinked) {
  Expected<Cubin> C = Cubin::read(Bytes);
  if (!C)
    return C.takeError();
  Now = std::move(*C);
  if (Now.Header.e_machine != ELF::EM_CUDA)
    return createStringError("not a program for an NVIDIA GPU");
  if (!MayBeUnlinked && !Now.isLinked())
    return createStringError("it is to be linked yet (ptxas -c)");
  if (Now.Symbols.empty())
    return createStringError("it has no symbols");
  const ELFT::Ehdr &H = Now.Header;
  if (H.e_phnum && H.e_phoff < H.e_shoff + H.e_shnum * sizeof(ELFT::Shdr) &&
      H.e_shoff < H.e_phoff + H.e_phnum * sizeof(ELFT::Phdr))
    return createStringError("its headers overlap");
  for (unsigned N = 0; N != Now.Symbols.size(); ++N) {
    if (!Now.Symbols[N].isKernel() ||
        Now.Symbols[N].Entry.st_shndx >= Now.Sections.size())
      continue;
    Expected<CubinKernel> K = collectKernel(N);
    if (!K)
      return K.takeError();
    Kernels.push_back(std::move(*K));
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
  for (ELFT::Phdr &P : segments()) {
    bool Around = P.p_offset < Offset && P.p_offset + P.p_filesz >= Offset;
    P.p_offset = Moved(P.p_offset);
    if (!Around)
      continue;
    P.p_filesz = P.p_filesz + Count;
    P.p_memsz = P.p_memsz + Count;
  }
}

void CubinImage::setCode(const CubinKernel &K, StringRef Code) {
  const ELFT::Shdr &S = sections()[K.Text];
  if (Code.size() > S.sh_size) {
    insert(S.sh_offset + S.sh_size, Code.size() - S.sh_size);
    sections()[K.Text].sh_size = Code.size();
    auto Table = find_if(Now.Sections, [](const CubinSection &Section) {
      return Section.Header.sh_type == ELF::SHT_SYMTAB;
    });
    uint64_t Symbols = sections()[Table - Now.Sections.begin()].sh_offset;
    reinterpret_cast<ELFT::Sym *>(Bytes.data() + Symbols)[K.Symbol].st_size =
        Code.size();
  }
  Bytes.replace(sections()[K.Text].sh_offset, Code.size(), Code.data(),
                Code.size());
  refresh();
}

void CubinImage::setSharedSize(const CubinKernel &K, uint64_t Size) {
  std::string Name = ".nv.shared." + K.Name;
  std::optional<unsigned> Index = Now.indexOf(Name);
  uint64_t Old = 0;
  if (!Index) {
    // The name goes to the end of the names, the header to the end of the
    // headers. All that follows stays aligned to 128 bytes, as code has to be.
    unsigned Names = header().e_shstrndx;
    uint64_t NameAt = sections()[Names].sh_size;
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
    Old = sections()[*Index].sh_size;
  }
  // It begins where a block's shared memory does, whatever its alignment.
  sections()[*Index].sh_size = Size;
  for (ELFT::Phdr &P : segments())
    if (P.p_flags == (ELF::PF_R | ELF::PF_W))
      P.p_memsz = P.p_memsz + (Size - Old);
  refresh();
}

void CubinImage::clearFrame(const CubinKernel &K) {
  using A = CubinAttribute;
  const CubinSection *Info = Now.find(".nv.info");
  if (!Info)
    return;
  for (const A &Its : cantFail(readAttributes(Info->Bytes))) {
    std::optional<uint32_t> Symbol = Its.word(0);
    bool IsFrame = Its.Kind == A::FrameSize || Its.Kind == A::MinStackSize;
    if (!IsFrame || !Its.word(1) || *Symbol >= Now.Symbols.size() ||
        Now.Symbols[*Symbol].Entry.st_shndx != K.Text)
      continue;
    auto At = static_cast<size_t>(Its.Value.data() - Bytes.data());
    support::endian::write32le(Bytes.data() + At + 4, 0);
  }
}

} // namespace regdem
