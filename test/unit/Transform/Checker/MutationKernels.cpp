//===- MutationKernels.cpp - LLVM IR that mutants are made of -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationKernels.h"

namespace regdem::test {

namespace {

/// Types that values have in turn.
using TypeList = std::vector<std::string>;

std::string numbered(const std::string &Name, unsigned I) {
  return Name + std::to_string(I);
}

/// Writes the text of one kernel. Volatile accesses keep LLVM from moving or
/// repeating what the kernel is about.
class Writer {
public:
  std::string Text;

  explicit Writer(const std::string &Attributes) {
    Text = "target triple = \"nvptx64-nvidia-cuda\"\n"
           "define ptx_kernel void @kernel(ptr addrspace(1) %p, i32 %u, "
           "i64 %w) " +
           Attributes + " {\nentry:\n";
    load("n", "i32", 50);
  }

  void line(const std::string &L) { Text += "  " + L + "\n"; }
  void label(const std::string &L) { Text += L + ":\n"; }

  /// %Name = the volatile load of element I of the kernel's array of Type.
  void load(const std::string &Name, const std::string &Type, unsigned I) {
    address(Name + ".a", Type, I);
    line("%" + Name + " = load volatile " + Type + ", ptr addrspace(1) %" +
         Name + ".a");
  }

  void store(const std::string &Value, const std::string &Type, unsigned I) {
    std::string At = "s" + std::to_string(Stores++);
    address(At, Type, I);
    line("store volatile " + Type + " " + Value + ", ptr addrspace(1) %" + At);
  }

  /// Name0, Name1 and so on: the first elements of the kernel's array, as
  /// load() and store() have them.
  void loadAll(const std::string &Name, unsigned Count, const TypeList &Types) {
    for (unsigned I = 0; I != Count; ++I)
      load(numbered(Name, I), Types[I % Types.size()], I);
  }

  void storeAll(const std::string &Name, unsigned Count,
                const TypeList &Types) {
    for (unsigned I = 0; I != Count; ++I)
      store("%" + numbered(Name, I), Types[I % Types.size()], I);
  }

  /// Code that needs Count registers at once for values of its own.
  void occupy(const std::string &Name, unsigned Count,
              const std::string &Type) {
    loadAll(Name, Count, {Type});
    for (unsigned I = 0; I != Count; ++I)
      store("%" + numbered(Name, I), Type, Count - I);
  }

  /// Ends a block and begins the one that follows, a loop's perhaps.
  void enter(const std::string &Block) {
    line("br label %" + Block);
    label(Block);
  }

  /// The number of rounds of a loop that is entered from From and repeated from
  /// Latch, which repeat() increments.
  void count(const std::string &Counter, const std::string &From,
             const std::string &Latch) {
    line("%" + Counter + " = phi i32 [ 0, %" + From + " ], [ %" + Counter +
         "1, %" + Latch + " ]");
  }

  /// Ends Loop's last block: back to Loop while there are fewer than Limit
  /// rounds, and on to Next then, which begins.
  void repeat(const std::string &Loop, const std::string &Counter,
              const std::string &Limit, const std::string &Next) {
    line("%" + Counter + "1 = add i32 %" + Counter + ", 1");
    line("%" + Loop + ".more = icmp slt i32 %" + Counter + "1, %" + Limit);
    line("br i1 %" + Loop + ".more, label %" + Loop + ", label %" + Next);
    label(Next);
  }

  std::string end() { return Text + "  ret void\n}\n"; }

private:
  unsigned Stores = 0;

