//===- Invocation.cpp - what is known of the run of ptxas to come ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Invocation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/xxhash.h"
#include <link.h>
#include <unistd.h>

using namespace llvm;

namespace regdem {

/// The command line of a process, from the file that Linux keeps of it.
static std::vector<std::string> commandLineOf(const Twine &Process) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File =
      MemoryBuffer::getFileAsStream("/proc/" + Process + "/cmdline");
  if (!File)
    return {};
  // Each argument ends with a NUL.
  StringRef Text = (*File)->getBuffer();
  Text.consume_back(StringRef("\0", 1));
  SmallVector<StringRef, 128> Args;
  Text.split(Args, '\0');
  return std::vector<std::string>(Args.begin(), Args.end());
}

const Invocation &readInvocation() {
  static const Invocation Read = {commandLineOf("self"),
                                  commandLineOf(Twine(getppid()))};
  return Read;
}

// dladdr() would look through all symbols of LLVM besides.
std::string fileOf(const void *Address) {
  struct Search {
    ElfW(Addr) Wanted;
    std::string Found;
  } S{reinterpret_cast<ElfW(Addr)>(Address), ""};
  dl_iterate_phdr(
      [](dl_phdr_info *Object, size_t, void *Data) {
        auto &S = *static_cast<Search *>(Data);
        for (unsigned I = 0; I != Object->dlpi_phnum; ++I) {
          const auto &Segment = Object->dlpi_phdr[I];
          ElfW(Addr) Start = Object->dlpi_addr + Segment.p_vaddr;
          if (Segment.p_type == PT_LOAD && S.Wanted >= Start &&
              S.Wanted - Start < Segment.p_memsz)
            S.Found =
                Object->dlpi_name[0] ? Object->dlpi_name : "/proc/self/exe";
        }
        return int(!S.Found.empty());
      },
      &S);
  return S.Found;
}

StringRef lastValueOf(ArrayRef<std::string> Args, StringRef Flag) {
  for (size_t I = Args.size(); I-- > 1;)
    if (Args[I - 1] == Flag)
      return Args[I];
  return "";
}

/// Whether the driver made Path up for a job's result.
static bool isTemporary(StringRef Path, StringRef TempDir) {
  static const char *Pattern = "-[0-9a-f]{6}\\.s$";
  while (TempDir.size() > 1 && sys::path::is_separator(TempDir.back()))
    TempDir = TempDir.drop_back(); // TMPDIR=/tmp/
  return sys::path::parent_path(Path) == TempDir &&
         Regex(Pattern).match(sys::path::filename(Path));
}

static bool isArgumentFile(StringRef Arg) { return Arg.starts_with("@"); }

/// An option of the compiler proper that goes with other flags of ptxas, or
/// with none of its runs.
static bool speaksAgainst(StringRef Arg) {
  return isArgumentFile(Arg) || Arg.starts_with("-emit-") ||
         (Arg.consume_front("-debug-info-kind=") &&
          Arg != "line-directives-only");
}

/// A flag of ptxas that is known to say nothing about the form of its result.
static bool isHarmlessFlag(StringRef Flag) {
  return Flag == "-v" || Flag == "--verbose" || Flag.starts_with("-O") ||
         Flag.starts_with("-warn-") || Flag.starts_with("--warn-");
}

/// Whether the driver's command line may give ptxas a flag that changes what
/// it makes, or has the PTX kept for the GPU driver to assemble.
static bool driverSpeaksAgainst(ArrayRef<std::string> Driver) {
  for (size_t I = 0; I != Driver.size(); ++I)
    if (isArgumentFile(Driver[I]) ||
        StringRef(Driver[I]).starts_with("--cuda-include-ptx") ||
        (Driver[I] == "-Xcuda-ptxas" &&
         (I + 1 == Driver.size() || !isHarmlessFlag(Driver[I + 1]))))
      return true;
  return false;
}

/// The driver's command line. It compiles in its own process where that is the
/// only job.
static ArrayRef<std::string> driverOf(const Invocation &I) {
  bool IsSpawned = I.Own.size() > 1 && I.Own[1] == "-cc1";
  return IsSpawned ? I.Parent : I.Own;
}

