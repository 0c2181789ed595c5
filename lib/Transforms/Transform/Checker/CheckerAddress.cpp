//===- CheckerAddress.cpp - where the slots of a thread are ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckerAddress.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regdem::checker {

namespace {

/// Compares instructions, one after the other, with those that are expected.
class Steps {
public:
  Steps(ArrayRef<const MachineInstr *> Instrs, const EncodedFunction &Original,
        const NVPTXOpcodes &Opcodes)
      : Instrs(Instrs), Original(Original), Opcodes(Opcodes) {}

  /// The register that the next instruction sets, if that is an \p O of
  /// \p Reads, and the register is one that nothing has set before; none
  /// otherwise, and for all that follows.
  Register next(Op O, ArrayRef<MachineOperand> Reads = {});

  /// Immediate operand \p Index of the next instruction; 0 where it has none.
  int64_t immediate(unsigned Index) const;

  bool areRight() const { return AreRight; }
  unsigned count() const { return Count; }

private:
  ArrayRef<const MachineInstr *> Instrs;
  const EncodedFunction &Original;
  const NVPTXOpcodes &Opcodes;
  unsigned Count = 0; ///< Instructions that are as expected.
  bool AreRight = true;
  SmallSet<Register, 16> Set;

  bool isNext(Op O, ArrayRef<MachineOperand> Reads) const;
};

} // namespace

bool Steps::isNext(Op O, ArrayRef<MachineOperand> Reads) const {
  if (Count == Instrs.size())
    return false;
  const MachineInstr &MI = *Instrs[Count];
  if (Opcodes.classify(MI.getOpcode()) != O ||
      MI.getNumOperands() != 1 + Reads.size())
    return false;
  const MachineOperand &Def = MI.getOperand(0);
  return Def.isReg() && Def.isDef() && Def.getReg().isVirtual() &&
         !Def.getSubReg() && !Original.hasRegister(Def.getReg()) &&
         !Set.contains(Def.getReg()) &&
         all_of(zip_equal(drop_begin(MI.operands()), Reads), [](auto Pair) {
           const auto &[Is, Should] = Pair;
           return Is.isIdenticalTo(Should) && !(Is.isReg() && Is.isUndef());
         });
}

Register Steps::next(Op O, ArrayRef<MachineOperand> Reads) {
  AreRight = AreRight && isNext(O, Reads);
  if (!AreRight)
    return Register();
  Register Reg = Instrs[Count++]->getOperand(0).getReg();
  Set.insert(Reg);
  return Reg;
}

int64_t Steps::immediate(unsigned Index) const {
  if (Count == Instrs.size() || Index >= Instrs[Count]->getNumOperands())
    return 0;
  const MachineOperand &MO = Instrs[Count]->getOperand(Index);
  return MO.isImm() ? MO.getImm() : 0;
}

static MachineOperand value(Register Reg) {
  return MachineOperand::CreateReg(Reg, /*isDef=*/false);
}

static MachineOperand number(int64_t N) { return MachineOperand::CreateImm(N); }

/// The linear index of a thread in blocks with these extents (0: not known).
static Register linearIndex(Steps &S, const unsigned (&Dims)[3]) {
  // Outer + Extent * Inner.
  auto MulAdd = [&S](Register Inner, unsigned Known, Op Extent,
                     Register Outer) {
    if (Known)
      return S.next(Op::MAD_LO_S32rir,
                    {value(Inner), number(Known), value(Outer)});
    Register Factor = S.next(Extent);
    return S.next(Op::MAD_LO_S32rrr,
                  {value(Inner), value(Factor), value(Outer)});
  };
  Register X = S.next(Op::INT_PTX_SREG_TID_x);
  if (Dims[1] == 1 && Dims[2] == 1)
    return X;
  Register Y = S.next(Op::INT_PTX_SREG_TID_y);
  if (Dims[2] != 1) {
    Register Z = S.next(Op::INT_PTX_SREG_TID_z);
    Y = MulAdd(Z, Dims[1], Op::INT_PTX_SREG_NTID_y, Y);
  }
  return MulAdd(Y, Dims[0], Op::INT_PTX_SREG_NTID_x, X);
}

