//===- ThreadMemory.h - memory as one thread sees it ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of a run of the array checker: the thread's own variables, which hold
// nothing at first, and that of others, which holds what a random number makes
// up. Notes what others see of the run, and compares that of two runs.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_TRANSFORM_THREADMEMORY_H
#define REGDEM_LIB_TRANSFORM_THREADMEMORY_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/xxhash.h"
#include <cstdint>
#include <map>
#include <vector>

namespace regdem {

/// A byte of memory. Poison says nothing.
struct Byte {
  uint8_t Is = 0;
  bool IsPoison = true;

  /// Whether Other may stand where this is.
  bool allows(Byte Other) const {
    return IsPoison || (!Other.IsPoison && Other.Is == Is);
  }
};

/// The one name and operand that LLVM's InstCombine gives to an operation on
/// memory that does not depend on what is there, or leaves it as it is.
inline std::pair<llvm::AtomicRMWInst::BinOp, llvm::APInt>
nameOf(llvm::AtomicRMWInst::BinOp What, const llvm::APInt &With) {
  using RMW = llvm::AtomicRMWInst;
  auto IsAny = [What](llvm::ArrayRef<RMW::BinOp> All) {
    return llvm::is_contained(All, What);
  };
  if ((With.isZero() && IsAny({RMW::And, RMW::UMin})) ||
      (With.isAllOnes() && IsAny({RMW::Or, RMW::UMax})) ||
      (With.isMinSignedValue() && What == RMW::Min) ||
      (With.isMaxSignedValue() && What == RMW::Max))
    return {RMW::Xchg, With};
  if ((With.isZero() &&
       IsAny({RMW::Add, RMW::Sub, RMW::Or, RMW::Xor, RMW::UMax})) ||
      (With.isAllOnes() && IsAny({RMW::And, RMW::UMin})) ||
      (With.isMaxSignedValue() && What == RMW::Min) ||
      (With.isMinSignedValue() && What == RMW::Max))
    return {RMW::Or, llvm::APInt::getZero(With.getBitWidth())};
  return {What, With};
}

/// Stores of one thread to memory of others, and what keeps its place among
/// them: calls, atomic and volatile accesses. Between two of these others see
/// what is stored where at last; LLVM may drop a store that is overwritten, or
/// that stores what is there already, and may exchange two. It may add none.
class VisibleEffects {
public:
  struct Stored {
    Byte Before;
    llvm::SmallVector<Byte, 2> Values; ///< In their order; at least one.
  };
  /// What is stored, by address, from one note to the next.
  using Stretch = std::map<uint64_t, Stored>;

  void store(uint64_t Address, Byte Before, Byte Is) {
    Stored &S = Stretches.back()[Address];
    if (S.Values.empty())
      S.Before = Before;
    S.Values.push_back(Is);
  }
  /// Something that keeps its place; What is all that is known of it.
  void note(uint64_t What) {
    Notes.push_back(What);
    Stretches.emplace_back();
  }

  llvm::ArrayRef<uint64_t> notes() const { return Notes; }
  /// One more than notes().
  llvm::ArrayRef<Stretch> stretches() const { return Stretches; }

private:
  std::vector<uint64_t> Notes;
  std::vector<Stretch> Stretches = std::vector<Stretch>(1);
};

/// What differs between two stretches, "things" or "values"; else empty. Of a
/// stretch that is not over Now may have done more than Was has.
inline llvm::StringRef compareStretches(const VisibleEffects::Stretch &Was,
                                        const VisibleEffects::Stretch &Now,
                                        bool IsOver) {
  for (const auto &[Address, Old] : Was) {
    Byte Last = Old.Values.back();
    auto New = Now.find(Address);
    if (New == Now.end()) {
      if (!Last.allows(Old.Before))
        return "things";
    } else if (IsOver
                   ? !Last.allows(New->second.Values.back())
                   : llvm::none_of(New->second.Values,
                                   [Last](Byte B) { return Last.allows(B); }) &&
                         !Last.allows(New->second.Before)) {
      return "values";
    }
  }
  for (const auto &[Address, New] : Now)
    if (IsOver && !Was.count(Address))
      return "things";
  return "";
}

/// The same of two runs, of which Was may have been stopped before its end.
inline llvm::StringRef compareEffects(const VisibleEffects &Was,
                                      const VisibleEffects &Now, bool IsOver) {
  size_t Count = Was.notes().size();
  if (Now.notes().size() < Count || (IsOver && Now.notes().size() > Count))
    return "things";
  for (size_t N = 0; N <= Count; ++N) {
    bool IsLast = N == Count;
    if (llvm::StringRef What =
            compareStretches(Was.stretches()[N], Now.stretches()[N],
                             /*IsOver=*/!IsLast || IsOver);
        !What.empty())
      return What;
    if (!IsLast && Was.notes()[N] != Now.notes()[N])
      return "values";
  }
  return "";
}

inline uint64_t mix(llvm::ArrayRef<uint64_t> Parts) {
  return llvm::xxh3_64bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(Parts.data()),
                     Parts.size() * sizeof(uint64_t)));
}

