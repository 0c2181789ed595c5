//===- LocalArrays.cpp - arrays in local memory ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Analysis/LocalArrays.h"

#include "regdem/Analysis/PointerRange.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <iterator>

using namespace llvm;

namespace regdem {

namespace {

/// Values that are followed back from one that is stored, to see where it comes
/// from: the reduction multiplies and adds once or twice for each word.
constexpr unsigned FollowedBack = 24;

/// Operations of a step from one value of a counter to the next.
constexpr unsigned DeepestStep = 8;

/// Of libdevice's tables of 2/pi, which nothing but the slow paths of sin, cos
/// and their kin reads.
constexpr StringLiteral ReductionTable = "__cudart_i2opi";

/// The arrays of a function, without how they are accessed.
class Collector {
public:
  explicit Collector(Function &F) : Layout(F.getDataLayout()) {
    for (Instruction &I : instructions(F))
      Place[&I] = Place.size();
    for (Instruction &I : instructions(F))
      if (auto *Start = dyn_cast<AllocaInst>(&I))
        if (Known.insert(Start).second)
          collect(*Start);
  }
  std::vector<LocalArray> Found;

private:
  const DataLayout &Layout;
  DenseMap<const Instruction *, size_t> Place; ///< In the order of the code.
  DenseSet<AllocaInst *> Known;
  LocalArray *Array = nullptr;
  SmallSetVector<Value *, 16> Pointers;

  void obstruct(ArrayObstacle Why) {
    if (Array->Obstacle == ArrayObstacle::None)
      Array->Obstacle = Why;
  }

  /// Takes in all that V, which a PHI or a choice may give, can come from.
  void addSource(Value *V) {
    if (Pointers.contains(V))
      return;
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return obstruct(ArrayObstacle::MixedUp);
    if (isa<AllocaInst>(I)) {
      Known.insert(cast<AllocaInst>(I));
      Pointers.insert(I);
    } else if (isa<PHINode>(I)) {
      Pointers.insert(I);
      for (Value *Incoming : cast<PHINode>(I)->incoming_values())
        addSource(Incoming);
    } else if (isa<SelectInst>(I)) {
      addSource(I->getOperand(1));
      addSource(I->getOperand(2));
      Pointers.insert(I);
    } else if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(I)) {
      addSource(I->getOperand(0));
      Pointers.insert(I);
    } else {
      obstruct(ArrayObstacle::MixedUp);
    }
  }

  void access(Instruction &I, Value *Pointer, uint64_t Bytes, bool Writes,
              bool IsPlain) {
    if (!IsPlain)
      obstruct(ArrayObstacle::Ordered);
    ArrayAccess A;
    A.At = &I;
    A.Pointer = Pointer;
    A.Bytes = Bytes;
    A.Writes = Writes;
    Array->Accesses.push_back(A);
  }

  void accessAtOnce(MemIntrinsic &I, Value *Pointer) {
    const auto *Length = dyn_cast<ConstantInt>(I.getLength());
    if (!Length)
      return obstruct(ArrayObstacle::UnknownSize);
    uint64_t Bytes = Length->getZExtValue();
    if (I.getRawDest() == Pointer)
      access(I, Pointer, Bytes, /*Writes=*/true, !I.isVolatile());
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      if (Copy->getRawSource() == Pointer)
        access(I, Pointer, Bytes, /*Writes=*/false, !I.isVolatile());
  }

  uint64_t bytesOf(Type *T) {
    return Layout.getTypeStoreSize(T).getFixedValue();
  }

  void use(Instruction &I, Value *Pointer) {
    if (I.isLifetimeStartOrEnd())
      return;
    if (auto *L = dyn_cast<LoadInst>(&I))
      return access(I, Pointer, bytesOf(L->getType()), false, L->isSimple());
    if (auto *S = dyn_cast<StoreInst>(&I)) {
      if (S->getValueOperand() == Pointer)
        return obstruct(ArrayObstacle::Stored);
      return access(I, Pointer, bytesOf(S->getValueOperand()->getType()), true,
                    S->isSimple());
    }
    if (auto *M = dyn_cast<MemIntrinsic>(&I))
      return accessAtOnce(*M, Pointer);
    if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst, PHINode,
            SelectInst>(I))
      return addSource(&I);
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
      return obstruct(ArrayObstacle::Ordered);
    if (isa<PtrToIntInst, ICmpInst>(I))
      return obstruct(ArrayObstacle::Integer);
    if (const auto *Call = dyn_cast<CallBase>(&I))
      return Call->isInlineAsm() ? obstruct(ArrayObstacle::Assembly)
                                 : passTo(*Call);
    obstruct(ArrayObstacle::Stored);
  }

