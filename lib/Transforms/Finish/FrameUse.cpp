//===- FrameUse.cpp - what a kernel does with its frame -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address in the frame is R1 or a sum of R1 and something. Which registers
// may hold one is followed along the control flow until nothing changes. A
// function is followed once for all its callers; registers that it does not
// write keep what they held at each call. An address may be added to, copied,
// selected, compared with another one, put into a uniform register and
// accessed; anything else is an obstacle. What is added to upper halves of
// generic addresses is the checker's business.
//
//===----------------------------------------------------------------------===//

#include "FrameUse.h"

#include "FrameOperands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

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

/// The bytes by which I lowers the stack pointer; none for other instructions.
std::optional<unsigned> loweredBy(const SassInstruction &I) {
  StringRef Base = baseOpcode(I.Opcode);
  if (I.Predicated || (Base != "IADD3" && Base != "VIADD"))
    return std::nullopt;
  auto Operands = operandsOf(I);
  if (Operands.size() < 3 || Operands[0] != "R1" ||
      plainRegister(Operands[1]) != StackPointer ||
      (Operands.size() > 3 && Operands[3] != "RZ"))
    return std::nullopt;
  int64_t Amount = 0;
  if (Operands[2].getAsInteger(0, Amount))
    return std::nullopt;
  if (Amount > 0) // nvdisasm may print 2^32 - frame.
    Amount = static_cast<int32_t>(static_cast<uint32_t>(Amount));
  if (Amount >= 0)
    return std::nullopt;
  return static_cast<unsigned>(-Amount);
}

/// Reads the uses of the frame, block by block.
class UseReader {
public:
  UseReader(const SassKernel &K, bool MayRewrite)
      : K(K), MayRewrite(MayRewrite), Before(K.Blocks.size()),
        Seen(K.Blocks.size()), Clobbered(K.Functions.size()),
        AtReturn(K.Functions.size()), Returns(K.Functions.size()) {}

  Expected<FrameUse> read();

private:
  Error readSetUp();
  Error checkCalls() const;
  void findClobbered();
  void follow();
  void flow(unsigned To, const Registers &Addresses);
  void flowBehind(const SassBlock &B, const Registers &Addresses);
  Error visit(const SassInstruction &I, Registers &Addresses, bool Record);
  Error visitAccess(const SassInstruction &I, Registers &Addresses,
                    bool Record);
  static Expected<bool> givesAddress(const SassInstruction &I,
                                     const Registers &Addresses);
  static bool isGenericAccess(const SassInstruction &I,
                              const Registers &Addresses);
  bool isRewritten(const SassInstruction &I, const Registers &Addresses) const;

  const SassKernel &K;
  bool MayRewrite;
  FrameUse Use;
  std::vector<Registers> Before; ///< Of each block.
  std::vector<bool> Seen;
  /// By function: what it, or what it calls, writes; addresses among these when
  /// it returns; whether it has been seen to.
  std::vector<Registers> Clobbered, AtReturn;
  std::vector<bool> Returns;
  std::vector<unsigned> Work;
};

