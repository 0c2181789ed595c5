//===- HandFinished.cpp - a kernel finished without the finisher ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HandFinished.h"

#include "SassReader.h"
#include "regdem/MachineCode/MachineWord.h"
#include "regdem/Toolchain/Ptxas.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <map>

using namespace llvm;

namespace regdem {

namespace {

using File = object::ELF64LEFile;

/// Accesses of one, four, eight and sixteen bytes, indexed and not, one of them
/// guarded; shared memory of its own.
constexpr const char *Kernel = R"(
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
.reqntid 64, 1, 1
{
  .reg .b32 %r<20>;
  .reg .b64 %d<9>;
  .reg .pred %p<2>;
  .shared .align 16 .b8 own[48];
  .local .align 16 .b8 frame[64];
  ld.param.u64 %d0, [out];
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %tid.x;
  mov.u64 %d1, frame;
  st.shared.u32 [own+4], %r0;
  st.local.v2.u32 [%d1+8], {%r1, %r0};
  and.b32 %r2, %r0, 15;
  mul.wide.u32 %d2, %r2, 4;
  add.s64 %d3, %d1, %d2;
  st.local.u32 [%d3], %r1;
  setp.gt.u32 %p0, %r0, %r1;
  @%p0 st.local.u8 [%d1+63], %r0;
  bar.sync 0;
  and.b32 %r3, %r0, 3;
  mul.wide.u32 %d4, %r3, 16;
  add.s64 %d5, %d1, %d4;
  ld.local.v4.u32 {%r4, %r5, %r6, %r7}, [%d5];
  ld.local.u32 %r8, [%d1+12];
  ld.shared.u32 %r9, [own+4];
  add.s32 %r10, %r4, %r5;
  add.s32 %r11, %r6, %r7;
  add.s32 %r12, %r8, %r9;
  add.s32 %r13, %r10, %r11;
  add.s32 %r14, %r12, %r13;
  mul.wide.u32 %d6, %r1, 4;
  add.s64 %d7, %d0, %d6;
  st.global.u32 [%d7], %r14;
  ret;
}
)";

/// More numbers of 32 and of 64 bits than it has registers for.
std::string partKernel() {
  std::string Loads, Sums;
  for (unsigned N = 0; N != 12; ++N) {
    std::string K = std::to_string(N), Offset = std::to_string(16 * N);
    Loads += "  ld.global.u64 %d" + K + ", [%d20+" + Offset +
             "];\n  ld.global.u32 %r" + K + ", [%d20+" + Offset + "+8];\n";
    Sums += "  mad.lo.u64 %d21, %d21, %d" + K + ", %d" + K +
            ";\n  xor.b32 %r20, %r20, %r" + K + ";\n";
  }
  return R"(
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
.reqntid 64, 1, 1
.maxnreg 24
{
  .reg .b32 %r<21>;
  .reg .b64 %d<22>;
  .shared .align 16 .b8 own[48];
  ld.param.u64 %d20, [out];
  ld.param.u32 %r20, [n];
  mov.u64 %d21, 3;
  st.shared.u32 [own+4], %r20;
)" + Loads +
         "  bar.sync 0;\n  ld.shared.u32 %r20, [own+4];\n" + Sums + R"(
  st.global.u64 [%d20], %d21;
  st.global.u32 [%d20+8], %r20;
  ret;
}
)";
}

[[noreturn]] void giveUp(const Twine &Why) {
  errs() << "HandFinished: " << Why << "\n";
  std::abort();
}

/// Where the fields of a header are in it.
constexpr size_t SectionSizeField = 32, MemorySizeField = 40;

class Maker {
public:
  Maker(HandFinished &H, StringRef Kind)
      : H(H), FarBranches(Kind != "sm_80"), IsPart(Kind == "part") {}

  void run();

private:
  HandFinished &H;
  /// Branches have the lower bits of their distance elsewhere.
  bool FarBranches;
  /// Bytes 8 to 15 above R1 move, and no others.
  bool IsPart;
  size_t CodeBytes = 0;
  uint64_t OwnBytes = 0;
  uint32_t LocalBytes = 0; ///< By which R1 is lowered.

