//===- SassInstruction.h - one machine instruction --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction as all of RegDem sees it: the cost model, what moves frames,
// and the checker of that. It is read from the encoding once
// (SassEncoding.cpp), with nvdisasm's names. What writes or compares encodings
// has its own knowledge of them (Finish/).
//
// The control bits are those of the 128-bit encoding of sm_70 and later: Jia,
// Maggioni, Staiger, Scarpazza, "Dissecting the NVIDIA Volta GPU Architecture
// via Microbenchmarking", 2018, section 2.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_SASSINSTRUCTION_H
#define REGDEM_MACHINECODE_SASSINSTRUCTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <tuple>

namespace regdem {

/// What an instruction does, by the unit that does it. An instruction is in
/// the first class that fits.
enum class SassClass : uint8_t {
  LocalLoad,      ///< LDL: spill code and local arrays.
  LocalStore,     ///< STL
  SharedLoad,     ///< LDS, LDSM
  SharedStore,    ///< STS, STSM, STAS
  GlobalLoad,     ///< LDG; LD, whose address space is not known
  GlobalStore,    ///< STG; ST, likewise
  ConstantLoad,   ///< LDC, ULDC, LDCU; not the c[][] operands of others
  AsyncCopy,      ///< Global to shared memory past the registers: LDGSTS
  Atomic,         ///< ATOM*, RED* (not REDUX), in global or shared memory
  Texture,        ///< Texture and surface instructions
  Tensor,         ///< HMMA, IMMA, DMMA, BMMA
  FP32,           ///< Single precision, with its comparisons and selections
  FP64,           ///< Double precision on the FP64 pipe
  Half,           ///< HADD2, HFMA2 and relatives, two halves at a time
  Integer,        ///< Integer, logic, shifts, permutations, predicate logic
  Conversion,     ///< Between formats: F2F, F2I, I2F, FRND …
  Special,        ///< MUFU: reciprocal, root, sine, exp2, log2
  Uniform,        ///< Uniform datapath arithmetic (one result a warp), R2UR
  Shuffle,        ///< SHFL, VOTE, MATCH, REDUX: across the warp
  Branch,         ///< BRA, BRX, CALL, RET, EXIT, BSSY, BSYNC, BREAK, WARPSYNC
  Barrier,        ///< BAR, MEMBAR, DEPBAR, SYNCS …
  Move,           ///< MOV, IMAD.MOV, UMOV: copies and constants
  SystemRegister, ///< S2R, CS2R, S2UR: thread index, clock …
  Other           ///< NOP, what is guarded by @!PT, what is not known
};
constexpr unsigned NumSassClasses = static_cast<unsigned>(SassClass::Other) + 1;

/// Its name in print-outs: "local load", "FP32" …
llvm::StringRef toString(SassClass Class);

/// Of an instruction, from sm_70 on.
constexpr unsigned InstructionBytes = 16;

enum class SassFile : uint8_t { General, Uniform, Predicate, UniformPredicate };

/// One 32-bit register or one predicate.
struct SassRegister {
  SassFile File = SassFile::General;
  uint8_t Index = Zero;

  /// RZ and URZ; PT and UPT.
  static constexpr uint8_t Zero = 255, True = 7;

  bool isGeneral() const { return File == SassFile::General; }
  bool isUniform() const { return File == SassFile::Uniform; }
  bool isPredicate() const { return File >= SassFile::Predicate; }
  bool isConstant() const { return Index == (isPredicate() ? True : Zero); }
  bool operator==(const SassRegister &O) const {
    return File == O.File && Index == O.Index;
  }
  bool operator!=(const SassRegister &O) const { return !(*this == O); }
  bool operator<(const SassRegister &O) const {
    return std::tie(File, Index) < std::tie(O.File, O.Index);
  }
};

/// The index of R1, which is the stack pointer by NVIDIA's calling convention.
constexpr unsigned StackPointer = 1;
constexpr SassRegister StackRegister = {SassFile::General, StackPointer};

/// A predicate and whether it must not hold; by default one that always holds.
struct SassCondition {
  SassRegister Predicate = {SassFile::Predicate, SassRegister::True};
  bool IsNegated = false;