  void passTo(const CallBase &Call) {
    if (Array->Obstacle != ArrayObstacle::None)
      return;
    Array->Obstacle = ArrayObstacle::Call;
    if (const Function *Callee = Call.getCalledFunction())
      Array->Callee = Callee->getName().str();
  }

  void describeSize() {
    for (AllocaInst *Part : Array->Allocas) {
      std::optional<TypeSize> Size = Part->getAllocationSize(Layout);
      if (!Part->isStaticAlloca() || !Size)
        obstruct(ArrayObstacle::UnknownSize);
      else
        Array->Bytes += Size->getFixedValue();
    }
  }

  void describeSource() {
    AllocaInst *First = Array->Allocas.front();
    Array->Name = First->hasName() ? First->getName().str() : "an array";
    for (DbgVariableRecord *Record : findDVRDeclares(First)) {
      const DILocalVariable *Variable = Record->getVariable();
      Array->Name = Variable->getName().str();
      Array->File = Variable->getFilename().str();
      Array->Line = Variable->getLine();
      return;
    }
    for (const ArrayAccess &A : Array->Accesses)
      if (const DILocation *Where = A.At->getDebugLoc()) {
        Array->File = Where->getFilename().str();
        Array->Line = Where->getLine();
        return;
      }
  }

  bool isOfReduction() const {
    for (const ArrayAccess &A : Array->Accesses) {
      const auto *Store = dyn_cast<StoreInst>(A.At);
      if (!Store)
        continue;
      SmallSetVector<const Value *, FollowedBack> Behind;
      Behind.insert(Store->getValueOperand());
      for (unsigned N = 0; N != Behind.size() && N != FollowedBack; ++N) {
        const auto *I = dyn_cast<Instruction>(Behind[N]);
        if (const auto *Load = dyn_cast_or_null<LoadInst>(I)) {
          const Value *From = getUnderlyingObject(Load->getPointerOperand());
          if (From->getName().starts_with(ReductionTable))
            return true;
        } else if (I) {
          Behind.insert_range(I->operand_values());
        }
      }
    }
    return false;
  }

  void collect(AllocaInst &Start) {
    Found.emplace_back();
    Array = &Found.back();
    Pointers.clear();
    Pointers.insert(&Start);
    for (unsigned N = 0; N != Pointers.size(); ++N) {
      Value *Pointer = Pointers[N];
      if (auto *Part = dyn_cast<AllocaInst>(Pointer))
        Array->Allocas.push_back(Part);
      for (User *U : Pointer->users())
        use(*cast<Instruction>(U), Pointer);
    }
    sort(Array->Allocas, [](const AllocaInst *A, const AllocaInst *B) {
      return A->getParent() == B->getParent() && A->comesBefore(B);
    });
    Array->Pointers.assign(Pointers.begin(), Pointers.end());
    // Users come in no order that is worth printing.
    sort(Array->Accesses, [&](const ArrayAccess &A, const ArrayAccess &B) {
      return std::pair(Place[A.At], A.Writes) <
             std::pair(Place[B.At], B.Writes);
    });
    describeSize();
    describeSource();
    Array->IsSlowPath = isOfReduction();
  }
};