bool isClang(const Invocation &I) {
  return !I.Own.empty() &&
         (sys::path::filename(I.Own.front()).starts_with("clang") ||
          (I.Own.size() > 1 && I.Own[1] == "-cc1")); // Of another name.
}

bool isPtxas(const Invocation &I) {
  return !I.Own.empty() &&
         sys::path::filename(I.Own.front()).ends_with("ptxas");
}

/// Args with what files of arguments (@FILE) say in their places; none where
/// one cannot be read.
static std::optional<std::vector<std::string>>
expanded(ArrayRef<std::string> Args) {
  BumpPtrAllocator Storage;
  SmallVector<const char *, 128> Texts;
  for (const std::string &Arg : Args)
    Texts.push_back(Arg.c_str());
  cl::ExpansionContext Expansion(Storage, cl::TokenizeGNUCommandLine);
  if (errorToBool(Expansion.expandResponseFiles(Texts)))
    return std::nullopt;
  return std::vector<std::string>(Texts.begin(), Texts.end());
}

std::vector<std::string> driverArguments(const Invocation &I) {
  ArrayRef<std::string> Driver = driverOf(I);
  return expanded(Driver).value_or(Driver.vec());
}

/// The flags that the driver of I hands to ptxas: -Xcuda-ptxas has no other
/// spelling (clang's Options.td), and -Xarch_ takes no option with a value. The
/// last -O1 is ptxas's, too; all other levels come to its default.
static std::vector<std::string> ptxasArguments(const Invocation &I) {
  std::vector<std::string> Driver = driverArguments(I), Flags;
  bool IsLevelOne = false;
  for (size_t J = 1; J < Driver.size(); ++J)
    if (Driver[J - 1] == "-Xcuda-ptxas")
      Flags.push_back(Driver[J++]);
    else if (StringRef(Driver[J]).starts_with("-O") &&
             Driver[J - 1] != "-Xarch_host")
      IsLevelOne = Driver[J] == "-O1";
  if (IsLevelOne && isClang(I))
    Flags.insert(Flags.begin(), "-O1");
  return Flags;
}

/// Whether Flag of ptxas is Name, perhaps joined with its value.
static bool isFlag(StringRef Flag, StringRef Name) {
  return Flag.consume_front(Name) && (Flag.empty() || Flag.starts_with("="));
}

unsigned statedRegisterCap(const Invocation &I) {
  std::vector<std::string> Flags = ptxasArguments(I);
  unsigned Cap = 0;
  for (size_t J = 0; J != Flags.size(); ++J) {
    StringRef Value;
    if (!isFlag(Flags[J], "-maxrregcount") &&
        !isFlag(Flags[J], "--maxrregcount"))
      continue;
    if (StringRef(Flags[J]).contains('='))
      Value = StringRef(Flags[J]).split('=').second;
    else if (J + 1 != Flags.size())
      Value = Flags[J + 1];
    if (unsigned Number; !Value.getAsInteger(0, Number))
      Cap = Number;
  }
  return Cap;
}

std::vector<std::string> trialFlags(const Invocation &I) {
  static constexpr StringLiteral Alone[] = {
      "-v", "--verbose",      "-c",        "--compile-only",
      "-g", "--device-debug", "-lineinfo", "--generate-line-info"};
  static constexpr StringLiteral WithValue[] = {
      "-o",      "--output-file", "-e",
      "--entry", "-maxrregcount", "--maxrregcount"};
  std::vector<std::string> Flags = ptxasArguments(I), Result;
  for (size_t J = 0; J < Flags.size(); ++J) {
    const std::string &Flag = Flags[J];
    if (any_of(WithValue, [&](StringRef N) { return isFlag(Flag, N); }))
      J += !StringRef(Flag).contains('=');
    else if (!is_contained(Alone, StringRef(Flag)))
      Result.push_back(Flag);
  }
  return Result;
}