  void address(const std::string &Name, const std::string &Type, unsigned I) {
    line("%" + Name + " = getelementptr " + Type +
         ", ptr addrspace(1) %p, i64 " + std::to_string(I));
  }
};

/// Values of the given types, in turn, that live across a loop with values of
/// its own.
std::string acrossLoop(const std::string &Attributes, const TypeList &Types) {
  constexpr unsigned Cold = 9, Hot = 5;
  Writer W(Attributes);
  W.loadAll("c", Cold, Types);
  W.enter("loop");
  W.count("k", "entry", "loop");
  W.occupy("h", Hot, "i64");
  // One of the values that otherwise wait is read in the loop.
  W.store("%c1", Types[1 % Types.size()], 20);
  W.repeat("loop", "k", "n", "done");
  W.storeAll("c", Cold, Types);
  return W.end();
}

/// Values that an outer loop redefines while an inner one needs the registers.
std::string redefined(const std::string &Attributes) {
  constexpr unsigned Carried = 6, Hot = 7;
  Writer W(Attributes);
  W.loadAll("c", Carried, {"i32"});
  W.enter("outer");
  W.count("k", "entry", "latch");
  for (unsigned I = 0; I != Carried; ++I)
    W.line("%" + numbered("v", I) + " = phi i32 [ %" + numbered("c", I) +
           ", %entry ], [ %" + numbered("w", I) + ", %latch ]");
  W.enter("inner");
  W.count("j", "outer", "inner");
  W.occupy("h", Hot, "i32");
  W.repeat("inner", "j", "k", "latch");
  for (unsigned I = 0; I != Carried; ++I)
    W.line("%" + numbered("w", I) + " = add i32 %" + numbered("v", I) + ", %" +
           numbered("v", (I + 1) % Carried));
  W.repeat("outer", "k", "n", "done");
  W.storeAll("w", Carried, {"i32"});
  return W.end();
}

/// Values that both arms of a branch define, one of which needs the registers,
/// and a way around both on which other values are needed.
std::string arms(const std::string &Attributes, const std::string &Type) {
  constexpr unsigned Waiting = 7, Hot = 8;
  Writer W(Attributes);
  W.loadAll("c", Waiting, {Type});
  W.load("x", "i32", 30);
  W.line("%short = icmp eq i32 %x, 0");
  W.line("br i1 %short, label %join, label %fork");
  W.label("fork");
  W.load("y", "i32", 31);
  W.line("%left = icmp slt i32 %y, %x");
  W.line("br i1 %left, label %arm1, label %arm2");
  W.label("arm1");
  W.occupy("h", Hot, "i32");
  W.load("d1", Type, 11);
  W.load("e1", Type, 12);
  W.line("br label %merge");
  W.label("arm2");
  W.load("d2", Type, 13);
  W.store("%c0", Type, 14);
  W.load("e2", Type, 15);
  W.line("br label %merge");
  W.label("merge");
  W.line("%d = phi " + Type + " [ %d1, %arm1 ], [ %d2, %arm2 ]");
  W.line("%e = phi " + Type + " [ %e1, %arm1 ], [ %e2, %arm2 ]");
  W.occupy("g", Hot, "i32");
  W.store("%e", Type, 16);
  W.store("%d", Type, 17);
  W.enter("join");
  W.storeAll("c", Waiting, {Type});
  return W.end();
}

/// Values that a loop has no registers for, and a way around the loop.
std::string aroundLoop(const std::string &Attributes) {
  constexpr unsigned Waiting = 8, Hot = 8;
  Writer W(Attributes);
  W.loadAll("c", Waiting, {"i32"});
  W.line("%none = icmp eq i32 %n, 0");
  W.line("br i1 %none, label %join, label %loop");
  W.label("loop");
  W.count("k", "entry", "loop");
  W.occupy("h", Hot, "i32");
  W.repeat("loop", "k", "n", "join");
  W.storeAll("c", Waiting, {"i32"});
  return W.end();
}

/// Values computed from parameters by one instruction, and others, that a loop
/// reads before it needs the registers for its own.
std::string ofParameters(const std::string &Attributes) {
  constexpr unsigned Functions = 8, Cold = 3, Hot = 5;
  Writer W(Attributes);
  const TypeList Types = {"i32", "i64"};
  W.loadAll("c", Cold, {"i32"});
  for (unsigned I = 0; I != Functions; ++I)
    W.line("%" + numbered("f", I) + " = " + (I % 4 < 2 ? "xor " : "add ") +
           Types[I % 2] + (I % 2 ? " %w, " : " %u, ") +
           std::to_string(100 + I));
  W.enter("loop");
  W.count("k", "entry", "loop");
  W.storeAll("f", Functions, Types);
  W.occupy("h", Hot, "i64");
  W.repeat("loop", "k", "n", "done");
  W.storeAll("c", Cold, {"i32"});
  return W.end();
}

} // namespace

std::vector<MutationKernel> mutationKernels() {
  const std::string AnyShape = "\"nvvm.maxntid\"=\"32\"",
                    Flat = "\"nvvm.reqntid\"=\"32\"",
                    Solid = "\"nvvm.reqntid\"=\"4,8,2\"";
  return {{"words across a loop", acrossLoop(AnyShape, {"i32"})},
          {"pairs across a loop", acrossLoop(Solid, {"i64"})},
          {"all widths across a loop", acrossLoop(Flat, {"i16", "i32", "i64"})},
          {"redefined in a loop", redefined(Solid)},
          {"words around a loop", aroundLoop(Flat)},
          {"words in arms", arms(AnyShape, "i32")},
          {"pairs in arms", arms(Flat, "i64")},
          {"functions of parameters", ofParameters(Flat)}};
}

} // namespace regdem::test
