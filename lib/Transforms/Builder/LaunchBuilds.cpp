//===- LaunchBuilds.cpp - builds beside a kernel --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchBuilds.h"

#include "KnownDecisions.h"
#include "regdem/Attributes/KernelAttributes.h"
#include "regdem/Attributes/SettledAttributes.h"
#include "regdem/Decision/Builds/LaunchRows.h"
#include "regdem/Decision/Choice/FreeSearch.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Target/NVPTXOpcodes.h"
#include "regdem/Target/SMLimits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>
#include <utility>

using namespace llvm;

namespace regdem {

namespace {

/// A kernel's search for launches of one size.
struct SizeSearch {
  Candidate C;                    ///< Of a copy of the kernel.
  KernelSearch *Search = nullptr; ///< Null where the cache has settled it.
};

/// A kernel and its searches; none where registers limit no launch.
struct Job {
  const Candidate *Kernel;
  std::vector<SizeSearch> Sizes;
};

/// Whether all builds of C's kernel give the same bits: ptxas fuses no product
/// of the stock build. Where it could, all are rounded if ptxas makes the same
/// machine code of the stock build then; Round says so. None where the
/// assembler fails.
std::optional<bool> isCertain(const Candidate &C, const Module &M,
                              const TargetMachine &TM, const Tools &T,
                              CandidateBuilder &Stock, RoundedProducts &Round) {
  Round = RoundedProducts::None;
  if (!Stock.hasOpenProduct())
    return true;
  std::optional<std::string> Code = Stock.stockCode(T.Assembler);
  if (!Code)
    return std::nullopt;
  setRoundedProducts(*C.Kernel, RoundedProducts::All);
  CandidateBuilder Rounded(M, *C.Kernel, TM, CapOrigin::Free, C.Is, T.Texts);
  bool IsSame =
      !Rounded.hasOpenProduct() && Rounded.stockCode(T.Assembler) == Code;
  setRoundedProducts(*C.Kernel, RoundedProducts::None);
  Round = RoundedProducts::All;
  return IsSame;
}

/// A copy of Kernel for blocks of so many threads, with its products rounded.
Function *copyFor(Function &Kernel, unsigned Threads, RoundedProducts Round) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&Kernel, Map);
  Copy->setName(Kernel.getName() + LaunchBuildSuffix + "_for" + Twine(Threads));
  Copy->setLinkage(GlobalValue::ExternalLinkage);
  Copy->setComdat(nullptr);
  Copy->addFnAttr(LaunchSizeAttr, utostr(Threads));
  setRoundedProducts(*Copy, Round);
  return Copy;
}

/// Bytes that a launch of V adds for the slots of each thread.
unsigned slotBytes(const Build &V) { return V.MovedBytes ? 0 : V.ThreadBytes; }

/// The number of the build of Kept that is made as V; 0 for none, and where the
/// build depends on the threads of a block.
unsigned findBuild(ArrayRef<Build> Kept, const Build &V) {
  if (dependsOnBlockSize(V))
    return 0;
  for (size_t I = 0; I != Kept.size(); ++I)
    if (isSameBuild(Kept[I], V) && Kept[I].ThreadBytes == V.ThreadBytes &&
        Kept[I].Regs == V.Regs && Kept[I].SlotAccesses == V.SlotAccesses)
      return static_cast<unsigned>(I) + 1;
  return 0;
}

/// What is settled for Size's copy; that is kept for later compilations.
std::optional<Outcome> settleSize(const SizeSearch &Size,
                                  KnownDecisions &Known) {
  if (!Size.Search)
    return readSettled(*Size.C.Kernel);
  std::optional<Outcome> S = Size.Search->settle();
  if (!S)
    return std::nullopt;
  writeSettled(*Size.C.Kernel, *S);
  if (Size.Search->isRepeatable())
    Known.keep(Size.C);
  return S;
}

