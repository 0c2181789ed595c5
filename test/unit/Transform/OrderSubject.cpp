//===- OrderSubject.cpp - random blocks to put into other orders ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderSubject.h"

#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace regdem::test {

std::string functionText(const OrderCode &Code) {
  std::string Text = "--- |\n"
                     "  target triple = \"nvptx64-nvidia-cuda\"\n"
                     "  declare void @callee()\n"
                     "  define void @f() { unreachable }\n"
                     "...\n"
                     "---\nname: f\nregisters:\n";
  Text += declaredRegisters(0, 1, "b64");
  Text += declaredRegisters(1, 7, "b32");
  Text += declaredRegisters(7, 9, "b1");
  Text += declaredRegisters(9, 11, "b32");
  Text += declaredRegisters(11, 12, "b1");
  Text += "body: |\n  bb.0:\n    %0 = MOV_B64_i 4096\n";
  for (unsigned Reg : {1, 2, 3, 4, 5, 6, 10})
    Text += "    %" + std::to_string(Reg) +
            " = LD_i32 8, 0, 1, 3, 32, -1, %0, 128 :: (volatile load (s32), "
            "addrspace 1)\n";
  Text += "    %7 = SETP_i32rr %1, %2, 2\n    %8 = SETP_i32rr %3, %4, 2\n"
          "    $r1 = COPY %6\n"
          "  bb.1:\n    successors: %bb.1, %bb.2\n    liveins: $r1\n";
  for (const std::string &Line : Code.Lines)
    Text += "    " + Line + "\n";
  Text += "  bb.2:\n    liveins: $r1\n";
  auto Store = [&](unsigned Reg) {
    Text += "    ST_i32 %" + std::to_string(Reg) +
            ", 0, 0, 1, 32, %0, 64 :: (store (s32), addrspace 1)\n";
  };
  for (unsigned Reg = 1; Reg != 7; ++Reg)
    Store(Reg);
  for (unsigned Reg : {7, 8}) {
    Text += "    %9 = SELP_b32rr %1, %2, %" + std::to_string(Reg) + "\n";
    Store(9);
  }
  Text += "    %9 = COPY $r1\n";
  Store(9);
  return Text + "    Return\n...\n";
}

std::vector<ExecutionResult> runSeveral(const MachineFunction &MF) {
  std::vector<ExecutionResult> Results;
  for (uint64_t Seed = 1; Seed != 3; ++Seed)
    Results.push_back(
        execute(MF, nvptxOpcodes(), RegionBounds(), {{4, 1, 1}, Seed}));
  return Results;
}

bool differ(ArrayRef<ExecutionResult> Now, ArrayRef<ExecutionResult> Right) {
  for (size_t I = 0; I != Right.size(); ++I)
    if (Now[I].differsFrom(Right[I]))
      return true;
  return false;
}

OrderSubject::OrderSubject(const OrderCode &Code)
    : Kinds(Code.Kinds), Text(functionText(Code)), MF(&Text.function("f")) {
  for (MachineInstr &I : block())
    Insts.push_back(&I);
  Original.emplace(block(), nvptxOpcodes());
  Expected = runSeveral(*MF);
}

bool OrderSubject::feeds(unsigned I, unsigned J, bool Physical) const {
  return any_of(Insts[J]->operands(), [&](const MachineOperand &Operand) {
    if (!Operand.isReg() || !Operand.readsReg() ||
        Operand.getReg().isPhysical() != Physical)
      return false;
    for (unsigned K = J; K--;)
      if (Insts[K]->definesRegister(Operand.getReg(), /*TRI=*/nullptr))
        return K == I;
    return false;
  });
}

bool OrderSubject::reads(unsigned I, unsigned J) const {
  return any_of(Insts[J]->all_defs(), [&](const MachineOperand &Def) {
    return Insts[I]->readsRegister(Def.getReg(), /*TRI=*/nullptr);
  });
}

bool OrderSubject::writesLast(unsigned I, unsigned J) const {
  return any_of(Insts[I]->all_defs(), [&](const MachineOperand &Def) {
    auto Writes = [&](const MachineInstr *Inst) {
      return Inst->definesRegister(Def.getReg(), /*TRI=*/nullptr);
    };
    return Writes(Insts[J]) &&
           std::none_of(Insts.begin() + I + 1, Insts.end(), Writes);
  });
}

bool OrderSubject::isOrdered(unsigned I, unsigned J) const {
  Kind A = Kinds[I], B = Kinds[J];
  auto TouchesMemory = [](Kind K) { return K >= Kind::Load; };
  auto HasEffect = [](Kind K) { return K >= Kind::Store; };
  if (TouchesMemory(A) && TouchesMemory(B) && (HasEffect(A) || HasEffect(B)))
    return true;
  if (B == Kind::Terminator)
    return true;
  if (B == Kind::ReadOnly && (A == Kind::Assembly || A == Kind::Call))
    return true;
  return reads(J, I) || reads(I, J) ||
         any_of(Insts[I]->all_defs(), [&](const MachineOperand &Def) {
           return Insts[J]->definesRegister(Def.getReg(), /*TRI=*/nullptr);
         });
}

void OrderSubject::arrange(ArrayRef<unsigned> Order) {
  for (unsigned I : Order)
    block().splice(block().end(), &block(), Insts[I]);
}

void OrderSubject::restore() {
  for (MachineInstr *I : Insts)
    if (I->getParent())
      I->removeFromParent();
  block().clear();
  for (MachineInstr *I : Insts)
    block().push_back(I);
}

std::string OrderSubject::check() const { return toString(Original->check()); }

bool OrderSubject::isHarmful() const {
  return differ(runSeveral(*MF), Expected);
}

std::string OrderSubject::text() const {
  std::string Result;
  raw_string_ostream OS(Result);
  std::next(MF->begin())->print(OS);
  return Result;
}

} // namespace regdem::test
