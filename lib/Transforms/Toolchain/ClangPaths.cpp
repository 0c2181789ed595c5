//===- ClangPaths.cpp - where clang finds CUDA's programs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClangPaths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace regdem {

namespace {

/// What the driver's command line says of where programs are.
struct PathOptions {
  std::optional<std::string> Ptxas;   ///< --ptxas-path
  std::optional<std::string> Toolkit; ///< --cuda-path
  std::string Root;                   ///< --sysroot
  std::vector<std::string> Prefixes;  ///< -B
  bool IgnoresPath = false;           ///< --cuda-path-ignore-env
  bool NeedsLibrary = true;           ///< Not with -nocudalib.
};

/// Whether the argument after Arg is no option of the driver's own.
bool handsOn(StringRef Arg) {
  return Arg == "-mllvm" || Arg == "-Xclang" || Arg == "-Xlinker" ||
         Arg == "-Xassembler" || Arg == "-Xpreprocessor" ||
         Arg == "-Xcuda-ptxas" || Arg == "-Xcuda-fatbinary";
}

/// Whether `-Xarch_…` Arg is for the device code of GPU ("sm_90").
bool isForDevice(StringRef Arg, StringRef GPU) {
  Arg.consume_front("-Xarch_");
  return Arg == "device" || Arg == "nvptx64" || Arg == GPU;
}

PathOptions readOptions(const Invocation &I) {
  PathOptions O;
  std::vector<std::string> Args = driverArguments(I);
  for (size_t J = 1; J < Args.size(); ++J) {
    StringRef Arg = Args[J];
    bool HasNext = J + 1 != Args.size();
    if (handsOn(Arg)) {
      ++J;
    } else if (Arg.starts_with("-Xarch_") && HasNext) {
      // The toolkit is looked for before these take effect.
      StringRef Value = Args[++J];
      if (isForDevice(Arg, lastValueOf(I.Own, "-target-cpu")) &&
          Value.consume_front("--ptxas-path="))
        O.Ptxas = Value.str();
    } else if (Arg.consume_front("--ptxas-path=")) {
      O.Ptxas = Arg.str();
    } else if (Arg.consume_front("--cuda-path=")) {
      O.Toolkit = Arg.str();
    } else if (Arg.consume_front("--sysroot=")) {
      O.Root = Arg.str();
    } else if (Arg == "--sysroot" && HasNext) {
      O.Root = Args[++J];
    } else if ((Arg == "-B" || Arg == "--prefix") && HasNext) {
      O.Prefixes.push_back(Args[++J]);
    } else if (Arg.consume_front("--prefix=") || Arg.consume_front("-B")) {
      O.Prefixes.push_back(Arg.str());
    } else if (Arg == "--cuda-path-ignore-env") {
      O.IgnoresPath = true;
    } else if (is_contained({"-nocudalib", "-nogpulib", "--no-offloadlib"},
                            Arg)) {
      O.NeedsLibrary = false;
    } else if (Arg == "--offloadlib") {
      O.NeedsLibrary = true;
    }
  }
  return O;
}

/// Whether a toolkit stands at Folder. MustHaveLibrary: even where the library
/// is not linked.
bool isToolkit(const std::string &Folder, const PathOptions &O,
               bool MustHaveLibrary) {
  auto Has = [&](StringRef Path) {
    return sys::fs::exists(Twine(Folder) + Path);
  };
  return !Folder.empty() && Has("/include") && Has("/bin") &&
         (!MustHaveLibrary || Has("/nvvm/libdevice")) &&
         (!O.NeedsLibrary || Has("/nvvm/libdevice/libdevice.10.bc"));
}

/// The folder above that of the ptxas on the search path, links followed, where
/// that is called bin; empty otherwise.
std::string toolkitOnPath() {
  ErrorOr<std::string> OnPath = sys::findProgramByName("ptxas");
  SmallString<256> Path;
  if (!OnPath || sys::fs::real_path(*OnPath, Path))
    return "";
  StringRef Folder = sys::path::parent_path(Path);
  return sys::path::filename(Folder) == "bin"
             ? sys::path::parent_path(Folder).str()
             : "";
}

/// The toolkit that clang takes; empty where it finds none.
std::string toolkitOf(const PathOptions &O) {
  if (O.Toolkit)
    return isToolkit(*O.Toolkit, O, false) ? *O.Toolkit : "";
  if (std::string OnPath = O.IgnoresPath ? "" : toolkitOnPath();
      isToolkit(OnPath, O, true))
    return OnPath;
  std::vector<std::string> Usual;
  for (const char *Version : {"", "-8.0", "-7.5", "-7.0"})
    Usual.push_back(O.Root + "/usr/local/cuda" + Version);
  if (sys::fs::exists("/etc/debian_version"))
    Usual.push_back(O.Root + "/usr/lib/cuda");
  for (const std::string &Folder : Usual)
    if (isToolkit(Folder, O, false))
      return Folder;
  return "";
}

} // namespace

std::vector<std::string> clangToolPaths(const Invocation &I, StringRef Name) {
  PathOptions O = readOptions(I);
  std::string Toolkit = toolkitOf(O);
  std::vector<std::string> InToolkit;
  if (!Toolkit.empty())
    InToolkit.push_back((Toolkit + "/bin/" + Name).str());
  if (Name != "ptxas")
    return InToolkit;
  if (O.Ptxas)
    return {*O.Ptxas};
  std::vector<std::string> Paths;
  SmallVector<StringRef, 4> Prefixes(O.Prefixes.begin(), O.Prefixes.end());
  std::string More = sys::Process::GetEnv("COMPILER_PATH").value_or("");
  StringRef(More).split(Prefixes, sys::EnvPathSeparator, -1,
                        /*KeepEmpty=*/false);
  for (StringRef Prefix : Prefixes)
    Paths.push_back(
        (Prefix + (sys::fs::is_directory(Prefix) ? "/" : "") + Name).str());
  append_range(Paths, InToolkit);
  SmallString<256> Clang;
  if (!sys::fs::real_path("/proc/self/exe", Clang))
    Paths.push_back((sys::path::parent_path(Clang) + "/" + Name).str());
  if (ErrorOr<std::string> OnPath = sys::findProgramByName(Name))
    Paths.push_back(*OnPath);
  return Paths;
}

} // namespace regdem
