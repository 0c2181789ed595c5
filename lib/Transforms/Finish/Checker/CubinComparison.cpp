//===- CubinComparison.cpp - what may differ outside of code --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CubinComparison.h"

#include "LayoutComparison.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace regdem::framecheck {

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
  Error compareContents(const Section &Before, const Section &After);
  Error compareSymbols();
  Error checkReferences();
  Error compareAttributes(StringRef Before, StringRef After);
  ChangedKernel *changedWith(std::optional<uint32_t> Index);
};

} // namespace

void Comparison::findChanged() {
  for (const Section &Code : O.Sections) {
    StringRef Name = Code.Name;
    const Section *Finished = F.find(Name);
    if (!Name.consume_front(".text.") || !Finished)
      continue;
    ChangedKernel K;
    K.Name = Name;
    K.Before = Code.Bytes;
    K.After = Finished->Bytes;
    std::string Shared = (".nv.shared." + Name).str();
    if (const Section *S = O.find(Shared)) {
      K.HadShared = true;
      K.SharedBefore = S->Header.sh_size;
    }
    const Section *S = F.find(Shared);
    if (S)
      K.SharedAfter = S->Header.sh_size;
    if (K.Before != K.After || K.HadShared != (S != nullptr) ||
        K.SharedBefore != K.SharedAfter)
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
    const Attribute &X = (*B)[I], &Y = (*A)[I];
    Same = X.Format == Y.Format && X.Kind == Y.Kind;
    bool IsFrame =
        X.Kind == Attribute::FrameSize || X.Kind == Attribute::MinStackSize;
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

Error Comparison::compareContents(const Section &Before, const Section &After) {
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
  std::vector<const Section *> Kept;
  for (const Section &S : F.Sections) {
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
    const Section *Home = F.find((".text." + Before.Name).str());
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
  for (const Section &S : O.Sections) {
    bool WithAddend = S.Header.sh_type == ELF::SHT_RELA;
    if ((!WithAddend && S.Header.sh_type != ELF::SHT_REL) ||
        O.nameOf(S.Header.sh_info).starts_with(".debug"))
      continue;
    size_t Size = WithAddend ? 24 : 16;
    for (size_t At = 0; At + Size <= S.Bytes.size(); At += Size) {
      // Elf64_Rel and Elf64_Rela: offset, then type and symbol.
      uint32_t Index = support::endian::read32le(S.Bytes.data() + At + 12);
      if (changedWith(Index) && !isChanged(O.Symbols[Index].Name))
        return createStringError("section '" + S.Name + "' refers to '" +
                                 O.Symbols[Index].Name +
                                 "' in a changed kernel");
    }
  }
  return Error::success();
}

Expected<std::vector<ChangedKernel>> Comparison::run() {
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

/// The number of threads in three dimensions; none if A does not have them.
static std::optional<uint64_t> product(const Attribute &A) {
  uint64_t Product = 1;
  for (size_t N = 0; N != 3; ++N) {
    std::optional<uint32_t> Word = A.word(N);
    if (!Word || !*Word || *Word > 1024)
      return std::nullopt;
    Product *= *Word;
  }
  return Product;
}

static Error readBlockSize(const Attribute &A, KernelClaims &Claims) {
  bool Required = A.Kind == Attribute::RequiredThreads;
  if (!Required && A.Kind != Attribute::MaxThreads)
    return Error::success();
  std::optional<uint64_t> Threads = product(A);
  if (!Threads)
    return createStringError("block size in a form that is not known");
  if (Required)
    for (size_t N = 0; N != 3; ++N)
      Claims.RequiredThreads[N] = *A.word(N);
  // Of a required size and an upper limit both hold.
  Claims.Threads =
      Claims.Threads ? std::min(Claims.Threads, *Threads) : *Threads;
  return Error::success();
}

Expected<KernelClaims> readClaims(const Cubin &C, StringRef Kernel) {
  KernelClaims Claims;
  if (const Section *S = C.find((".nv.info." + Kernel).str())) {
    auto Attributes = readAttributes(S->Bytes);
    if (!Attributes)
      return Attributes.takeError();
    for (const Attribute &A : *Attributes)
      if (Error E = readBlockSize(A, Claims))
        return E;
  }
  const Section *All = C.find(".nv.info");
  auto Attributes = readAttributes(All ? All->Bytes : "");
  if (!Attributes)
    return Attributes.takeError();
  for (const Attribute &A : *Attributes) {
    std::optional<uint32_t> Index = A.word(0), Count = A.word(1);
    if (A.Kind == Attribute::RegisterCount && Index && Count &&
        *Index < C.Symbols.size() && C.Symbols[*Index].Name == Kernel)
      Claims.Registers = *Count;
  }
  return Claims;
}

} // namespace regdem::framecheck
