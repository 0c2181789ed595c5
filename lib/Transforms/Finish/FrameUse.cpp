//===- FrameUse.cpp - what a kernel does with its frame -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address in the frame is R1 or a sum of R1 and something. Which places may
// hold one is followed along the control flow until nothing changes, in a
// function for each set of places that it is called with: one may save for one
// caller an address, for another one a number. An address may be added to,
// copied, selected, compared with another one, put into a uniform register and
// accessed; anything else is an obstacle. What is added to upper halves of
// generic addresses is the checker's business.
//
//===----------------------------------------------------------------------===//

#include "FrameUse.h"

#include "FrameAddresses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace regdem {

namespace {

bool isLocalAccess(const SassInstruction &I) {
  return I.Class == SassClass::LocalLoad || I.Class == SassClass::LocalStore;
}

Error obstacle(const SassInstruction &I, const Twine &What) {
  return createStringError(What + " (" + I.Opcode + " at 0x" +
                           utohexstr(I.Address, /*LowerCase=*/true) + ")");
}

/// Whether I reads a register of Addresses.
bool reads(const SassInstruction &I, const Registers &Addresses) {
  return any_of(I.Reads, [&](SassRegister R) { return has(Addresses, R); });
}

/// The bytes by which I lowers the stack pointer; none for other instructions.
std::optional<unsigned> loweredBy(const SassInstruction &I) {
  if (I.isPredicated() || (I.base() != "IADD3" && I.base() != "VIADD"))
    return std::nullopt;
  const SassOperands &Operands = I.Operands;
  if (Operands.size() < 3 || plainRegister(Operands[0]) != StackPointer ||
      plainRegister(Operands[1]) != StackPointer || !Operands[2].isNumber() ||
      (Operands.size() > 3 && !Operands[3].isZero()))
    return std::nullopt;
  // It may be read as 2^32 - frame.
  int64_t Amount = SignExtend64<32>(static_cast<uint64_t>(Operands[2].Number));
  if (Amount >= 0)
    return std::nullopt;
  return static_cast<unsigned>(-Amount);
}

/// Reads the uses of the frame, block by block.
class UseReader {
public:
  UseReader(SassKernel Code, bool MayRewrite)
      : K(std::move(Code)), MayRewrite(MayRewrite), Known(K.Functions.size()) {}

  Expected<FrameUse> read();

private:
  /// What holds where a function returns; none: it does not.
  using AtReturn = std::optional<FrameAddresses>;

  Error readSetUp();
  Expected<AtReturn> follow(unsigned Function, const FrameAddresses &Start);
  Expected<AtReturn> visitBlock(const SassBlock &B, FrameAddresses Addresses,
                                AtReturn &Returned);
  Error visit(const SassInstruction &I, FrameAddresses &Addresses);
  Error visitAccess(const SassInstruction &I, const Registers &Seen,
                    FrameAddresses &Addresses);
  Error moveWords(const SassInstruction &I, std::optional<int64_t> Offset,
                  const Registers &Old, FrameAddresses &Addresses);
  static Expected<bool> givesAddress(const SassInstruction &I,
                                     const Registers &Addresses);
  static bool isGenericFrameAccess(const SassInstruction &I,
                                   const Registers &Addresses);
  bool isRewritten(const SassInstruction &I, const Registers &Seen,
                   const FrameAddresses &Addresses) const;

