//===- FrameMutationTest.cpp - no changed bit is accepted -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes are refused by their bytes: nvdisasm shows many of them as the same
// instruction.
//
//===----------------------------------------------------------------------===//

#include "HandFinished.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

class FrameMutation : public OnHandFinished {
protected:
  /// Whether the checker lets a change of one bit, counted from byte At, pass.
  bool accepts(size_t At, unsigned Bit) const {
    std::string Mutant = H->Finished;
    Mutant[At + Bit / 8] =
        static_cast<char>(Mutant[At + Bit / 8] ^ 1 << Bit % 8);
    return H->judge(Mutant).empty();
  }
};

TEST_P(FrameMutation, OfAMovedAccess) {
  for (size_t At : H->Accesses)
    for (unsigned Bit = 0; Bit != 128; ++Bit)
      EXPECT_FALSE(accepts(At, Bit)) << At << " bit " << Bit;
}

TEST_P(FrameMutation, OfTheFirstBranch) {
  // Bits 105 to 108 are the stall, which may be longer.
  for (unsigned Bit = 0; Bit != 128; ++Bit)
    EXPECT_EQ(accepts(H->Code, Bit), Bit == 106) << Bit;
}

TEST_P(FrameMutation, OfSetUpCode) {
  // Stalls may be longer, up to 11 cycles without yielding, and some may be
  // shorter; for some the warp may yield (bit 109) or not. All else is refused.
  std::vector<std::pair<size_t, unsigned>> Accepted;
  for (size_t N = 0; N != H->SetUp.size(); ++N)
    for (unsigned Bit = 0; Bit != 128; ++Bit)
      if (accepts(H->SetUp[N], Bit))
        Accepted.emplace_back(N, Bit);
  for (auto [N, Bit] : Accepted)
    EXPECT_TRUE(Bit >= 105 && Bit <= 109) << N << " bit " << Bit;
  EXPECT_LE(2 * Accepted.size(), 7 * H->SetUp.size());
}

TEST_P(FrameMutation, OfAllOtherCode) {
  object::ELF64LEFile Image =
      cantFail(object::ELF64LEFile::create(H->Finished));
  for (const auto &S : cantFail(Image.sections())) {
    if (!(S.sh_flags & ELF::SHF_EXECINSTR))
      continue;
    for (size_t At = S.sh_offset; At != S.sh_offset + S.sh_size; At += 16) {
      if (At == H->Code || is_contained(H->SetUp, At))
        continue;
      // Each instruction in another bit.
      for (unsigned Bit = At / 16 % 8; Bit < 128; Bit += 8)
        EXPECT_FALSE(accepts(At, Bit)) << At << " bit " << Bit;
    }
  }
}

TEST_P(FrameMutation, OfAnyByteOfOtherSections) {
  object::ELF64LEFile Image =
      cantFail(object::ELF64LEFile::create(H->Finished));
  for (const auto &S : cantFail(Image.sections())) {
    StringRef Name = cantFail(Image.getSectionName(S));
    if (S.sh_type == ELF::SHT_NOBITS || S.sh_type == ELF::SHT_NULL ||
        Name == ".text.k")
      continue;
    for (size_t At = S.sh_offset; At != S.sh_offset + S.sh_size; ++At)
      EXPECT_FALSE(accepts(At, At % 8)) << Name.str() << " at " << At;
  }
}

TEST_P(FrameMutation, OfSectionHeaders) {
  object::ELF64LEFile Image =
      cantFail(object::ELF64LEFile::create(H->Finished));
  size_t At = Image.getHeader().e_shoff;
  for (const auto &S : cantFail(Image.sections())) {
    bool HasBytes = S.sh_type != ELF::SHT_NOBITS && S.sh_type != ELF::SHT_NULL;
    for (unsigned Bit = 0; Bit != 8 * sizeof(S); ++Bit) {
      bool IsOffset = Bit / 64 == 3;
      if (S.sh_type == ELF::SHT_NULL || (IsOffset && (!HasBytes || !S.sh_size)))
        continue;
      // Names of sections are compared one by one.
      bool IsSize = Bit / 64 == 4;
      if (IsSize && cantFail(Image.getSectionName(S)) == ".shstrtab")
        continue;
      EXPECT_FALSE(accepts(At, Bit)) << "at " << At << " bit " << Bit;
    }
    At += sizeof(S);
  }
}

TEST_P(FrameMutation, OfProgramHeaders) {
  object::ELF64LEFile Image =
      cantFail(object::ELF64LEFile::create(H->Finished));
  size_t At = Image.getHeader().e_phoff;
  for (const auto &P : cantFail(Image.program_headers())) {
    for (unsigned Bit = 0; Bit != 8 * sizeof(P); ++Bit) {
      // Where a segment without bytes starts does not matter.
      bool IsOffset = Bit / 64 == 1;
      if (IsOffset && !P.p_filesz)
        continue;
      EXPECT_FALSE(accepts(At, Bit)) << "at " << At << " bit " << Bit;
    }
    At += sizeof(P);
  }
}

INSTANTIATE_TEST_SUITE_P(, FrameMutation,
                         testing::Values("sm_80", "sm_90", "part"),
                         [](const auto &Info) {
                           return std::string(Info.param);
                         });

} // namespace
