//===- regdem-ptxas.cpp - ptxas, and the fastest of a kernel's builds -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes ptxas's command line and hands it to ptxas as it is. Then kernels may
// be assembled under other directives, and frames move to shared memory, where
// that pays (Builder/SettlePtx.h); of PTX that RegDem has made, as it says
// (ProgramRecord.h). Whatever goes wrong after ptxas leaves ptxas's own output:
// the exit status and the messages are ptxas's. With -v lines say what became
// of each kernel.
//
//   --in-place-of COMMAND …  takes the command line after its own option: the
//                            ptxas that the shell would start is the one to run
//
//   --print=spills           says which values ptxas spills; without an output
//                            (-o) nothing else is done
//   --print=ptx              prints the PTX that the program is made of
//
//   REGDEM_PTXAS=PATH        the ptxas to run (default: that of COMMAND, or the
//                            first that llc with RegDem finds)
//   REGDEM_REMARKS=1         the lines of -v without it
//   REGDEM_MODE=… and others the plugin's options (environmentOptions())
//
//===----------------------------------------------------------------------===//

#include "Help.h"
#include "HostCode.h"
#include "regdem/Builder/SettlePtx.h"
#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Emission/Remarks.h"
#include "regdem/Emission/SpillTables.h"
#include "regdem/Toolchain/Ptxas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace llvm;
using namespace regdem;