  void findFields();
  void moveAccesses();
  void movePart();
  void addSetUp();
  void put(size_t At, uint64_t Low, uint64_t High) {
    support::endian::write64le(&H.Finished[At], Low);
    support::endian::write64le(&H.Finished[At + 8], High);
  }
  void putBranch(size_t At, size_t Target);
};

} // namespace

void Maker::findFields() {
  File Image = cantFail(File::create(H.Original));
  size_t Index = 0;
  for (const auto &S : cantFail(Image.sections())) {
    StringRef Name = cantFail(Image.getSectionName(S));
    if (Name == ".text.k") {
      H.Code = S.sh_offset;
      CodeBytes = S.sh_size;
    }
    if (Name == ".nv.shared.k") {
      OwnBytes = S.sh_size;
      H.SharedSize =
          Image.getHeader().e_shoff + Index * sizeof(S) + SectionSizeField;
    }
    ++Index;
  }
  Index = 0;
  for (const auto &P : cantFail(Image.program_headers())) {
    if (P.p_flags & ELF::PF_W)
      H.MemorySizes.push_back(Image.getHeader().e_phoff + Index * sizeof(P) +
                              MemorySizeField);
    ++Index;
  }
}

void Maker::movePart() {
  constexpr uint64_t Register = 0xffull << 24, Kept = (1ull << 40) - 1;
  for (size_t At = H.Code; At != H.Code + CodeBytes; At += 16) {
    uint64_t Low = H.read64(H.Original, At);
    uint64_t High = H.read64(H.Original, At + 8);
    bool IsLoad = (Low & 0xfff) == 0x983, IsStore = (Low & 0xfff) == 0x387;
    bool Lowers = (Low & 0xffffff00) == 0x01017800;
    uint64_t Offset = Low >> 40;
    if (Lowers)
      put(At, (Low & 0xffffffff) | -uint64_t{H.FrameBytes} << 32, High);
    if (Lowers)
      LocalBytes = static_cast<uint32_t>(-(Low >> 32));
    if (!IsLoad && !IsStore)
      continue;
    H.Accesses.push_back(At);
    if (Offset / 8 == 1) // LDS, STS
      put(At,
          (Low & Kept & ~0xfffull) | (IsLoad ? 0x984 : 0x388) |
              (Offset - 8) << 40,
          High & ~(7ull << 20));
    else if (IsLoad)
      put(At, Low | Register | 62ull << 32, High | 1ull << 27);
    else
      put(At, (Low & ~0xfffull) | 0x987 | Register, High | 1ull << 27 | 62);
  }
}

void Maker::moveAccesses() {
  for (size_t At = H.Code; At != H.Code + CodeBytes; At += 16) {
    uint64_t Low = H.read64(H.Original, At);
    uint64_t High = H.read64(H.Original, At + 8) & ~(7ull << 20);
    if ((Low & 0xfff) == 0x983) // LDL, LDS
      put(At, (Low & ~0xfffull) | 0x984, High);
    else if ((Low & 0xfff) == 0x387) // STL, STS
      put(At, (Low & ~0xfffull) | 0x388, High);
    else
      continue;
    H.Accesses.push_back(At);
  }
}

void Maker::putBranch(size_t At, size_t Target) {
  int64_t Distance =
      (static_cast<int64_t>(Target) - static_cast<int64_t>(At) - 16) / 4;
  uint64_t Near = 0;
  if (FarBranches) {
    Near = static_cast<uint64_t>(Distance & 0xff);
    Distance >>= 8;
  }
  auto Far = static_cast<uint64_t>(Distance);
  put(At, 0x7947 | Near << 16 | Far << 34,
      0x000fea0003800000 | (Far >> 30 & 0x3ffff));
}

