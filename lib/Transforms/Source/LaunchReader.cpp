//===- LaunchReader.cpp - launches in the source of host code -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang compiles device code first, when no host code has been generated, but
// parses all of the file for it:
//
//   constexpr int Size = 192;
//   dim3 block(16, 16);
//   step<float><<<n / Size, Size>>>(…);     192 threads
//   sum<<<grid, block>>>(…);                256 threads
//   sum<<<grid, pickSize()>>>(…);           and others
//   start(sum, 4096);                       where it has kernel<<<…, bytes>>>
//
// So the numbers of threads, and bytes of dynamic shared memory, are read from
// the syntax tree. A variable has one of the values that it is initialized with
// or assigned if there is nothing else but reads of it, and no other file can
// name it. What is read decides which builds are made, and how much shared
// memory they leave alone; launches with other numbers stay launches.
//
//===----------------------------------------------------------------------===//

#include "LaunchReader.h"

#include "regdem/Options.h"
#include "regdem/Target/Promises.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace clang;
using llvm::is_contained;
using llvm::SmallVector;

namespace regdem {

namespace {

LaunchesOfFile OfLastSource;

/// What an expression may be, each number once.
using Values = SmallVector<uint64_t, 4>;
/// More than so many are as good as none.
constexpr unsigned MostValues = 8;

/// Adds More to All; false where these are too many.
bool addTo(Values &All, const Values &More) {
  for (uint64_t Value : More)
    if (!is_contained(All, Value))
      All.push_back(Value);
  return All.size() <= MostValues;
}

/// Op of each of Left with each of Right; none: these are not known, or too
/// many.
std::optional<Values> combined(const std::optional<Values> &Left,
                               const std::optional<Values> &Right,
                               BinaryOperatorKind Op) {
  if (!Left || !Right)
    return std::nullopt;
  Values All;
  for (uint64_t L : *Left)
    for (uint64_t R : *Right) {
      if (Op == BO_Div && !R)
        return std::nullopt;
      uint64_t Value = Op == BO_Mul   ? llvm::SaturatingMultiply(L, R)
                       : Op == BO_Add ? L + R
                                      : L / R;
      if (!addTo(All, {Value}))
        return std::nullopt;
    }
  return All;
}

/// D if that is a kernel; null otherwise.
const FunctionDecl *asKernel(const ValueDecl *D) {
  const auto *Kernel = dyn_cast<FunctionDecl>(D);
  return Kernel && Kernel->hasAttr<CUDAGlobalAttr>()
             ? Kernel->getCanonicalDecl()
             : nullptr;
}

/// The kernel whose name or address E is; null: none.
const FunctionDecl *kernelIn(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(E);
      Address && Address->getOpcode() == UO_AddrOf)
    E = Address->getSubExpr()->IgnoreParenCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? asKernel(Ref->getDecl()) : nullptr;
}

/// The variable that E is, as it is declared first; null: none.
const VarDecl *asVariable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V ? V->getCanonicalDecl() : nullptr;
}

/// The variable that E is, or whose member it is; null: none.
const VarDecl *variableIn(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(E);
      Member && !Member->isArrow())
    E = Member->getBase()->IgnoreParenCasts();
  return asVariable(E);
}

/// Whether D is of the compiler or of CUDA and launches nothing: in a namespace
/// of theirs, or a function for devices. A program's own headers may be system
/// headers, too, and have namespaces of these names in their own.
bool isOfToolchain(const Decl &D, const ASTContext &Context) {
  static constexpr StringRef Names[] = {
      "__gnu_cxx", "cooperative_groups", "cub", "cuda", "nv", "thrust"};
  const auto *Space = dyn_cast<NamespaceDecl>(&D);
  bool IsTheirs =
      Space
          ? Space->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
                (Space->isStdNamespace() ||
                 is_contained(Names, Space->getName()))
          : isa<FunctionDecl>(D) && D.hasAttr<CUDADeviceAttr>() &&
                !D.hasAttr<CUDAHostAttr>();
  return IsTheirs &&
         Context.getSourceManager().isInSystemHeader(D.getLocation());
}

/// Whether a function of the runtime of this name leaves it open how a kernel
/// among its arguments is launched.
bool isQuery(StringRef Name) {
  return Name.starts_with("cudaFunc") || Name.starts_with("cudaOccupancy");
}

