//===- LayoutComparison.cpp - headers of two cubins -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutComparison.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <cstring>

using namespace llvm;

namespace regdem::framecheck {

/// Of sections of shared memory, as ptxas writes them.
static constexpr uint64_t SharedAlignment = 16;

/// Whether sh_info of S is the index of a section.
static bool namesSection(const Section &S) {
  return S.Header.sh_flags & ELF::SHF_INFO_LINK;
}

static bool isInFile(const Section &S) {
  return S.Header.sh_type != ELF::SHT_NOBITS &&
         S.Header.sh_type != ELF::SHT_NULL;
}

Error compareHeaders(const Cubin &O, const Cubin &F, const Section &Before,
                     const Section &After, bool MayGrow) {
  const auto &B = Before.Header, &A = After.Header;
  bool Info = namesSection(Before) ? O.nameOf(B.sh_info) == F.nameOf(A.sh_info)
                                   : B.sh_info == A.sh_info;
  bool Same = Before.Name == After.Name && B.sh_type == A.sh_type &&
              B.sh_flags == A.sh_flags && B.sh_addr == A.sh_addr && Info &&
              O.nameOf(B.sh_link) == F.nameOf(A.sh_link) &&
              B.sh_entsize == A.sh_entsize;
  // Frames need what a section of shared memory that is new has.
  bool MayAlign = MayGrow && B.sh_type == ELF::SHT_NOBITS;
  Same &= B.sh_addralign == A.sh_addralign ||
          (MayAlign && B.sh_addralign < SharedAlignment &&
           A.sh_addralign == SharedAlignment);
  bool IsNames = Before.Name == ".shstrtab";
  bool Size =
      B.sh_size == A.sh_size || ((MayGrow || IsNames) && A.sh_size > B.sh_size);
  if (!Same || !Size)
    return createStringError("header of section '" + Before.Name + "' differs");
  if (isInFile(After) && A.sh_addralign && A.sh_offset % A.sh_addralign)
    return createStringError("section '" + After.Name + "' is not aligned");
  return Error::success();
}

Error checkNewShared(const Cubin &F, const Section &S, StringRef Kernel) {
  const auto &H = S.Header;
  constexpr uint64_t Flags =
      ELF::SHF_WRITE | ELF::SHF_ALLOC | ELF::SHF_INFO_LINK;
  if (H.sh_type != ELF::SHT_NOBITS || H.sh_flags != Flags || H.sh_addr ||
      H.sh_link || H.sh_entsize || H.sh_addralign != SharedAlignment ||
      F.nameOf(H.sh_info) != (".text." + Kernel).str())
    return createStringError("section '" + S.Name +
                             "' is not one of shared memory");
  return Error::success();
}

namespace {

/// What a segment holds of a file.
struct Extent {
  bool IsTable = false;            ///< The program headers.
  std::vector<StringRef> Sections; ///< In the order of the file's headers.
  uint64_t Front = 0, Behind = 0;  ///< Bytes before and after the sections.
  uint64_t Shared = 0; ///< Bytes of all shared sections of the file.
};

} // namespace

static Extent extentOf(const Cubin &C, const ELFFile::Elf_Phdr &P) {
  Extent E;
  uint64_t Start = P.p_offset, End = P.p_offset + P.p_filesz;
  E.IsTable = P.p_filesz && Start == C.Header.e_phoff &&
              P.p_filesz == C.Segments.size() * sizeof(P);
  uint64_t First = End, Last = Start;
  for (const Section &S : C.Sections) {
    const auto &H = S.Header;
    if (S.Name.starts_with(".nv.shared."))
      E.Shared += H.sh_size;
    if (!isInFile(S) || !H.sh_size || H.sh_offset < Start ||
        H.sh_offset + H.sh_size > End)
      continue;
    E.Sections.push_back(S.Name);
    First = std::min<uint64_t>(First, H.sh_offset);
    Last = std::max<uint64_t>(Last, H.sh_offset + H.sh_size);
  }
  if (!E.Sections.empty()) {
    E.Front = First - Start;
    E.Behind = End - Last;
  }
  return E;
}

static Error compareSegments(const Cubin &O, const Cubin &F) {
  auto Fail = [](const Twine &Problem) {
    return createStringError("program headers: " + Problem);
  };
  if (O.Segments.size() != F.Segments.size())
    return Fail("their number differs");
  for (auto [B, A] : zip_equal(O.Segments, F.Segments)) {
    if (B.p_type != A.p_type || B.p_flags != A.p_flags ||
        B.p_vaddr != A.p_vaddr || B.p_paddr != A.p_paddr ||
        B.p_align != A.p_align)
      return Fail("the kind of a segment differs");
    Extent Before = extentOf(O, B), After = extentOf(F, A);
    if (Before.IsTable != After.IsTable || Before.Sections != After.Sections ||
        Before.Front != After.Front)
      return Fail("a segment holds other sections");
    // Sections of shared memory count in a writable segment.
    uint64_t Growth = B.p_flags & ELF::PF_W ? After.Shared - Before.Shared : 0;
    if (After.Behind != Before.Behind ||
        A.p_memsz - A.p_filesz != B.p_memsz - B.p_filesz + Growth)
      return Fail("the size of a segment is not that of its sections");
  }
  return Error::success();
}

Error compareFileHeaders(const Cubin &O, const Cubin &F) {
  ELFFile::Elf_Ehdr B = O.Header, A = F.Header;
  if (O.nameOf(B.e_shstrndx) != F.nameOf(A.e_shstrndx))
    return createStringError("the file has other section names");
  for (ELFFile::Elf_Ehdr *H : {&A, &B}) {
    H->e_phoff = 0;
    H->e_shoff = 0;
    H->e_shnum = 0;
    H->e_shstrndx = 0;
  }
  if (memcmp(&A, &B, sizeof(A)) != 0)
    return createStringError("the file's header differs");
  return compareSegments(O, F);
}

} // namespace regdem::framecheck
