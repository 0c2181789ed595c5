//===- FrameSetUp.cpp - where a thread's frame begins ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameSetUp.h"

#include "FrameRewrite.h"
#include "regdem/MachineCode/SassListing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace regdem {

namespace {

/// The bytes of shared memory that the PTX below declares, all for the address
/// of the first one.
constexpr uint64_t ProbeBytes = 16;

std::string setUpText(const FrameSetUpRequest &R, StringRef Arch) {
  std::string Bound;
  if (R.Limit)
    Bound = formatv(
        "{0} {1}, {2}, {3}", R.Limit->Exact ? ".reqntid" : ".maxntid",
        R.Limit->Dimensions[0], R.Limit->Dimensions[1], R.Limit->Dimensions[2]);
  auto Stride = static_cast<int64_t>(R.FrameBytes);
  // The result goes to a store, which is where the code is cut.
  return formatv(R"(.version 7.8
.target {0}
.address_size 64
.visible .entry set_up() {1}
{{
  .shared .align 16 .b8 region[{2}];
  .reg .b32 %r<16>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %tid.z;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %ntid.y;
  mov.u32 %r6, %dynamic_smem_size;
  mad.lo.u32 %r7, %r3, %r5, %r2;
  mad.lo.u32 %r8, %r7, %r4, %r1;
  add.u32 %r9, %r6, 15;
  and.b32 %r10, %r9, -16;
  mov.u32 %r11, region;
  add.u32 %r12, %r10, %r11;
  add.u32 %r13, %r12, {3};
  mad.lo.u32 %r14, %r8, {4}, %r13;
  mov.u32 %r15, 0;
  st.volatile.shared.u32 [%r15], %r14;
  ret;
}
)",
                 Arch, Bound, ProbeBytes,
                 R.OwnBytes + (R.AtEnd ? 0 : R.FrameBytes),
                 R.AtEnd ? -Stride : Stride);
}

/// Cycles that no instruction of the set-up with a fixed latency takes longer
/// than.
constexpr unsigned LongestLatency = 10;

/// Where an instruction waits for a scoreboard, ptxas counts the wait among the
/// cycles that others take until it may read their results. How long it takes
/// at least is not known here, so that the instruction before gets all of them.
void stallBeforeWaits(MutableArrayRef<MachineWord> Code) {
  for (size_t I = 1; I < Code.size(); ++I)
    if (Code[I].control().WaitMask)
      Code[I - 1].setStall(LongestLatency);
}

Expected<FrameSetUp> readSetUp(StringRef Cubin) {
  Expected<CubinImage> Image = CubinImage::read(Cubin);
  if (!Image)
    return Image.takeError();
  auto Unknown = [](const Twine &What) {
    return createStringError("ptxas's code for the start of frames " + What);
  };
  if (Image->kernels().size() != 1 || !Image->kernels()[0].Shared)
    return Unknown("is not one kernel with shared memory");
  const CubinKernel &K = Image->kernels()[0];
  if (!Image->cubin().relocationsOf(K.Text).empty())
    return Unknown("needs a linker");
  FrameSetUp S;
  S.Registers = K.Registers;
  S.Reserved = Image->sharedSize(K) - ProbeBytes;
  Expected<SassListing> L = decodeListing(Cubin, K.Name);
  if (!L)
    return L.takeError();
  auto WordAt = [Code = Image->code(K)](size_t N) {
    return MachineWord::at(Code, N * InstructionBytes);
  };
  auto IsOneOf = [&L](size_t N, ArrayRef<StringRef> Bases) {
    return N < L->Code.size() && is_contained(Bases, L->Code[N].base());
  };
  size_t End = 1;
  for (; End < L->Code.size() && !IsOneOf(End, {"STS", "EXIT", "BRA"}); ++End)
    S.Code.push_back(WordAt(End));
  if (!IsOneOf(End, {"STS"}) || !IsOneOf(End + 1, {"EXIT"}) ||
      !IsOneOf(End + 2, {"BRA"}) || !IsOneOf(End + 3, {"NOP"}))
    return Unknown("does not end as expected");
  S.Exit = WordAt(End + 1);
  S.BranchToItself = WordAt(End + 2);
  S.Padding = WordAt(End + 3);
  // A sum, for which its successors may have to wait a few cycles.
  SassRegister Result = L->Code[End].Operands.back().Register;
  size_t Last = End - 1;
  while (Last && !(IsOneOf(Last, {"IADD3", "VIADD", "IMAD", "LEA"}) &&
                   L->Code[Last].Writes == ArrayRef(Result)))
    --Last;
  if (!Last)
    return Unknown("has its result from an unknown instruction");
  S.Code[Last - 1].setDestination(StackPointer);
  stallBeforeWaits(S.Code);
  return S;
}

/// Puts before the code of S, which is for sm_90, with a scoreboard that this
/// does not use and that the branch back has to wait for:
///   S2UR UR62, SR_SWINHI
Error addWindow(FrameSetUp &S) {
  MachineWord Window = {0x79c3 | uint64_t{SetUpRegister} << 16,
                        0x000f220000002f00};
  unsigned Used = 0;
  for (const MachineWord &W : S.Code)
    Used |= 1u << W.control().WriteBarrier;
  auto Barrier = static_cast<unsigned>(countr_one(Used));
  if (Barrier >= SassControl::NumBarriers)
    return createStringError("ptxas's code for the start of frames takes all "
                             "scoreboards");
  Window.setWriteBarrier(Barrier);
  S.Code.insert(S.Code.begin(), Window);
  S.Waits |= 1u << Barrier;
  return Error::success();
}

/// Puts before the code of S:
///   ULDC UR62, c[0x0][0x28]
///   UIADD3 UR62, UR62, -LocalBytes, URZ
/// with stalls that are longer than both take.
void addLocalStack(FrameSetUp &S, unsigned LocalBytes) {
  constexpr uint64_t Stalls = 0x000fca0000000000, R = SetUpRegister;
  MachineWord Load = {0x7ab9 | R << 16 | 0x28ULL / 4 << 40, Stalls | 0x800};
  MachineWord Lower = {0x7890 | R << 16 | R << 24 |
                           uint64_t{static_cast<uint32_t>(-LocalBytes)} << 32,
                       Stalls | 0xfffe03f};
  S.Code.insert(S.Code.begin(), {Load, Lower});
}

/// The places of a branch's distance, from its own end: up to sm_89 bytes in
/// bits 32 up, from sm_90 on words of 4 bytes, 8 bits at bit 16 and the others
/// at bit 34.
constexpr int64_t NewUnit = 4;

uint64_t oldDistance(int64_t D) { return static_cast<uint64_t>(D) << 32; }

uint64_t newDistance(int64_t D) {
  auto Words = static_cast<uint64_t>(D / NewUnit);
  return ((Words & 0xff) << 16) | (Words >> 8 << 34);
}

} // namespace