namespace {

/// The variable that is set for the program that this one runs, to its own
/// path: where that runs regdem-ptxas again, it does so once.
constexpr const char *StandInVariable = "REGDEM_PTXAS_RUNS";

/// By this note copies of the file are known (Ptxas.h).
struct MarkNote {
  uint32_t NameSize = sizeof(Name), TextSize = sizeof(Text), Kind = 1;
  char Name[8] = "RegDem"; // Padded to words, as ELF has notes.
  char Text[(sizeof(StandInMark) + 3) / 4 * 4];
};
__attribute__((section(".note.regdem"), used)) constexpr MarkNote Mark = [] {
  MarkNote Note{};
  for (size_t I = 0; I != sizeof(StandInMark); ++I)
    Note.Text[I] = StandInMark[I];
  return Note;
}();

/// What the command line says of the program that ptxas is to write.
struct Request {
  std::string Output = "elf.o"; ///< ptxas's default.
  std::vector<std::string> Inputs;
  bool SaysMore = false;  ///< Lines say what became of each kernel.
  bool StatesCap = false; ///< REGDEM_MAX_REGS or REGDEM_MIN_BLOCKS
  /// regdem-nvcc's host code is not seen: another program runs nvcc's steps,
  /// and may keep the code for other host code (sccache).
  bool IsApart = false;
  std::string WhyKept; ///< Why all stays as ptxas makes it; empty: it may not.
  PtxProgram Program;  ///< But for texts.
};

/// The value of the option at I that has one of Names, as ptxas takes it:
/// joined by "=", or the next argument, which I then points to.
std::optional<StringRef> valueOf(ArrayRef<StringRef> Args, size_t &I,
                                 ArrayRef<StringRef> Names) {
  for (StringRef Name : Names) {
    StringRef Rest = Args[I];
    if (!Rest.consume_front(Name))
      continue;
    if (Rest.consume_front("="))
      return Rest;
    if (Rest.empty() && I + 1 != Args.size())
      return Args[++I];
  }
  return std::nullopt;
}

/// Whether Arg is ptxas's option for its output.
bool statesOutput(StringRef Arg) {
  StringRef Name = Arg.split('=').first;
  return Name == "-o" || Name == "--output-file";
}

/// Options that state what directives do, or have ptxas read options that its
/// command line does not show: what is promised is not known then.
bool isPromise(StringRef Arg) {
  return is_contained({"-maxntid", "--maxntid", "-minnctapersm",
                       "--minnctapersm", "-override-directive-values",
                       "--override-directive-values", "-optf",
                       "--options-file"},
                      Arg.split('=').first);
}

/// Options that change which kernels there are, or how they are linked.
bool isBeyondBuilds(StringRef Arg) {
  return is_contained({"-e", "--entry", "-ias", "--input-as-string", "-ewp",
                       "--extensible-whole-program", "-astoolspatch",
                       "--compile-as-tools-patch"},
                      Arg.split('=').first);
}

/// Takes the option at I for the program, if it is one that trials do not take
/// as it is.
bool readOption(ArrayRef<StringRef> Args, size_t &I, Request &R) {
  StringRef Arg = Args[I];
  auto Stated = [&](ArrayRef<StringRef> Names) {
    size_t At = I;
    return valueOf(Args, At, Names);
  };
  if (Arg == "-g" || Arg == "--device-debug")
    R.WhyKept = ("it is for a debugger (" + Arg + ")").str();
  if (Arg == "-c" || Arg == "--compile-only") {
    R.Program.IsRelocatable = true;
    return true;
  }
  if (isPromise(Arg))
    R.WhyKept = ("ptxas is told " + Arg).str();
  if (isBeyondBuilds(Arg))
    R.Program.WhyKept = ("ptxas is told " + Arg).str();
  if (auto Output = valueOf(Args, I, {"-o", "--output-file"})) {
    R.Output = Output->str();
    return true;
  }
  if (auto Arch = valueOf(Args, I, {"-arch", "--gpu-name"})) {
    R.Program.ArchName = Arch->str();
    return true;
  }
  if (Arg == "-v" || Arg == "--verbose") {
    R.SaysMore = true;
    return true;
  }
  if (Arg == "-O0" || Stated({"-O", "--opt-level"}) == "0")
    R.Program.WhyKept = "it is not optimized (-O0)";
  if (auto Level = Stated({"-Ofc", "--Ofast-compile"}); Level && *Level != "0")
    R.Program.WhyKept = ("ptxas is told " + Arg).str();
  if (auto Fuses = Stated({"-fmad", "--fmad"}))
    R.Program.FusesProducts = *Fuses != "false";
  if (auto Cap = Stated({"-maxrregcount", "--maxrregcount"}))
    if (Cap->getAsInteger(0, R.Program.MaxRegs) && *Cap != "archmax")
      R.Program.WhyKept = ("ptxas is told " + Arg).str();
  return false;
}

Request readArguments(ArrayRef<StringRef> Args) {
  Request R;
  R.Program.ArchName = "sm_75"; // ptxas's default.
  R.SaysMore = sys::Process::GetEnv("REGDEM_REMARKS") == "1";
  for (size_t I = 0; I != Args.size(); ++I) {
    if (readOption(Args, I, R))
      continue;
    const size_t First = I; // A file of options is no input.
    if (valueOf(Args, I, {"-optf", "--options-file"})) {
      for (StringRef Arg : Args.slice(First, I + 1 - First))
        R.Program.Flags.push_back(Arg.str());
      continue;
    }
    if (!Args[I].starts_with("-") && sys::fs::is_regular_file(Args[I]) &&
        Args[I] != R.Output)
      R.Inputs.push_back(Args[I].str());
    else
      R.Program.Flags.push_back(Args[I].str());
  }
  return R;
}

/// Whether ptxas makes a program for R: for an architecture of PTX, as
/// compute_90, it only reads the input.
bool makesProgram(const Request &R) {
  return StringRef(R.Program.ArchName).starts_with("sm_");
}

/// What the report has as a kernel's source: the file that Path's PTX, Text,
/// says it is from or, where it does not, its own name, without what nvcc puts
/// in front of the source's to tell temporary files apart.
std::string sourceOf(StringRef Path, StringRef Text) {
  SmallVector<StringRef, 2> Match;
  if (Regex("\n[ \t]*\\.file[ \t]+1[ \t]+\"([^\"]+)\"").match(Text, &Match))
    return Match[1].str();
  std::string Name = sys::path::filename(Path).str();
  return Regex("^tmpxft_[0-9a-f_]+-[0-9]+_").sub("", Name);
}

/// Tells Why kernels of R are not held to a cap, if one is stated.
void warnOfCap(const Request &R, StringRef Why) {
  if (R.StatesCap && !Why.empty())
    WithColor::warning(errs(), "regdem-ptxas")
        << "kernels are not held to REGDEM_MAX_REGS or REGDEM_MIN_BLOCKS: "
        << Why << "\n";
}

/// Tells of S, which has become of R.
void tell(const Request &R, const Options &O, const SettledPtx &S) {
  for (const std::string &Warning : S.Warnings)
    WithColor::warning(errs(), "regdem-ptxas") << Warning << "\n";
  warnOfCap(R, R.Program.WhyKept);
  if (R.SaysMore) {
    if (!R.Program.WhyKept.empty())
      errs() << "regdem info    : no other builds are tried: "
             << R.Program.WhyKept << "\n";
    else
      for (const Outcome &K : S.Kernels)
        errs() << "regdem info    : " << describeDecision(K) << "\n";
    for (const Outcome &K : S.Kernels)
      if (K.Facts.HostStatesShared)
        errs() << "regdem info    : '" << shownName(K.Facts.Name)
               << "': its frame stays and values have no slots: "
               << describeObstacle({}, Obstacle::HostStatesShared) << "\n";
    for (const std::string &Note : S.Notes)
      errs() << "regdem info    : " << Note << "\n";
    for (const FrameResult &F : S.Frames)
      errs() << "regdem info    : " << describeFrame(F) << "\n";
  }
  std::string Source = sourceOf(R.Inputs.front(), R.Program.PTX);
  for (const Outcome &K : S.Kernels)
    if (Error E = appendReport(K, Source, O)) {
      WithColor::warning(errs(), "regdem-ptxas")
          << toString(std::move(E)) << "\n";
      return;
    }
}

/// What the file at Path holds.
Expected<std::string> contentsOf(StringRef Path) {
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false,
                                    /*IsVolatile=*/true);
  if (!File)
    return errorCodeToError(File.getError());
  return (*File)->getBuffer().str();
}

