//===- FatBinaryTest.cpp - tests of FatBinary.h ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/FatBinary.h"

#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace llvm::support::endian;
using namespace regdem;

namespace {

/// An image for sm_90 with Bytes and, where it is compressed, the size before.
struct Made {
  std::string Header, Bytes;
  bool IsCompressed;

  Made(std::string Contents, uint64_t FullSize = 0)
      : Header(64, '\0'), Bytes(std::move(Contents)), IsCompressed(FullSize) {
    char *H = Header.data();
    write16le(H, 2);
    write32le(H + 4, 64);
    if (IsCompressed) {
      write32le(H + 16, Bytes.size());
      write64le(H + 56, FullSize);
    }
    Bytes.resize((Bytes.size() + 7) / 8 * 8);
    write64le(H + 8, Bytes.size());
    write32le(H + 28, 90);
    write64le(H + 40, IsCompressed ? 0x8011 : 0x11);
  }
  FatImage image() const {
    return {ImageKind::ELF, 90, IsCompressed, Header, Bytes};
  }
};

TEST(FatBinaryTest, OneImageIsReadAsItWasWritten) {
  Made M("0123456789");
  std::string Bytes = fatBinaryOf(M.image());
  auto Images = cantFail(splitFatBinary(Bytes));
  ASSERT_EQ(Images.size(), 1u);
  EXPECT_EQ(Images[0].Arch, 90u);
  EXPECT_FALSE(Images[0].IsCompressed);
  EXPECT_EQ(Images[0].Header, M.Header);
  EXPECT_EQ(Images[0].Bytes, M.Bytes);
}

TEST(FatBinaryTest, ThoseOfSeveralObjectsAreFound) {
  std::string One = fatBinaryOf(Made("one").image());
  std::string Two = fatBinaryOf(Made("two").image());
  std::string Section = One + std::string(16, '\0') + Two + "tail";
  auto Found = findFatBinaries(Section);
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0], One);
  EXPECT_EQ(Found[1], Two);
  EXPECT_EQ(Found[1].data(), Section.data() + One.size() + 16);
  EXPECT_TRUE(findFatBinaries(StringRef(Two).drop_back(8)).empty());
}

TEST(FatBinaryTest, WhatIsCompressedTakesTheOldPlace) {
  Made Old(std::string(100, 'a')), New("packed", 120);
  auto Bytes = inPlaceOf(Old.image(), New.image());
  ASSERT_TRUE(Bytes);
  EXPECT_EQ(Bytes->size(), Old.Header.size() + Old.Bytes.size());
  const char *H = Bytes->data();
  EXPECT_EQ(read64le(H + 8), Old.Bytes.size());
  EXPECT_EQ(read32le(H + 16), 6u);
  EXPECT_EQ(read64le(H + 40), 0x8011u);
  EXPECT_EQ(read64le(H + 56), 120u);
  EXPECT_EQ(StringRef(*Bytes).substr(64, 6), "packed");
  EXPECT_EQ(StringRef(*Bytes).drop_front(70).find_first_not_of('\0'),
            StringRef::npos);
}

TEST(FatBinaryTest, PlainContentsTakeThePlaceOfCompressedOnes) {
  Made Old(std::string(100, 'z'), 300), New(std::string(80, 'b'));
  auto Bytes = inPlaceOf(Old.image(), New.image());
  ASSERT_TRUE(Bytes);
  EXPECT_EQ(read32le(Bytes->data() + 16), 0u);
  EXPECT_EQ(read64le(Bytes->data() + 40), 0x11u);
  EXPECT_EQ(read64le(Bytes->data() + 56), 0u);
}

TEST(FatBinaryTest, NoPlaceGrows) {
  Made Old(std::string(96, 'a')), New(std::string(97, 'b'));
  EXPECT_FALSE(inPlaceOf(Old.image(), New.image()));
}

} // namespace
