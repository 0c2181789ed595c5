//===- regdem-finish.cpp - move frames of a file to shared memory ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file with GPU programs (ProgramFile.h) in, the same with moved frames out.
// Exit status 1, and no output, if the input cannot be read; a kernel whose
// frame has to stay is no error. A program of several that cannot be finished
// stays as it is, with a warning.
//
//===----------------------------------------------------------------------===//

#include "ProgramFile.h"
#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/Decision/Choice/FrameChoice.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Finish/Finisher.h"
#include "regdem/Options.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <csignal>
#include <limits>

using namespace llvm;
using namespace regdem;

static cl::OptionCategory Category("regdem-finish options");
static cl::opt<std::string> InputFile(cl::Positional, cl::Required,
                                      cl::desc("<file>"), cl::cat(Category));
static cl::opt<std::string> OutputFile("o", cl::desc("Output file"),
                                       cl::value_desc("file"),
                                       cl::cat(Category));
static cl::opt<bool> Print("print",
                           cl::desc("Print what each frame holds and "
                                    "what became of it"),
                           cl::cat(Category));
static cl::opt<std::string>
    ReportFile("report", cl::desc("Append a JSON object for each frame"),
               cl::value_desc("file"), cl::cat(Category));
static cl::opt<std::string> PtxasSetting("ptxas",
                                         cl::desc("Assembler: auto or a path"),
                                         cl::init("auto"), cl::cat(Category));

static cl::opt<uint64_t> DynamicSmem(
    "dynamic-smem",
    cl::desc("Bytes of dynamic shared memory that launches have at most"),
    cl::cat(Category));
static cl::opt<bool>
    MoveAll("all",
            cl::desc("Move all frames that can be, whether it pays or not"),
            cl::cat(Category));
static cl::opt<unsigned> MinBlocks(
    "min-blocks",
    cl::desc("Blocks that an SM must hold with moved frames (default: as many "
             "as before)"),
    cl::value_desc("blocks"), cl::cat(Category));
static cl::opt<uint64_t> PartBytes(
    "part",
    cl::desc("Move the places of each frame that are accessed most, as many "
             "as take so many bytes a thread"),
    cl::value_desc("bytes"), cl::cat(Category));
static cl::opt<unsigned> AtEnd(
    "at-end",
    cl::desc("Put the frames to the end of dynamic shared memory, to which "
             "launches of at most so many threads a block add their room"),
    cl::value_desc("threads"), cl::cat(Category));
static cl::opt<uint64_t>
    SharedLimit("shared-limit",
                cl::desc("Bytes of shared memory that a block may have "
                         "(default: as many as drivers accept)"),
                cl::cat(Category));

/// The share of its time that each kernel is expected to save, by its name.
using ExpectedGains = StringMap<double>;

static constexpr std::pair<StringLiteral, unsigned FrameResult::*> Numbers[] = {
    {"registers", &FrameResult::Registers},
    {"frame_bytes", &FrameResult::FrameBytes},
    {"loads", &FrameResult::Loads},
    {"stores", &FrameResult::Stores},
    {"indexed", &FrameResult::Indexed},
    {"threads", &FrameResult::Threads},
    {"widest", &FrameResult::Widest},
    {"moved_bytes", &FrameResult::MovedBytes},
    {"staying_load_bytes", &FrameResult::StayingLoadBytes},
    {"staying_store_bytes", &FrameResult::StayingStoreBytes},
    {"blocks_per_sm_before", &FrameResult::BlocksBefore},
    {"blocks_per_sm_after", &FrameResult::BlocksAfter},
};

static constexpr std::pair<StringLiteral, uint64_t FrameResult::*> Sizes[] = {
    {"stride", &FrameResult::Stride},
    {"shared_before", &FrameResult::SharedBefore},
    {"shared_after", &FrameResult::SharedAfter},
    {"dynamic_shared", &FrameResult::DynamicShared},
};

static json::Object toJSON(const FrameResult &Frame) {
  json::Object O{{"kernel", Frame.Kernel},
                 {"arch", Frame.Arch},
                 {"moved", Frame.Moved},
                 {"at_end", Frame.AtEnd},
                 {"reason", Frame.Reason}};
  for (auto [Key, Number] : Numbers)
    O[Key] = Frame.*Number;
  for (auto [Key, Size] : Sizes)
    O[Key] = Frame.*Size;
  return O;
}

