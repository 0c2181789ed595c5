//===- Sass.h - the machine code of a kernel --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ptxas made of a kernel: instructions with the scheduling information
// that ptxas wrote into them, as a control-flow graph with loops and a static
// estimate of how often each block runs. Read from nvdisasm's text; nothing
// here judges the code.
//
// The control bits are those of the 128-bit encoding of sm_70 and later: Jia,
// Maggioni, Staiger, Scarpazza, "Dissecting the NVIDIA Volta GPU Architecture
// via Microbenchmarking", 2018, section 2.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_SASS_H
#define REGDEM_MACHINECODE_SASS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace regdem {

struct RawCode;

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
  AsyncCopy,      ///< Global to shared memory past the registers: LDGSTS,
                  ///< UBLKCP, UTMALDG and relatives
  Atomic,         ///< ATOM*, RED* (not REDUX), in global or shared memory
  Texture,        ///< Texture and surface instructions
  Tensor,         ///< HMMA, IMMA, DMMA, HGMMA, UTC*MMA and relatives
  FP32,           ///< Single precision, with its comparisons and selections
  FP64,           ///< Double precision on the FP64 pipe
  Half,           ///< HADD2, HFMA2 and relatives, two halves at a time
  Integer,        ///< Integer, logic, shifts, permutations, predicate logic
  Conversion,     ///< Between formats: F2F, F2I, I2F, FRND …
  Special,        ///< MUFU: reciprocal, root, sine, exp2, log2
  Uniform,        ///< Uniform datapath arithmetic (one result a warp), R2UR
  Shuffle,        ///< SHFL, VOTE, MATCH, REDUX: across the warp
  Branch,         ///< BRA, BRX, CALL, RET, EXIT, BSSY, BSYNC, BREAK, WARPSYNC
  Barrier,        ///< BAR, MEMBAR, DEPBAR, SYNCS, WARPGROUP …
  Move,           ///< MOV, IMAD.MOV, UMOV: copies and constants
  SystemRegister, ///< S2R, CS2R, S2UR: thread index, clock …
  Other           ///< NOP, what is guarded by @!PT, what is not known
};
constexpr unsigned NumSassClasses = static_cast<unsigned>(SassClass::Other) + 1;

/// Its name in print-outs: "local load", "FP32" …
llvm::StringRef toString(SassClass Class);

/// Of an instruction, from sm_70 on.
constexpr unsigned InstructionBytes = 16;

/// The opcode's first part: "LDG" of "LDG.E.64".
llvm::StringRef baseOpcode(llvm::StringRef Opcode);

/// Operands split at the commas outside brackets, each without blanks around.
llvm::SmallVector<llvm::StringRef, 6> splitOperands(llvm::StringRef Operands);

enum class SassFile : uint8_t { General, Uniform, Predicate, UniformPredicate };

/// One 32-bit register or one predicate. The constant ones (RZ, URZ, PT, UPT)
/// are never listed.
struct SassRegister {
  SassFile File = SassFile::General;
  uint8_t Index = 0;
  bool operator==(const SassRegister &O) const {
    return File == O.File && Index == O.Index;
  }
};

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
};

struct SassInstruction : SassControl {
  uint64_t Address = 0; ///< Bytes from the start of its section.
  std::string Opcode;   ///< With modifiers: "LDG.E.64".
  std::string Operands; ///< As printed, for what is not decoded here.
  SassClass Class = SassClass::Other;
  /// Bytes that each thread moves, 1 to 32, for the loads, stores, atomics and
  /// asynchronous copies whose width the opcode states; else 0.
  unsigned Bytes = 0;
  /// The predicate that guards it, "P0" or "!UP1"; empty: none.
  std::string Guard;
  /// Guarded by a predicate other than PT: not every thread need execute it.
  bool Predicated = false;
  /// Integers that must be found equal for its guard to hold, as far as its
  /// block shows it.
  unsigned Equalities = 0;
  /// The line of the source, where `nvdisasm -g` states it; else 0.
  unsigned SourceLine = 0;
  bool IsSpill = false; ///< nvdisasm marks it as spill code.
  /// Registers written and read, in operand order, without repeats; the guard
  /// and addresses are read. Operands that span several registers are listed
  /// in full where opcode or operand state their width (64- and 128-bit
  /// memory, .WIDE, FP64, tensor shapes of mma); those of wgmma and of
  /// textures with their first register only.
  llvm::SmallVector<SassRegister, 2> Writes;
  llvm::SmallVector<SassRegister, 4> Reads;
  /// Those of Reads, all in the general file, that are kept for the next
  /// instruction of the warp (".reuse").
  llvm::SmallVector<SassRegister, 2> Kept;
};