/// One thread of a block.
class ThreadPlace {
public:
  explicit ThreadPlace(uint64_t Run)
      : Column(mix({Run, 4}) % Width), Row(mix({Run, 5}) % Height) {}

  uint64_t index() const { return Column + Width * Row; }
  std::optional<uint64_t> specialRegister(llvm::Intrinsic::ID ID) const {
    switch (ID) {
    case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return Column;
    case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y:
      return Row;
    case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z:
      return 0;
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x:
      return Width;
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y:
      return Height;
    case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return 1;
    default:
      return std::nullopt;
    }
  }

private:
  static constexpr uint64_t Width = 4, Height = 2;
  uint64_t Column, Row;
};

class ThreadMemory {
public:
  enum class Place { Inside, Outside, OutsideRemoved };

  /// Memory of others holds at first what it held in Like, if that is not null.
  ThreadMemory(const llvm::DataLayout &Layout, uint64_t Run,
               llvm::ArrayRef<llvm::AllocaInst *> Removed,
               llvm::ArrayRef<llvm::GlobalVariable *> Shared,
               const ThreadMemory *Like)
      : Thread(Run), Layout(Layout), Run(Run), Removed(Removed), Shared(Shared),
        IsFirst(!Like) {
    if (Like)
      Presets = Like->Presets;
  }

  /// Addresses: the thread's own variables, each with room around it, and below
  /// them what arguments, variables of the module and loads point to. Numbers
  /// that code shifts or rotates are not taken for the former.
  static constexpr uint64_t OwnRoom = uint64_t(1) << 24,
                            OwnStart = 0x5A3C71 * OwnRoom;
  /// Of the latter each has a region of its own.
  static constexpr unsigned RegionBits = 26;
  /// The first region of variables by name, and that of Shared; before them are
  /// those of made-up pointers.
  static constexpr uint64_t FirstNamed = 8192, FirstPart = 12288;

  /// Gives the variables that both functions have the same addresses in both,
  /// ahead of those that one of them has.
  void placeKept(llvm::BasicBlock &Entry) {
    for (llvm::Instruction &I : Entry)
      if (auto *Variable = llvm::dyn_cast<llvm::AllocaInst>(&I);
          Variable && Variable->getAllocationSize(Layout) &&
          !llvm::is_contained(Removed, Variable))
        startOf(*Variable);
  }

  uint64_t startOf(llvm::AllocaInst &Variable) {
    auto [At, IsNew] = Starts.try_emplace(&Variable, startOf(Own.size()));
    if (IsNew)
      Own.push_back(&Variable);
    return At->second;
  }

  /// Where the module's variable Base is. What is constant has its contents.
  uint64_t startOf(llvm::GlobalValue &Base) {
    auto *Variable = llvm::dyn_cast<llvm::GlobalVariable>(&Base);
    if (const auto *Part = llvm::find(Shared, Variable); Part != Shared.end())
      return (FirstPart + (Part - Shared.begin())) << RegionBits;
    // No name may lead to a part's region.
    uint64_t Region = FirstNamed + llvm::xxh3_64bits(Base.getName()) %
                                       (FirstPart - FirstNamed);
    if (Variable && Variable->isConstant() &&
        Variable->hasDefinitiveInitializer())
      Tables[Region] = Variable;
    return Region << RegionBits;
  }