static void report(raw_ostream &Out, ArrayRef<FrameResult> Frames,
                   const ExpectedGains &Gains) {
  for (const FrameResult &R : Frames) {
    json::Object Line = toJSON(R);
    if (auto Gain = Gains.find(R.Kernel); Gain != Gains.end())
      Line["expected_gain"] = std::round(1000 * Gain->second) / 10;
    Out << json::Value(std::move(Line)) << "\n";
  }
}

/// What is stated for Cubin, by its record or the command line; without a
/// record Choose decides.
static Expected<FinishSettings> settingsOf(StringRef Cubin, ChooseWay Choose) {
  FinishSettings Settings;
  Settings.Choose = Choose;
  if (AtEnd) {
    auto Figures = figuresOfKernels(Cubin);
    if (!Figures)
      return Figures.takeError();
    for (const auto &[Kernel, Its] : *Figures)
      if (Its.FrameBytes)
        Settings.Orders[Kernel] = {FrameOrder::AtEnd, AtEnd, /*Stride=*/0};
  }
  if (PartBytes.getNumOccurrences())
    Settings.PartBytes = PartBytes;
  else if (MoveAll)
    Settings.PartBytes = std::numeric_limits<uint64_t>::max();
  Promises &Promised = Settings.Promised.Others;
  // A cubin does not say what its launch bounds ask for: all that there are.
  Promised.BlocksPerSM =
      MinBlocks.getNumOccurrences() ? MinBlocks : MinBlocksRange.High;
  if (DynamicSmem.getNumOccurrences())
    Promised.DynamicShared = DynamicSmem;
  auto Record = readRecord(Cubin);
  if (!Record)
    return Record.takeError();
  // What was decided is carried out, as far as what is stated here allows.
  if (*Record) {
    Settings = settingsFor(**Record);
    for (auto &[Kernel, Its] : Settings.Promised.Named) {
      if (DynamicSmem.getNumOccurrences())
        Its.DynamicShared =
            std::max<uint64_t>(Its.DynamicShared.value_or(0), DynamicSmem);
      if (MinBlocks.getNumOccurrences())
        Its.BlocksPerSM = std::max<unsigned>(Its.BlocksPerSM, MinBlocks);
    }
    if (MoveAll || AtEnd || PartBytes.getNumOccurrences())
      WithColor::warning(errs(), "regdem-finish")
          << "the program says what is to move: --all, --at-end and --part "
             "have no effect\n";
  }
  if (SharedLimit.getNumOccurrences())
    Settings.SharedLimit = SharedLimit;
  return Settings;
}

/// Finishes program I of File, and tells Report, unless it is null, what became
/// of its frames.
static Error finishOne(ProgramFile &File, size_t I, const Ptxas &Assembler,
                       raw_ostream *Report) {
  ExpectedGains Gains;
  auto Choose = [&](ArrayRef<FrameResult> Ways,
                    const SassKernel &Code) -> Expected<size_t> {
    std::vector<MoveForecast> Forecasts;
    if (!MoveAll || Report)
      Forecasts = forecastMoves(Ways, Code);
    Expected<size_t> Chosen =
        MoveAll ? Expected<size_t>(0) : chooseByForecast(Ways, Forecasts);
    if (!Forecasts.empty())
      Gains[Ways.front().Kernel] = Forecasts[Chosen ? *Chosen : 0].Gain;
    return Chosen;
  };
  Expected<std::string> Cubin = File.cubin(I);
  if (!Cubin)
    return Cubin.takeError();
  Expected<FinishSettings> Settings = settingsOf(*Cubin, Choose);
  if (!Settings)
    return Settings.takeError();
  auto Finished = finishProgram(*Cubin, Assembler, *Settings);
  if (!Finished)
    return Finished.takeError();
  if (Finished->Cubin != *Cubin)
    if (Error E = File.replace(I, Finished->Cubin))
      return E;
  if (Print) // Beside the program.
    for (const FrameResult &R : Finished->Frames)
      (OutputFile == "-" ? errs() : outs()) << describeFrame(R) << "\n";
  if (Report)
    report(*Report, Finished->Frames, Gains);
  return Error::success();
}