/// Whether I has a generic address (LD and ST), so that the code does not say
/// what memory it is to.
bool isGenericAccess(const SassInstruction &I);

/// Whether I names the address of the window of local memory, by which generic
/// addresses of it are made; on sm_75 to sm_90, not known later.
bool readsLocalWindow(const SassInstruction &I);

/// Straight-line code: control enters at the first instruction only and leaves
/// after the last one, but for predicated EXITs and for calls, which return.
struct SassBlock {
  std::vector<SassInstruction> Instructions; ///< Never empty.
  /// Indices of blocks of the same function, without repeats: the targets of
  /// the branch, and the block after it where it falls through.
  llvm::SmallVector<unsigned, 2> Successors;
  /// Index of the function called by the last instruction; none: no call, or
  /// one whose target the code does not show.
  std::optional<unsigned> Callee;
  unsigned Function = 0;  ///< Index in SassKernel::Functions.
  unsigned LoopDepth = 0; ///< Loops around it within its function.
  /// Innermost loop around it, index in SassKernel::Loops.
  std::optional<unsigned> Loop;
  /// On the way for unusual arguments of sin, cos or tan only.
  bool IsSlowPath = false;
  /// Integers that must be found equal on any way to it.
  unsigned Equalities = 0;
  /// Estimated executions for one run of its function: the product of the trips
  /// of the loops around it, a 16th of that on a slow path. At most 1e15.
  double Frequency = 0;
};

/// A strongly connected part of a function; Header is where it is entered.
struct SassLoop {
  unsigned Header = 0;            ///< Block index.
  std::optional<unsigned> Parent; ///< Innermost loop around it.
  unsigned Depth = 1;             ///< 1: outermost.
  double Trips = 0;        ///< Executions of the header per entry of the loop.
  bool TripsKnown = false; ///< From constants in the code, not assumed.
};

/// The kernel itself or a function that it calls.
struct SassFunction {
  std::string Name;   ///< Mangled.
  unsigned Entry = 0; ///< Block index.
};

struct SassKernel {
  std::string Name; ///< Mangled.
  /// Blocks that can be reached from the kernel's entry. Blocks of a function
  /// stand together, in order of address.
  std::vector<SassBlock> Blocks;
  std::vector<SassFunction> Functions; ///< The kernel is the first.
  std::vector<SassLoop> Loops;         ///< A loop stands after its parent.
  /// A call goes to code that the text does not hold (indirect, or left to the
  /// linker), so that the kernel runs more than is listed.
  bool HasUnknownCallees = false;
};

/// Reads the kernel Name (mangled; empty: the only kernel) in Text, which
/// `nvdisasm -c -hex` has printed. Text that is not what nvdisasm prints, lacks
/// the encoding, or has a branch whose targets are not shown, is an error of
/// one line. SlowPathTables: where the addresses of tables stand that only slow
/// paths read, which the text does not tell (slowPathTables() in RawCode.h).
llvm::Expected<SassKernel>
parseSass(llvm::StringRef Text, llvm::StringRef Name = "",
          llvm::ArrayRef<uint64_t> SlowPathTables = {});

/// Reads Code without a disassembler, as parseSass() reads what nvdisasm prints
/// of it, but for what the cost model has no use for in opcodes and operands.
/// None for architectures for which the two were not compared (sm_75 is one),
/// and where an instruction is not one of the usual ones.
std::optional<SassKernel>
decodeSass(const RawCode &Code, llvm::StringRef Arch,
           llvm::ArrayRef<uint64_t> SlowPathTables = {});

} // namespace regdem

#endif // REGDEM_MACHINECODE_SASS_H
