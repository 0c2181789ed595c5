//===- NVPTXOpcodes.h - NVPTX opcodes and classes by name -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The NVPTX target's generated tables are private to LLVM, so an out-of-tree
// pass has to find opcodes and register classes by their names. This is the
// only place that does so. Everything else asks for an enumerator of Op.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TARGET_NVPTXOPCODES_H
#define REGDEM_TARGET_NVPTXOPCODES_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>

namespace llvm {
class MachineInstr;
class TargetInstrInfo;
class TargetRegisterClass;
class TargetRegisterInfo;
class TargetSubtargetInfo;
} // namespace llvm

namespace regdem {

/// The NVPTX machine opcodes that RegDem reads or emits. The X-macro keeps the
/// enumerators and the names that LLVM's tables use in step.
#define REGDEM_NVPTX_OPCODES(X)                                                \
  X(LD_i16)                                                                    \
  X(LD_i32)                                                                    \
  X(LD_i64)                                                                    \
  X(ST_i16)                                                                    \
  X(ST_i32)                                                                    \
  X(ST_i64)                                                                    \
  X(MOV_B32_sym)                                                               \
  X(MOV_B64_sym)                                                               \
  X(MOV_B16_i)                                                                 \
  X(MOV_B32_i)                                                                 \
  X(MOV_B64_i)                                                                 \
  X(MOV_F16_i)                                                                 \
  X(MOV_BF16_i)                                                                \
  X(MOV_F32_i)                                                                 \
  X(MOV_F64_i)                                                                 \
  X(cvta_to_global_64)                                                         \
  X(INT_PTX_SREG_TID_x)                                                        \
  X(INT_PTX_SREG_TID_y)                                                        \
  X(INT_PTX_SREG_TID_z)                                                        \
  X(INT_PTX_SREG_NTID_x)                                                       \
  X(INT_PTX_SREG_NTID_y)                                                       \
  X(INT_PTX_SREG_DYNAMIC_SMEM_SIZE)                                            \
  X(MAD_LO_S32rrr)                                                             \
  X(MAD_LO_S32rir)                                                             \
  X(MUL_WIDEu32_ri)                                                            \
  X(ADD32rr)                                                                   \
  X(ADD64rr)                                                                   \
  X(I64toV2I32)                                                                \
  X(V2I32toI64)                                                                \
  X(I128toV2I64)                                                               \
  X(V2I64toI128)                                                               \
  X(GOTO)                                                                      \
  X(CBranch)                                                                   \
  X(Return)

/// Whether Assembly, the text of inline assembly, has sums or products of
/// floating-point numbers that ptxas may fuse: without a rounding modifier.
bool hasUnroundedSum(llvm::StringRef Assembly);
bool hasUnroundedProduct(llvm::StringRef Assembly);

/// Whether Assembly reads what changes by itself: a clock, or a counter of the
/// performance monitor.
bool readsClock(llvm::StringRef Assembly);

enum class Op : unsigned {
#define REGDEM_ENUM(Name) Name,
  REGDEM_NVPTX_OPCODES(REGDEM_ENUM)
#undef REGDEM_ENUM
      Count
};

/// Kinds of virtual register, by the name of their class. B1 holds predicates;
/// ptxas keeps those in a file of their own.
enum class RegKind : uint8_t { B1, B16, B32, B64, B128, Other };

/// Registers of 32 bits that a value of this kind takes in ptxas's register
/// file; 0 for predicates and for classes that ptxas does not allocate.
unsigned wordsOf(RegKind Kind);

/// NVPTX memory spaces as the load and store instructions encode them
/// (NVPTX::AddressSpace of LLVM 22).
namespace AddressSpace {
constexpr int64_t Generic = 0;
constexpr int64_t Global = 1;
constexpr int64_t Shared = 3;
constexpr int64_t Const = 4;
constexpr int64_t Local = 5;
constexpr int64_t Param = 101;
} // namespace AddressSpace

/// The ordering of accesses that are neither atomic nor volatile, as loads and
/// stores encode it (NVPTX::Ordering of LLVM 22).
constexpr int64_t NotAtomic = 0;

/// Positions of the operands in the scalar loads and stores of LLVM 22.1:
///   LD_iN dst, ordering, scope, addrspace, signedness, bits, mask, base, off
///   ST_iN value, ordering, scope, addrspace, bits, base, off
/// STV_iN_vM has M values ahead of the rest.
namespace LoadOperand {
constexpr unsigned Dst = 0, Ordering = 1, Scope = 2, Space = 3, Sign = 4,
                   Bits = 5, Mask = 6, Base = 7, Offset = 8, Count = 9;
} // namespace LoadOperand
namespace StoreOperand {
constexpr unsigned Value = 0, Ordering = 1, Scope = 2, Space = 3, Bits = 4,
                   Base = 5, Offset = 6, Count = 7;
} // namespace StoreOperand

class NVPTXOpcodes {
public:
  /// Looks every name up in the tables of Subtarget; fails with the missing
  /// name when the loaded LLVM does not have it. Does so once in a process, as
  /// these tables are those of all subtargets. To be called from any thread.
  static llvm::Expected<const NVPTXOpcodes &>
  of(const llvm::TargetSubtargetInfo &Subtarget);

