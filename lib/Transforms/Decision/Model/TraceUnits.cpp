//===- TraceUnits.cpp - what instructions keep busy -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/Model/CodeSummary.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace regdem {

static TraceUnit unitOfInteger(StringRef Base) {
  return StringSwitch<TraceUnit>(Base)
      .Cases({"IMAD", "IMUL", "IDP", "IDP4A", "VIADD"},
             TraceUnit::IntegerMultiply)
      .Cases({"POPC", "FLO", "BREV"}, TraceUnit::Special)
      .Default(TraceUnit::ALU);
}

TraceUnit unitOf(const SassInstruction &I) {
  using U = TraceUnit;
  StringRef Base = baseOpcode(I.Opcode);
  switch (I.Class) {
  case SassClass::LocalLoad:
    return U::LocalLoad;
  case SassClass::LocalStore:
    return U::LocalStore;
  case SassClass::SharedLoad:
  case SassClass::Shuffle:
    return U::SharedLoad;
  case SassClass::SharedStore:
    return U::SharedStore;
  case SassClass::GlobalLoad:
  case SassClass::AsyncCopy:
  case SassClass::Texture:
    return U::GlobalLoad;
  case SassClass::GlobalStore:
    return U::GlobalStore;
  case SassClass::Atomic:
    if (Base == "ATOMS")
      return U::SharedLoad;
    return Base.starts_with("RED") ? U::GlobalStore : U::GlobalLoad;
  case SassClass::ConstantLoad:
    return Base == "LDC" ? U::Constant : U::Uniform;
  case SassClass::Tensor:
    return U::Tensor;
  case SassClass::FP32:
    return Base.starts_with("FADD") || Base.starts_with("FMUL") ||
                   Base.starts_with("FFMA")
               ? U::FMA
               : U::ALU;
  case SassClass::Half:
    return Base.contains("SET") || Base == "HMNMX2" ? U::ALU : U::FMA;
  case SassClass::FP64:
    return U::FP64;
  case SassClass::Integer:
    return unitOfInteger(Base);
  case SassClass::Conversion:
    // Packing and widening of small formats run where integers do.
    return Base == "F2FP" || Base == "I2FP" || Base == "I2IP" ? U::ALU
                                                              : U::Special;
  case SassClass::Special:
    return U::Special;
  case SassClass::Uniform:
    return U::Uniform;
  case SassClass::Barrier:
    return Base == "BAR" ? U::Barrier : U::Control;
  case SassClass::Move:
    return Base == "IMAD" ? U::FMA : Base == "UMOV" ? U::Uniform : U::ALU;
  case SassClass::SystemRegister:
    return Base == "CS2R" ? U::ALU : U::SystemRegister;
  case SassClass::Branch:
  case SassClass::Other:
    return U::Control;
  }
  return U::Control;
}

} // namespace regdem
