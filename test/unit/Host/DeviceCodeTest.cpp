//===- DeviceCodeTest.cpp - device code in a host module --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Host/DeviceCode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
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

/// An ELF file of four sections: none, names, .text.NAME and a table of two
/// symbols: none, and the entry point NAME.
std::string elfWithKernel(StringRef Name) {
  std::string Names("\0.text.", 7);
  Names += Name.str() + std::string(1, '\0');
  constexpr size_t HeaderSize = 64, SectionSize = 64, SymbolSize = 24;
  Names.resize(alignTo(Names.size(), 8));
  std::string File(HeaderSize, '\0');
  std::memcpy(File.data(),
              "\x7f"
              "ELF\2\1\1",
              7);
  put<uint16_t>(File, 16, ELF::ET_EXEC);
  put<uint16_t>(File, 18, ELF::EM_CUDA);
  put<uint32_t>(File, 20, 1);
  size_t Symbols = HeaderSize + Names.size();
  size_t Sections = Symbols + 2 * SymbolSize;
  put<uint64_t>(File, 40, Sections);
  put<uint16_t>(File, 52, HeaderSize);
  put<uint16_t>(File, 58, SectionSize);
  put<uint16_t>(File, 60, 4);
  put<uint16_t>(File, 62, 1);
  File += Names;
  File.resize(Sections + 4 * SectionSize);
  size_t Entry = Symbols + SymbolSize;
  put<uint32_t>(File, Entry, 7); // NAME in .text.NAME
  File[Entry + 4] = (ELF::STB_GLOBAL << 4) | ELF::STT_FUNC;
  File[Entry + 5] = 0x10; // STO_CUDA_ENTRY
  put<uint16_t>(File, Entry + 6, 2);
  auto Section = [&](unsigned I, uint32_t Its, uint32_t Type, uint64_t At,
                     uint64_t Size) {
    size_t Header = Sections + I * SectionSize;
    put<uint32_t>(File, Header, Its);
    put<uint32_t>(File, Header + 4, Type);
    put<uint64_t>(File, Header + 24, At);
    put<uint64_t>(File, Header + 32, Size);
  };
  Section(1, 0, ELF::SHT_STRTAB, HeaderSize, Names.size());
  Section(2, 1, ELF::SHT_PROGBITS, Symbols, 0);
  Section(3, 0, ELF::SHT_SYMTAB, Symbols, 2 * SymbolSize);
  put<uint32_t>(File, Sections + 3 * SectionSize + 40, 1); // Its names.
  put<uint64_t>(File, Sections + 3 * SectionSize + 56, SymbolSize);
  return File;
}

std::string problemOf(StringRef Bytes) { return readDeviceCode(Bytes).Unknown; }

TEST(DeviceCodeTest, KernelsOfEachImageAreFound) {
  DeviceCode Code = readDeviceCode(fatBinary(
      image(2, 80, elfWithKernel("one")) + image(2, 90, elfWithKernel("two"))));
  EXPECT_EQ(Code.Unknown, "");
  ASSERT_EQ(Code.Images.size(), 2u);
  EXPECT_EQ(Code.Images[0].Arch, 80u);
  EXPECT_EQ(Code.Images[0].Figures.count("one"), 1u);
  EXPECT_EQ(Code.Images[1].Arch, 90u);
  EXPECT_EQ(Code.Images[1].Figures.count("two"), 1u);
  EXPECT_EQ(Code.Images[1].Figures.size(), 1u);
  EXPECT_TRUE(Code.Images[0].Record.Kernels.empty());
}

TEST(DeviceCodeTest, PtxNeedsMachineCodeOfItsArchitecture) {
  std::string Code = image(2, 90, elfWithKernel("k"));
  EXPECT_EQ(problemOf(fatBinary(Code + image(1, 90, "text"))), "");
  EXPECT_NE(problemOf(fatBinary(Code + image(1, 100, "text"))), "");
}

TEST(DeviceCodeTest, CompressedCodeAndUnknownKindsAreRefused) {
  std::string File = elfWithKernel("k");
  EXPECT_NE(problemOf(fatBinary(image(2, 90, File, File.size()))), "");
  EXPECT_NE(problemOf(fatBinary(image(16, 90, File))), "");
}

TEST(DeviceCodeTest, DamagedFilesAreRefused) {
  std::string Whole = fatBinary(image(2, 90, elfWithKernel("k")));
  EXPECT_EQ(problemOf(Whole), "");
  for (size_t Size = 0; Size != Whole.size(); ++Size)
    EXPECT_NE(problemOf(StringRef(Whole).take_front(Size)), "") << Size;
  std::string Other = Whole;
  Other[0] ^= 1;
  EXPECT_NE(problemOf(Other), "");
  EXPECT_NE(problemOf(fatBinary(image(2, 90, "no ELF file"))), "");
}

std::string linkedCode(object::OffloadKind Kind, StringRef Arch,
                       StringRef Content) {
  object::OffloadBinary::OffloadingImage Image;
  Image.TheImageKind = object::IMG_Object;
  Image.TheOffloadKind = Kind;
  Image.StringData["arch"] = Arch;
  Image.Image = MemoryBuffer::getMemBufferCopy(Content);
  return object::OffloadBinary::write(Image).str().str();
}

TEST(DeviceCodeTest, CodeToBeLinkedIsRead) {
  std::string One = linkedCode(object::OFK_Cuda, "sm_90a", elfWithKernel("k")),
              Other = linkedCode(object::OFK_OpenMP, "sm_80", "anything");
  DeviceCode Code = readLinkedCode({Other, One});
  EXPECT_EQ(Code.Unknown, "");
  ASSERT_EQ(Code.Images.size(), 1u);
  EXPECT_EQ(Code.Images[0].Arch, 90u);
  EXPECT_EQ(Code.Images[0].Figures.count("k"), 1u);
  std::string PTX = linkedCode(object::OFK_Cuda, "sm_90", ".version 8.0");
  EXPECT_NE(readLinkedCode({One, PTX}).Unknown, "");
  EXPECT_NE(readLinkedCode(StringRef(One).take_front(60)).Unknown, "");
}

} // namespace