  /// Whether Bytes at Address are in one variable of the thread, or in none.
  Place placeOf(uint64_t Address, uint64_t Bytes) const {
    if (const llvm::GlobalVariable *Whole = sharedAt(Address))
      return isInPart(*Whole, Address, Bytes) ? Place::Inside
                                              : Place::OutsideRemoved;
    if (Address < OwnStart)
      return Place::Inside;
    uint64_t Which = (Address - OwnStart) / OwnRoom;
    if (Which >= Own.size())
      return Place::Outside;
    if (Address >= startOf(Which) &&
        Address + Bytes <= startOf(Which) + sizeOf(Which))
      return Place::Inside;
    return llvm::is_contained(Removed, Own[Which]) ? Place::OutsideRemoved
                                                   : Place::Outside;
  }

  Byte load(uint64_t Address) {
    auto Known = Memory.find(Address);
    if (Known != Memory.end())
      return Known->second;
    if (isOwn(Address))
      return Byte();
    Looked.insert(Address);
    return initial(Address);
  }

  /// Whether preset() may be called: Bytes at Address are memory of others that
  /// nobody has looked at or written, and no other run has to find the same.
  bool mayPreset(uint64_t Address, uint64_t Bytes) const {
    for (uint64_t At = Address; At != Address + Bytes; ++At)
      if (!IsFirst || isOwn(At) || Tables.count(At >> RegionBits) ||
          Looked.contains(At) || Memory.count(At))
        return false;
    return true;
  }

  /// Has the bytes of Is, whole ones, at Address from the start.
  void preset(uint64_t Address, const llvm::APInt &Is) {
    for (unsigned N = 0; N != Is.getBitWidth() / 8; ++N)
      Presets[Address + N] =
          static_cast<uint8_t>(Is.extractBitsAsZExtValue(8, 8 * N));
  }

  std::vector<Byte> load(uint64_t Address, uint64_t Bytes) {
    std::vector<Byte> All;
    for (uint64_t N = 0; N != Bytes; ++N)
      All.push_back(load(Address + N));
    return All;
  }

  void store(uint64_t Address, Byte B) {
    if (!isOwn(Address))
      Effects.store(Address, load(Address), B);
    Memory[Address] = B;
  }

  void store(uint64_t Address, llvm::ArrayRef<Byte> All) {
    for (Byte B : All)
      store(Address++, B);
  }

  /// Nobody but who is given Address reaches what it points to.
  void keepFromOthers(const llvm::ConstantInt &Address) {
    Kept.insert(Address.getZExtValue() >> RegionBits);
  }

  /// Something that may write to memory of others.
  void noteWriter() { ++Writers; }

  /// A number for what a function finds in memory of others that is given
  /// Addresses, and reads what they point to or all that it can reach. It is
  /// the same where the same bytes have been stored. None where poison is
  /// there.
  std::optional<uint64_t> seen(llvm::ArrayRef<uint64_t> Addresses,
                               bool OfAll) const {
    llvm::DenseSet<uint64_t> Given;
    for (uint64_t Address : Addresses)
      if (!isOwn(Address))
        Given.insert(Address >> RegionBits);
    auto IsKept = [this](uint64_t Region) { return Kept.contains(Region); };
    std::vector<uint64_t> All = {OfAll || !llvm::all_of(Given, IsKept) ? Writers
                                                                       : 0};
    for (const auto &[Address, Is] : Memory) {
      uint64_t Region = Address >> RegionBits;
      if (isOwn(Address) ||
          !(Given.contains(Region) || (OfAll && !IsKept(Region))))
        continue;
      if (Is.IsPoison)
        return std::nullopt;
      if (Is.Is != initial(Address).Is)
        All.insert(All.end(), {Address, Is.Is});
    }
    return mix(All);
  }