/// How an array's accesses are indexed.
class AccessStudy {
public:
  AccessStudy(Function &F, FunctionAnalysisManager &FAM)
      : Loops(FAM.getResult<LoopAnalysis>(F)),
        Evolution(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        Uniformity(FAM.getResult<UniformityInfoAnalysis>(F)),
        Range(F.getDataLayout(), FAM.getResult<LazyValueAnalysis>(F), Evolution,
              Loops) {}

  void study(LocalArray &Array) {
    if (Array.Obstacle != ArrayObstacle::UnknownSize)
      for (ArrayAccess &A : Array.Accesses)
        study(Array, A);
  }

private:
  void study(const LocalArray &Array, ArrayAccess &A) {
    IsData = false;
    Headers.clear();
    Seen.clear();
    followPointer(A.Pointer);
    A.CountedBy.assign(Headers.begin(), Headers.end());
    A.Index = IsData                ? IndexKind::Data
              : A.CountedBy.empty() ? IndexKind::Constant
                                    : IndexKind::Counter;
    A.IsUniform = isUniform(A.Pointer);
    uint64_t Room = UINT64_MAX;
    for (unsigned N = 0; N != Array.Allocas.size(); ++N)
      Room = std::min(Room, Array.offsetOf(N + 1) - Array.offsetOf(N));
    ConstantRange Offset = Range.offset(A.Pointer, A.At);
    A.IsInBounds = A.Bytes <= Room && !Offset.isEmptySet() &&
                   Offset.getSignedMin().sge(0) &&
                   Offset.getSignedMax().sle(Room - A.Bytes);
    if (A.IsInBounds) {
      A.Least = Offset.getSignedMin().getZExtValue();
      A.Most = Offset.getSignedMax().getZExtValue();
    }
  }

  LoopInfo &Loops;
  ScalarEvolution &Evolution;
  UniformityInfo &Uniformity;
  PointerRange Range;
  bool IsData = false;
  SmallSetVector<BasicBlock *, 4> Headers;
  SmallPtrSet<Value *, 8> Seen;

  void followPointer(Value *Pointer) {
    if (isa<AllocaInst>(Pointer) || !Seen.insert(Pointer).second)
      return;
    if (isa<GetElementPtrInst>(Pointer)) {
      auto *Element = cast<GetElementPtrInst>(Pointer);
      followPointer(Element->getPointerOperand());
      for (Value *Index : Element->indices())
        followNumber(Index);
    } else if (auto *Cast = dyn_cast<CastInst>(Pointer)) {
      followPointer(Cast->getOperand(0));
    } else if (const Loop *L = loopThatCounts(Pointer)) {
      Headers.insert(L->getHeader());
    } else {
      IsData = true;
    }
  }

  /// The loop in which Pointer, a PHI, goes on by the same distance each time.
  const Loop *loopThatCounts(Value *Pointer) {
    const auto *Count = dyn_cast<SCEVAddRecExpr>(Evolution.getSCEV(Pointer));
    return Count && isa<PHINode>(Pointer) ? Count->getLoop() : nullptr;
  }

  /// Whether V is From after some steps that constants alone decide.
  static bool followsFrom(const Value *V, const PHINode &From,
                          unsigned Depth = 0) {
    if (V == &From || isa<ConstantInt>(V))
      return true;
    const auto *I = dyn_cast<Instruction>(V);
    return I && Depth != DeepestStep &&
           isa<BinaryOperator, CastInst, SelectInst, ICmpInst>(I) &&
           all_of(I->operands(), [&](const Use &U) {
             return followsFrom(U, From, Depth + 1);
           });
  }

  /// The loop of which V, a PHI, has a value for each iteration that constants
  /// alone decide, as where it is halved each time; null if it may go on for
  /// any number of them.
  const Loop *loopThatSteps(Value *V) {
    const auto *Step = dyn_cast<PHINode>(V);
    const Loop *L = Step ? Loops.getLoopFor(Step->getParent()) : nullptr;
    if (!L || L->getHeader() != Step->getParent() ||
        !Evolution.getSmallConstantMaxTripCount(L))
      return nullptr;
    for (auto [From, Block] : zip(Step->incoming_values(), Step->blocks()))
      if (L->contains(Block) ? !followsFrom(From, *Step)
                             : !isa<ConstantInt>(From))
        return nullptr;
    return L;
  }

  void followNumber(Value *V) {
    if (isa<Constant>(V))
      return;
    struct Visitor {
      AccessStudy &Study;
      bool follow(const SCEV *S) {
        if (const auto *Count = dyn_cast<SCEVAddRecExpr>(S))
          Study.Headers.insert(Count->getLoop()->getHeader());
        if (const auto *Unknown = dyn_cast<SCEVUnknown>(S)) {
          const Loop *L = Study.loopThatSteps(Unknown->getValue());
          if (L)
            Study.Headers.insert(L->getHeader());
          else
            Study.IsData = true;
        }
        Study.IsData |= isa<SCEVCouldNotCompute>(S);
        return true;
      }
      bool isDone() const { return false; }
    } All{*this};
    visitAll(Evolution.getSCEV(V), All);
  }

  /// By the index: the address of a variable in local memory is another one for
  /// each thread.
  bool isUniform(Value *Pointer) {
    if (isa<AllocaInst>(Pointer))
      return true;
    auto *I = cast<Instruction>(Pointer);
    if (auto *Element = dyn_cast<GetElementPtrInst>(I))
      return isUniform(Element->getPointerOperand()) &&
             all_of(Element->indices(), [&](const Use &Index) {
               return Uniformity.isUniform(Index.get());
             });
    if (isa<CastInst>(I))
      return isUniform(I->getOperand(0));
    return false;
  }
};

} // namespace

