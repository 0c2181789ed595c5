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
//
// So the numbers of threads, and bytes of dynamic shared memory, are read from
// the syntax tree. A variable has the value that it is initialized with if
// nothing but reads of it are there, and no other file can name it. What is
// read decides which builds are made, and how much shared memory they leave
// alone; launches with other numbers stay launches.
//
//===----------------------------------------------------------------------===//

#include "LaunchReader.h"

#include "regdem/Options.h"
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
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace clang;
using llvm::is_contained;

namespace regdem {

namespace {

LaunchesOfFile OfLastSource;

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

/// The variable that E is, or whose member it is; null: none.
const VarDecl *variableIn(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(E);
      Member && !Member->isArrow())
    E = Member->getBase()->IgnoreParenCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
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
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }

  /// Of a template its instances are looked at.
  bool TraverseDecl(Decl *D) {
    const auto *F = dyn_cast_or_null<FunctionDecl>(D);
    return (F && F->isDependentContext()) ||
           RecursiveASTVisitor::TraverseDecl(D);
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (const FunctionDecl *Kernel = asKernel(E->getDecl()))
      ++OtherUses[Kernel];
    else if (const auto *V = dyn_cast<VarDecl>(E->getDecl()))
      ++OtherUses[V];
    return true;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *E) {
    if (const FunctionDecl *Kernel = kernelIn(E->getCallee()))
      noteLaunch(*Kernel, E->getConfig(), /*Block=*/1, /*Shared=*/2);
    return true;
  }

  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (!Callee || !Callee->getIdentifier())
      return true;
    bool IsLaunch = Callee->getName() == "cudaLaunchKernel";
    if (!IsLaunch && !isQuery(Callee->getName()))
      return true;
    for (const Expr *Argument : E->arguments())
      if (const FunctionDecl *Kernel = kernelIn(Argument)) {
        if (IsLaunch)
          noteLaunch(*Kernel, E, /*Block=*/2, /*Shared=*/4);
        else
          --OtherUses[Kernel];
      }
    return true;
  }

  /// A read of a variable: of its value, or by a reference to const.
  bool VisitCastExpr(CastExpr *E) {
    bool ToConst = E->getCastKind() == CK_NoOp && E->isLValue() &&
                   E->getType().isConstQualified();
    if (E->getCastKind() == CK_LValueToRValue || ToConst)
      if (const VarDecl *V = variableIn(E->getSubExpr()))
        --OtherUses[V];
    return true;
  }

  LaunchesOfFile read(ASTContext &Context) const;

private:
  /// What is in another's initializer, and so on, at most.
  static constexpr unsigned MostSteps = 8;

  struct Site {
    const FunctionDecl *Kernel;
    const Expr *Block;  ///< Threads, a dim3.
    const Expr *Shared; ///< Bytes of dynamic shared memory.
  };
  std::vector<Site> Launches;
  /// How often a variable is used and not read, or a kernel is used, neither to
  /// be launched nor by queries.
  llvm::DenseMap<const ValueDecl *, int> OtherUses;

  /// Notes that Kernel is launched with what these arguments of Config say.
  void noteLaunch(const FunctionDecl &Kernel, const CallExpr *Config,
                  unsigned Block, unsigned Shared) {
    if (!Config || Config->getNumArgs() <= std::max(Block, Shared))
      return; // A use like others.
    Launches.push_back(
        {&Kernel, Config->getArg(Block), Config->getArg(Shared)});
    --OtherUses[&Kernel];
  }
  const Expr *initializerOf(const VarDecl &V) const;
  std::optional<uint64_t> valueOf(const Expr *E, const ASTContext &Context,
                                  unsigned Steps = MostSteps) const;
  std::optional<uint64_t> extent(const Expr *E, StringRef Member,
                                 const ASTContext &Context,
                                 unsigned Steps) const;
  std::optional<uint64_t> threadsOf(const Expr *E,
                                    const ASTContext &Context) const;
};

/// What V is in all that can be seen of it; null: that is not known.
const Expr *LaunchVisitor::initializerOf(const VarDecl &V) const {
  QualType Type = V.getType();
  if (Type->isReferenceType() || Type.isVolatileQualified())
    return nullptr;
  bool IsFixed = Type.isConstQualified() ||
                 (!V.isExternallyVisible() && !OtherUses.lookup(&V));
  return IsFixed && !isa<ParmVarDecl>(V) ? V.getAnyInitializer() : nullptr;
}