  bool isAlways() const { return Predicate.isConstant() && !IsNegated; }
  bool isNever() const { return Predicate.isConstant() && IsNegated; }
  SassCondition opposite() const { return {Predicate, !IsNegated}; }
  bool operator==(const SassCondition &O) const {
    return Predicate == O.Predicate && IsNegated == O.IsNegated;
  }
  bool operator!=(const SassCondition &O) const { return !(*this == O); }
  bool operator<(const SassCondition &O) const {
    return std::tie(Predicate, IsNegated) < std::tie(O.Predicate, O.IsNegated);
  }
};

struct SassOperand {
  enum class Kind : uint8_t {
    Register, ///< General, uniform or predicate, constant ones too.
    Number,   ///< An integer; of pairs of halves the bits.
    Constant, ///< c[Bank][Register + Number]
    Address,  ///< desc[Descriptor][Register + Uniform + Number]
    Label,    ///< A place in the code (SassListing::target).
    Name      ///< Anything else: "B0", "SR_TID.X", "PR", "1.5", "2D".
  };
  Kind What = Kind::Name;
  SassRegister Register;                ///< Zero: none in the brackets.
  uint8_t Uniform = SassRegister::Zero; ///< Zero: none is added.
  /// The first of two uniform registers; Zero: none.
  uint8_t Descriptor = SassRegister::Zero;
  uint8_t Bank = 0;
  bool IsNegated = false; ///< Of predicates: "!".
  bool IsWide = false;    ///< ".64": the register is the first of two.
  bool IsKept = false;    ///< ".reuse": at hand for the next instruction.
  int64_t Number = 0;
  /// Names and labels: as printed. Of others what is not said above, such as
  /// "-", "|", ".H0_H0" and the "tmem" in front of brackets.
  std::string Text;

  static SassOperand reg(SassFile File, unsigned Index) {
    SassOperand O;
    O.What = Kind::Register;
    O.Register = {File, static_cast<uint8_t>(Index)};
    return O;
  }
  static SassOperand general(unsigned Index) {
    return reg(SassFile::General, Index);
  }
  static SassOperand uniform(unsigned Index) {
    return reg(SassFile::Uniform, Index);
  }
  static SassOperand number(int64_t Number) {
    SassOperand O;
    O.What = Kind::Number;
    O.Number = Number;
    return O;
  }
  static SassOperand name(llvm::StringRef Text) {
    SassOperand O;
    O.Text = Text.str();
    return O;
  }
  static SassOperand label(llvm::StringRef Name) {
    SassOperand O = name(Name);
    O.What = Kind::Label;
    return O;
  }

