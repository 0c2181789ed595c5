//===- FatBinaryTest.cpp - device code in a host module ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/FatBinary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace llvm;
using namespace llvm::support;
using namespace regdem;

namespace {

template <typename T> void put(std::string &Bytes, size_t At, T Value) {
  endian::write<T>(&Bytes[At], Value, llvm::endianness::little);
}

/// An image: kind 1 is PTX, 2 an ELF file. Uncompressed is the size that a
/// compressed one has.
std::string image(uint16_t Kind, uint32_t Arch, StringRef Content,
                  uint64_t Uncompressed = 0) {
  std::string Header(64, '\0');
  put<uint16_t>(Header, 0, Kind);
  put<uint32_t>(Header, 4, 64);
  put<uint64_t>(Header, 8, Content.size());
  put<uint32_t>(Header, 28, Arch);
  put<uint64_t>(Header, 56, Uncompressed);
  return Header + Content.str();
}

std::string fatBinary(StringRef Images) {
  std::string Header(16, '\0');
  put<uint32_t>(Header, 0, 0xba55ed50);
  put<uint16_t>(Header, 4, 1);
  put<uint16_t>(Header, 6, 16);
  put<uint64_t>(Header, 8, Images.size());
  return Header + Images.str();
}

/// An ELF file of three sections: none, .shstrtab and .text.NAME.
std::string elfWithKernel(StringRef Name) {
  std::string Names("\0.shstrtab\0.text.", 17);
  Names += Name.str() + std::string(1, '\0');
  constexpr size_t HeaderSize = 64, SectionSize = 64, Count = 3;
  std::string File(HeaderSize, '\0');
  std::memcpy(File.data(),
              "\x7f"
              "ELF\2\1\1",
              7);
  put<uint16_t>(File, 16, 2);   // ET_EXEC
  put<uint16_t>(File, 18, 190); // EM_CUDA
  put<uint32_t>(File, 20, 1);
  put<uint64_t>(File, 40, HeaderSize + Names.size());
  put<uint16_t>(File, 52, HeaderSize);
  put<uint16_t>(File, 58, SectionSize);
  put<uint16_t>(File, 60, Count);
  put<uint16_t>(File, 62, 1);
  File += Names;
  size_t Sections = File.size();
  File.resize(Sections + Count * SectionSize);
  put<uint32_t>(File, Sections + SectionSize, 1);
  put<uint32_t>(File, Sections + SectionSize + 4, 3); // SHT_STRTAB
  put<uint64_t>(File, Sections + SectionSize + 24, HeaderSize);
  put<uint64_t>(File, Sections + SectionSize + 32, Names.size());
  put<uint32_t>(File, Sections + 2 * SectionSize, 11);
  put<uint32_t>(File, Sections + 2 * SectionSize + 4, 1); // SHT_PROGBITS
  return File;
}

std::string problemOf(StringRef Bytes) {
  auto Read = readFatBinary(Bytes);
  return Read ? "" : toString(Read.takeError());
}

TEST(FatBinaryTest, KernelsOfEachImageAreFound) {
  auto Read = readFatBinary(fatBinary(image(2, 80, elfWithKernel("one")) +
                                      image(2, 90, elfWithKernel("two"))));
  ASSERT_TRUE(static_cast<bool>(Read)) << toString(Read.takeError());
  ASSERT_EQ(Read->size(), 2u);
  EXPECT_EQ((*Read)[0].Arch, 80u);
  EXPECT_EQ((*Read)[0].Kernels, std::set<std::string>{"one"});
  EXPECT_EQ((*Read)[1].Arch, 90u);
  EXPECT_EQ((*Read)[1].Kernels, std::set<std::string>{"two"});
  EXPECT_TRUE((*Read)[0].Record.Kernels.empty());
}

TEST(FatBinaryTest, PtxNeedsMachineCodeOfItsArchitecture) {
  std::string Code = image(2, 90, elfWithKernel("k"));
  EXPECT_EQ(problemOf(fatBinary(Code + image(1, 90, "text"))), "");
  EXPECT_NE(problemOf(fatBinary(Code + image(1, 100, "text"))), "");
}

TEST(FatBinaryTest, CompressedCodeAndUnknownKindsAreRefused) {
  std::string File = elfWithKernel("k");
  EXPECT_NE(problemOf(fatBinary(image(2, 90, File, File.size()))), "");
  EXPECT_NE(problemOf(fatBinary(image(16, 90, File))), "");
}

TEST(FatBinaryTest, DamagedFilesAreRefused) {
  std::string Whole = fatBinary(image(2, 90, elfWithKernel("k")));
  EXPECT_EQ(problemOf(Whole), "");
  for (size_t Size = 0; Size != Whole.size(); ++Size)
    EXPECT_NE(problemOf(StringRef(Whole).take_front(Size)), "") << Size;
  std::string Other = Whole;
  Other[0] ^= 1;
  EXPECT_NE(problemOf(Other), "");
  EXPECT_NE(problemOf(fatBinary(image(2, 90, "no ELF file"))), "");
}

} // namespace