/// Gathers the launches of a file, and what shows whether more is known of
/// them.
class LaunchVisitor : public RecursiveASTVisitor<LaunchVisitor> {
public:
  explicit LaunchVisitor(ASTContext &Context)
      : Context(Context), Mangler(Context.createMangleContext()) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }

  /// Of a template its instances are looked at, of a toolchain what may launch.
  bool TraverseDecl(Decl *D) {
    const auto *F = dyn_cast_or_null<FunctionDecl>(D);
    return (F && F->isDependentContext()) ||
           (D && isOfToolchain(*D, Context)) ||
           RecursiveASTVisitor::TraverseDecl(D);
  }

  /// Of a generic lambda its instances are looked at.
  bool TraverseLambdaExpr(LambdaExpr *E) {
    FunctionTemplateDecl *Generic =
        E->getCallOperator()->getDescribedFunctionTemplate();
    if (!Generic)
      return RecursiveASTVisitor::TraverseLambdaExpr(E);
    for (auto [Capture, Init] :
         llvm::zip_equal(E->captures(), E->capture_inits()))
      if (Capture.isExplicit() && !TraverseStmt(Init))
        return false;
    return llvm::all_of(Generic->specializations(),
                        [&](Decl *D) { return TraverseDecl(D); });
  }

  /// What is in braces is looked at as what it initializes: an overloaded
  /// kernel is known by then.
  bool TraverseInitListExpr(InitListExpr *E) {
    InitListExpr *Meant = E->isSemanticForm() ? E : E->getSemanticForm();
    return llvm::all_of((Meant ? Meant : E)->children(),
                        [&](Stmt *S) { return TraverseStmt(S); });
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (const FunctionDecl *Kernel = asKernel(E->getDecl()))
      ++OtherUses[Kernel];
    else if (const VarDecl *V = asVariable(E))
      ++OtherUses[V];
    return true;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *E) {
    noteLaunch(kernelIn(E->getCallee()), E->getConfig(), /*Block=*/1,
               /*Shared=*/2);
    return true;
  }

  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (!Callee || !Callee->getIdentifier())
      return true;
    StringRef Name = Callee->getName();
    Name.consume_back("_ptsz"); // With a default stream for each thread.
    if (Name == "cudaLaunchKernel" && E->getNumArgs())
      noteLaunch(kernelIn(E->getArg(0)), E, /*Block=*/2, /*Shared=*/4);
    if (isQuery(Name))
      for (const Expr *Argument : E->arguments())
        if (const FunctionDecl *Kernel = kernelIn(Argument))
          --OtherUses[Kernel];
    return true;
  }

  /// A read of a variable: of its value, or by a reference to const, of which
  /// the value may be read in turn.
  bool VisitCastExpr(CastExpr *E) {
    auto IsToConst = [](const Expr *Its) {
      const auto *Cast = dyn_cast<CastExpr>(Its->IgnoreParens());
      return Cast && Cast->getCastKind() == CK_NoOp && Cast->isLValue() &&
             Cast->getType().isConstQualified();
    };
    if ((E->getCastKind() == CK_LValueToRValue || IsToConst(E)) &&
        !IsToConst(E->getSubExpr()))
      if (const VarDecl *V = variableIn(E->getSubExpr()))
        --OtherUses[V];
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *E) {
    const VarDecl *V = asVariable(E->getLHS()->IgnoreParens());
    if (V && E->getOpcode() == BO_Assign) {
      --OtherUses[V];
      Assigned[V].push_back(E->getRHS());
    }
    return true;
  }

  LaunchesOfFile read() const;

