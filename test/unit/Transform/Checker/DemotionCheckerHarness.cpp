//===- DemotionCheckerHarness.cpp - run the checker on MIR text -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DemotionCheckerHarness.h"
#include "MachineText.h"

#include "gtest/gtest.h"

using namespace llvm;

namespace regdem::test {

const char *const Prologue = R"(
    %40:b32 = INT_PTX_SREG_TID_x
    %41:b32 = INT_PTX_SREG_TID_y
    %42:b32 = INT_PTX_SREG_TID_z
    %44:b32 = INT_PTX_SREG_NTID_y
    %45:b32 = MAD_LO_S32rrr %42, %44, %41
    %43:b32 = INT_PTX_SREG_NTID_x
    %46:b32 = MAD_LO_S32rrr %45, %43, %40
    %51:b64 = MOV_B64_sym @region
    %50:b64 = MUL_WIDEu32_ri %46, 4
    %52:b64 = ADD64rr %51, %50
)";

const std::string WidePrologue = edited(Prologue, {{"%46, 4", "%46, 8"}});

static std::string functionText(const std::string &Name,
                                const std::string &Body) {
  std::string Text = "---\nname: " + Name + "\nregisters:\n";
  Text += declaredRegisters(0, 10, "b32");
  Text += declaredRegisters(10, 20, "b64");
  Text += declaredRegisters(20, 25, "b16");
  Text += declaredRegisters(25, 30, "b128");
  Text += declaredRegisters(30, 40, "b1");
  Text += declaredRegisters(40, 50, "b32");
  Text += declaredRegisters(50, 60, "b64");
  return Text + "body: |\n" + Body + "...\n";
}

static const char *const Globals = R"(--- |
  target triple = "nvptx64-nvidia-cuda"
  @region = internal addrspace(3) global [4096 x i8] poison, align 8
  @narrow = internal addrspace(3) global [4096 x i8] poison, align 4
  @global = internal addrspace(1) global [4096 x i8] poison, align 8
  @other = internal addrspace(3) global [4096 x i8] poison, align 8
  define ptx_kernel void @before() { unreachable }
  define ptx_kernel void @after() { unreachable }
...
)";

std::string checkBodies(const std::string &Original, const std::string &Result,
                        const Launch &L) {
  std::string Text = Globals + functionText("before", Original) +
                     functionText("after", Result);
  MachineText Code(Text);
  if (!Code)
    return "unparsed";
  RegionBounds Bounds;
  Bounds.Region = Code.module().getNamedGlobal(L.Region);
  Bounds.Bytes = L.Bytes;
  Bounds.Threads = L.Threads;
  std::copy(std::begin(L.Dims), std::end(L.Dims), Bounds.Dims);
  MachineFunction &After = Code.function("after");
  if (L.Change)
    L.Change(After);
  FunctionSnapshot Before(Code.function("before"));
  return toString(checkDemotion(Before, After, nvptxOpcodes(), Bounds));
}

Edit after(const std::string &Anchor, const std::string &Text) {
  return {Anchor, Anchor + Text};
}

Edit before(const std::string &Anchor, const std::string &Text) {
  return {Anchor, Text + Anchor};
}

std::string edited(std::string Text, const std::vector<Edit> &Edits) {
  for (const Edit &E : Edits) {
    size_t At = Text.find(E.From);
    if (At == std::string::npos || At != Text.rfind(E.From)) {
      ADD_FAILURE() << "not exactly once in the text: " << E.From;
      continue;
    }
    Text.replace(At, E.From.size(), E.To);
  }
  return Text;
}

std::string withPrologue(const std::string &Body, const std::string &Text) {
  // After the first line, which opens the block, and the successors below it.
  size_t At = Body.find("    %");
  return Body.substr(0, At) + Text + Body.substr(At);
}

std::string load(const std::string &Register, const std::string &Base,
                 unsigned Offset, unsigned Bits) {
  std::string B = std::to_string(Bits);
  return "    " + Register + " = LD_i" + B + " 0, 0, 3, 3, " + B + ", -1, " +
         Base + ", " + std::to_string(Offset) + "\n";
}

std::string store(const std::string &Register, const std::string &Base,
                  unsigned Offset, unsigned Bits) {
  std::string B = std::to_string(Bits);
  return "    ST_i" + B + " " + Register + ", 0, 0, 3, " + B + ", " + Base +
         ", " + std::to_string(Offset) + "\n";
}

} // namespace regdem::test