Expected<std::map<std::string, NotedLaunches>> readLaunches(StringRef Path) {
  Expected<std::string> Text = contentsOf(Path);
  if (!Text)
    return Text.takeError();
  return parseNotedLaunches(*Text);
}

/// Carries Record out in the program of R.
Expected<SettledPtx> carryOut(const ProgramRecord &Record, const Request &R,
                              const Ptxas &Assembler) {
  auto Finished =
      finishProgram(R.Program.Cubin, Assembler, settingsFor(Record));
  if (!Finished)
    return Finished.takeError();
  SettledPtx Settled;
  Settled.Cubin = std::move(Finished->Cubin);
  Settled.PTX = R.Program.PTX;
  Settled.Frames = std::move(Finished->Frames);
  return Settled;
}

int fail(const Twine &Problem) {
  WithColor::error(errs(), "regdem-ptxas") << Problem << "\n";
  return 1;
}

/// Writes Program where ptxas has written its own: into the same file, whose
/// folder need not be writable, and which may be a link's. An error leaves that
/// as it is; where it is lost, the run fails.
Error overwrite(StringRef Path, StringRef Program) {
  std::error_code Failure;
  raw_fd_ostream Out(Path, Failure);
  if (Failure)
    return createFileError(Path, Failure);
  Out << Program;
  Out.close();
  if (Out.has_error()) {
    int Status = fail("cannot write '" + Path + "': " + Out.error().message());
    Out.clear_error();
    std::exit(Status);
  }
  return Error::success();
}

/// Decides for the program that R names, or carries out what was decided; an
/// error leaves it as it is.
Error finish(Request &R, const Ptxas &Assembler) {
  if (!makesProgram(R) || !sys::fs::is_regular_file(R.Output))
    return Error::success();
  auto O = environmentOptions();
  if (!O)
    return O.takeError();
  if (O->RunMode == Mode::Off)
    return Error::success();
  R.StatesCap = O->MaxRegs || O->MinBlocks;
  if (!R.WhyKept.empty())
    return createStringError(R.WhyKept);
  Expected<std::string> Output = contentsOf(R.Output);
  if (!Output)
    return Output.takeError();
  R.Program.Cubin = std::move(*Output);
  if (R.Inputs.size() != 1)
    return createStringError("its PTX is not one file");
  Expected<std::string> Input = contentsOf(R.Inputs.front());
  if (!Input)
    return Input.takeError();
  R.Program.PTX = std::move(*Input);
  if (R.IsApart)
    R.Program.StatesCarveout = R.Program.StatesDynamic = true;
  else
    readHostCode(R.Inputs.front(), R.Program);
  if (!O->ProfileFile.empty()) {
    auto Launches = readLaunches(O->ProfileFile);
    if (!Launches)
      return createStringError("REGDEM_PROFILE: '" + O->ProfileFile +
                               "': " + toString(Launches.takeError()));
    R.Program.Launches = std::move(*Launches);
  }
  auto Record = readRecord(R.Program.Cubin);
  if (!Record)
    return Record.takeError();
  if (*Record && R.Program.IsRelocatable)
    return createStringError("it is to be linked yet");
  auto Settled = *Record ? carryOut(**Record, R, Assembler)
                         : settlePtx(R.Program, *O, Assembler);
  if (!Settled)
    return Settled.takeError();
  if (Settled->Cubin != R.Program.Cubin)
    if (Error E = overwrite(R.Output, Settled->Cubin))
      return E;
  tell(R, *O, *Settled);
  R.Program.PTX = std::move(Settled->PTX);
  return Error::success();
}

/// Prints the PTX that R's program is made of.
void printProgram(const Request &R) {
  if (!R.Program.PTX.empty())
    outs() << R.Program.PTX;
  else // Nothing had to be read: the program is ptxas's.
    for (const std::string &Path : R.Inputs)
      if (auto PTX = expectedToOptional(contentsOf(Path)))
        outs() << *PTX;
}