/// What S chooses over the stock build at L; none where that is the stock build
/// itself, or could not be launched.
std::optional<LaunchChoice> choiceOf(const Outcome &S, const Launch &L) {
  const Build *Stock = S.stock();
  const Build *Chosen = S.chosen();
  if (!Chosen || (S.choosesStock() && !Chosen->MovedBytes) || !Stock ||
      !Stock->BlocksPerSM || !Chosen->BlocksPerSM)
    return std::nullopt;
  LaunchChoice C{L, *Chosen, *Stock, 0};
  if (S.Predicted)
    C.Gain = S.Predicted->Gain;
  return C;
}

/// Keeps of J's copies those that are chosen for some launch, and gives them
/// their names; the others are removed. Returns the kernel's rows.
std::vector<LaunchRow> keepChosen(Job &J, KnownDecisions &Known) {
  const SMLimits &Limits = *lookupSMLimits(J.Kernel->Facts.Arch);
  std::vector<Build> Kept;
  struct Taken {
    LaunchChoice Choice;
    unsigned Build;
  };
  std::map<unsigned, std::optional<Taken>> BySize;
  for (SizeSearch &Size : J.Sizes) {
    Function *Copy = Size.C.Kernel;
    std::optional<Taken> &OfSize = BySize[Size.C.Facts.Threads];
    std::optional<Outcome> S = settleSize(Size, Known);
    std::optional<LaunchChoice> C;
    if (S)
      C = choiceOf(*S, statedLaunch(Size.C.Facts, Size.C.O));
    if (C) {
      unsigned Build = findBuild(Kept, C->Chosen);
      if (!Build && Kept.size() != MostLaunchBuilds) {
        Kept.push_back(C->Chosen);
        Build = static_cast<unsigned>(Kept.size());
        Copy->setName(launchBuildName(J.Kernel->Facts.Name, Build));
        Copy->addFnAttr(LaunchBytesAttr, utostr(slotBytes(C->Chosen)));
        Copy = nullptr;
      }
      if (Build)
        OfSize = {*C, Build};
    }
    if (Copy)
      Copy->eraseFromParent();
  }
  std::vector<LaunchRow> Rows;
  std::optional<Taken> Last; // By the next smaller size.
  for (const auto &[Threads, Now] : BySize) {
    size_t First = Rows.size();
    if (Last && Now && Last->Build == Now->Build)
      append_range(Rows, rowsBetween(Last->Choice, Now->Choice, Limits));
    if (Now)
      Rows.push_back(rowFor(Now->Choice, Limits));
    for (; First != Rows.size(); ++First)
      Rows[First].Build = Now->Build;
    Last = Now;
  }
  return Rows;
}

/// Leaves J's kernel as it is, with Rows beside it.
void settleKernel(const Job &J, std::vector<LaunchRow> Rows) {
  Outcome S = freelyStock(J.Sizes.empty() ? Reason::NotRegisterLimited
                                          : Reason::ChosenAtLaunch);
  S.Launches = std::move(Rows);
  writeSettled(*J.Kernel->Kernel, S);
}

/// Adds the variable with Tables to M.
void addTables(Module &M, const LaunchTables &Tables) {
  Constant *Text = ConstantDataArray::getString(M.getContext(), toText(Tables),
                                                /*AddNull=*/false);
  new GlobalVariable(M, Text->getType(), /*isConstant=*/true,
                     GlobalValue::ExternalLinkage, Text, LaunchTablesName,
                     /*InsertBefore=*/nullptr, GlobalValue::NotThreadLocal,
                     static_cast<unsigned>(AddressSpace::Global));
}

/// Whether blocks of Kernel come in clusters, of which the occupancy is not
/// known here.
bool hasClusters(const Function &Kernel) {
  return any_of(Kernel.getAttributes().getFnAttrs(), [](Attribute A) {
    return A.isStringAttribute() && A.getKindAsString().starts_with("nvvm.") &&
           A.getKindAsString().contains("cluster");
  });
}

} // namespace