/// Success unless there was a Problem with Path.
static Error written(StringRef Path, std::error_code Problem) {
  return Problem ? createStringError("cannot write '" + Path +
                                     "': " + Problem.message())
                 : Error::success();
}

/// Success if all that went to Out has been written.
static std::error_code finish(raw_fd_ostream &Out) {
  Out.flush();
  std::error_code Problem = Out.error();
  Out.clear_error();
  return Problem;
}

/// Writes Bytes to what is at Path, which stays what it is.
static std::error_code writeInto(StringRef Path, StringRef Bytes) {
  std::error_code Problem;
  raw_fd_ostream Out(Path, Problem);
  if (Problem)
    return Problem;
  Out << Bytes;
  return finish(Out);
}

/// Makes Bytes the file at Path, all of them or none, with the rights that it
/// has or else those of the input.
static std::error_code replaceFile(StringRef Path, StringRef Bytes) {
  bool Exists = sys::fs::exists(Path);
  auto Rights = sys::fs::getPermissions(Exists ? Path : StringRef(InputFile));
  if (!Rights)
    return Rights.getError();
  auto Mode = *Rights & sys::fs::all_all;
  auto Temporary = sys::fs::TempFile::create(Path + ".%%%%%%", Mode);
  if (!Temporary)
    return errorToErrorCode(Temporary.takeError());
  std::error_code Problem;
  {
    raw_fd_ostream Out(Temporary->FD, /*shouldClose=*/false);
    Out << Bytes;
    Problem = finish(Out);
  }
  if (Problem) {
    consumeError(Temporary->discard());
    return Problem;
  }
  if (Error E = Temporary->keep(Path))
    return errorToErrorCode(std::move(E));
  // The umask says nothing of a file that was there.
  return Exists ? sys::fs::setPermissions(Path, Mode) : std::error_code();
}

/// Whether the output is a device, a pipe or a link.
static bool isOutputKept() {
  return OutputFile == "-" || (sys::fs::exists(OutputFile) &&
                               (!sys::fs::is_regular_file(OutputFile) ||
                                sys::fs::is_symlink_file(OutputFile)));
}

static Error run() {
  Expected<ProgramFile> File = ProgramFile::read(InputFile);
  if (!File)
    return File.takeError();
  if (OutputFile.empty() && ReportFile.empty() && !Print)
    return createStringError("nothing to do: name an output (-o), or ask for "
                             "--print or --report");
  auto Assembler =
      needPtxas(PtxasSetting, "no ptxas was found: state its path");
  if (!Assembler)
    return Assembler.takeError();
  std::optional<raw_fd_ostream> Report;
  if (!ReportFile.empty()) {
    std::error_code Problem;
    Report.emplace(ReportFile, Problem, sys::fs::OF_Append);
    if (Problem)
      return written(ReportFile, Problem);
  }
  for (size_t I = 0; I != File->size(); ++I)
    if (Error E =
            finishOne(*File, I, *Assembler, Report ? &*Report : nullptr)) {
      if (File->isCubin())
        return createStringError("'" + InputFile +
                                 "': " + toString(std::move(E)));
      WithColor::warning(errs(), "regdem-finish")
          << "program " << I + 1 << " of " << File->size()
          << " stays: " << toString(std::move(E)) << "\n";
    }
  if (Report)
    if (std::error_code Problem = finish(*Report))
      return written(ReportFile, Problem);
  if (std::error_code Problem = finish(outs()))
    return written("standard output", Problem);
  if (OutputFile.empty())
    return Error::success();
  return written(OutputFile, isOutputKept()
                                 ? writeInto(OutputFile, File->bytes())
                                 : replaceFile(OutputFile, File->bytes()));
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  std::signal(SIGXFSZ, SIG_IGN); // A write beyond the limit fails.
  if (sys::Process::FixupStandardFileDescriptors())
    return 1;
  cl::HideUnrelatedOptions(Category);
  cl::SetVersionPrinter([](raw_ostream &OS) {
    OS << "regdem-finish " << REGDEM_VERSION << " (LLVM " << LLVM_VERSION_STRING
       << ")\n";
  });
  cl::ParseCommandLineOptions(
      Argc, Argv,
      "moves what a GPU program keeps in local memory to shared memory\n");
  if (Error E = run()) {
    WithColor::error(errs(), "regdem-finish") << toString(std::move(E)) << "\n";
    return 1;
  }
  return 0;
}
