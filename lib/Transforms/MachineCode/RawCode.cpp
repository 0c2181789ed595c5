//===- RawCode.cpp - what machine code there is in a cubin ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/RawCode.h"

#include "regdem/MachineCode/Cubin.h"
#include "regdem/MachineCode/SassInstruction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace regdem {

/// Adds what the attributes in Info say of Code.
static void addAttributes(const CubinSection &Info, RawCode &Code) {
  auto Attributes = expectedToOptional(readAttributes(Info.Bytes));
  if (!Attributes)
    return;
  constexpr uint32_t SpillCode = 1;
  for (const CubinAttribute &A : *Attributes) {
    if (A.Kind == CubinAttribute::JumpTargets)
      for (size_t N = 0; A.word(N + 2);) {
        std::vector<uint64_t> &Targets = Code.JumpTargets[*A.word(N)];
        size_t Behind = N + 3 + *A.word(N + 2);
        for (N += 3; N < Behind && A.word(N); ++N)
          Targets.push_back(*A.word(N));
      }
    if (A.Kind == CubinAttribute::Annotations)
      for (size_t N = 0; A.word(N + 1); N += 2)
        if (A.word(N) == SpillCode)
          Code.SpillCode.insert(*A.word(N + 1));
  }
}

/// The sections with C's code, or with Kernel's alone, by index.
static std::vector<unsigned> codeSections(const Cubin &C, StringRef Kernel) {
  std::vector<unsigned> Indices;
  for (unsigned Index = 0; Index != C.Sections.size(); ++Index)
    if (const CubinSection &S = C.Sections[Index];
        S.holdsCode() &&
        (Kernel.empty() || S.Name == (".text." + Kernel).str()))
      Indices.push_back(Index);
  return Indices;
}

Expected<RawCode> rawCodeOf(StringRef Image, StringRef Kernel) {
  auto C = Cubin::read(Image);
  if (!C)
    return C.takeError();
  std::vector<unsigned> Homes = codeSections(*C, Kernel);
  if (Kernel.empty()) // Functions may have sections of their own.
    llvm::erase_if(Homes, [&C](unsigned Home) {
      return none_of(C->Symbols, [Home](const CubinSymbol &S) {
        return S.isKernel() && S.Entry.st_shndx == Home;
      });
    });
  if (Homes.empty())
    return createStringError(Kernel.empty() ? "no kernel in the machine code"
                                            : "no kernel '" + Kernel +
                                                  "' in the machine code");
  if (Homes.size() != 1) {
    std::vector<StringRef> Names;
    for (unsigned Home : Homes)
      Names.push_back(C->nameOf(Home).drop_front(strlen(".text.")));
    return createStringError("several kernels in the machine code: " +
                             join(Names, ", "));
  }
  unsigned Home = Homes.front();
  RawCode Code;
  Code.Capability = C->architecture();
  Code.Kernel = C->nameOf(Home);
  Code.Bytes = C->Sections[Home].Bytes;
  if (!Code.Kernel.consume_front(".text."))
    return createStringError("code that is no kernel's");
  if (auto *Info = C->find((".nv.info." + Code.Kernel).str()))
    addAttributes(*Info, Code);
  for (const CubinRelocation &R : C->relocationsOf(Home))
    Code.Relocated[alignDown(R.Offset, InstructionBytes)] =
        R.Symbol < C->Symbols.size() && C->Symbols[R.Symbol].isFunction()
            ? C->Symbols[R.Symbol].Name
            : "";
  for (const CubinSymbol &S : C->Symbols)
    if (S.isFunction() && S.Entry.st_shndx == Home)
      Code.Functions[S.Name] = S.Entry.st_value;
  return Code;
}

uint64_t codeBytesOf(StringRef Image, StringRef Kernel) {
  uint64_t Bytes = 0;
  if (auto C = expectedToOptional(Cubin::read(Image)))
    for (unsigned Index : codeSections(*C, Kernel))
      Bytes += C->Sections[Index].Header.sh_size;
  return Bytes;
}

uint64_t sharedToBeLinked(StringRef Image, StringRef Kernel) {
  auto C = expectedToOptional(Cubin::read(Image));
  if (!C || C->isLinked())
    return 0;
  std::set<uint32_t> Used;
  for (unsigned Home : codeSections(*C, Kernel))
    for (const CubinRelocation &R : C->relocationsOf(Home))
      Used.insert(R.Symbol);
  // A kernel's own ones are in `.nv.shared.KERNEL`.
  auto IsToBeLinked = [&C](const ELFFile::Elf_Sym &S) {
    return S.st_shndx < C->Sections.size() &&
           C->Sections[S.st_shndx].Header.sh_type ==
               CubinSection::UnlinkedShared &&
           !C->nameOf(S.st_shndx).starts_with(".nv.shared.");
  };
  std::vector<ELFFile::Elf_Sym> Variables;
  for (uint32_t Symbol : Used)
    if (Symbol < C->Symbols.size() && IsToBeLinked(C->Symbols[Symbol].Entry))
      Variables.push_back(C->Symbols[Symbol].Entry);
  // As nvlink places them; the value of such a symbol is its alignment.
  auto Alignment = [](const ELFFile::Elf_Sym &S) {
    return std::max<uint64_t>(S.st_value, 1);
  };
  stable_sort(Variables, [&](const auto &A, const auto &B) {
    return Alignment(A) > Alignment(B);
  });
  uint64_t Bytes = 0;
  for (const ELFFile::Elf_Sym &S : Variables)
    Bytes = alignTo(Bytes, Alignment(S)) + S.st_size;
  return Bytes;
}

std::string loadedPartsOf(StringRef Image) {
  auto C = expectedToOptional(Cubin::read(Image));
  if (!C)
    return "";
  auto IsLoaded = [&C](const CubinSection &S) {
    if (!S.holdsRelocations())
      return S.Header.sh_flags & ELF::SHF_ALLOC ||
             S.Header.sh_type == ELF::SHT_SYMTAB;
    return S.Header.sh_info < C->Sections.size() &&
           C->Sections[S.Header.sh_info].Header.sh_flags & ELF::SHF_ALLOC;
  };
  std::string Parts;
  for (const CubinSection &S : C->Sections)
    if (IsLoaded(S))
      Parts += (S.Name + " " + Twine(S.Header.sh_size) + "\n" + S.Bytes).str();
  return Parts;
}

std::vector<uint64_t> slowPathTables(StringRef Image) {
  std::vector<uint64_t> Offsets;
  auto C = expectedToOptional(Cubin::read(Image));
  auto Bank = C ? C->indexOf(".nv.constant4") : std::nullopt;
  if (!Bank)
    return Offsets;
  // The tables of 2/pi for single and double precision.
  for (const CubinRelocation &R : C->relocationsOf(*Bank))
    if (R.Symbol < C->Symbols.size() &&
        C->Symbols[R.Symbol].Name.starts_with("__cudart_i2opi_"))
      Offsets.push_back(R.Offset);
  return Offsets;
}

} // namespace regdem
