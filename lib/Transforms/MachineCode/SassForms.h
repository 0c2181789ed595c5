//===- SassForms.h - the instructions that are usual ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which instructions SassEncoding.cpp knows, and what their operands are.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_MACHINECODE_SASSFORMS_H
#define REGDEM_LIB_MACHINECODE_SASSFORMS_H

#include <cstdint>

namespace regdem {

/// The modifiers of an opcode that matter.
enum class Modifiers : uint8_t {
  None,
  Size,    ///< Of an access to memory.
  Compare, ///< Relation and combination of integer comparisons.
  Carry,   ///< X: takes carries in.
  Formats, ///< 64 bits, of conversions.
};

/// An instruction by its operation. Operands:
///   a        register at 24 (N: with its sign)
///   b c      second and third operand of three, one of which may be special
///   s t u    second operand of two; as a register it is at 32 or, t, at 64; t
///            and u are kept as third operands are
///   d        register written
///   A B C S D  the same, of the uniform datapath
///   e f      registers of a shuffle, at 32 and 64
///   P Q      predicates written at 81 and 84
///   p q r    predicates read at 87, 77 and 68
///   v        p that is no uniform one
///   x y      p and q where carries come in
///   l L      truth table of a LOP3, a PLOP3
///   m M      address of 32 bits, of 64 bits
///   w        register stored, at 32
///   k K      constant at an index, without an index
///   h        two halves at 32
///   z        system register
///   n        convergence barrier
///   j        code address
///   R        all predicates
///   # ?      an immediate, an operand that does not matter
struct Form {
  uint16_t Operation;
  const char *Opcode, *Operands;
  Modifiers Has = Modifiers::None;
};

/// By operation.
constexpr Form Forms[] = {
    {0x002, "MOV", "ds"},
    {0x003, "P2R", "dRa"},
    {0x004, "R2P", "Ra#"},
    {0x005, "CS2R", "dz"},
    {0x006, "VOTE", "dPv"},
    {0x007, "SEL", "dasp"},
    {0x008, "FSEL", "dasp"},
    {0x009, "FMNMX", "dasp"},
    {0x00b, "FSETP", "PQasp"},
    {0x00c, "ISETP", "PQaspr", Modifiers::Compare},
    {0x00f, "VIMNMX3", "dabc"},
    {0x010, "IADD3", "dPQNbcxy", Modifiers::Carry},
    {0x011, "LEA", "dPabcx", Modifiers::Carry},
    {0x012, "LOP3", "Pdabclp"},
    {0x013, "IABS", "ds"},
    {0x016, "PRMT", "dabc"},
    {0x019, "SHF", "dabc"},
    {0x01a, "SGXT", "das"},
    {0x01b, "BMSK", "das"},
    {0x01c, "PLOP3", "PQpqrL#"},
    {0x020, "FMUL", "das"},
    {0x021, "FADD", "dau"},
    {0x023, "FFMA", "dabc"},
    {0x024, "IMAD", "dPabcx", Modifiers::Carry},
    {0x025, "IMAD.WIDE", "dPabcx"},
    {0x026, "IDP", "dabc"},
    {0x027, "IMAD.HI", "dPabcx"},
    {0x028, "DMUL", "das"},
    {0x029, "DADD", "dat"},
    {0x02a, "DSETP", "PQasp"},
    {0x02b, "DFMA", "dabc"},
    {0x030, "HADD2", "dau"},
    {0x031, "HFMA2", "dabc"},
    {0x032, "HMUL2", "das"},
    {0x034, "HSETP2", "PQasp"},
    {0x035, "HFMA2", "dNch"},
    {0x036, "VIADD", "das"},
    {0x03e, "F2FP", "das"},
    {0x040, "HMNMX2", "dasp"},
    {0x045, "I2FP", "ds"},
    {0x046, "VIADDMNMX", "dabcp"},
    {0x048, "VIMNMX", "dasp"},
    {0x082, "UMOV", "DS"},
    {0x086, "VOTEU", "DPv"},
    {0x087, "USEL", "DASp"},
    {0x08c, "UISETP", "PQASpr", Modifiers::Compare},
    {0x090, "UIADD3", "DPQABCxy", Modifiers::Carry},
    {0x091, "ULEA", "DPABCx", Modifiers::Carry},
    {0x092, "ULOP3", "PDABClp"},
    {0x096, "UPRMT", "DABC"},
    {0x099, "USHF", "DABC"},
    {0x09a, "USGXT", "DAS"},
    {0x0a4, "UIMAD", "DABC"},
    {0x0a5, "UIMAD.WIDE", "DABC"},
    {0x0b9, "ULDC", "DK", Modifiers::Size},
    {0x0ca, "R2UR", "Da"},
    {0x100, "FLO", "ds"},
    {0x101, "BREV", "ds"},
    {0x102, "FCHK", "Pas"},
    {0x105, "F2I", "ds"},
    {0x106, "I2F", "ds"},
    {0x107, "FRND", "ds"},
    {0x108, "MUFU", "ds"},
    {0x109, "POPC", "ds"},
    {0x110, "F2F", "ds", Modifiers::Formats},
    {0x111, "F2I", "ds", Modifiers::Formats},
    {0x112, "I2F", "ds", Modifiers::Formats},
    {0x113, "FRND", "ds", Modifiers::Formats},
    {0x118, "NOP", ""},
    {0x119, "S2R", "d?"},
    {0x11d, "BAR", "#"},
    {0x141, "BSYNC", "n"},
    {0x142, "BREAK", "n"},
    {0x144, "CALL", "j"},
    {0x145, "BSSY", "nj"},
    {0x146, "YIELD", ""},
    {0x147, "BRA", "pj"},
    {0x148, "WARPSYNC", "s"},
    {0x14d, "EXIT", ""},
    {0x150, "RET", "a"},
    {0x180, "LD", "dM", Modifiers::Size},
    {0x181, "LDG", "dM", Modifiers::Size},
    {0x182, "LDC", "dk", Modifiers::Size},
    {0x183, "LDL", "dm", Modifiers::Size},
    {0x184, "LDS", "dm", Modifiers::Size},
    {0x185, "ST", "Mw", Modifiers::Size},
    {0x186, "STG", "Mw", Modifiers::Size},
    {0x187, "STL", "mw", Modifiers::Size},
    {0x188, "STS", "mw", Modifiers::Size},
    {0x189, "SHFL", "Pdaef"},
    {0x1c3, "S2UR", "D?"},
};

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSFORMS_H