Expected<SlotArea> SlotArea::read(const EncodedFunction &Original,
                                  const EncodedFunction &Result,
                                  const MachineFunction &MF,
                                  const NVPTXOpcodes &Opcodes,
                                  const RegionBounds &Bounds) {
  SlotArea Area(MF, Bounds);
  if (Result.Blocks.empty())
    return Area;
  const EncodedBlock &Entry = Result.Blocks.front();
  ArrayRef Instrs =
      ArrayRef(Result.Instrs)
          .slice(Entry.FirstInstr, Entry.FirstTerminator - Entry.FirstInstr);
  Steps S(Instrs, Original, Opcodes);
  Register Index = linearIndex(S, Bounds.Dims);
  if (!S.count()) // It does not even begin so.
    return Area;
  if (Bounds.ThreadBytes) {
    Register Size = S.next(Op::INT_PTX_SREG_DYNAMIC_SMEM_SIZE);
    Index = S.next(
        Op::MAD_LO_S32rir,
        {value(Index), number(-int64_t(Bounds.ThreadBytes)), value(Size)});
  }
  Register Start =
      S.next(Op::MOV_B64_sym, {MachineOperand::CreateGA(Bounds.Region, 0)});
  int64_t Stride = Bounds.ThreadBytes ? 1 : S.immediate(2);
  Register Offset = S.next(Op::MUL_WIDEu32_ri, {value(Index), number(Stride)});
  Area.Base = S.next(Op::ADD64rr, {value(Start), value(Offset)});
  bool IsInside =
      Stride > 0 && (Bounds.ThreadBytes || uint64_t(Stride) <= Bounds.Bytes);
  if (!S.areRight() || !IsInside)
    return Area.Report.at(
        *Instrs[std::min<size_t>(S.count(), Instrs.size() - 1)],
        "expected a step from thread coordinates and the "
        "region to a slot address, found this instruction");
  Area.Stride = static_cast<uint64_t>(Stride);
  Area.NumSteps = S.count();
  return Area;
}

static uint64_t alignmentOf(const GlobalVariable &Region) {
  const DataLayout &DL = Region.getParent()->getDataLayout();
  return Region.getAlign()
      .value_or(DL.getABITypeAlign(Region.getValueType()))
      .value();
}

Expected<unsigned> SlotArea::wordAt(Register From, int64_t Offset,
                                    unsigned Width,
                                    const MachineInstr &MI) const {
  if (!Base.isValid() || From != Base)
    return Report.at(MI, "expected an address in the region in " +
                             CheckerError::name(From) +
                             ", computed once at the top of the entry block");
  // A row has Own bytes for each thread.
  bool AtEnd = Bounds.ThreadBytes;
  uint64_t All = AtEnd ? Bounds.ThreadBytes : Bounds.Bytes;
  uint64_t Own = AtEnd ? Bounds.ThreadBytes : Stride;
  uint64_t RowBytes = AtEnd ? Own : Own * Bounds.Threads;
  // An offset ahead of them wraps to a number far above any size.
  uint64_t At = static_cast<uint64_t>(Offset) + Bounds.ThreadBytes;
  uint64_t Row = At / RowBytes, InRow = At % RowBytes;
  if (At >= All || (Row + 1) * RowBytes > All || InRow + Width > Own)
    return Report.at(
        MI, "expected an access to what is the thread's alone, "
            "found " +
                Twine(Width) + " bytes at offset " + Twine(Offset) + " where " +
                Twine(All) + " bytes hold rows of " + Twine(Own) +
                " bytes for each of " + Twine(Bounds.Threads) + " threads");
  unsigned Unit = std::max(Width, WordBytes);
  if (InRow % Unit || Own % Unit || alignmentOf(*Bounds.Region) % Width)
    return Report.at(MI, "expected an access aligned to its " + Twine(Width) +
                             " bytes, found offset " + Twine(Offset) +
                             " in rows of " + Twine(Own) +
                             " bytes for each thread, in a region aligned to " +
                             Twine(alignmentOf(*Bounds.Region)) + " bytes");
  return static_cast<unsigned>((Row * Own + InRow) / WordBytes);
}

} // namespace regdem::checker