Expected<FrameSetUp> assembleSetUp(const Ptxas &Assembler,
                                   const FrameSetUpRequest &Request,
                                   StringRef Arch, const ToolLimits &Limits) {
  Ptxas::Job Job;
  Job.PTX = setUpText(Request, Arch);
  Job.KeepCubin = true;
  auto Figures = Assembler.assemble({Job}, Arch, Limits);
  if (!Figures)
    return Figures.takeError();
  Expected<FrameSetUp> S = readSetUp(Figures->front().Cubin);
  if (S && Request.LocalBytes)
    addLocalStack(*S, Request.LocalBytes);
  if (S && Request.NeedsWindow)
    if (Error E = addWindow(*S))
      return E;
  return S;
}

std::optional<MachineWord> branch(const MachineWord &Itself,
                                  const MachineWord &Exit, int64_t Distance) {
  constexpr int64_t Back = -static_cast<int64_t>(InstructionBytes);
  int64_t FromEnd = Distance + Back;
  MachineWord W = Itself;
  if ((Itself.Low & ~0xffffULL) == oldDistance(Back))
    W.Low = (Itself.Low & 0xffff) | oldDistance(FromEnd);
  else if ((Itself.Low & ~0xffffULL) == newDistance(Back))
    W.Low = (Itself.Low & 0xffff) | newDistance(FromEnd);
  else
    return std::nullopt;
  // The sign stands in the upper word, too: all ones for a branch to itself.
  constexpr uint64_t Sign = 0x3ffff;
  if ((Itself.High & Sign) != Sign)
    return std::nullopt;
  W.High = (Exit.High & ~Sign) | (FromEnd < 0 ? Sign : 0);
  return W;
}

} // namespace regdem