  /// The machine opcode of O.
  unsigned operator[](Op O) const { return Codes[static_cast<unsigned>(O)]; }

  /// The enumerator of a machine opcode, or Op::Count for any other.
  Op classify(unsigned MachineOpcode) const;

  /// Whether I multiplies floating-point numbers in a way that lets ptxas fuse
  /// the product into a later sum: PTX "mul.f32" without a rounding modifier
  /// (PTX ISA, "Floating Point Instructions: mul"), and "div.approx",
  /// "div.full" and "rcp.approx", whose last step is such a product (seen with
  /// 13.0). Inline assembly that contains such a product or sum counts as one,
  /// here and below.
  bool isFusibleProduct(const llvm::MachineInstr &I) const;

  /// The opcode of the same sum without its rounding modifier: "add.f32" for
  /// "add.rn.f32", which ptxas fuses with no product; 0 where there is none.
  unsigned plainSum(unsigned MachineOpcode) const {
    return PlainSums.lookup(MachineOpcode);
  }

  /// The same of products: "mul.f32" for "mul.rn.f32".
  unsigned plainProduct(unsigned MachineOpcode) const {
    return PlainProducts.lookup(MachineOpcode);
  }

  /// Whether I is a sum that ptxas may fuse a product into, or hands its
  /// operand on to one unchanged but for the sign, by itself or as a part of a
  /// wider word.
  bool mayFuseOperand(const llvm::MachineInstr &I) const;

  /// Whether it is such a sum itself.
  bool isFusingSum(const llvm::MachineInstr &I) const;

  /// Whether I gives its operand 1 the other sign and does nothing else.
  bool isNegation(const llvm::MachineInstr &I) const;

  /// Whether the opcode is a sum or product of floating-point numbers whose
  /// operands the machine instruction takes with either sign.
  bool takesEitherSign(unsigned MachineOpcode) const {
    return SignTakers.test(MachineOpcode);
  }

  /// Whether the opcode compares numbers, multiplies them or does that and
  /// adds: what it reads is no more part of another operation, unless it scales
  /// it.
  bool takesNumbers(unsigned MachineOpcode) const {
    return NumberTakers.test(MachineOpcode);
  }

  /// Whether I multiplies by a power of two that ptxas may make a modifier of
  /// the product that is its other operand (FMUL.D2 to D8 and M2 to M8; seen
  /// with 13.0, for "mul.rn", too): rounded once instead of twice, which shows
  /// where the result is subnormal.
  bool isScaling(const llvm::MachineInstr &I) const;

  /// Whether the opcode computes its results from its operands and nothing
  /// else, does nothing else, and costs less than a load from shared memory: no
  /// division, root or transcendental function.
  bool isSimpleArithmetic(unsigned MachineOpcode) const {
    return Simple.test(MachineOpcode);
  }

  /// Whether the opcode reads a special register that is the same for one
  /// thread at all times: ctaid, nctaid, ntid, tid.
  bool readsConstantRegister(unsigned MachineOpcode) const {
    return ConstantReads.test(MachineOpcode);
  }

  /// Whether the opcode is a load through the read-only path (ld.global.nc);
  /// those carry no memory operand.
  bool isReadOnlyLoad(unsigned MachineOpcode) const {
    return ReadOnlyLoads.test(MachineOpcode);
  }

  /// Whether I reads the time: code between two such reads is what is timed.
  bool readsClock(const llvm::MachineInstr &I) const;

  /// How many values an instruction stores, its first operands: one if it is
  /// ST_iN, M if it is STV_iN_vM, else 0.
  unsigned numStored(unsigned MachineOpcode) const {
    return NumStored.lookup(MachineOpcode);
  }

  /// The kind of the register class RC.
  RegKind kindOf(const llvm::TargetRegisterClass &RC) const;

  /// The register class of Kind; never null for any but RegKind::Other.
  const llvm::TargetRegisterClass *classOf(RegKind Kind) const;

private:
  std::array<unsigned, static_cast<size_t>(Op::Count)> Codes{};
  std::array<const llvm::TargetRegisterClass *,
             static_cast<size_t>(RegKind::Other)>
      Classes{};
  llvm::BitVector FusibleProducts, FusingUsers, FusingSums, Scalings, Negations,
      SignTakers, NumberTakers, ReadOnlyLoads, Simple, ConstantReads,
      ClockReads; ///< By machine opcode.
  llvm::DenseMap<unsigned, unsigned> PlainSums, PlainProducts, NumStored;

  llvm::Error findCodes(const llvm::TargetInstrInfo &TII);
  llvm::Error findClasses(const llvm::TargetRegisterInfo &TRI);
  void fillSets(const llvm::TargetInstrInfo &TII);
  void fillFloatSets(unsigned Code, llvm::StringRef Name);
  void pairRounded(const llvm::TargetInstrInfo &TII);
};

} // namespace regdem

#endif // REGDEM_TARGET_NVPTXOPCODES_H