  bool isRegister() const { return What == Kind::Register; }
  bool isNumber() const { return What == Kind::Number; }
  bool isAddress() const { return What == Kind::Address; }
  bool isLabel() const { return What == Kind::Label; }
  bool isPredicate() const { return isRegister() && Register.isPredicate(); }
  /// A register of 32 bits as it is: without a sign or a choice of its parts.
  bool isPlain() const {
    return isRegister() && !Register.isPredicate() && Text.empty() && !IsWide;
  }
  bool isPlain(SassRegister R) const { return isPlain() && Register == R; }
  /// RZ or URZ as it is.
  bool isZero() const { return isPlain() && Register.isConstant(); }
  /// PT or UPT, not negated.
  bool isTrue() const {
    return isPredicate() && Register.isConstant() && !IsNegated;
  }
  SassCondition condition() const { return {Register, IsNegated}; }
  /// A base register, an offset and nothing else.
  bool isPlainAddress() const {
    return isAddress() && Text.empty() && !IsWide &&
           Uniform == SassRegister::Zero && Descriptor == SassRegister::Zero;
  }
  /// All registers that it names, without constant ones.
  llvm::SmallVector<SassRegister, 3> registers() const;
  bool operator==(const SassOperand &O) const;
  bool operator!=(const SassOperand &O) const { return !(*this == O); }
};

using SassOperands = llvm::SmallVector<SassOperand, 0>;

/// What an instruction tells the scheduler, in the same bits whatever it does.
struct SassControl {
  /// Cycles, 0 to 15, that the warp waits after this instruction before it may
  /// issue the next one.
  uint8_t Stall = 0;
  /// The scheduler is asked to go on with another warp (the bit is clear in
  /// the encoding).
  bool Yield = false;
  /// Scoreboard, below NumBarriers, that is released when the result has been
  /// written (WriteBarrier) or the operands have been read (ReadBarrier);
  /// NoBarrier where there is none, as for instructions of fixed latency.
  static constexpr uint8_t NumBarriers = 6, NoBarrier = 7;
  uint8_t WriteBarrier = NoBarrier, ReadBarrier = NoBarrier;
  /// Scoreboards, bit N for N, that must be free before this instruction
  /// issues.
  uint8_t WaitMask = 0;
  uint8_t Reuse = 0; ///< Bit N: the register in slot N is kept.
  uint8_t Rest = 0;  ///< Bits without a known meaning.
};

struct SassInstruction : SassControl {
  uint64_t Address = 0; ///< Bytes from the start of its section.
  std::string Opcode;   ///< With modifiers: "LDG.E.64".
  /// As printed; targets of a branch by a table, which ptxas notes, stand after
  /// the others. What a decoding of bits leaves out is in SassListing.h.
  SassOperands Operands;
  SassClass Class = SassClass::Other;
  /// Bytes that each thread moves, 1 to 32, for the loads, stores, atomics and
  /// asynchronous copies whose width the opcode states; else 0.
  unsigned Bytes = 0;
  SassCondition Guard; ///< Of the threads that execute it.
  /// Integers that must be found equal for its guard to hold, as far as its
  /// block shows it.
  unsigned Equalities = 0;
  unsigned SourceLine = 0; ///< 0: not known (readSourceLines()).
  bool IsSpill = false;    ///< ptxas marks it as spill code.
  /// Registers written and read, in operand order, without repeats or constant
  /// ones; the guard and addresses are read. Operands that span several
  /// registers are listed in full where opcode or operand state their width
  /// (64- and 128-bit memory, .WIDE, FP64, textures, tensor shapes of mma).
  llvm::SmallVector<SassRegister, 2> Writes;
  llvm::SmallVector<SassRegister, 4> Reads;
  /// Those of Reads, all in the general file, that are kept for the next
  /// instruction of the warp (".reuse").
  llvm::SmallVector<SassRegister, 2> Kept;

  /// The opcode's first part: "LDG" of "LDG.E.64".
  llvm::StringRef base() const {
    return llvm::StringRef(Opcode).split('.').first;
  }
  /// Whether the opcode has Modifier, given without its dot, as a further part.
  bool has(llvm::StringRef Modifier) const;
  /// Guarded by a predicate other than PT: not every thread need execute it.
  bool isPredicated() const { return !Guard.isAlways(); }
  /// The last operand that is an address; null: none is.
  const SassOperand *address() const;
  /// Whether it names a constant of Bank from Offset up to End, not by a
  /// register.
  bool readsConstant(unsigned Bank, int64_t Offset, int64_t End) const;
};

/// Whether I has a generic address (LD and ST), so that the code does not say
/// what memory it is to.
bool isGenericAccess(const SassInstruction &I);

/// Whether I names the address of the window of local memory, by which generic
/// addresses of it are made; on sm_75 to sm_90, not known later.
bool readsLocalWindow(const SassInstruction &I);

/// Fills in I.Class, I.Bytes, I.Reads, I.Writes and I.Kept from its opcode,
/// operands, of which the first so many are results, and guard.
void classify(SassInstruction &I, size_t Results);

} // namespace regdem

#endif // REGDEM_MACHINECODE_SASSINSTRUCTION_H
