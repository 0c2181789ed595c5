//===- Options.cpp - what a user can ask of RegDem ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Options.h"

#include "regdem/Analysis/ShownLaunches.h"
#include "regdem/Decision/Builds/LaunchTable.h"
#include "regdem/Toolchain/Invocation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include <iterator>

using namespace llvm;

namespace regdem {

namespace {

constexpr NumberRange PtxasSecondsRange{1, 3600};
constexpr NumberRange JobsRange{1, 1024};
constexpr NumberRange BudgetRange{0, 1000000};
constexpr NumberRange LaunchCodeRange{0, 10000};

/// Reads a number in a range; leaves Value alone and says why otherwise.
std::optional<std::string> readNumber(StringRef Text, NumberRange Allowed,
                                      unsigned &Value) {
  unsigned Read = 0;
  if (Text.getAsInteger(10, Read) || Read < Allowed.Low || Read > Allowed.High)
    return ("'" + Text + "' is not a number from " + Twine(Allowed.Low) +
            " to " + Twine(Allowed.High))
        .str();
  Value = Read;
  return std::nullopt;
}

/// Command-line parser for a number in a range known at compile time.
template <const NumberRange &Allowed>
struct RangeParser : public cl::parser<unsigned> {
  using cl::parser<unsigned>::parser;
  bool parse(cl::Option &O, StringRef, StringRef Text, unsigned &Value) {
    if (auto Problem = readNumber(Text, Allowed, Value))
      return O.error(*Problem);
    return false;
  }
};

template <const NumberRange &Allowed>
using RangeOpt = cl::opt<unsigned, false, RangeParser<Allowed>>;

/// Command-line parser for one of several names, which also reads annotations.
template <typename T> struct ChoiceParser : public cl::parser<T> {
  using cl::parser<T>::parser;

  /// Sets Value to what Text names; leaves it alone and says why otherwise.
  std::optional<std::string> read(StringRef Text, T &Value) const {
    std::string Names;
    for (size_t I = 0, End = this->Values.size(); I != End; ++I) {
      if (this->Values[I].Name == Text) {
        Value = this->Values[I].V.getValue();
        return std::nullopt;
      }
      Names += I == 0 ? "" : I + 1 == End ? " or " : ", ";
      Names += this->Values[I].Name;
    }
    return ("'" + Text + "' is not " + Names).str();
  }
  bool parse(cl::Option &O, StringRef, StringRef Text, T &Value) const {
    if (auto Problem = read(Text, Value))
      return O.error(*Problem);
    return false;
  }
};

template <typename T> using ChoiceOpt = cl::opt<T, false, ChoiceParser<T>>;

cl::OptionCategory Category("RegDem options");

ChoiceOpt<Mode> ModeOpt(
    "regdem-mode", cl::cat(Category), cl::init(Mode::Auto),
    cl::desc("What RegDem may do"),
    cl::values(clEnumValN(Mode::Auto, "auto",
                          "as 'demote' under a stated cap; else what is "
                          "predicted to be fastest (default)"),
               clEnumValN(Mode::Demote, "demote",
                          "reach the stated cap, by demotion where needed"),
               clEnumValN(Mode::Off, "off", "leave every kernel alone")));
RangeOpt<MaxRegsRange>
    MaxRegsOpt("regdem-max-regs", cl::cat(Category), cl::value_desc("N"),
               cl::desc("Cap on registers per thread, 16 to 255"));
RangeOpt<MinBlocksRange>
    MinBlocksOpt("regdem-min-blocks", cl::cat(Category), cl::value_desc("N"),
                 cl::desc("The cap as blocks per SM, 1 to 32"));
RangeOpt<BlockSizeRange>
    BlockSizeOpt("regdem-block-size", cl::cat(Category), cl::value_desc("N"),
                 cl::desc("Threads per block where the kernel states none"));
RangeOpt<DynamicSmemRange> DynamicSmemOpt(
    "regdem-dynamic-smem", cl::cat(Category), cl::value_desc("BYTES"),
    cl::desc("Dynamic shared memory at launch to leave room for"));
/// Command-line parser for the text of a recipe.
struct RecipeParser : public cl::parser<std::string> {
  using cl::parser<std::string>::parser;
  bool parse(cl::Option &O, StringRef, StringRef Text, std::string &Value) {
    Expected<BuildRecipe> R = parseRecipe(Text);
    if (!R)
      return O.error(toString(R.takeError()));
    Value = Text.str();
    return false;
  }
};
cl::opt<std::string, false, RecipeParser> BuildOpt(
    "regdem-build", cl::cat(Category), cl::value_desc("RECIPE"),
    cl::desc(
        "Build kernels so, without a search: \"cap=40 demote=belady:36\""));
cl::opt<std::string>
    KernelsOpt("regdem-kernels", cl::cat(Category), cl::value_desc("REGEX"),
               cl::desc("Touch only kernels whose name matches"));
ChoiceOpt<Permission> PragmaOpt(
    "regdem-pragma", cl::cat(Category), cl::init(Permission::Auto),
    cl::desc("Whether ptxas may be asked to spill to shared memory"),
    cl::values(clEnumValN(Permission::Auto, "auto",
                          "where clang's command line proves that ptxas is run "
                          "without -c and -g (default)"),
               clEnumValN(Permission::On, "on",
                          "yes: ptxas is run without -c and -g"),
               clEnumValN(Permission::Off, "off", "no")));
ChoiceOpt<Permission> LaunchOpt(
    "regdem-launch", cl::cat(Category), cl::init(Options().Launch),
    cl::desc("Several builds of a kernel, chosen by the host at launch"),
    cl::values(clEnumValN(Permission::Auto, "auto",
                          "where one clang command makes device and host code "
                          "(default)"),
               clEnumValN(Permission::On, "on",
                          "yes: the host code is compiled with RegDem, too"),
               clEnumValN(Permission::Off, "off", "no")));
RangeOpt<LaunchCodeRange> LaunchCodeOpt(
    "regdem-launch-code", cl::cat(Category), cl::value_desc("PERCENT"),
    cl::init(Options().LaunchCode),
    cl::desc("Machine code that these may add, of the file's own"));
ChoiceOpt<Permission> FinishOpt(
    "regdem-finish", cl::cat(Category), cl::init(Permission::Auto),
    cl::desc("Whether frames of local memory move to shared memory"),
    cl::values(clEnumValN(Permission::Auto, "auto",
                          "where one clang command makes device and host code "
                          "(default)"),
               clEnumValN(Permission::On, "on",
                          "yes: regdem-ptxas or regdem-finish is run"),
               clEnumValN(Permission::Off, "off", "no")));
RangeOpt<DynamicSmemRange> SharedLimitOpt(
    "regdem-shared-limit", cl::cat(Category), cl::value_desc("BYTES"),
    cl::desc("Static shared memory of a block with moved frames"));
ChoiceOpt<Permission>
    ArraysOpt("regdem-arrays", cl::cat(Category), cl::init(Permission::Auto),
              cl::desc("Whether arrays in local memory may become registers"),
              cl::values(clEnumValN(Permission::Auto, "auto",
                                    "where it is expected to be faster "
                                    "(default)"),
                         clEnumValN(Permission::Off, "off", "no")));
enum class Rounding { Same, Relaxed };
ChoiceOpt<Rounding>
    RoundingOpt("regdem-fp", cl::cat(Category), cl::init(Rounding::Same),
                cl::desc("Which results rewrites of a kernel's code may give"),
                cl::values(clEnumValN(Rounding::Same, "same",
                                      "those of the stock build, bit for bit "
                                      "(default)"),
                           clEnumValN(Rounding::Relaxed, "relaxed",
                                      "those of other fused products, too")));
cl::opt<std::string> PtxasOpt(
    "regdem-ptxas", cl::cat(Category), cl::value_desc("auto|off|PATH"),
    cl::init("auto"),
    cl::desc("Assembler used to try builds (auto: that of the CUDA toolkit)"));
RangeOpt<PtxasSecondsRange>
    PtxasSecondsOpt("regdem-ptxas-timeout", cl::cat(Category),
                    cl::value_desc("SECONDS"), cl::Hidden,
                    cl::init(ToolLimits().Seconds),
                    cl::desc("Time that one run of ptxas may take"));
RangeOpt<JobsRange> JobsOpt(
    "regdem-jobs", cl::cat(Category), cl::value_desc("N"),
    cl::desc("Candidates built at a time (default: one for each core)"));
RangeOpt<BudgetRange>
    BudgetOpt("regdem-budget", cl::cat(Category), cl::value_desc("N"),
              cl::desc("Builds that a file may try (default: by effort)"));
RangeOpt<EffortRange> EffortOpt(
    "regdem-effort", cl::cat(Category), cl::value_desc("N"),
    cl::init(DefaultEffort),
    cl::desc(
        "Builds tried: 0 none, 1 few, 2 by the code's size (default), 3 all"));
cl::opt<std::string>
    ReportOpt("regdem-report", cl::cat(Category), cl::value_desc("FILE"),
              cl::desc("Append one JSON object per kernel and architecture"));
cl::opt<std::string> TimeTraceOpt(
    "regdem-time-trace", cl::cat(Category), cl::value_desc("FILE"),
    cl::desc("Write where the time of decisions goes, as -ftime-trace does"));
cl::opt<std::string>
    ProfileOpt("regdem-profile", cl::cat(Category), cl::value_desc("FILE"),
               cl::desc("Build kernels as measured; FILE is from regdem-tune"));
cl::opt<std::string> CacheOpt("regdem-cache", cl::cat(Category),
                              cl::value_desc("DIR|auto|off"),
                              cl::desc("Where decisions are kept (default: "
                                       "$REGDEM_CACHE_DIR)"));
cl::opt<bool> VerifyOpt("regdem-verify", cl::cat(Category), cl::init(true),
                        cl::desc("Check each transformation (default: on)"));

/// The texts of F's annotate attributes, RegDem's and others, in the order of
/// the source. They live as long as its module's constants.
std::vector<StringRef> annotationsOf(const Function &F) {
  std::vector<StringRef> Texts;
  const GlobalVariable *List =
      F.getParent()->getGlobalVariable("llvm.global.annotations");
  if (!List || !List->hasInitializer())
    return Texts;
  for (const Use &Entry : List->getInitializer()->operands()) {
    const auto *Fields = dyn_cast<ConstantStruct>(Entry.get());
    if (!Fields || Fields->getOperand(0)->stripPointerCasts() != &F)
      continue;
    if (StringRef Text; getConstantStringInfo(Fields->getOperand(1), Text))
      Texts.push_back(Text);
  }
  return Texts;
}

/// Lays one `key=value` of an annotation over O.
std::optional<std::string> applyAnnotation(StringRef Key, StringRef Value,
                                           Options &O) {
  if (Key == "mode")
    return ModeOpt.getParser().read(Value, O.RunMode);
  if (Key == "pragma")
    return PragmaOpt.getParser().read(Value, O.Pragma);
  if (Key == "max-regs")
    return readNumber(Value, MaxRegsRange, O.MaxRegs);
  if (Key == "min-blocks")
    return readNumber(Value, MinBlocksRange, O.MinBlocks);
  if (Key == "block-size") {
    O.BlockSizeAnnotated = true;
    return readNumber(Value, BlockSizeRange, O.BlockSize);
  }
  if (Key == "dynamic-smem") {
    unsigned Bytes = 0;
    auto Problem = readNumber(Value, DynamicSmemRange, Bytes);
    if (!Problem)
      O.DynamicSmem = Bytes;
    return Problem;
  }
  return ("an annotation sets mode, max-regs, min-blocks, block-size, "
          "dynamic-smem or pragma, not '" +
          Key + "'")
      .str();
}

/// Whether Text is meant for RegDem but does not begin as it has to.
bool resemblesAnnotation(StringRef Text) {
  Text = Text.ltrim("- ");
  return Text.consume_front_insensitive("regdem") &&
         (Text.empty() || !isAlnum(Text.front()));
}

/// Lays the annotation Text ("regdem:key=value[,key=value…]") over O.
Error applyAnnotationText(StringRef Text, Options &O) {
  StringRef Rest = Text;
  if (!Rest.consume_front("regdem:")) {
    if (!resemblesAnnotation(Text))
      return Error::success();
    return createStringError("annotation \"" + Text +
                             "\" does not begin with 'regdem:'");
  }
  O.IsAnnotated = true;
  while (!Rest.empty()) {
    StringRef Item;
    std::tie(Item, Rest) = Rest.split(',');
    auto [Key, Value] = Item.trim().split('=');
    if (auto Problem = applyAnnotation(Key.trim(), Value.trim(), O))
      return createStringError("annotation \"" + Text + "\": " + *Problem);
  }
  return Error::success();
}

} // namespace

/// Lays the cap that clang's driver gives to ptxas over O where ptxas will keep
/// F to it: it does not where F has launch bounds, and all that a thread may
/// have is no cap. A lower one that O states stays.
static void applyPtxasCap(const Function &F, Options &O) {
  static const unsigned Cap = statedRegisterCap(readInvocation());
  if (Cap < MaxRegsRange.Low || Cap >= MaxRegsRange.High ||
      (O.MaxRegs && O.MaxRegs <= Cap))
    return;
  for (const char *Bound :
       {"nvvm.maxntid", "nvvm.reqntid", "nvvm.minctasm", "nvvm.maxnreg"})
    if (F.hasFnAttribute(Bound))
      return;
  O.CapIsPtxas = !O.MaxRegs && !O.MinBlocks;
  O.MaxRegs = Cap;
}

/// What states where the cache is: the option or else the environment.
static std::string statedCache() {
  if (!CacheOpt.empty())
    return CacheOpt;
  std::string Stated = sys::Process::GetEnv("REGDEM_CACHE_DIR").value_or("");
  return Stated.empty() ? Options().Cache : Stated;
}

static constexpr const char *LaunchAttr = "regdem-launch";

void setLaunchSize(Function &Build, LaunchSize Is) {
  std::string Text = utostr(Is.Threads);
  if (Is.AddedBytes)
    Text += "," + utostr(*Is.AddedBytes);
  Build.addFnAttr(LaunchAttr, Text);
}

void clearLaunchSize(Function &Build) { Build.removeFnAttr(LaunchAttr); }

std::optional<LaunchSize> launchSize(const Function &F) {
  auto [Threads, Bytes] =
      F.getFnAttribute(LaunchAttr).getValueAsString().split(',');
  LaunchSize Is;
  if (Threads.getAsInteger(10, Is.Threads) || !Is.Threads)
    return std::nullopt;
  if (unsigned Added = 0; !Bytes.getAsInteger(10, Added))
    Is.AddedBytes = Added;
  return Is;
}

Options commandLineOptions() {
  Options O;
  O.RunMode = ModeOpt;
  O.MaxRegs = MaxRegsOpt;
  O.MinBlocks = MinBlocksOpt;
  O.BlockSize = BlockSizeOpt;
  if (DynamicSmemOpt.getNumOccurrences())
    O.DynamicSmem = DynamicSmemOpt;
  if (BuildOpt.getNumOccurrences())
    O.Stated = cantFail(parseRecipe(BuildOpt));
  O.Kernels = KernelsOpt;
  O.Pragma = PragmaOpt;
  O.Launch = LaunchOpt;
  O.LaunchCode = LaunchCodeOpt;
  O.Finish = FinishOpt;
  if (SharedLimitOpt.getNumOccurrences())
    O.SharedLimit = SharedLimitOpt;
  O.Arrays = ArraysOpt == Permission::Auto;
  O.MayFuseOtherwise = RoundingOpt == Rounding::Relaxed;
  O.Ptxas = PtxasOpt;
  static const std::vector<std::string> Flags = trialFlags(readInvocation());
  O.PtxasFlags = Flags;
  O.Limits = {PtxasSecondsOpt, JobsOpt};
  O.Effort = EffortOpt;
  if (BudgetOpt.getNumOccurrences())
    O.Budget = BudgetOpt;
  O.ReportFile = ReportOpt;
  O.TimeTraceFile = TimeTraceOpt;
  O.ProfileFile = ProfileOpt;
  O.Cache = statedCache();
  O.Verify = VerifyOpt;
  return O;
}

std::string environmentVariable(StringRef Name) {
  std::string Variable = "REGDEM_" + Name.upper();
  std::replace(Variable.begin(), Variable.end(), '-', '_');
  return Variable;
}

Expected<Options> environmentOptions() {
  Options O = commandLineOptions();
  auto Stated = [](StringRef Name) {
    return sys::Process::GetEnv(environmentVariable(Name)).value_or("");
  };
  O.Kernels = Stated("kernels");
  O.ReportFile = Stated("report");
  O.ProfileFile = Stated("profile");
  auto Lay = [&](StringRef Name, StringRef Value) {
    return Name == "effort" ? readNumber(Value, EffortRange, O.Effort)
                            : applyAnnotation(Name, Value, O);
  };
  for (StringRef Name : {"mode", "max-regs", "min-blocks", "block-size",
                         "dynamic-smem", "effort"})
    if (std::string Value = Stated(Name); !Value.empty())
      if (auto Problem = Lay(Name, Value))
        return createStringError(environmentVariable(Name) + ": " + *Problem);
  if (std::string Text = Stated("build"); !Text.empty()) {
    auto Recipe = parseRecipe(Text, MaxRegsRange.Low);
    if (!Recipe)
      return createStringError(environmentVariable("build") + ": " +
                               toString(Recipe.takeError()));
    if (Recipe->changesCode() || !(Recipe->MaxRegs || Recipe->MinBlocks))
      return createStringError(environmentVariable("build") +
                               ": PTX is built under a cap (cap=N, "
                               "min-blocks=N), without rewrites or an order");
    O.Stated = *Recipe;
    O.MaxRegs = Recipe->MaxRegs;
    O.MinBlocks = Recipe->MinBlocks;
  }
  O.BlockSizeAnnotated = false; // Nor is it in the source.
  if (Expected<bool> Valid = isSelected("", O); !Valid)
    return createStringError(environmentVariable("kernels") + ": " +
                             toString(Valid.takeError()));
  return O;
}

Expected<Options> optionsFor(const Function &F, const Options &CommandLine) {
  Options O = CommandLine;
  Expected<bool> Selected = isSelected(F, CommandLine);
  if (!Selected)
    return Selected.takeError();
  for (StringRef Text : annotationsOf(F))
    if (Error E = applyAnnotationText(Text, O))
      return E;
  if (O.Stated && (O.Stated->MaxRegs || O.Stated->MinBlocks)) {
    O.MaxRegs = O.Stated->MaxRegs;
    O.MinBlocks = O.Stated->MinBlocks;
  }
  applyPtxasCap(F, O);
  if (std::optional<LaunchSize> Its = launchSize(F)) {
    O.BlockSize = Its->Threads;
    O.BlockSizeOfLaunch = true;
    O.MayFuseOtherwise = false; // A launch may take any of several builds.
    O.DynamicSmem = O.DynamicSmem.value_or(0); // Launches have what is left.
  } else if (auto Shown = shownLaunches(F).MostDynamic; Shown.value_or(0)) {
    O.DynamicSmem = std::max(O.DynamicSmem.value_or(0), *Shown);
  }
  if (!*Selected) // Whatever its annotations say.
    O.RunMode = Mode::Off;
  return O;
}

Expected<bool> isSelected(StringRef Symbol, const Options &CommandLine) {
  if (CommandLine.Kernels.empty())
    return true;
  Regex Pattern(CommandLine.Kernels);
  std::string Problem;
  if (!Pattern.isValid(Problem))
    return createStringError("regdem-kernels '" + CommandLine.Kernels +
                             "' is no regular expression: " + Problem);
  return Pattern.match(Symbol) || Pattern.match(demangle(Symbol));
}

Expected<bool> isSelected(const Function &F, const Options &CommandLine) {
  // A build goes by the name of its kernel, as linkers or as remarks have it.
  return isSelected(kernelOfBuild(F.getName()), CommandLine);
}

} // namespace regdem