void Maker::addSetUp() {
  size_t End = H.Code + CodeBytes;
  size_t At = End;
  while (H.read64(H.Original, At - 16) == 0x7918)
    At -= 16; // NOP
  std::vector<std::pair<uint64_t, uint64_t>> Words = {
      {0x0000000000017919, 0x000e240000002100},  // S2R R1, SR_TID.X
      {0x00000b0000007a02, 0x000fca0000000f00},  // MOV R0, c[0x0][0x2c]
      {0x0000000f00007810, 0x000fca0007ffe0ff},  // IADD3 R0, R0, 0xf, RZ
      {0xfffffff000007812, 0x000fca00078ec0ff},  // LOP3 R0, R0, ~0xf
      {0x0000000000007810, 0x000fca0007ffe0ff},  // IADD3 R0, R0, …, RZ
      {0x0000000001017824, 0x001fca00078e0200}}; // IMAD R1, R1, …, R0
  if (IsPart) {
    // ULDC UR62, c[0x0][0x28]; UIADD3 UR62, UR62, …, URZ
    Words.emplace_back(0x00000a00003e7ab9, 0x000fca0000000800);
    Words.emplace_back(0x3e3e7890 | uint64_t{-LocalBytes} << 32,
                       0x000fe2000fffe03f);
  }
  if (End - At < 16 * (Words.size() + 2))
    giveUp("no room for set-up code");
  putBranch(H.Code, At);
  for (auto [Low, High] : Words) {
    put(At, Low, High);
    H.SetUp.push_back(At);
    At += 16;
  }
  putBranch(At, H.Code + 16);
  H.SetUp.push_back(At);
}

void Maker::run() {
  H.Finished = H.Original;
  findFields();
  if (!H.SharedSize || H.MemorySizes.empty())
    giveUp("no shared memory");
  H.Base = static_cast<uint32_t>((OwnBytes + 15) / 16 * 16);
  H.FrameBytes = IsPart ? 8 : 80;
  IsPart ? movePart() : moveAccesses();
  if (H.Accesses.size() < 5)
    giveUp("no frame");
  addSetUp();
  H.Finished = H.withFrames(H.Base, H.FrameBytes);
}

static std::optional<HandFinished> make(StringRef Kind) {
  auto Assembler = cantFail(Ptxas::choose(REGDEM_UNIT_PTXAS));
  if (!Assembler || !hasNvdisasm())
    return std::nullopt;
  Ptxas::Job Job;
  bool IsPart = Kind == "part";
  StringRef Arch = IsPart ? "sm_90" : Kind;
  Job.PTX = (".version 8.0\n.target " + Arch +
             (IsPart ? partKernel() : std::string(Kernel)))
                .str();
  Job.KeepCubin = true;
  HandFinished H;
  H.Original = cantFail(Assembler->assemble({Job}, Arch, {})).front().Cubin;
  Maker(H, Kind).run();
  return H;
}

const std::optional<HandFinished> &HandFinished::forArch(StringRef Kind) {
  static std::map<std::string, std::optional<HandFinished>> Made;
  auto [Place, New] = Made.try_emplace(Kind.str());
  if (New)
    Place->second = make(Kind);
  return Place->second;
}

std::string HandFinished::judge(StringRef Cubin,
                                const FrameLimits &Limits) const {
  auto List = [this](StringRef, StringRef) {
    return Expected<SassListing>(listing());
  };
  return checkFinished(Original, Cubin, List, Limits).text();
}

std::string HandFinished::judgeDecoded(StringRef Cubin) const {
  auto List = [](StringRef C, StringRef Kernel) {
    return decodeListing(C, Kernel);
  };
  return checkFinished(Original, Cubin, List).text();
}

const SassListing &HandFinished::listing() const {
  if (!Listing)
    Listing = cantFail(sectionOf(disassemble(Original), "k"));
  return *Listing;
}

uint64_t HandFinished::read64(StringRef Cubin, size_t At) const {
  return support::endian::read64le(Cubin.data() + At);
}

std::string HandFinished::withFrames(uint32_t Base, uint32_t FrameBytes) const {
  std::string Result = Finished;
  auto Write = [&Result](size_t At, uint64_t Value) {
    support::endian::write64le(&Result[At], Value);
  };
  Write(SetUp[4], 0x7810 | uint64_t{Base + FrameBytes} << 32);
  Write(SetUp[5], 0x01017824 | uint64_t{FrameBytes} << 32);
  uint64_t Size = Base + 64 * FrameBytes + 16; // For rounding.
  Write(SharedSize, Size);
  for (size_t At : MemorySizes)
    Write(At, read64(Original, At) + Size - read64(Original, SharedSize));
  return Result;
}

std::string HandFinished::with64(size_t At, uint64_t Value) const {
  std::string Result = Finished;
  support::endian::write64le(&Result[At], Value);
  return Result;
}

} // namespace regdem