bool mayHaveLaunchBuilds(const Candidate &C) {
  return !hasClusters(*C.Kernel) && !C.Goal && C.O.RunMode == Mode::Auto &&
         !C.O.IsAnnotated && !C.Facts.knowsBlockSize() &&
         !C.Facts.ReadsSharedSize && !C.Facts.HasCalls &&
         !C.Facts.IsCooperative && !C.Facts.MinBlocks && !C.Facts.MaxRegs;
}

std::vector<Candidate> addLaunchBuilds(std::vector<Candidate> Kernels,
                                       Module &M, const TargetMachine &TM,
                                       Tools &T, const Options &CommandLine,
                                       CandidateQuery CandidateFor) {
  std::vector<Candidate> Others;
  std::vector<Job> Jobs;
  std::vector<std::pair<Candidate *, RoundedProducts>> Limited;
  for (Candidate &C : Kernels) {
    CandidateBuilder Stock(M, *C.Kernel, TM, CapOrigin::Free, C.Is, T.Texts);
    std::optional<unsigned> Pressure = Stock.pressure();
    bool MayMove = C.MovesFrames && T.Reader && C.Facts.LocalBytes;
    if (Pressure && !MayMove &&
        isNeverLimited(C.Facts, *Pressure, *lookupSMLimits(C.Facts.Arch))) {
      // What they gain is the same at all block sizes.
      if (Stock.hasFreeRewrites())
        Others.push_back(C);
      else
        Jobs.push_back({&C, {}});
      continue;
    }
    RoundedProducts Round;
    std::optional<bool> Certain;
    if (Pressure)
      Certain = isCertain(C, M, TM, T, Stock, Round);
    if (Certain == true) {
      Limited.push_back({&C, Round});
      continue;
    }
    if (Certain)
      emitNoLaunchBuilds(*C.Kernel);
    Others.push_back(C);
  }
  for (auto [C, Round] : Limited) {
    Job J{C, {}};
    for (unsigned Threads : LaunchBuildSizes) {
      Function *Copy = copyFor(*C->Kernel, Threads, Round);
      if (std::optional<Candidate> OfSize = CandidateFor(*Copy))
        J.Sizes.push_back({std::move(*OfSize), nullptr});
      else
        Copy->eraseFromParent();
    }
    for (size_t I = 0; C->MostBuilds && I != J.Sizes.size(); ++I)
      J.Sizes[I].C.MostBuilds =
          std::max(2u, shareOfBudget(*C->MostBuilds, J.Sizes.size(), I));
    Jobs.push_back(std::move(J));
  }
  // Searches refer to candidates, which stay where they are from now on, and
  // read M, which no longer changes.
  std::vector<std::unique_ptr<KernelSearch>> All;
  KnownDecisions Known(M, TM, T, CommandLine);
  for (Job &J : Jobs)
    for (SizeSearch &Size : J.Sizes) {
      if (Known.apply(Size.C))
        continue;
      All.push_back(std::make_unique<KernelSearch>(M, TM, Size.C, T));
      Size.Search = All.back().get();
    }
  KernelSearch::runAll(All, CommandLine.Limits);
  LaunchTables Tables;
  for (Job &J : Jobs) {
    std::vector<LaunchRow> Rows = keepChosen(J, Known);
    if (!Rows.empty()) {
      Tables.ArchName = J.Kernel->Facts.ArchName;
      Tables.Kernels.push_back({J.Kernel->Facts.Name, Rows});
    }
    settleKernel(J, std::move(Rows));
  }
  Known.prune();
  if (!Limited.empty() && std::exchange(T.LacksReader, false))
    reportWarning(M.getContext(), describeMissingDisassembler());
  if (!Tables.Kernels.empty())
    addTables(M, Tables);
  return Others;
}

} // namespace regdem
