//===- CubinComparison.cpp - what may differ outside of code --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CubinComparison.h"

#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <set>

using namespace llvm;

namespace regdem::framecheck {

/// Of sections of shared memory, as ptxas writes them.
static constexpr uint64_t SharedAlignment = 16;

/// Whether sh_info of S is the index of a section.
static bool namesSection(const CubinSection &S) {
  return S.Header.sh_flags & ELF::SHF_INFO_LINK;
}

static bool isInFile(const CubinSection &S) {
  return S.Header.sh_type != ELF::SHT_NOBITS &&
         S.Header.sh_type != ELF::SHT_NULL;
}

/// Compares headers of sections with the same place in both. Where MayGrow the
/// size may, and shared memory may get a larger alignment.
static Error compareHeaders(const Cubin &O, const Cubin &F,
                            const CubinSection &Before,
                            const CubinSection &After, bool MayGrow) {
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

/// Checks the header of a section of shared memory that Kernel of F did not
/// have before.
static Error checkNewShared(const Cubin &F, const CubinSection &S,
                            StringRef Kernel) {
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
  for (const CubinSection &S : C.Sections) {
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

/// Compares headers of the files and of their segments. Offsets may differ
/// where sections have grown or were added.
static Error compareFileHeaders(const Cubin &O, const Cubin &F) {
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

namespace {

class Comparison {
public:
  Comparison(const Cubin &O, const Cubin &F) : O(O), F(F) {}

  Expected<std::vector<ChangedKernel>> run();

private:
  const Cubin &O, &F;
  std::vector<ChangedKernel> Changed;

  bool isChanged(StringRef Kernel) const {
    return any_of(Changed, [&](const auto &K) { return K.Name == Kernel; });
  }
  void findChanged();
  Error compareSections();
  Error compareContents(const CubinSection &Before, const CubinSection &After);
  Error compareSymbols();
  Error checkReferences();
  Error compareAttributes(StringRef Before, StringRef After);
  ChangedKernel *changedWith(std::optional<uint32_t> Index);
};

} // namespace

void Comparison::findChanged() {
  for (const CubinSection &Code : O.Sections) {
    StringRef Name = Code.Name;
    const CubinSection *Finished = F.find(Name);
    if (!Name.consume_front(".text.") || !Finished)
      continue;
    ChangedKernel K;
    K.Name = Name;
    K.Before = Code.Bytes;
    K.After = Finished->Bytes;
    std::string Shared = (".nv.shared." + Name).str();
    const CubinSection *Old = O.find(Shared), *New = F.find(Shared);
    K.SharedBefore = Old ? Old->Header.sh_size : 0;
    K.SharedAfter = New ? New->Header.sh_size : 0;
    if (K.Before != K.After || !Old != !New || K.SharedBefore != K.SharedAfter)
      Changed.push_back(K);
  }
}

/// The changed kernel in whose section symbol Index is a function.
ChangedKernel *Comparison::changedWith(std::optional<uint32_t> Index) {
  if (!Index || *Index >= O.Symbols.size())
    return nullptr;
  StringRef Home = O.nameOf(O.Symbols[*Index].Entry.st_shndx);
  if (!Home.consume_front(".text."))
    return nullptr;
  auto Found = find_if(Changed, [&](const auto &K) { return K.Name == Home; });
  return Found == Changed.end() ? nullptr : &*Found;
}

/// Frame sizes of changed kernels may have become 0.
Error Comparison::compareAttributes(StringRef Before, StringRef After) {
  auto B = readAttributes(Before), A = readAttributes(After);
  if (!B || !A)
    return joinErrors(B.takeError(), A.takeError());
  bool Same = B->size() == A->size();
  for (size_t I = 0; Same && I != B->size(); ++I) {
    const CubinAttribute &X = (*B)[I], &Y = (*A)[I];
    Same = X.Format == Y.Format && X.Kind == Y.Kind;
    bool IsFrame = X.Kind == CubinAttribute::FrameSize ||
                   X.Kind == CubinAttribute::MinStackSize;
    bool Emptied = IsFrame && X.Value.size() == 8 && Y.Value.size() == 8 &&
                   X.word(0) == Y.word(0) && Y.word(1) == 0u &&
                   changedWith(X.word(0));
    Same &= Emptied || X.Value == Y.Value;
    if (Emptied && X.Value != Y.Value)
      changedWith(X.word(0))->LosesFrame = true;
  }
  if (!Same)
    return createStringError("section '.nv.info' differs");
  return Error::success();
}

Error Comparison::compareContents(const CubinSection &Before,
                                  const CubinSection &After) {
  StringRef Name = Before.Name;
  if (Name.consume_front(".text.") && isChanged(Name))
    return Error::success();
  // Symbols are compared one by one; names of sections may be added.
  if (Before.Header.sh_type == ELF::SHT_SYMTAB ||
      (Before.Name == ".shstrtab" && After.Bytes.starts_with(Before.Bytes)))
    return Error::success();
  if (Before.Name == ".nv.info")
    return compareAttributes(Before.Bytes, After.Bytes);
  if (Before.Bytes != After.Bytes)
    return createStringError("section '" + Before.Name + "' differs");
  return Error::success();
}

Error Comparison::compareSections() {
  std::vector<const CubinSection *> Kept;
  for (const CubinSection &S : F.Sections) {
    StringRef Kernel = S.Name;
    bool New = !O.find(S.Name) && Kernel.consume_front(".nv.shared.") &&
               isChanged(Kernel);
    if (!New)
      Kept.push_back(&S);
    else if (Error E = checkNewShared(F, S, Kernel))
      return E;
  }
  if (Kept.size() != O.Sections.size())
    return createStringError("sections were added or taken away");
  for (auto [Before, After] : zip_equal(O.Sections, Kept)) {
    StringRef Kernel = Before.Name;
    bool MayGrow = (Kernel.consume_front(".text.") ||
                    Kernel.consume_front(".nv.shared.")) &&
                   isChanged(Kernel);
    if (Error E = compareHeaders(O, F, Before, *After, MayGrow))
      return E;
    if (Error E = compareContents(Before, *After))
      return E;
  }
  return Error::success();
}

Error Comparison::compareSymbols() {
  if (O.Symbols.size() != F.Symbols.size())
    return createStringError("symbols were added or taken away");
  for (auto [Before, After] : zip_equal(O.Symbols, F.Symbols)) {
    const auto &B = Before.Entry, &A = After.Entry;
    bool Numbered = B.st_shndx >= ELF::SHN_LORESERVE;
    bool Same = Before.Name == After.Name && B.st_info == A.st_info &&
                B.st_other == A.st_other && B.st_value == A.st_value &&
                (Numbered ? B.st_shndx == A.st_shndx
                          : O.nameOf(B.st_shndx) == F.nameOf(A.st_shndx));
    // A kernel's symbol spans its section.
    const CubinSection *Home = F.find((".text." + Before.Name).str());
    bool IsKernel = isChanged(Before.Name) && Home &&
                    O.nameOf(B.st_shndx) == Home->Name &&
                    B.getType() == ELF::STT_FUNC;
    uint64_t Size = IsKernel ? Home->Header.sh_size : B.st_size;
    if (!Same || A.st_size != Size)
      return createStringError("symbol '" + Before.Name + "' differs");
  }
  return Error::success();
}

/// Functions in the section of a changed kernel must not be called from
/// elsewhere, with a stack in local memory.
Error Comparison::checkReferences() {
  for (const CubinSection &S : O.Sections) {
    if (!S.holdsRelocations() ||
        O.nameOf(S.Header.sh_info).starts_with(".debug"))
      continue;
    for (const CubinRelocation &R : readRelocations(S))
      if (changedWith(R.Symbol) && !isChanged(O.Symbols[R.Symbol].Name))
        return createStringError("section '" + S.Name + "' refers to '" +
                                 O.Symbols[R.Symbol].Name +
                                 "' in a changed kernel");
  }
  return Error::success();
}

/// Sections are known by their names.
static Error checkNames(const Cubin &C) {
  std::set<StringRef> Names;
  for (const CubinSection &S : C.Sections)
    if (!Names.insert(S.Name).second)
      return createStringError("two sections '" + S.Name + "'");
  return Error::success();
}

Expected<std::vector<ChangedKernel>> Comparison::run() {
  for (const Cubin *C : {&O, &F}) {
    if (!C->isLinked())
      return createStringError("not a linked program for a CUDA GPU");
    if (Error E = checkNames(*C))
      return E;
  }
  findChanged();
  if (Error E = compareSections())
    return E;
  if (Error E = compareSymbols())
    return E;
  if (Error E = checkReferences())
    return E;
  if (Error E = compareFileHeaders(O, F))
    return E;
  return std::move(Changed);
}

Expected<std::vector<ChangedKernel>> compareCubins(const Cubin &Original,
                                                   const Cubin &Finished) {
  return Comparison(Original, Finished).run();
}

/// Has Claims say what A does of the size of blocks, if it is about that.
static Error readBlockSize(const CubinAttribute &A, KernelClaims &Claims) {
  bool Required = A.Kind == CubinAttribute::RequiredThreads;
  if (!Required && A.Kind != CubinAttribute::MaxThreads)
    return Error::success();
  uint64_t Threads = 1;
  for (size_t N = 0; N != 3; ++N) {
    uint32_t Extent = A.word(N).value_or(0);
    if (!Extent || Extent > 1024)
      return createStringError("block size in a form that is not known");
    if (Required)
      Claims.RequiredThreads[N] = Extent;
    Threads *= Extent;
  }
  // Of a required size and an upper limit both hold.
  Claims.Threads = Claims.Threads ? std::min(Claims.Threads, Threads) : Threads;
  return Error::success();
}

Expected<KernelClaims> readClaims(const Cubin &C, StringRef Kernel) {
  KernelClaims Claims;
  if (const CubinSection *S = C.find((".nv.info." + Kernel).str())) {
    auto Attributes = readAttributes(S->Bytes);
    if (!Attributes)
      return Attributes.takeError();
    for (const CubinAttribute &A : *Attributes)
      if (Error E = readBlockSize(A, Claims))
        return E;
  }
  const CubinSection *All = C.find(".nv.info");
  auto Attributes = readAttributes(All ? All->Bytes : "");
  if (!Attributes)
    return Attributes.takeError();
  for (const CubinAttribute &A : *Attributes) {
    std::optional<uint32_t> Index = A.word(0), Count = A.word(1);
    if (A.Kind == CubinAttribute::RegisterCount && Index && Count &&
        *Index < C.Symbols.size() && C.Symbols[*Index].Name == Kernel)
      Claims.Registers = *Count;
  }
  return Claims;
}

} // namespace regdem::framecheck
