//===- regdem-ptxas.cpp - ptxas, and then frames move to shared memory ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes ptxas's command line and hands it to ptxas as it is; then the program
// that ptxas has written is finished in place. Whatever keeps a frame where it
// is, or goes wrong after ptxas, leaves ptxas's own output: the exit status and
// the messages are ptxas's. With -v a line says what became of each frame.
//
//   --in-place-of COMMAND …  takes the command line after its own option: the
//                            ptxas that the shell would start is the one to run
//
//   REGDEM_PTXAS=PATH        the ptxas to run (default: that of COMMAND, or the
//                            first that llc with RegDem finds)
//   REGDEM_REMARKS=1         the lines of -v without it
//   REGDEM_FINISH=auto|on|off  move what is expected to pay (default), all
//                            that can be moved, or nothing
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Builds/ProgramRecord.h"
#include "regdem/Decision/Choice/FrameChoice.h"
#include "regdem/Emission/Messages.h"
#include "regdem/Finish/Finisher.h"
#include "regdem/Finish/PtxPromises.h"
#include "regdem/Toolchain/NeededTool.h"
#include "regdem/Toolchain/PtxasStandIn.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace regdem;

namespace {

/// By this note copies of the file are known (PtxasStandIn.h).
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
  bool SaysMore = false; ///< A line says what became of each frame.
  std::string WhyKept;   ///< Why no frame may move; empty: some may.
};

/// The value of an option that has one of Names, as ptxas takes it: joined by
/// "=", or the next argument, which I then points to.
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

Request readArguments(ArrayRef<StringRef> Args) {
  static const StringMap<const char *> Keeping = {
      {"-c", "it is to be linked yet"},
      {"--compile-only", "it is to be linked yet"},
      {"-g", "it is for a debugger"},
      {"--device-debug", "it is for a debugger"}};
  Request R;
  R.SaysMore = sys::Process::GetEnv("REGDEM_REMARKS") == "1";
  for (size_t I = 0; I != Args.size(); ++I) {
    if (auto Output = valueOf(Args, I, {"-o", "--output-file"}))
      R.Output = Output->str();
    R.SaysMore |= Args[I] == "-v" || Args[I] == "--verbose";
    if (auto Why = Keeping.find(Args[I]); Why != Keeping.end())
      R.WhyKept = (Twine(Why->second) + " (" + Args[I] + ")").str();
    if (!Args[I].starts_with("-") && sys::fs::is_regular_file(Args[I]) &&
        Args[I] != R.Output)
      R.Inputs.push_back(Args[I].str());
  }
  return R;
}

/// What the PTX that ptxas has assembled promises. A file that cannot be read
/// or that ptxas has not read as PTX promises nothing.
ProgramPromises promisesIn(ArrayRef<std::string> Inputs) {
  ProgramPromises Promised;
  for (const std::string &Path : Inputs)
    if (auto Text = MemoryBuffer::getFile(Path))
      addPromisesOf((*Text)->getBuffer(), Promised);
  return Promised;
}

/// Finishes the program that R names; an error leaves it as it is.
Error finish(const Request &R, StringRef Setting, const Ptxas &Assembler) {
  if (!sys::fs::is_regular_file(R.Output))
    return Error::success();
  auto Input = MemoryBuffer::getFile(R.Output, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false,
                                     /*IsVolatile=*/true);
  if (!Input)
    return errorCodeToError(Input.getError());
  auto Reader = need<Disassembler>("auto", "no nvdisasm was found");
  if (!Reader)
    return Reader.takeError();
  auto Record = readRecord((*Input)->getBuffer());
  if (!Record)
    return Record.takeError();
  FinishSettings Settings;
  if (*Record) {
    Settings = settingsFor(**Record);
  } else {
    Settings.Promised = promisesIn(R.Inputs);
    if (Setting != "on")
      Settings.Choose = chooseMove;
  }
  auto Finished =
      finishProgram((*Input)->getBuffer(), Assembler, *Reader, Settings);
  if (!Finished)
    return Finished.takeError();
  if (R.SaysMore)
    for (const FrameResult &F : Finished->Frames)
      errs() << "regdem info    : " << describeFrame(F) << "\n";
  if (Finished->Cubin == (*Input)->getBuffer())
    return Error::success();
  return writeToOutput(R.Output, [&](raw_ostream &Out) {
    Out << Finished->Cubin;
    return Error::success();
  });
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
  SmallVector<StringRef, 32> Args(Argv, Argv + Argc);
  StringRef Command;
  if (Args.size() > 2 && Args[1] == "--in-place-of") {
    Command = Args[2];
    Args.erase(Args.begin() + 1, Args.begin() + 3);
  }
  Expected<Ptxas> Assembler = stoodFor(Command);
  if (!Assembler) {
    WithColor::error(errs(), "regdem-ptxas")
        << toString(Assembler.takeError()) << "\n";
    return 1;
  }
  std::string Program = Assembler->path().str();
  setenv(StandInVariable, Program.c_str(), /*replace=*/true);
  Args[0] = Program;
  std::string Problem;
  int Status =
      sys::ExecuteAndWait(Program, Args, std::nullopt, {}, 0, 0, &Problem);
  if (Status < 0)
    WithColor::error(errs(), "regdem-ptxas")
        << "cannot run '" << Program << "': " << Problem << "\n";
  if (Status)
    return Status < 0 ? 1 : Status;
  std::string Setting = sys::Process::GetEnv("REGDEM_FINISH").value_or("auto");
  if (Setting != "auto" && Setting != "on" && Setting != "off")
    WithColor::warning(errs(), "regdem-ptxas")
        << "REGDEM_FINISH is neither auto, on nor off: taken for auto\n";
  Request R = readArguments(ArrayRef(Args).drop_front());
  if (Setting == "off")
    return 0;
  std::string Why = R.WhyKept;
  if (Why.empty())
    Why = toString(finish(R, Setting, *Assembler));
  if (R.SaysMore && !Why.empty())
    errs() << "regdem info    : frames stay in local memory: " << Why << "\n";
  return 0;
}
