//===- PartialStores.h - stores of parts of registers -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   mul.rn.f32 %r1, %r2, %r3;                     mul.rn.f32 %r1, %r2, %r3;
//   st.shared.b8 [%rd1], %r1; // its low byte =>  mov.b32 %r4, %r1;
//                                                 st.shared.b8 [%rd1], %r4;
//
// ptxas makes a conversion of the store, F2IP.U8.F32, as if %r1 were a number
// to be stored as an integer; likewise for halves of doubles (12.9 and 13.0; of
// 13.5 for st.param alone). By way of another register bits stay bits. RegDem
// brings such stores about where an array becomes registers or single bytes:
// what was written as a number was read as bytes from memory.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TRANSFORM_PARTIALSTORES_H
#define REGDEM_TRANSFORM_PARTIALSTORES_H

namespace llvm {
class MachineFunction;
} // namespace llvm

namespace regdem {

class NVPTXOpcodes;

/// Has each store in MF of fewer bits than its register has take a copy of that
/// register. Whether there is one.
bool copyPartlyStored(llvm::MachineFunction &MF, const NVPTXOpcodes &Opcodes);

} // namespace regdem

#endif // REGDEM_TRANSFORM_PARTIALSTORES_H