  /// An access at Address that keeps its place among the others.
  void noteOrdered(uint64_t Address) {
    Effects.note(Address < OwnStart ? Address : OwnStart);
  }

  /// A function may write to the variable at Address.
  void scramble(uint64_t Address, uint64_t Seed) {
    uint64_t Which = (Address - OwnStart) / OwnRoom;
    if (Address < OwnStart || Which >= Own.size())
      return;
    for (uint64_t N = 0; N != sizeOf(Which); ++N)
      Memory[startOf(Which) + N] = {static_cast<uint8_t>(mix({Seed, N}) & 15),
                                    false};
  }

  VisibleEffects Effects;
  const ThreadPlace Thread;

private:
  const llvm::GlobalVariable *sharedAt(uint64_t Address) const {
    uint64_t Which = (Address >> RegionBits) - FirstPart;
    return Address < OwnStart && Which < Shared.size() ? Shared[Which]
                                                       : nullptr;
  }
  bool isOwn(uint64_t Address) const {
    return Address >= OwnStart || sharedAt(Address);
  }

  /// Whether all Bytes at Address are one of the thread's elements in Whole.
  bool isInPart(const llvm::GlobalVariable &Whole, uint64_t Address,
                uint64_t Bytes) const {
    auto *Rows = llvm::cast<llvm::ArrayType>(Whole.getValueType());
    auto *Row = llvm::cast<llvm::ArrayType>(Rows->getElementType());
    uint64_t Size = Layout.getTypeAllocSize(Row->getElementType());
    uint64_t Offset = Address & ((uint64_t(1) << RegionBits) - 1);
    return Offset / Size % Row->getNumElements() == Thread.index() &&
           Offset % Size + Bytes <= Size &&
           Offset < Rows->getNumElements() * Row->getNumElements() * Size;
  }

  const llvm::DataLayout &Layout;
  uint64_t Run;
  llvm::ArrayRef<llvm::AllocaInst *> Removed;
  /// Of which the thread has a part.
  llvm::ArrayRef<llvm::GlobalVariable *> Shared;
  const bool IsFirst; ///< Of two runs that find the same memory.
  std::map<uint64_t, Byte> Memory;
  /// What memory of others held in the place of what is made up.
  llvm::DenseMap<uint64_t, uint8_t> Presets;
  llvm::DenseSet<uint64_t> Looked; ///< Addresses of what is made up that count.
  llvm::DenseSet<uint64_t> Kept;   ///< Regions that others do not reach.
  uint64_t Writers = 0;
  llvm::DenseMap<const llvm::AllocaInst *, uint64_t> Starts;
  std::vector<llvm::AllocaInst *> Own; ///< In the order of their addresses.
  /// Constant ones, by region.
  llvm::DenseMap<uint64_t, llvm::GlobalVariable *> Tables;

  static uint64_t startOf(size_t Which) {
    return OwnStart + Which * OwnRoom + OwnRoom / 2;
  }
  uint64_t sizeOf(size_t Which) const {
    return Own[Which]->getAllocationSize(Layout)->getFixedValue();
  }

  /// What is in memory of others before anything is stored there: words of
  /// small integers, or of numbers near one.
  Byte initial(uint64_t Address) const {
    if (auto Preset = Presets.find(Address); Preset != Presets.end())
      return {Preset->second, false};
    if (llvm::GlobalVariable *Table = Tables.lookup(Address >> RegionBits)) {
      llvm::Constant *Whole = Table->getInitializer();
      uint64_t Offset = Address & ((uint64_t(1) << RegionBits) - 1);
      if (auto *Known = llvm::dyn_cast_or_null<llvm::ConstantInt>(
              llvm::ConstantFoldLoadFromConst(
                  Whole, llvm::Type::getInt8Ty(Whole->getContext()),
                  llvm::APInt(64, Offset), Layout)))
        return {static_cast<uint8_t>(Known->getZExtValue()), false};
    }
    uint64_t Seed = mix({Run, Address / 4, 2});
    bool AreNumbers = mix({Run, Address >> RegionBits, 3}) & 1;
    uint64_t Word = AreNumbers ? 0x3F000000 | (Seed & 0x80FFFFFF) : Seed % 33;
    return {static_cast<uint8_t>(Word >> (8 * (Address % 4))), false};
  }
};

