//===- InvocationTest.cpp - command lines and the run of ptxas --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command lines are those that clang++-22 -### prints, shortened.
//
//===----------------------------------------------------------------------===//

#include "regdem/Toolchain/Invocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace regdem;

namespace {

class InvocationTest : public testing::Test {
protected:
  Invocation I{{"/usr/lib/llvm-22/bin/clang", "-cc1", "-triple",
                "nvptx64-nvidia-cuda", "-O3", "-S", "-fcuda-is-device",
                "-target-cpu", "sm_90", "-target-feature", "+ptx88",
                "--offload-new-driver", "-o", "/tmp/k-sm_90-c3f05a.s", "-x",
                "cuda", "k.cu"},
               {"clang++-22", "-x", "cuda", "--cuda-gpu-arch=sm_90", "-O3",
                "-c", "k.cu"}};

  bool plain() const { return endsInPtxas(I, "/tmp"); }

  void add(const char *Arg) { I.Own.insert(I.Own.begin() + 2, Arg); }
  void addToDriver(const char *Arg) { I.Parent.push_back(Arg); }
  void remove(const char *Arg) { llvm::erase(I.Own, Arg); }
  void replace(const char *Old, const char *New) {
    auto It = llvm::find(I.Own, Old);
    ASSERT_NE(It, I.Own.end());
    *It = New;
  }
};

TEST_F(InvocationTest, DeviceJobOfSeveralIsPlain) { EXPECT_TRUE(plain()); }

TEST_F(InvocationTest, TemporaryFolderIsTheDrivers) {
  EXPECT_FALSE(endsInPtxas(I, "/var/tmp"));
  replace("/tmp/k-sm_90-c3f05a.s", "/var/tmp/k-sm_90-c3f05a.s");
  EXPECT_FALSE(plain());
  EXPECT_TRUE(endsInPtxas(I, "/var/tmp"));
  EXPECT_TRUE(endsInPtxas(I, "/var/tmp/"));
}

TEST_F(InvocationTest, RelocatableCodeIsKnown) {
  EXPECT_FALSE(isRelocatable(I));
  add("-fgpu-rdc");
  EXPECT_TRUE(plain());
  EXPECT_TRUE(isRelocatable(I));
}

TEST_F(InvocationTest, LineInformationIsPlain) {
  add("-debug-info-kind=line-directives-only");
  EXPECT_TRUE(plain());
}

TEST_F(InvocationTest, DebugInformationIsNot) {
  for (const char *Kind :
       {"-debug-info-kind=constructor", "-debug-info-kind=limited",
        "-debug-info-kind=line-tables-only"}) {
    add(Kind);
    EXPECT_FALSE(plain()) << Kind;
    // -Xclang may add a second one, but the driver has read the first.
    add("-debug-info-kind=line-directives-only");
    EXPECT_FALSE(plain()) << Kind;
    remove(Kind);
    EXPECT_TRUE(plain());
  }
}

TEST_F(InvocationTest, OutputThatTheUserGetsIsNot) {
  for (const char *File :
       {"k-cuda-nvptx64-nvidia-cuda-sm_90.s", "/tmp/k.s", "/tmp/a/k-c3f05a.s",
        "k-c3f05a.s", "/tmp/k-sm_90-c3f05a.o", "/tmp/k-sm_90-C3F05A.s"}) {
    replace(I.Own[13].c_str(), File);
    EXPECT_FALSE(plain()) << File;
  }
}

TEST_F(InvocationTest, OtherActionsAreNot) {
  replace("-S", "-emit-obj");
  EXPECT_FALSE(plain());
  replace("-emit-obj", "-emit-llvm");
  EXPECT_FALSE(plain());
  add("-S");
  EXPECT_FALSE(plain());
}

TEST_F(InvocationTest, OtherLanguagesAndHostCodeAreNot) {
  replace("cuda", "ir");
  EXPECT_FALSE(plain());
  replace("ir", "cuda");
  remove("-fcuda-is-device");
  EXPECT_FALSE(plain());
}

TEST_F(InvocationTest, DriverThatCompilesByItselfIsNot) {
  I.Own = {"clang++-22",
           "-x",
           "cuda",
           "--cuda-device-only",
           "-S",
           "k.cu",
           "-o",
           "/tmp/k-c3f05a.s",
           "-fcuda-is-device"};
  EXPECT_FALSE(plain());
}

TEST_F(InvocationTest, ArgumentFilesAreNot) {
  add("@/tmp/response-123456.txt");
  EXPECT_FALSE(plain());
  remove("@/tmp/response-123456.txt");
  addToDriver("@flags.rsp");
  EXPECT_FALSE(plain());
}

TEST_F(InvocationTest, FlagsForPtxasAreNotUnlessHarmless) {
  addToDriver("-Xcuda-ptxas");
  EXPECT_FALSE(plain()) << "no value";
  for (const char *Flag : {"-v", "--verbose", "-O2", "-warn-spills"}) {
    addToDriver(Flag);
    EXPECT_TRUE(plain()) << Flag;
    I.Parent.pop_back();
  }
  for (const char *Flag : {"-c", "--compile-only", "-g", "--device-debug",
                           "-rdc=true", "--something-new"}) {
    addToDriver(Flag);
    EXPECT_FALSE(plain()) << Flag;
    I.Parent.pop_back();
  }
}

TEST_F(InvocationTest, ProgramsThatCarryPtxAreNot) {
  addToDriver("--cuda-include-ptx=all");
  EXPECT_FALSE(plain());
  I.Parent.pop_back();
  remove("--offload-new-driver");
  EXPECT_FALSE(plain());
}

TEST_F(InvocationTest, NothingFollowsFromUnreadableCommandLines) {
  Invocation Full = I;
  I.Parent.clear();
  EXPECT_FALSE(plain());
  I = Full;
  I.Own.clear();
  EXPECT_FALSE(plain());
}

TEST_F(InvocationTest, OwnCommandLineIsRead) {
  Invocation Read = readInvocation();
  ASSERT_FALSE(Read.Own.empty());
  EXPECT_NE(Read.Own[0].find("regdem-unit-tests"), std::string::npos);
  EXPECT_FALSE(Read.Parent.empty());
}

TEST_F(InvocationTest, HostCodeIsCompiledAlikeUnlessTheDriverIsToldOtherwise) {
  EXPECT_TRUE(compilesHostAlike(I));
  for (const char *Arg : {"--cuda-device-only", "--offload-device-only",
                          "-Xarch_device", "-Xarch_host", "@flags"}) {
    addToDriver(Arg);
    EXPECT_FALSE(compilesHostAlike(I)) << Arg;
    I.Parent.pop_back();
  }
  addToDriver("-Xcuda-fatbinary");
  addToDriver("--compress-all");
  EXPECT_FALSE(compilesHostAlike(I));
}

TEST_F(InvocationTest, HostCodeIsCompiledAlikeIfOnlyItsCodeDiffers) {
  for (const char *Side : {"-Xarch_device", "-Xarch_host", "-Xarch_sm_90"}) {
    addToDriver(Side);
    for (const char *Arg : {"-ffast-math", "-O2", "-march=native", "-g",
                            "-mllvm=-nvptx-prec-divf32=0"}) {
      addToDriver(Arg);
      EXPECT_TRUE(compilesHostAlike(I)) << Side << " " << Arg;
      I.Parent.pop_back();
    }
    for (const char *Arg :
         {"-fpass-plugin=RegDem.so", "-fplugin=RegDem.so", "-fgpu-rdc", "-O0",
          "-mllvm", "-mllvm=-regdem-mode=off", "-Xclang", "-DBLOCK=64",
          "-include", "@flags"}) {
      addToDriver(Arg);
      EXPECT_FALSE(compilesHostAlike(I)) << Side << " " << Arg;
      I.Parent.pop_back();
    }
    I.Parent.pop_back();
  }
}

TEST_F(InvocationTest, RegisterCapOfTheDriverIsFound) {
  EXPECT_EQ(statedRegisterCap(I), 0u);
  addToDriver("-Xcuda-ptxas");
  addToDriver("-v");
  addToDriver("--maxrregcount=32"); // Not given to ptxas.
  EXPECT_EQ(statedRegisterCap(I), 0u);
  addToDriver("-Xcuda-ptxas");
  addToDriver("-maxrregcount=40");
  EXPECT_EQ(statedRegisterCap(I), 40u);
  for (const char *Part : {"--maxrregcount", "48"}) {
    addToDriver("-Xcuda-ptxas");
    addToDriver(Part);
  }
  EXPECT_EQ(statedRegisterCap(I), 48u);
  for (const char *Other :
       {"--maxrregcount", "--maxrregcount=many", "maxrregcount=56"}) {
    addToDriver("-Xcuda-ptxas");
    addToDriver(Other);
  }
  EXPECT_EQ(statedRegisterCap(I), 48u);
}

TEST_F(InvocationTest, OptionsOfLlvmAreThoseBehindMllvm) {
  EXPECT_EQ(llvmOptions(I), std::vector<std::string>());
  for (const char *Arg : {"-mllvm", "-a=1", "-mllvm", "-Xclang", "-b", "-c"})
    I.Own.push_back(Arg);
  EXPECT_EQ(llvmOptions(I), (std::vector<std::string>{"-a=1", "-b"}));
  I.Own.push_back("@/nowhere/arguments");
  EXPECT_EQ(llvmOptions(I), std::nullopt);
  I.Own = {"llc", "-a", "in.ll", "-o", "out.s", "--b=2"};
  EXPECT_EQ(llvmOptions(I), (std::vector<std::string>{"-a", "--b=2"}));
  I.Own.clear();
  EXPECT_EQ(llvmOptions(I), std::nullopt);
}

TEST_F(InvocationTest, ClangIsKnownByItsName) {
  EXPECT_TRUE(isClang(I));
  for (const char *Name : {"clang++-22", "/opt/llvm/bin/clang-22",
                           "/usr/bin/x86_64-linux-gnu-c++"}) { // -cc1 follows.
    I.Own[0] = Name;
    EXPECT_TRUE(isClang(I)) << Name;
  }
  I.Own[1] = "-O3";
  for (const char *Name : {"llc", "/opt/clang/bin/regdem-opt"}) {
    I.Own[0] = Name;
    EXPECT_FALSE(isClang(I)) << Name;
  }
  I.Own.clear();
  EXPECT_FALSE(isClang(I));
}

TEST_F(InvocationTest, FlagsThatMayRefuseABuildGoWithTrials) {
  EXPECT_EQ(trialFlags(I), std::vector<std::string>());
  auto Pass = [&](std::initializer_list<const char *> Flags) {
    for (const char *Flag : Flags) {
      addToDriver("-Xcuda-ptxas");
      addToDriver(Flag);
    }
  };
  addToDriver("--warn-on-spills"); // Not given to ptxas.
  Pass({"--warn-on-spills", "-v", "-o", "out", "--output-file=out", "-lineinfo",
        "-Werror", "-c", "--maxrregcount", "40", "-maxrregcount=40", "--entry",
        "k", "-g", "--fmad", "false", "-Xcuda-ptxas"});
  EXPECT_EQ(trialFlags(I),
            (std::vector<std::string>{"--warn-on-spills", "-Werror", "--fmad",
                                      "false", "-Xcuda-ptxas"}));
  addToDriver("-Xcuda-ptxas"); // Without a value.
  EXPECT_EQ(trialFlags(I).size(), 5u);
  I.Parent.pop_back();
  Pass({"-o"});
  EXPECT_EQ(trialFlags(I).size(), 5u);
}

TEST_F(InvocationTest, OptimizationLevelOneGoesWithTrials) {
  const std::vector<std::string> One = {"-O1"}, None;
  addToDriver("-O1");
  EXPECT_EQ(trialFlags(I), One);
  addToDriver("-Xarch_host");
  addToDriver("-O3");
  EXPECT_EQ(trialFlags(I), One);
  addToDriver("-O2"); // ptxas's -O2 and -O3 are the same.
  EXPECT_EQ(trialFlags(I), None);
  addToDriver("-Xarch_device");
  addToDriver("-O1");
  EXPECT_EQ(trialFlags(I), One);
  I.Own = {"llc", "-O1"};
  EXPECT_EQ(trialFlags(I), None);
}

TEST_F(InvocationTest, FilesOfArgumentsAreRead) {
  llvm::SmallString<64> File;
  int Descriptor = 0;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("flags", "rsp", Descriptor, File));
  llvm::raw_fd_ostream(Descriptor, /*shouldClose=*/true)
      << "-Xcuda-ptxas -Werror\n-Xcuda-ptxas '--maxrregcount=40'\n";
  addToDriver(("@" + File.str()).str().c_str());
  EXPECT_EQ(trialFlags(I), std::vector<std::string>{"-Werror"});
  EXPECT_EQ(statedRegisterCap(I), 40u);
  llvm::sys::fs::remove(File);
  EXPECT_EQ(trialFlags(I), std::vector<std::string>());
  EXPECT_EQ(driverArguments(I), I.Parent);
}

} // namespace