private:
  struct Site {
    const FunctionDecl *Kernel; ///< Null: any that is used otherwise.
    const Expr *Block;          ///< Threads, a dim3.
    const Expr *Shared;         ///< Bytes of dynamic shared memory.
  };
  ASTContext &Context;
  std::unique_ptr<MangleContext> Mangler;
  std::vector<Site> Launches;
  /// How often a variable is used, neither read nor assigned, or a kernel,
  /// neither launched nor asked about.
  llvm::DenseMap<const ValueDecl *, int> OtherUses;
  llvm::DenseMap<const VarDecl *, SmallVector<const Expr *, 2>> Assigned;
  /// What variables, or members x, y or z of them, may be, as far as has been
  /// asked for: not known where the answer depends on itself.
  mutable std::map<std::pair<const VarDecl *, StringRef>, std::optional<Values>>
      Known;

  /// Notes that Kernel, or one that is not known here if that is null, is
  /// launched with what these arguments of Config say.
  void noteLaunch(const FunctionDecl *Kernel, const CallExpr *Config,
                  unsigned Block, unsigned Shared) {
    if (!Config || Config->getNumArgs() <= std::max(Block, Shared))
      return; // A use like others.
    Launches.push_back({Kernel, Config->getArg(Block), Config->getArg(Shared)});
    if (Kernel)
      --OtherUses[Kernel];
  }

  std::optional<Values> valuesOf(const VarDecl &V, StringRef Member) const;
  std::optional<Values> valuesOf(const Expr *E) const;
  std::optional<Values> extentsOf(const Expr *E, StringRef Member) const;
  std::optional<Values> threadsOf(const Expr *E) const;
  std::string nameOf(const FunctionDecl &Kernel) const;
  std::optional<unsigned> mostShared(const Expr *E) const;
};

/// What V, or if it is a dim3 this member of it, may be; none: that is not
/// known.
std::optional<Values> LaunchVisitor::valuesOf(const VarDecl &V,
                                              StringRef Member) const {
  QualType Type = V.getType();
  bool IsFixed = (Type.isConstQualified() && !V.isWeak()) ||
                 (!V.isExternallyVisible() && !OtherUses.lookup(&V));
  if (!IsFixed || isa<ParmVarDecl>(V) || Type->isReferenceType() ||
      Type.isVolatileQualified())
    return std::nullopt;
  auto [Its, IsNew] = Known.try_emplace({&V, Member});
  if (!IsNew)
    return Its->second;
  SmallVector<const Expr *, 4> Sources;
  if (const Expr *First = V.getAnyInitializer())
    Sources.push_back(First);
  if (auto Later = Assigned.find(&V); Later != Assigned.end())
    llvm::append_range(Sources, Later->second);
  Values All;
  for (const Expr *E : Sources)
    if (auto More = Member.empty() ? valuesOf(E) : extentsOf(E, Member);
        !More || !addTo(All, *More))
      return std::nullopt;
  if (!All.empty())
    Its->second = All;
  return Its->second;
}

/// What E, of an integer type, may be; none: that is not known.
std::optional<Values> LaunchVisitor::valuesOf(const Expr *E) const {
  if (E->isValueDependent() || !E->getType()->isIntegerType())
    return std::nullopt;
  Expr::EvalResult Constant;
  if (E->EvaluateAsInt(Constant, Context)) {
    const llvm::APSInt &Value = Constant.Val.getInt();
    if (Value.isNegative() || Value.getActiveBits() > 32)
      return std::nullopt;
    return Values{Value.getZExtValue()};
  }
  E = E->IgnoreParenCasts();
  if (const auto *Either = dyn_cast<ConditionalOperator>(E)) {
    auto All = valuesOf(Either->getTrueExpr()),
         Other = valuesOf(Either->getFalseExpr());
    return All && Other && addTo(*All, *Other) ? All : std::nullopt;
  }
  if (const auto *Operation = dyn_cast<BinaryOperator>(E)) {
    BinaryOperatorKind Op = Operation->getOpcode();
    if (Op != BO_Mul && Op != BO_Add && Op != BO_Div)
      return std::nullopt;
    return combined(valuesOf(Operation->getLHS()),
                    valuesOf(Operation->getRHS()), Op);
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return extentsOf(Member->getBase(), Member->getMemberDecl()->getName());
  const VarDecl *V = asVariable(E);
  return V ? valuesOf(*V, "") : std::nullopt;
}

/// What member x, y or z of E may be; none: that is not known, or E is no dim3.
std::optional<Values> LaunchVisitor::extentsOf(const Expr *E,
                                               StringRef Member) const {
  E = E->IgnoreParenCasts();
  const CXXRecordDecl *Type = E->getType()->getAsCXXRecordDecl();
  if (!Type || !Type->getIdentifier() || Type->getName() != "dim3")
    return std::nullopt;
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E)) {
    size_t Which = StringRef("xyz").find(Member);
    if (Made->getConstructor()->isCopyOrMoveConstructor())
      return extentsOf(Made->getArg(0), Member);
    return Which < Made->getNumArgs()
               ? valuesOf(Made->getArg(static_cast<unsigned>(Which)))
               : std::nullopt;
  }
  const VarDecl *V = asVariable(E);
  return V ? valuesOf(*V, Member) : std::nullopt;
}