std::optional<std::vector<std::string>> llvmOptions(const Invocation &I) {
  if (I.Own.empty())
    return std::nullopt;
  std::optional<std::vector<std::string>> Read = expanded(I.Own);
  if (!Read)
    return std::nullopt;
  ArrayRef<std::string> Args = *Read;
  std::vector<std::string> Options;
  for (size_t J = 1; J < Args.size(); ++J) {
    StringRef Arg = Args[J];
    if (isArgumentFile(Arg))
      return std::nullopt;
    if (!isClang(I)) {
      if (Arg.starts_with("-") && Arg != "-o")
        Options.push_back(Arg.str());
      continue;
    }
    if (Arg != "-mllvm")
      continue;
    ++J;
    if (J < Args.size() && StringRef(Args[J]) == "-Xclang")
      ++J;
    if (J < Args.size())
      Options.push_back(Args[J]);
  }
  return Options;
}

/// Whether Arg, for one side alone, is about nothing but the code that is
/// generated for it: not about its source, plugins or linking, and both sides
/// are optimized.
static bool isAboutCodeAlone(StringRef Arg) {
  static constexpr StringLiteral Others[] = {"-fpass-plugin", "-fplugin",
                                             "-fgpu-rdc",     "-fno-gpu-rdc",
                                             "-fsyntax-only", "-O0"};
  static constexpr StringLiteral Kinds[] = {"-f", "-m", "-O", "-g", "-W", "-w"};
  if (Arg.consume_front("-mllvm"))
    return Arg.starts_with("=") && !Arg.ltrim("=-").starts_with("regdem");
  auto StartsIt = [Arg](StringRef Prefix) { return Arg.starts_with(Prefix); };
  return any_of(Kinds, StartsIt) && none_of(Others, StartsIt);
}

bool compilesHostAlike(const Invocation &I) {
  ArrayRef<std::string> Driver = driverOf(I);
  for (size_t J = 0; J != Driver.size(); ++J) {
    StringRef Arg = Driver[J];
    // The host's side does not read compressed programs, nor those that are for
    // a debugger or not made yet.
    bool IsCompressed = J && StringRef(Driver[J - 1]) == "-Xcuda-fatbinary" &&
                        Arg.contains("compress");
    bool IsOther = is_contained({"--cuda-device-only", "--offload-device-only",
                                 "--cuda-noopt-device-debug", "-foffload-lto"},
                                Arg.split('=').first);
    if (isArgumentFile(Arg) || IsOther || IsCompressed)
      return false;
    if (!Arg.starts_with("-Xarch_"))
      continue;
    if (J + 1 == Driver.size() || !isAboutCodeAlone(Driver[J + 1]))
      return false;
    ++J;
  }
  return true;
}

bool isRelocatable(const Invocation &I) {
  return is_contained(I.Own, "-fgpu-rdc");
}

std::string compilationName(const Invocation &I) {
  auto Its =
      find_if(I.Own, [](StringRef Arg) { return Arg.starts_with("-cuid="); });
  return Its == I.Own.end()
             ? ""
             : utohexstr(xxh3_64bits(
                   *Its + " " + lastValueOf(I.Own, "-main-file-name").str()));
}

bool endsInPtxas(const Invocation &I, StringRef TempDir) {
  if (I.Own.size() < 2 || I.Own[1] != "-cc1" || I.Parent.empty())
    return false;
  return is_contained(I.Own, "-fcuda-is-device") && is_contained(I.Own, "-S") &&
         is_contained(I.Own, "--offload-new-driver") &&
         lastValueOf(I.Own, "-x") == "cuda" &&
         isTemporary(lastValueOf(I.Own, "-o"), TempDir) &&
         none_of(I.Own, speaksAgainst) && !driverSpeaksAgainst(I.Parent);
}

/// Whether endsInPtxas() holds of this process.
static bool runEndsInPtxas() {
  SmallString<64> TempDir;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, TempDir);
  return endsInPtxas(readInvocation(), TempDir);
}

bool runIsRelocatable() { return isRelocatable(readInvocation()); }

bool runEndsInPlainPtxas() { return runEndsInPtxas() && !runIsRelocatable(); }

bool runHasHost() {
  return runEndsInPtxas() && compilesHostAlike(readInvocation());
}

} // namespace regdem
