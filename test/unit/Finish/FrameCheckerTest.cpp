//===- FrameCheckerTest.cpp - a finished cubin is judged ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HandFinished.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace regdem;

namespace {

constexpr const char *WantsListing = "its bytes are accepted";

Expected<SassListing> noListing(StringRef, StringRef) {
  return createStringError(WantsListing);
}

class FrameChecker : public OnHandFinished {
protected:
  /// Finished with the lower word of set-up instruction N made Value.
  std::string withSetUp(size_t N, uint64_t Value) const {
    return H->with64(H->SetUp[N], Value);
  }
  void expect(StringRef Cubin, StringRef Reason,
              const FrameLimits &Limits = {}) const {
    std::string Said = H->judge(Cubin, Limits);
    EXPECT_NE(Said.find(Reason), std::string::npos) << Said;
  }
};

TEST_P(FrameChecker, AcceptsWhatIsFinishedRight) {
  EXPECT_EQ(H->judge(H->Finished), "");
  EXPECT_EQ(H->judgeDecoded(H->Finished), "");
}

TEST_P(FrameChecker, AcceptsWhatIsNotChanged) {
  EXPECT_EQ(H->judge(H->Original), "");
}

TEST_P(FrameChecker, RefusesFramesInTheKernelsOwnMemory) {
  expect(H->withFrames(H->Base - 16, H->FrameBytes), "own shared memory");
}

TEST_P(FrameChecker, RefusesFramesThatEndElsewhere) {
  uint64_t Top = H->Base + 16 + H->FrameBytes;
  expect(withSetUp(4, 0x7810 | Top << 32), "the frames of all threads end at");
}

TEST_P(FrameChecker, RefusesFramesThatAreTooSmall) {
  constexpr uint32_t Small = 48;
  expect(H->withFrames(H->Base, Small), "R1 leaves the thread's frame");
}

TEST_P(FrameChecker, RefusesFramesThatAreNotAligned) {
  for (auto [Base, Bytes] : {std::pair(H->Base, H->FrameBytes + 4),
                             std::pair(H->Base + 8, H->FrameBytes)})
    expect(H->withFrames(Base, Bytes), "not aligned to their accesses");
}

TEST_P(FrameChecker, AcceptsFramesElsewhere) {
  EXPECT_EQ(H->judge(H->withFrames(H->Base + 64, H->FrameBytes + 32)), "");
}

TEST_P(FrameChecker, RefusesAnotherFrameSize) {
  expect(withSetUp(5, 0x01017824 | uint64_t{H->FrameBytes - 16} << 32),
         "the frames of all threads end at");
}

TEST_P(FrameChecker, RefusesAnotherSizeOfSharedMemory) {
  uint64_t Size = H->read64(H->Finished, H->SharedSize);
  for (uint64_t Other : {Size - 4, Size - 64, Size + 4, Size + 128})
    EXPECT_NE(H->judge(H->with64(H->SharedSize, Other)), "");
}

TEST_P(FrameChecker, RefusesAnAccessThatWasMissed) {
  for (size_t At : H->Accesses)
    for (size_t Half : {At, At + 8})
      expect(H->with64(Half, H->read64(H->Original, Half)),
             "not the access of shared memory that is to be here");
}

TEST_P(FrameChecker, RefusesStoresThatChangedPlaces) {
  std::string Swapped = H->Finished;
  std::string First = Swapped.substr(H->Accesses[0], 16);
  Swapped.replace(H->Accesses[0], 16, Swapped.substr(H->Accesses[1], 16));
  Swapped.replace(H->Accesses[1], 16, First);
  expect(Swapped, "not the access of shared memory that is to be here");
}

TEST_P(FrameChecker, RefusesAThreadNumberThatIsNotWaitedFor) {
  uint64_t High = H->read64(H->Finished, H->SetUp[5] + 8);
  expect(H->with64(H->SetUp[5] + 8, High & ~(1ull << 52)),
         "scoreboard was not waited for");
}

TEST_P(FrameChecker, RefusesAConstantThatHasNotArrived) {
  uint64_t High = H->read64(H->Finished, H->SetUp[4] + 8);
  uint64_t Short = (High & ~(15ull << 41)) | 4ull << 41;
  expect(H->with64(H->SetUp[4] + 8, Short), "before its value arrives");
}

TEST_P(FrameChecker, RefusesWithoutAListing) {
  EXPECT_EQ(checkFinished(H->Original, H->Finished, noListing).text(),
            WantsListing);
}

TEST_P(FrameChecker, RefusesTheListingOfOtherCode) {
  auto List = [this](StringRef, StringRef Kernel) {
    return decodeListing(H->Finished, Kernel);
  };
  std::string Said = checkFinished(H->Original, H->Finished, List).text();
  EXPECT_NE(Said.find("an access of the frame in a form that is not known"),
            std::string::npos)
      << Said;
}

TEST_P(FrameChecker, RefusesAListingThatIsNotWhole) {
  auto List = [this](StringRef, StringRef) {
    SassListing Listing = H->listing();
    Listing.Code.pop_back();
    return Expected<SassListing>(std::move(Listing));
  };
  EXPECT_EQ(checkFinished(H->Original, H->Finished, List).text(),
            "its listing is not all of its code");
}

TEST_P(FrameChecker, RefusesMoreThanTheLimit) {
  FrameLimits Limits;
  Limits.SharedBytes = 4096;
  expect(H->Finished, "more shared memory than a block may have", Limits);
}

TEST_P(FrameChecker, AcceptsALargerAlignmentOfSharedMemory) {
  constexpr size_t FromSizeToAlignment = 16;
  size_t At = H->SharedSize + FromSizeToAlignment;
  ASSERT_EQ(H->read64(H->Finished, At), 16u);
  auto Judge = [&](uint64_t Old, uint64_t New) {
    std::string Before = H->Original;
    support::endian::write64le(&Before[At], Old);
    return checkFinished(Before, H->with64(At, New), noListing).text();
  };
  EXPECT_EQ(Judge(4, 16), WantsListing);
  for (auto [Old, New] : {std::pair(16, 4), std::pair(4, 8), std::pair(16, 32)})
    EXPECT_EQ(Judge(Old, New), "header of section '.nv.shared.k' differs");
}

TEST_P(FrameChecker, RefusesCodeThatIsUsedFromElsewhere) {
  // A relocation that was for debug information, and a function without the
  // kernel's name.
  object::ELF64LEFile Image =
      cantFail(object::ELF64LEFile::create(H->Original));
  constexpr size_t InfoField = 44;
  std::vector<std::pair<size_t, uint32_t>> Edits;
  size_t Index = 0;
  for (const auto &S : cantFail(Image.sections())) {
    size_t Header = Image.getHeader().e_shoff + Index++ * sizeof(S);
    if (S.sh_type == ELF::SHT_REL || S.sh_type == ELF::SHT_RELA)
      Edits.emplace_back(Header + InfoField, 1);
    if (S.sh_type != ELF::SHT_SYMTAB)
      continue;
    for (size_t N = 0; N != S.sh_size / S.sh_entsize; ++N)
      if (cantFail(Image.symbols(&S))[N].getType() == ELF::STT_FUNC)
        Edits.emplace_back(S.sh_offset + N * S.sh_entsize, 0);
  }
  ASSERT_GE(Edits.size(), 2u);
  std::string Before = H->Original, After = H->Finished;
  for (auto [At, Value] : Edits)
    for (std::string *Cubin : {&Before, &After})
      support::endian::write32le(&(*Cubin)[At], Value);
  auto List = [](StringRef, StringRef) {
    return Expected<SassListing>(SassListing());
  };
  std::string Said = checkFinished(Before, After, List).text();
  EXPECT_NE(Said.find("in a changed kernel"), std::string::npos) << Said;
}

INSTANTIATE_TEST_SUITE_P(, FrameChecker, testing::Values("sm_80", "sm_90"),
                         [](const auto &Info) {
                           return std::string(Info.param);
                         });

} // namespace