  const SassKernel K;
  bool MayRewrite;
  Registers Stored; ///< Words in which the program puts addresses.
  FrameUse Use;     ///< Without what the following are counted into.
  std::map<uint64_t, std::optional<unsigned>> Offsets; ///< Of accesses.
  /// By function: what it was called with, and what came of that.
  std::vector<std::vector<std::pair<FrameAddresses, AtReturn>>> Known;
  std::set<unsigned> Active; ///< Functions that are being followed.
};

/// The stack pointer is set by the first instruction and lowered once, before
/// all other uses, in the block that the kernel starts with.
Error UseReader::readSetUp() {
  bool Lowered = false;
  for (const SassBlock &B : K.Blocks)
    for (const SassInstruction &I : B.Instructions) {
      bool Writes = is_contained(I.Writes, StackRegister);
      if (!Writes || I.Address == 0)
        continue;
      auto Amount = loweredBy(I);
      if (!Amount || Lowered || &B != &K.Blocks[K.Functions[0].Entry])
        return obstacle(I, "the stack pointer is changed otherwise");
      Lowered = true;
      Use.Lowered = *Amount;
      Use.LoweredAt = I.Address;
    }
  return Error::success();
}

/// Whether I's result is an address in the frame; an error where I does with
/// one what may not be done.
Expected<bool> UseReader::givesAddress(const SassInstruction &I,
                                       const Registers &Addresses) {
  if (!reads(I, Addresses))
    return false;
  StringRef Base = I.base();
  if (!Base.starts_with("U") && any_of(I.Reads, [&](SassRegister R) {
        return R.isUniform() && has(Addresses, R);
      }))
    return obstacle(I, "an address in a uniform register is used otherwise");
  const SassOperands &Operands = I.Operands;
  unsigned Count = count_if(
      Operands, [&](const SassOperand &O) { return mentions(Addresses, O); });
  ArrayRef<SassOperand> Sources =
      ArrayRef(Operands).drop_front(std::min<size_t>(1, Operands.size()));
  unsigned Plain = count_if(
      Sources, [&](const SassOperand &O) { return isAddress(Addresses, O); });
  bool Overwrites = !Operands.empty() && isAddress(Addresses, Operands[0]);
  if (Count == Plain + Overwrites) {
    if (!Plain)
      return false;
    bool Last = isAddress(Addresses, Operands.back());
    bool Carries =
        any_of(Sources, [](const SassOperand &O) { return O.isPredicate(); });
    if (is_contained({"IADD3", "VIADD", "UIADD3"}, I.Opcode) && Plain == 1)
      return true;
    if (Base == "MOV" || Base == "SEL" || Base == "UMOV")
      return true;
    // Multiplied by one, or added to a product.
    bool Narrow = !I.has("WIDE") && !I.has("HI");
    bool ByOne = I.Opcode == "IMAD.IADD" ||
                 (Operands.size() > 2 && Operands[2].isNumber() &&
                  Operands[2].Number == 1);
    if ((Base == "IMAD" || Base == "UIMAD") && Plain == 1 && !Carries &&
        Narrow && (Last || ByOne))
      return true;
    if (is_contained({"LEA", "ULEA"}, I.Opcode) && Plain == 1 &&
        Operands.size() == 4 && isAddress(Addresses, Operands[2]))
      return true;
    if (Base == "ISETP" && Plain == 2)
      return false;
  }
  if (Base == "R2UR")
    return obstacle(I, "an address in the frame goes to a uniform register");
  if (I.Class == SassClass::GlobalStore || I.Class == SassClass::SharedStore)
    return obstacle(I, "an address in the frame is stored");
  return obstacle(I, "an address in the frame is used otherwise");
}

/// Whether I accesses memory by a generic address in the frame, and does no
/// more with it.
bool UseReader::isGenericFrameAccess(const SassInstruction &I,
                                     const Registers &Addresses) {
  const SassOperands &Operands = I.Operands;
  if (!isGenericAccess(I) || Operands.size() != 2)
    return false;
  unsigned Address = I.Class == SassClass::GlobalLoad ? 1 : 0;
  return mentions(Addresses, Operands[Address]) &&
         (Address || !mentions(Addresses, Operands[1]));
}

/// The place of the uniform register that I, a sum, adds as its last operand
/// but for a shift; none in other instructions.
static std::optional<unsigned> addedUniform(const SassInstruction &I) {
  const SassOperands &Operands = I.Operands;
  bool IsShifted = I.Opcode == "LEA";
  if (Operands.size() != 4 || !(IsShifted || I.Opcode == "IMAD"))
    return std::nullopt;
  const SassOperand &Added = Operands[IsShifted ? 2 : 3];
  return Added.Register.isUniform() ? plainRegister(Added) : std::nullopt;
}

/// The distance of the address that I gives, as in FrameAddresses, of which
/// Seen are what it finds.
static std::optional<int64_t> distanceOf(const SassInstruction &I,
                                         const Registers &Seen,
                                         const FrameAddresses &Addresses) {
  if (I.Opcode == "R2UR")
    return 0;
  const SassOperands &Operands = I.Operands;
  if (auto Uniform = addedUniform(I); Uniform && Seen[*Uniform])
    return Addresses.distance(*Uniform);
  std::optional<int64_t> Distance;
  bool IsSum = I.Opcode == "UIADD3";
  SassFile To = Operands[0].Register.File;
  for (const SassOperand &O : drop_begin(Operands))
    if (isAddress(Seen, O) && O.Register.File == To)
      Distance = Addresses.distance(*plainRegister(O));
  if (!IsSum || !Distance)
    return Distance;
  for (const SassOperand &O : drop_begin(Operands)) {
    if (isAddress(Seen, O) || O.isZero())
      continue;
    if (!O.isNumber())
      return std::nullopt;
    *Distance += SignExtend64<32>(static_cast<uint64_t>(O.Number));
  }
  return Distance;
}

/// Whether I has to change since uniform registers have addresses seen from R1:
/// it reads one, or writes the first one. Seen: the places in which it finds
/// addresses.
bool UseReader::isRewritten(const SassInstruction &I, const Registers &Seen,
                            const FrameAddresses &Addresses) const {
  const SassOperands &Operands = I.Operands;
  if (!MayRewrite || I.isPredicated())
    return false;
  if (I.Opcode == "R2UR")
    return Operands.size() == 2 && plainRegister(Operands[1]) == StackPointer;
  bool IsCopy = (I.Opcode == "MOV" && Operands.size() == 2) ||
                (I.Opcode == "IMAD.U32" && Operands.size() == 4 &&
                 Operands[1].isZero() && Operands[2].isZero());
  if (auto Uniform = addedUniform(I))
    return Seen[*Uniform] && Addresses.distance(*Uniform) &&
           count_if(drop_begin(Operands), [&](const SassOperand &O) {
             return mentions(Seen, O);
           }) == 1;
  return IsCopy && Operands.back().Register.isUniform() &&
         isAddress(Seen, Operands.back());
}

/// I gives its results, addresses or not, to their registers.
static void write(const SassInstruction &I, bool AreAddresses,
                  FrameAddresses &Addresses) {
  for (SassRegister R : I.Writes)
    if (auto Place = placeOf(R))
      Addresses.write(*Place, AreAddresses, I.Guard);
  // The guard may be among them. Constant registers are not listed.
  for (SassRegister R : I.Writes)
    if (!placeOf(R))
      Addresses.forget(R);
}

/// What I, an access of the frame at Offset, does to the places that have
/// addresses, of which it finds Old; registers that it writes have none yet.
/// None where it is not known, in an array, which may be one of pointers: it
/// meets what the program stores, but nothing that ptxas spills.
Error UseReader::moveWords(const SassInstruction &I,
                           std::optional<int64_t> Offset, const Registers &Old,
                           FrameAddresses &Addresses) {
  unsigned Words = I.Bytes / 4;
  bool IsKnown = Offset && *Offset >= 0 && Words &&
                 *Offset / 4 + Words <= Places - FirstWord;
  bool Stores = I.Class == SassClass::LocalStore;
  auto Register = plainRegister(I.Operands[1]);
  bool StoresRegister = Stores && Register;
  unsigned First = Register.value_or(0);
  bool MeetsPart = Offset && *Offset >= 0 && *Offset / 4 < Places - FirstWord &&
                   Old[FirstWord + static_cast<unsigned>(*Offset) / 4];
  if (!IsKnown && (Offset ? MeetsPart : (Old & Stored).any()))
    return obstacle(I, "an access may be to an address in the frame's memory");
  for (unsigned W = 0; W != std::max(Words, 1u); ++W) {
    bool IsAddress = StoresRegister && Old[First + W];
    if (IsAddress && !IsKnown)
      return obstacle(I, "an address in the frame is stored");
    if (!IsKnown)
      continue;
    unsigned Word = FirstWord + static_cast<unsigned>(*Offset) / 4 + W;
    if (!Stores)
      IsAddress = Old[Word];
    if (!Stores && W >= I.Writes.size())
      continue;
    unsigned To = Stores ? Word : I.Writes[W].Index;
    Addresses.write(To, IsAddress, I.Guard);
    if (Stores && IsAddress && !I.IsSpill)
      Stored.set(To);
    unsigned From = Stores ? First + W : Word;
    if (IsAddress)
      Addresses.setDistance(To, Addresses.distance(From));
  }
  return Error::success();
}

/// Seen: the places in which I finds addresses.
Error UseReader::visitAccess(const SassInstruction &I, const Registers &Seen,
                             FrameAddresses &Addresses) {
  const SassOperands &Operands = I.Operands;
  bool Stores = I.Class == SassClass::LocalStore;
  if (Operands.size() != 2 || !I.Bytes)
    return obstacle(I, "an access of unknown form");
  const SassOperand &Address = Operands[Stores ? 0 : 1];
  if (!Address.isAddress())
    return obstacle(I, "an access of unknown form");
  auto Pointer = placeOf(Address.Register);
  bool IsUniform = Address.Register.isUniform();
  if (!Pointer || !Seen[*Pointer] || !Address.isPlainAddress() ||
      (IsUniform && !MayRewrite))
    return obstacle(I, "an access to local memory that is not known to be in "
                       "the frame");
  std::optional<int64_t> Offset;
  if (Pointer == StackPointer) {
    Offset = Address.Number;
    if (*Offset < 0 || *Offset + I.Bytes > Use.Lowered)
      return obstacle(I, "an access beyond the frame");
  }
  std::optional<int64_t> Lacks;
  if (!IsUniform)
    Lacks = Addresses.distance(*Pointer);
  if (Lacks)
    Use.Shifts[I.Address] = *Lacks;
  write(I, /*AreAddresses=*/false, Addresses);
  if (Error E = moveWords(I, Offset, Seen, Addresses))
    return E;
  Offsets[I.Address] =
      Offset ? std::optional(static_cast<unsigned>(*Offset)) : std::nullopt;
  return Error::success();
}

Error UseReader::visit(const SassInstruction &I, FrameAddresses &Addresses) {
  if (is_contained({"CCTLL", "SETLMEMBASE", "GETLMEMBASE", "LEPC", "LDLK"},
                   I.base()))
    return obstacle(I, "local memory is used otherwise");
  if (readsLocalWindow(I)) {
    if (!MayRewrite || I.isPredicated() ||
        !is_contained({"ULDC", "LDC"}, I.Opcode))
      return obstacle(I, "generic addresses of local memory");
    Use.Rewrites.insert(I.Address);
    Use.IsGeneric = true;
  }
  if (I.Address == Use.LoweredAt || (I.Address == 0 && I.Reads.empty()))
    return Error::success();
  const Registers Seen = Addresses.under(I.Guard);
  if (isLocalAccess(I))
    return visitAccess(I, Seen, Addresses);
  Use.HasAddresses |= reads(I, Seen);
  bool Gives = isRewritten(I, Seen, Addresses);
  if (Gives)
    Use.Rewrites.insert(I.Address);
  bool IsGeneric = !Gives && isGenericFrameAccess(I, Seen);
  if (IsGeneric)
    Use.Widest = std::max(Use.Widest, I.Bytes);
  if (!Gives && !IsGeneric) {
    Expected<bool> Found = givesAddress(I, Seen);
    if (!Found)
      return Found.takeError();
    Gives = *Found;
  }
  std::optional<int64_t> Distance;
  if (Gives)
    Distance = distanceOf(I, Seen, Addresses);
  write(I, Gives, Addresses);
  if (Gives && I.Writes.size() == 1)
    if (auto Place = placeOf(I.Writes[0]))
      Addresses.setDistance(*Place, Distance);
  return Error::success();
}

/// What holds at the end of B, where it is entered with Addresses; none:
/// nothing comes after it. Returned: what its function returns with.
Expected<UseReader::AtReturn> UseReader::visitBlock(const SassBlock &B,
                                                    FrameAddresses Addresses,
                                                    AtReturn &Returned) {
  for (const SassInstruction &I : B.Instructions)
    if (Error E = visit(I, Addresses))
      return E;
  const SassInstruction &Last = B.Instructions.back();
  if (Last.base() == "RET") {
    if (Returned)
      Returned->join(Addresses);
    else
      Returned = Addresses;
  }
  if (!B.Callee)
    return Addresses;
  Expected<AtReturn> After = follow(*B.Callee, Addresses);
  if (!After || !Last.isPredicated())
    return After;
  if (*After)
    Addresses.join(**After);
  return Addresses;
}

/// Function is called with Start.
Expected<UseReader::AtReturn> UseReader::follow(unsigned Function,
                                                const FrameAddresses &Start) {
  for (const auto &[Then, Result] : Known[Function])
    if (Then == Start)
      return Result;
  // A function that is reached from itself has no frame of known size.
  if (!Active.insert(Function).second)
    return createStringError("'" + K.Functions[Function].Name +
                             "' calls itself");
  std::map<unsigned, FrameAddresses> Before; // By block.
  std::vector<unsigned> Work;
  auto Flow = [&](unsigned To, const FrameAddresses &Addresses) {
    auto [Place, IsNew] = Before.try_emplace(To, Addresses);
    FrameAddresses All = Place->second;
    All.join(Addresses);
    if (!IsNew && All == Place->second)
      return;
    Place->second = std::move(All);
    Work.push_back(To);
  };
  AtReturn Returned;
  Flow(K.Functions[Function].Entry, Start);
  while (!Work.empty()) {
    unsigned N = Work.back();
    Work.pop_back();
    Expected<AtReturn> After = visitBlock(K.Blocks[N], Before[N], Returned);
    if (!After)
      return After;
    if (!*After)
      continue;
    const SassBlock &B = K.Blocks[N];
    const SassInstruction &Last = B.Instructions.back();
    // Where a guarded branch goes its guard holds, and after it it does not.
    bool Divides = Last.Opcode == "BRA" && Last.isPredicated() &&
                   Last.Operands.size() == 1 && B.Successors.size() == 2;
    for (unsigned S : B.Successors) {
      bool FallsThrough = K.Blocks[S].Instructions.front().Address ==
                          Last.Address + InstructionBytes;
      SassCondition Guard = FallsThrough ? Last.Guard.opposite() : Last.Guard;
      Flow(S, Divides ? (*After)->onlyUnder(Guard) : **After);
    }
  }
  Active.erase(Function);
  Known[Function].emplace_back(Start, Returned);
  return Returned;
}

Expected<FrameUse> UseReader::read() {
  if (K.HasUnknownCallees)
    return createStringError("it calls code that is not known");
  if (Error E = readSetUp())
    return E;
  FrameAddresses Start;
  Start.write(StackPointer, /*IsAddress=*/true, /*Guard=*/{});
  Expected<AtReturn> End = follow(0, Start);
  if (!End)
    return End.takeError();
  for (const SassBlock &B : K.Blocks)
    for (const SassInstruction &I : B.Instructions) {
      auto Access = Offsets.find(I.Address);
      if (Access == Offsets.end())
        continue;
      Use.Indexed += !Access->second;
      if (Access->second)
        Use.Accesses.push_back({I.Address, *Access->second, I.Bytes,
                                I.Class == SassClass::LocalLoad, B.Frequency});
      ++(I.Class == SassClass::LocalStore ? Use.Stores : Use.Loads);
      Use.Widest = std::max(Use.Widest, I.Bytes);
    }
  return std::move(Use);
}

} // namespace

Expected<FrameUse> readFrameUse(SassKernel K, bool MayRewrite) {
  // Predicates that are constant say nothing.
  for (SassBlock &B : K.Blocks)
    for (SassInstruction &I : B.Instructions)
      erase_if(I.Operands, [](const SassOperand &O) {
        return O.isPredicate() && O.Register.isConstant();
      });
  return UseReader(std::move(K), MayRewrite).read();
}

} // namespace regdem