/// Prints which values Assembler spills in the kernels of the PTX files among
/// Args, its options, as a build with these options has them. Nothing else is
/// written.
Error printSpills(const Ptxas &Assembler, ArrayRef<StringRef> Args) {
  Request R = readArguments(Args);
  if (R.Inputs.empty())
    return createStringError("no file of PTX to read");
  if (R.Program.IsRelocatable)
    R.Program.Flags.push_back("-c");
  for (const std::string &Path : R.Inputs) {
    Expected<std::string> PTX = contentsOf(Path);
    if (!PTX)
      return PTX.takeError();
    // ptxas says nothing of functions.
    if (!makesProgram(R) || !StringRef(*PTX).contains(".entry"))
      continue;
    if (Error E = printSpillTables(outs(), *PTX, R.Program.ArchName,
                                   R.Program.Flags, Assembler, {}))
      return E;
  }
  return Error::success();
}

/// The ptxas to run in place of Command, or of any if that is empty.
Expected<Ptxas> stoodFor(StringRef Command) {
  if (auto Caller = sys::Process::GetEnv(StandInVariable))
    return createStringError("'" + *Caller +
                             "' runs regdem-ptxas again: set "
                             "REGDEM_PTXAS to the path of ptxas itself");
  auto Chosen = Ptxas::chooseStoodFor(Command);
  if (!Chosen)
    return Chosen.takeError();
  if (!*Chosen)
    return createStringError(
        "no ptxas was found: set REGDEM_PTXAS to its path");
  return std::move(**Chosen);
}

} // namespace

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  std::signal(SIGXFSZ, SIG_IGN); // RegDem's own files fail then, one by one.
  // No other file is to get the number of a standard one that is closed.
  if (std::error_code Error = sys::Process::FixupStandardFileDescriptors())
    return fail(Error.message());
  scope_exit Forget([] { // The status is ptxas's.
    outs().flush();
    outs().clear_error();
    errs().clear_error();
  });
  SmallVector<StringRef, 32> Args(Argv, Argv + Argc);
  StringRef Command;
  if (Args.size() > 2 && Args[1] == "--in-place-of") {
    Command = Args[2];
    Args.erase(Args.begin() + 1, Args.begin() + 3);
  }
  Expected<Ptxas> Assembler = stoodFor(Command);
  if (!Assembler)
    return fail(toString(Assembler.takeError()));
  std::string Program = Assembler->path().str();
  setenv(StandInVariable, Program.c_str(), /*replace=*/true);
  Args[0] = Program;
  if (auto *Print = find(Args, "--print=spills"); Print != Args.end()) {
    Args.erase(Print);
    bool MakesOutput = any_of(Args, statesOutput);
    if (Error E = printSpills(*Assembler, ArrayRef(Args).drop_front())) {
      std::string Why = "--print=spills: " + toString(std::move(E));
      if (!MakesOutput)
        return fail(Why);
      WithColor::warning(errs(), "regdem-ptxas") << Why << "\n";
    }
    if (!MakesOutput)
      return 0;
  }
  auto *Print = find(Args, "--print=ptx");
  bool PrintsPTX = Print != Args.end();
  if (PrintsPTX)
    Args.erase(Print);
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(Program, Args, std::nullopt, {}, 0, 0, &Problem);
  if (Status < 0)
    return fail("cannot run '" + Program + "': " + Problem);
  if (Status)
    return Status;
  if (is_contained(Args, "--help") || is_contained(Args, "-h")) {
    outs() << HelpOnVariables << R"(
--print=spills                says which values ptxas spills
--print=ptx                   prints the PTX that the program is made of
)";
    return 0;
  }
  if (is_contained(Args, "--version") || is_contained(Args, "-V")) {
    // Last, and without a release: scripts read ptxas's from what is printed.
    outs() << "RegDem " REGDEM_VERSION " in place of ptxas\n";
    return 0;
  }
  Request R = readArguments(ArrayRef(Args).drop_front());
  R.IsApart = !Command.empty() && !sys::Process::GetEnv("REGDEM_NVCC_RUNS");
  std::string Why = toString(finish(R, *Assembler));
  if (StringRef(Why).starts_with("REGDEM_")) // A value that cannot be.
    WithColor::warning(errs(), "regdem-ptxas") << Why << "\n";
  else if (R.StatesCap)
    warnOfCap(R, Why);
  else if (R.SaysMore && !Why.empty())
    errs() << "regdem info    : left as ptxas made it: " << Why << "\n";
  if (PrintsPTX)
    printProgram(R);
  return 0;
}