/// How many threads block E may have; none: that is not known.
std::optional<Values> LaunchVisitor::threadsOf(const Expr *E) const {
  std::optional<Values> Threads = extentsOf(E, "x");
  for (StringRef Member : {"y", "z"})
    Threads = combined(Threads, extentsOf(E, Member), BO_Mul);
  return Threads;
}

/// The name of Kernel in device code.
std::string LaunchVisitor::nameOf(const FunctionDecl &Kernel) const {
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  if (Mangler->shouldMangleDeclName(&Kernel))
    Mangler->mangleName(GlobalDecl(&Kernel, KernelReferenceKind::Kernel), OS);
  else
    OS << Kernel.getName();
  return Name;
}

/// Bytes of dynamic shared memory that E may be, at most; none: that is not
/// known.
std::optional<unsigned> LaunchVisitor::mostShared(const Expr *E) const {
  auto Bytes = valuesOf(E);
  if (!Bytes || *llvm::max_element(*Bytes) > DynamicSmemRange.High)
    return std::nullopt;
  std::optional<unsigned> Most = 0;
  for (uint64_t Its : *Bytes)
    Most = mostDynamicOfBoth(Most, static_cast<unsigned>(Its));
  return Most;
}

/// The launches that have been gathered.
LaunchesOfFile LaunchVisitor::read() const {
  LaunchesOfFile Shown;
  bool AreAllKnown = true;
  std::optional<unsigned> MostOfUnknown = 0;
  for (const auto &[Kernel, Block, Shared] : Launches) {
    std::optional<unsigned> Most = mostShared(Shared);
    if (!Kernel) {
      AreAllKnown = false;
      MostOfUnknown = mostDynamicOfBoth(MostOfUnknown, Most);
      continue;
    }
    ShownLaunches &Its = Shown[nameOf(*Kernel)];
    auto Threads = threadsOf(Block);
    Its.HasOthers |= !Threads;
    for (uint64_t Number : Threads.value_or(Values()))
      if (Number >= 1 && Number <= BlockSizeRange.High &&
          !is_contained(Its.Threads, Number))
        Its.Threads.push_back(static_cast<unsigned>(Number));
    Its.MostDynamic = mostDynamicOfBoth(Its.MostDynamic, Most);
  }
  for (const auto &[Used, Times] : OtherUses) {
    const FunctionDecl *Kernel = Times ? asKernel(Used) : nullptr;
    if (!Kernel || Kernel->isDependentContext())
      continue;
    std::string Name = nameOf(*Kernel);
    if (AreAllKnown && !Shown.count(Name))
      continue;
    ShownLaunches &Its = Shown[Name];
    Its.HasOthers = true;
    Its.MostDynamic = mostDynamicOfBoth(Its.MostDynamic, MostOfUnknown);
  }
  return Shown;
}

/// Reads the launches of a file once it is parsed, before code is generated.
class LaunchConsumer : public ASTConsumer {
public:
  void HandleTranslationUnit(ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    LaunchVisitor Visitor(Context);
    for (Decl *D : Context.getTranslationUnitDecl()->decls())
      if (D->getLocation().isValid())
        Visitor.TraverseDecl(D);
    OfLastSource = Visitor.read();
  }
};

/// Has clang read launches while it compiles for a device. clang loads pass
/// plugins before it parses, and runs each such action that it knows then.
class ReadLaunches : public PluginASTAction {
public:
  bool ParseArgs(const CompilerInstance &Compiler,
                 const std::vector<std::string> &) override {
    OfLastSource.clear();
    return Compiler.getLangOpts().CUDAIsDevice;
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 StringRef) override {
    return std::make_unique<LaunchConsumer>();
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

/// A function of clang's; null in other programs, as it is weak here.
DeclContext *(*const volatile OfClang)(const Decl *) = Decl::castToDeclContext;

[[maybe_unused]] const bool IsRegistered = [] {
  if (OfClang)
    static FrontendPluginRegistry::Add<ReadLaunches> Registered(
        "regdem-launches", "reads launches for RegDem");
  return OfClang != nullptr;
}();

} // namespace

const LaunchesOfFile &launchesOfSource() { return OfLastSource; }

} // namespace regdem