bool LocalArray::isInBounds() const {
  return all_of(Accesses, [](const ArrayAccess &A) { return A.IsInBounds; });
}

uint64_t LocalArray::offsetOf(unsigned Number) const {
  uint64_t Sum = 0;
  for (unsigned N = 0; N != Number; ++N)
    if (auto Size = Allocas[N]->getAllocationSize(Allocas[N]->getDataLayout()))
      Sum += Size->getFixedValue();
  return Sum;
}

bool mayHaveLocalArrays(const Function &F) {
  return any_of(instructions(F),
                [](const Instruction &I) { return isa<AllocaInst>(I); });
}

std::vector<LocalArray> collectLocalArrays(Function &F) {
  return std::move(Collector(F).Found);
}

std::vector<LocalArray> findLocalArrays(Function &F,
                                        FunctionAnalysisManager &FAM) {
  if (!mayHaveLocalArrays(F))
    return {};
  std::vector<LocalArray> Found = collectLocalArrays(F);
  AccessStudy Study(F, FAM);
  for (LocalArray &Array : Found)
    Study.study(Array);
  return Found;
}

void studyAccesses(LocalArray &Array, Function &F,
                   FunctionAnalysisManager &FAM) {
  AccessStudy(F, FAM).study(Array);
}

StringRef toString(IndexKind Kind) {
  // In the order of IndexKind.
  static constexpr StringLiteral Names[] = {"constant", "counter", "data"};
  static_assert(std::size(Names) == static_cast<unsigned>(IndexKind::Data) + 1);
  return Names[static_cast<unsigned>(Kind)];
}

StringRef describe(ArrayObstacle Why) {
  // In the order of ArrayObstacle.
  static constexpr StringLiteral Names[] = {
      "",
      "its address goes to a function",
      "its address goes to assembly",
      "its address is stored",
      "its address is used as a number",
      "it is accessed with volatile or atomic operations",
      "a pointer may point to it or to something else",
      "its size, or that of a copy, is not a constant"};
  static_assert(std::size(Names) ==
                static_cast<unsigned>(ArrayObstacle::UnknownSize) + 1);
  return Names[static_cast<unsigned>(Why)];
}

void print(raw_ostream &OS, ArrayRef<LocalArray> Arrays) {
  for (const LocalArray &Array : Arrays) {
    OS << Array.Name;
    if (!Array.File.empty())
      OS << " (" << Array.File << ":" << Array.Line << ")";
    OS << ": " << Array.Bytes << " bytes";
    if (Array.Allocas.size() > 1)
      OS << ", " << Array.Allocas.size() << " variables";
    if (Array.IsSlowPath)
      OS << ", slow path of sin and cos";
    if (Array.Obstacle != ArrayObstacle::None)
      OS << ", " << describe(Array.Obstacle);
    OS << "\n";
    std::vector<std::pair<std::string, unsigned>> Lines;
    for (const ArrayAccess &A : Array.Accesses) {
      std::string Text =
          formatv("{0} {1} bytes, {2}{3}{4}", A.Writes ? "writes" : "reads",
                  A.Bytes, toString(A.Index), A.IsUniform ? ", uniform" : "",
                  A.IsInBounds ? ", in bounds" : "");
      auto Same =
          find_if(Lines, [&](const auto &Line) { return Line.first == Text; });
      if (Same == Lines.end())
        Lines.emplace_back(std::move(Text), 1);
      else
        ++Same->second;
    }
    for (const auto &[Text, Count] : Lines)
      OS << "  " << Count << " " << Text << "\n";
  }
}

} // namespace regdem