/// The bits of C; none where they are poison or not to be had.
inline std::optional<llvm::APInt> bitsOf(llvm::Constant *C,
                                         const llvm::DataLayout &Layout) {
  using namespace llvm;
  if (!C || C->containsPoisonElement() || isa<UndefValue>(C))
    return std::nullopt;
  auto *Whole = Type::getIntNTy(
      C->getContext(),
      static_cast<unsigned>(
          Layout.getTypeSizeInBits(C->getType()).getFixedValue()));
  if (auto *Number = dyn_cast_or_null<ConstantInt>(
          ConstantFoldCastOperand(Instruction::BitCast, C, Whole, Layout)))
    return Number->getValue();
  return std::nullopt;
}

/// The bytes that C is in memory. Of NaNs there are many: their bytes are
/// poison, as those of poison are.
inline std::vector<Byte> bytesOf(llvm::Constant *C,
                                 const llvm::DataLayout &Layout) {
  using namespace llvm;
  std::vector<Byte> Bytes;
  auto *Vector = dyn_cast<FixedVectorType>(C->getType());
  if (Vector && Vector->getScalarSizeInBits() % 8 == 0) {
    for (unsigned N = 0; N != Vector->getNumElements(); ++N)
      append_range(Bytes, bytesOf(C->getAggregateElement(N), Layout));
    return Bytes;
  }
  auto *Number = dyn_cast<ConstantFP>(C);
  auto Bits = Number && Number->isNaN() ? std::nullopt : bitsOf(C, Layout);
  Bytes.resize(Layout.getTypeStoreSize(C->getType()).getFixedValue());
  if (Bits)
    *Bits = Bits->zext(static_cast<unsigned>(8 * Bytes.size()));
  for (unsigned N = 0; Bits && N != Bytes.size(); ++N)
    Bytes[N] = {static_cast<uint8_t>(Bits->extractBitsAsZExtValue(8, 8 * N)),
                false};
  return Bytes;
}

/// A number that programs get on with, small or near one; for a pointer an
/// address as an integer. Null where there is none of type T.
inline llvm::Constant *randomConstant(llvm::Type *T, uint64_t Seed,
                                      bool IsArgument = false) {
  using namespace llvm;
  LLVMContext &Context = T->getContext();
  if (T->isPointerTy())
    return ConstantInt::get(Type::getInt64Ty(Context),
                            (Seed % 4096 + 1) << ThreadMemory::RegionBits);
  if (T->isIntegerTy())
    return ConstantInt::get(Context, APInt(64, 1 + Seed % (IsArgument ? 24 : 8))
                                         .zextOrTrunc(T->getIntegerBitWidth()));
  if (T->isFloatingPointTy())
    return ConstantFP::get(T, double(Seed % 8191) / 1024 - 3);
  auto Parts = [Seed](unsigned Count, function_ref<Type *(unsigned)> TypeOf) {
    SmallVector<Constant *, 4> All;
    for (unsigned N = 0; N != Count; ++N)
      All.push_back(randomConstant(TypeOf(N), mix({Seed, N})));
    return All;
  };
  if (auto *Vector = dyn_cast<FixedVectorType>(T);
      Vector && !Vector->getElementType()->isPointerTy())
    return ConstantVector::get(
        Parts(Vector->getNumElements(),
              [Vector](unsigned) { return Vector->getElementType(); }));
  auto *Struct = dyn_cast<StructType>(T);
  if (!Struct || any_of(Struct->elements(), [](const Type *Field) {
        return !Field->isIntegerTy() && !Field->isFloatingPointTy();
      }))
    return nullptr;
  return ConstantStruct::get(
      Struct, Parts(Struct->getNumElements(), [Struct](unsigned N) {
        return Struct->getElementType(N);
      }));
}

} // namespace regdem

#endif // REGDEM_LIB_TRANSFORM_THREADMEMORY_H