/// The stack pointer is set by the first instruction and lowered once, before
/// all other uses, in the block that the kernel starts with.
Error UseReader::readSetUp() {
  bool Lowered = false;
  for (const SassBlock &B : K.Blocks)
    for (const SassInstruction &I : B.Instructions) {
      bool Writes =
          is_contained(I.Writes, SassRegister{SassFile::General, StackPointer});
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

Error UseReader::checkCalls() const {
  if (K.HasUnknownCallees)
    return createStringError("it calls code that is not known");
  // A function that is reached from itself has no frame of known size.
  std::vector<std::vector<unsigned>> Callees(K.Functions.size());
  for (const SassBlock &B : K.Blocks)
    if (B.Callee)
      Callees[B.Function].push_back(*B.Callee);
  for (unsigned F = 0; F != K.Functions.size(); ++F) {
    std::vector<bool> Reached(K.Functions.size());
    std::vector<unsigned> Left = Callees[F];
    while (!Left.empty()) {
      unsigned Next = Left.back();
      Left.pop_back();
      if (Next == F)
        return createStringError("'" + K.Functions[F].Name + "' calls itself");
      if (Reached[Next])
        continue;
      Reached[Next] = true;
      append_range(Left, Callees[Next]);
    }
  }
  return Error::success();
}

/// Whether I's result is an address in the frame; an error where I does with
/// one what may not be done.
Expected<bool> UseReader::givesAddress(const SassInstruction &I,
                                       const Registers &Addresses) {
  if (none_of(I.Reads, [&](SassRegister R) {
        auto Place = placeOf(R);
        return Place && Addresses[*Place];
      }))
    return false;
  StringRef Base = baseOpcode(I.Opcode);
  if (!Base.starts_with("U") && any_of(I.Reads, [&](SassRegister R) {
        auto Place = placeOf(R);
        return R.File == SassFile::Uniform && Place && Addresses[*Place];
      }))
    return obstacle(I, "an address in a uniform register is used otherwise");
  auto Operands = operandsOf(I);
  unsigned Count =
      count_if(Operands, [&](StringRef O) { return mentions(Addresses, O); });
  ArrayRef<StringRef> Sources = ArrayRef<StringRef>(Operands).drop_front(
      std::min<size_t>(1, Operands.size()));
  unsigned Plain =
      count_if(Sources, [&](StringRef O) { return isAddress(Addresses, O); });
  bool Overwrites = !Operands.empty() && isAddress(Addresses, Operands[0]);
  if (Count == Plain + Overwrites) {
    if (!Plain)
      return false;
    bool Last = isAddress(Addresses, Operands.back());
    bool Carries = any_of(
        Sources, [](StringRef O) { return O.starts_with("P") && O != "PT"; });
    if (is_contained({"IADD3", "VIADD", "UIADD3"}, I.Opcode) && Plain == 1)
      return true;
    if (Base == "MOV" || Base == "SEL" || Base == "UMOV")
      return true;
    // Multiplied by one, or added to a product.
    bool Narrow = !StringRef(I.Opcode).contains("WIDE") &&
                  !StringRef(I.Opcode).contains("HI");
    bool ByOne = I.Opcode == "IMAD.IADD" ||
                 (Operands.size() > 2 && Operands[2] == "0x1");
    if (Base == "IMAD" && Plain == 1 && !Carries && Narrow && (Last || ByOne))
      return true;
    if (I.Opcode == "LEA" && Plain == 1 && Operands.size() == 4 &&
        isAddress(Addresses, Operands[2]))
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
bool UseReader::isGenericAccess(const SassInstruction &I,
                                const Registers &Addresses) {
  StringRef Base = baseOpcode(I.Opcode);
  auto Operands = operandsOf(I);
  if ((Base != "LD" && Base != "ST") || Operands.size() != 2)
    return false;
  unsigned Address = Base == "LD" ? 1 : 0;
  return mentions(Addresses, Operands[Address]) &&
         (Address || !mentions(Addresses, Operands[1]));
}

/// Whether I has to change since uniform registers have addresses seen from R1:
/// it reads one, or writes the first one.
bool UseReader::isRewritten(const SassInstruction &I,
                            const Registers &Addresses) const {
  auto Operands = operandsOf(I);
  if (!MayRewrite || I.Predicated)
    return false;
  if (I.Opcode == "R2UR")
    return Operands.size() == 2 && Operands[1] == "R1";
  bool IsCopy = (I.Opcode == "MOV" && Operands.size() == 2) ||
                (I.Opcode == "IMAD.U32" && Operands.size() == 4 &&
                 Operands[1] == "RZ" && Operands[2] == "RZ");
  return IsCopy && Operands.back().starts_with("U") &&
         isAddress(Addresses, Operands.back());
}

/// I gives its results, addresses or not, to their registers.
static void write(const SassInstruction &I, bool AreAddresses,
                  Registers &Addresses) {
  for (SassRegister R : I.Writes)
    if (auto Place = placeOf(R); Place && (AreAddresses || !I.Predicated))
      Addresses.set(*Place, AreAddresses);
}

/// What I, an access of the frame at Offset, does to the places that have
/// addresses, which were Old; registers that it writes have none yet. None
/// where it is not known, in an array: that has no words with addresses.
static Error moveWords(const SassInstruction &I, StringRef Stored,
                       std::optional<int64_t> Offset, const Registers &Old,
                       Registers &Addresses) {
  unsigned Words = I.Bytes / 4;
  bool IsKnown = Offset && *Offset >= 0 && Words &&
                 *Offset / 4 + Words <= Places - FirstWord;
  bool Stores = I.Class == SassClass::LocalStore;
  auto First = Stores ? plainRegister(Stored) : std::nullopt;
  for (unsigned W = 0; W != std::max(Words, 1u); ++W) {
    bool IsAddress = First && Old[*First + W];
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
    if (IsAddress || !I.Predicated)
      Addresses.set(To, IsAddress);
  }
  return Error::success();
}

Error UseReader::visitAccess(const SassInstruction &I, Registers &Addresses,
                             bool Record) {
  auto Operands = operandsOf(I);
  bool Stores = I.Class == SassClass::LocalStore;
  if (Operands.size() != 2 || !I.Bytes)
    return obstacle(I, "an access of unknown form");
  StringRef Address = Operands[Stores ? 0 : 1];
  StringRef Inner = Address;
  if (!Inner.consume_front("[") || !Inner.consume_back("]"))
    return obstacle(I, "an access of unknown form");
  StringRef Pointer = Inner.take_until([](char C) { return C == '+'; });
  if (!isAddress(Addresses, Pointer) || Inner.contains("UR"))
    return obstacle(I, "an access to local memory that is not known to be in "
                       "the frame");
  std::optional<int64_t> Offset;
  if (plainRegister(Pointer) == StackPointer) {
    Offset = 0;
    StringRef Text = Inner.drop_front(Pointer.size());
    Text.consume_front("+");
    if ((!Text.empty() && Text.getAsInteger(0, *Offset)) || *Offset < 0 ||
        *Offset + I.Bytes > Use.Lowered)
      return obstacle(I, "an access beyond the frame");
  }
  Registers Before = Addresses;
  write(I, /*AreAddresses=*/false, Addresses);
  if (Error E =
          moveWords(I, Stores ? Operands[1] : "", Offset, Before, Addresses))
    return E;
  if (!Record)
    return Error::success();
  Use.Indexed += !Offset;
  if (Offset)
    Use.Accesses.push_back(
        {I.Address, static_cast<unsigned>(*Offset), I.Bytes});
  ++(Stores ? Use.Stores : Use.Loads);
  Use.Widest = std::max(Use.Widest, I.Bytes);
  Use.Places.push_back(I.Address);
  return Error::success();
}

Error UseReader::visit(const SassInstruction &I, Registers &Addresses,
                       bool Record) {
  static const StringSet<> Unknown = {"CCTLL", "SETLMEMBASE", "GETLMEMBASE",
                                      "LEPC", "LDLK"};
  if (Unknown.contains(baseOpcode(I.Opcode)))
    return obstacle(I, "local memory is used otherwise");
  for (const char *Window : {"c[0x0][0x20]", "c[0x0][0x24]"})
    if (StringRef(I.Operands).contains(Window)) {
      if (!MayRewrite || I.Opcode != "ULDC" || I.Predicated)
        return obstacle(I, "generic addresses of local memory");
      if (Record)
        Use.Rewrites.push_back(I.Address);
      Use.IsGeneric = true;
    }
  if (I.Address == Use.LoweredAt || (I.Address == 0 && I.Reads.empty()))
    return Error::success();
  if (isLocalAccess(I))
    return visitAccess(I, Addresses, Record);
  Use.HasAddresses |= any_of(I.Reads, [&](SassRegister R) {
    auto Place = placeOf(R);
    return Place && Addresses[*Place];
  });
  bool Gives = isRewritten(I, Addresses);
  if (Gives && Record)
    Use.Rewrites.push_back(I.Address);
  if (!Gives && !isGenericAccess(I, Addresses)) {
    Expected<bool> Found = givesAddress(I, Addresses);
    if (!Found)
      return Found.takeError();
    Gives = *Found;
  }
  write(I, Gives, Addresses);
  return Error::success();
}

void UseReader::flow(unsigned To, const Registers &Addresses) {
  Registers All = Before[To] | Addresses;
  if (Seen[To] && All == Before[To])
    return;
  Before[To] = All;
  Seen[To] = true;
  Work.push_back(To);
}

void UseReader::findClobbered() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const SassBlock &B : K.Blocks) {
      Registers All = Clobbered[B.Function];
      for (const SassInstruction &I : B.Instructions)
        for (SassRegister R : I.Writes)
          if (auto Place = placeOf(R))
            All.set(*Place);
      if (B.Callee)
        All |= Clobbered[*B.Callee];
      Changed |= All != Clobbered[B.Function];
      Clobbered[B.Function] = All;
    }
  }
}

/// Addresses are those at the end of B.
void UseReader::flowBehind(const SassBlock &B, const Registers &Addresses) {
  const SassInstruction &Last = B.Instructions.back();
  if (baseOpcode(Last.Opcode) == "RET") {
    Registers &All = AtReturn[B.Function];
    Registers New = All | (Addresses & Clobbered[B.Function]);
    if (New != All || !Returns[B.Function])
      for (unsigned N = 0; N != K.Blocks.size(); ++N)
        if (K.Blocks[N].Callee == B.Function && Seen[N])
          Work.push_back(N);
    All = New;
    Returns[B.Function] = true;
  }
  Registers Behind = Addresses;
  if (B.Callee) {
    flow(K.Functions[*B.Callee].Entry, Addresses);
    if (!Returns[*B.Callee] && !Last.Predicated)
      return;
    Registers Kept =
        Last.Predicated ? Addresses : Addresses & ~Clobbered[*B.Callee];
    Behind = Kept | AtReturn[*B.Callee];
  }
  for (unsigned S : B.Successors)
    flow(S, Behind);
}

/// Which registers may hold addresses where blocks begin.
void UseReader::follow() {
  findClobbered();
  Registers Start;
  Start.set(StackPointer);
  flow(K.Functions[0].Entry, Start);
  while (!Work.empty()) {
    unsigned N = Work.back();
    Work.pop_back();
    Registers Addresses = Before[N];
    for (const SassInstruction &I : K.Blocks[N].Instructions)
      consumeError(visit(I, Addresses, /*Record=*/false));
    flowBehind(K.Blocks[N], Addresses);
  }
}

Expected<FrameUse> UseReader::read() {
  if (Error E = checkCalls())
    return E;
  if (Error E = readSetUp())
    return E;
  follow();
  for (unsigned N = 0; N != K.Blocks.size(); ++N) {
    Registers Addresses = Before[N];
    for (const SassInstruction &I : K.Blocks[N].Instructions)
      if (Error E = visit(I, Addresses, /*Record=*/true))
        return E;
  }
  return std::move(Use);
}

} // namespace

Expected<FrameUse> readFrameUse(const SassKernel &K, bool MayRewrite) {
  return UseReader(K, MayRewrite).read();
}

} // namespace regdem