/// E, of an integer type, in every run; none: that is not known.
std::optional<uint64_t> LaunchVisitor::valueOf(const Expr *E,
                                               const ASTContext &Context,
                                               unsigned Steps) const {
  if (!Steps || E->isValueDependent() || !E->getType()->isIntegerType())
    return std::nullopt;
  Expr::EvalResult Constant;
  if (E->EvaluateAsInt(Constant, Context)) {
    const llvm::APSInt &Value = Constant.Val.getInt();
    if (Value.isNegative() || Value.getActiveBits() > 32)
      return std::nullopt;
    return Value.getZExtValue();
  }
  E = E->IgnoreParenCasts();
  if (const auto *Operation = dyn_cast<BinaryOperator>(E)) {
    auto Left = valueOf(Operation->getLHS(), Context, Steps - 1);
    auto Right = valueOf(Operation->getRHS(), Context, Steps - 1);
    if (!Left || !Right)
      return std::nullopt;
    switch (Operation->getOpcode()) {
    case BO_Mul:
      return llvm::SaturatingMultiply(*Left, *Right);
    case BO_Add:
      return *Left + *Right;
    case BO_Div:
      return *Right ? std::optional(*Left / *Right) : std::nullopt;
    default:
      return std::nullopt;
    }
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return extent(Member->getBase(), Member->getMemberDecl()->getName(),
                  Context, Steps - 1);
  const VarDecl *V = variableIn(E);
  const Expr *Is = V ? initializerOf(*V) : nullptr;
  return Is ? valueOf(Is, Context, Steps - 1) : std::nullopt;
}

/// Member x, y or z of E in every run; none: that is not known, or E is no
/// dim3.
std::optional<uint64_t> LaunchVisitor::extent(const Expr *E, StringRef Member,
                                              const ASTContext &Context,
                                              unsigned Steps) const {
  E = E->IgnoreParenCasts();
  const CXXRecordDecl *Type = E->getType()->getAsCXXRecordDecl();
  if (!Steps || !Type || !Type->getIdentifier() || Type->getName() != "dim3")
    return std::nullopt;
  if (const auto *Made = dyn_cast<CXXConstructExpr>(E)) {
    unsigned Which = StringRef("xyz").find(Member);
    if (Made->getConstructor()->isCopyOrMoveConstructor())
      return extent(Made->getArg(0), Member, Context, Steps - 1);
    return Which < Made->getNumArgs()
               ? valueOf(Made->getArg(Which), Context, Steps - 1)
               : std::nullopt;
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  const Expr *Is = V ? initializerOf(*V) : nullptr;
  return Is ? extent(Is, Member, Context, Steps - 1) : std::nullopt;
}

/// The threads of block E in every run; none: that is not known.
std::optional<uint64_t>
LaunchVisitor::threadsOf(const Expr *E, const ASTContext &Context) const {
  uint64_t Threads = 1;
  for (StringRef Member : {"x", "y", "z"}) {
    auto Extent = extent(E, Member, Context, MostSteps);
    if (!Extent)
      return std::nullopt;
    Threads = llvm::SaturatingMultiply(Threads, *Extent);
  }
  return Threads;
}

/// The launches that have been gathered.
LaunchesOfFile LaunchVisitor::read(ASTContext &Context) const {
  std::unique_ptr<MangleContext> Mangler(Context.createMangleContext());
  LaunchesOfFile Shown;
  for (const auto &[Kernel, Block, Shared] : Launches) {
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    if (Mangler->shouldMangleDeclName(Kernel))
      Mangler->mangleName(GlobalDecl(Kernel, KernelReferenceKind::Kernel), OS);
    else
      OS << Kernel->getName();
    ShownLaunches &Its = Shown[Name];
    auto Threads = threadsOf(Block, Context);
    Its.HasOthers |= !Threads || OtherUses.lookup(Kernel);
    auto Bytes = valueOf(Shared, Context);
    if (!Bytes || *Bytes > DynamicSmemRange.High || !Its.MostDynamic)
      Its.MostDynamic = std::nullopt;
    else
      Its.MostDynamic =
          std::max(*Its.MostDynamic, static_cast<unsigned>(*Bytes));
    if (!Threads || *Threads < 1 || *Threads > BlockSizeRange.High)
      continue;
    if (!is_contained(Its.Threads, *Threads))
      Its.Threads.push_back(static_cast<unsigned>(*Threads));
  }
  return Shown;
}

/// Reads the launches of a file once it is parsed, before code is generated.
class LaunchConsumer : public ASTConsumer {
public:
  void HandleTranslationUnit(ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    LaunchVisitor Visitor;
    const SourceManager &Files = Context.getSourceManager();
    for (Decl *D : Context.getTranslationUnitDecl()->decls())
      if (D->getLocation().isValid() &&
          !Files.isInSystemHeader(D->getLocation()))
        Visitor.TraverseDecl(D);
    OfLastSource = Visitor.read(Context);
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
