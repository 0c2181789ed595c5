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

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <utility>

namespace regdem {

/// The modifiers of an opcode that matter.
enum class Modifiers : uint8_t {
  None,
  Size,      ///< Of an access to memory.
  Compare,   ///< Relation and combination of integer comparisons.
  Sum,       ///< X: takes carries in. Integer operands with signs.
  Shift,     ///< Direction, type and word of a shift.
  Formats,   ///< 64 bits, of conversions.
  Length,    ///< 64 bits or 32, of copies.
  Type,      ///< Of atomic operations.
  FloatType, ///< Of those on floating-point numbers alone.
  Matrices,  ///< How many.
  Shape,     ///< Of products of matrices.
  Texture,   ///< Level, and whether coordinates are scattered.
  Scattered, ///< The latter alone.
};

/// An instruction by its operation. Operands, of which the first ones are
/// results as far as they are of d, D, P, Q, H and R:
///   a        register at 24 (N: with a sign)
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
///   h        number of bits of a shift
///   m M      address of 32 bits, of 64 bits
///   o O      addresses in shared and global memory of a copy
///   w W      register stored, at 32; a uniform one
///   Y        address in a uniform register
///   k K      constant at an index, at one of the uniform datapath or at none
///   i        second operand at 32, whatever the kind
///   z        system register
///   U        condition of the uniform datapath, at 24
///   n        convergence barrier
///   H F      textures: upper result, and the second operand if there is one
///   T g G    their handle, shape, and mask if it is not 0xf
///   X        address in a surface
///   j        code address
///   E J      scoreboard that is waited for, and how many of its instructions
///            may be left
///   R V      all predicates, written and read
///   # ?      an immediate, an operand that does not matter
struct Form {
  uint16_t Operation;
  const char *Opcode, *Operands;
  Modifiers Has = Modifiers::None;
  uint8_t Kinds = 0xff;          ///< Bit N: of kind N.
  uint32_t Mask = 0, Bits = 0;   ///< Those of bits 64 to 95 that tell it.
  uint8_t From = 0, Below = 255; ///< Compute capabilities, without a point.
};

constexpr uint8_t Any = 0xff;

/// By operation; the first that fits.
constexpr Form Forms[] = {
    {0x001, "PMTRIG", "p#"},
    {0x002, "MOV", "ds", Modifiers::Length, 0x04},
    {0x002, "MOV", "ds", Modifiers::Length, Any, 0xf00, 0xf00},
    {0x003, "P2R", "dVa#"},
    {0x004, "R2P", "Ra#"},
    {0x005, "CS2R", "dz", Modifiers::Length},
    {0x006, "VOTE", "dPv"},
    {0x007, "SEL.64", "daip", {}, 0x08},
    {0x007, "SEL.64", "dasp", {}, 0x84},
    {0x007, "SEL", "dasp", {}, Any, 0xf07fff00},
    {0x008, "FSEL", "dasp"},
    {0x009, "FMNMX", "dasp"},
    {0x00a, "FSET", "dasp"},
    {0x00b, "FSETP", "PQasp"},
    {0x00c, "ISETP", "PQaspr", Modifiers::Compare},
    {0x00f, "VIMNMX3", "dabcp"},
    {0x010, "IADD3", "dPQabcxy", Modifiers::Sum, Any, 0xf0001200},
    {0x011, "LEA.HI", "dPabchx", Modifiers::Sum, Any, 0xf0710000, 0x10000},
    {0x011, "LEA", "dPabhx", Modifiers::Sum, Any, 0xf0700200},
    {0x012, "LOP3", "Pdabclp"},
    {0x013, "IABS", "ds"},
    {0x014, "VABSDIFF", "dPabc"},
    {0x015, "VABSDIFF4", "dPabc"},
    {0x016, "PRMT", "dabc"},
    {0x017, "IMNMX", "dasp", {}, Any, 0x400, 0, 0, 120},
    {0x017, "IMNMX", "PQdaspy", {}, Any, 0x400, 0x400, 100},
    {0x019, "SHF", "dabc", Modifiers::Shift},
    {0x01a, "SGXT", "das"},
    {0x01b, "BMSK", "das"},
    {0x01c, "PLOP3", "PQpqrL#"},
    {0x020, "FMUL", "das"},
    {0x021, "FADD", "dau", {}, Any, 0x20000},
    {0x023, "FFMA", "dabc", {}, Any, 0x20000},
    {0x024, "IMAD", "dPabcx", Modifiers::Sum, Any, 0xf071f100},
    {0x025, "IMAD.WIDE", "dPabcx", Modifiers::Sum},
    {0x026, "IDP", "dabc"},
    {0x027, "IMAD.HI", "dPabcx", Modifiers::Sum},
    {0x028, "DMUL", "das"},
    {0x029, "DADD", "dat"},
    {0x02a, "DSETP", "PQaup"},
    {0x02b, "DFMA", "dabc"},
    {0x02d, "PREEXIT", ""},
    {0x02e, "ACQBULK", ""},
    {0x02f, "ELECT", "PDv", {}, 0x10},
    {0x030, "HADD2", "dau"},
    {0x031, "HFMA2", "dNbc"},
    {0x032, "HMUL2", "das"},
    {0x033, "HSET2", "daup"},
    {0x034, "HSETP2", "PQaup"},
    {0x035, "HFMA2", "dNbc", {}, Any, 0, 0, 0, 100},
    {0x035, "IADD.64", "dPasx", Modifiers::Sum, 0x52, 0xf071fa00, 0x200, 100},
    {0x036, "VIADD", "das", Modifiers::Sum, Any, 0xf7ffff00},
    {0x036, "VIADD.16x2", "das", Modifiers::Sum, Any, 0xf7ffff00, 0x200},
    {0x036, "VIADD.U8x4", "das", Modifiers::Sum, Any, 0xf7ffff00, 0x800},
    {0x037, "IMMA", "dabc", Modifiers::Shape, 0x02, 0xffbba700, 0x400},
    {0x03a, "MOVM", "da"},
    {0x03b, "LDSM", "dm", Modifiers::Matrices, 0x10},
    {0x03c, "HMMA", "dabc", Modifiers::Shape, 0x02, 0xfff3a700},
    {0x03d, "BMMA", "dabc", {}, 0x02, 0x7800000},
    {0x03e, "F2FP", "ds", {}, Any, 0x2004000, 0x2000000},
    {0x03e, "F2FP", "das", {}, Any, 0x4000},
    {0x03f, "DMMA", "dabc", Modifiers::Shape, 0x02, 0x7800000},
    {0x040, "HMNMX2", "dasp"},
    {0x044, "STSM", "mw", Modifiers::Matrices, 0x10},
    {0x045, "I2FP", "ds"},
    {0x046, "VIADDMNMX", "dabcp"},
    {0x048, "VIMNMX", "dasp", {}, Any, 0x7e0000, 0x7e0000},
    {0x049, "FFMA2", "dabc", {}, Any, 0, 0, 100},
    {0x04a, "UVIMNMX", "DASp", {}, Any, 0x87e0000, 0x87e0000, 100},
    {0x04a, "FMUL2", "das", {}, Any, 0, 0, 100},
    {0x04b, "FADD2", "dau", {}, Any, 0, 0, 100},
    {0x051, "UFSEL", "DASp", {}, Any, 0, 0, 100},
    {0x053, "UFSETP", "PQASp"},
    {0x054, "UFADD", "DAC", {}, 0x02, 0, 0, 100},
    {0x055, "UFFMA", "DABC"},
    {0x056, "UFMUL", "DAS", {}, Any, 0, 0, 100},
    {0x05a, "UI2F", "DS"},
    {0x05b, "UF2F", "DS"},
    {0x05c, "UF2I", "DS"},
    {0x05e, "UI2FP", "DS"},
    {0x076, "FMNMX3", "dabcp"},
    {0x082, "UMOV", "DS", Modifiers::Length},
    {0x083, "UP2UR", "D?A#", {}, 0x10},
    {0x086, "VOTEU", "DPv"},
    {0x087, "USEL.64", "DASp", {}, 0x44, 0, 0, 100},
    {0x087, "USEL", "DASp"},
    {0x08c, "UISETP", "PQASpr", Modifiers::Compare},
    {0x090, "UIADD3", "DPQABCxy", Modifiers::Sum},
    {0x091, "ULEA.HI", "DPABChx", Modifiers::Sum, Any, 0x10000, 0x10000},
    {0x091, "ULEA", "DPABhx", Modifiers::Sum},
    {0x092, "ULOP3", "PDABClp"},
    {0x096, "UPRMT", "DABC"},
    {0x097, "UIADD3.64", "DPQABC", {}, Any, 0x400},
    {0x099, "USHF", "DABC", Modifiers::Shift},
    {0x09a, "USGXT", "DAS"},
    {0x09b, "UBMSK", "DAS"},
    {0x09c, "UPLOP3", "PQpqrL#"},
    {0x0a4, "UIMAD", "DABC", Modifiers::Sum, Any, 0xf071f500},
    {0x0a5, "UIMAD.WIDE", "DPABCx", Modifiers::Sum},
    {0x0a6, "UIMAD.HI", "DPABCx", Modifiers::Sum},
    {0x0b9, "ULDC", "DK", Modifiers::Size, Any, 0x8000000},
    {0x0bb, "ULDC", "DK", Modifiers::Size},
    {0x0bd, "UFLO", "DPS"},
    {0x0be, "UBREV", "DS"},
    {0x0bf, "UPOPC", "DS"},
    {0x0ca, "R2UR", "PDa"},
    {0x0cb, "CS2UR", "D?"},
    {0x0cc, "CREDUX", "Da", {}, 0x02},
    {0x100, "FLO", "dPs"},
    {0x101, "BREV", "ds"},
    {0x102, "FCHK", "Pas"},
    {0x104, "F2F", "ds"},
    {0x105, "F2I", "ds"},
    {0x106, "I2F", "ds"},
    {0x107, "FRND", "ds"},
    {0x108, "MUFU", "ds"},
    {0x109, "POPC", "ds"},
    {0x110, "F2F", "ds", Modifiers::Formats, Any, 0xc000},
    {0x111, "F2I", "ds", Modifiers::Formats},
    {0x112, "I2F", "ds", Modifiers::Formats},
    {0x113, "FRND", "ds", Modifiers::Formats},
    {0x118, "NOP", ""},
    {0x119, "S2R", "dz"},
    {0x11a, "DEPBAR", "EJ#", {}, 0x10},
    {0x11b, "ENDCOLLECTIVE", "p"},
    {0x11c, "B2R", "dP", {}, Any, 0xfff1ff00, 0x4000},
    {0x11d, "BAR", "##", {}, 0x20, 0xc000},
    {0x11d, "BAR", "#p", {}, 0x20, 0xe000, 0x4000},
    {0x11d, "BAR", "ww", {}, 0x02, 0xc000},
    {0x11d, "BAR", "w", {}, 0x04, 0xc000},
    {0x11d, "BAR", "#w", {}, 0x10, 0xc000},
    {0x141, "BSYNC", "pn"},
    {0x142, "BREAK", "pn"},
    {0x143, "CALL", "a", {}, 0x02},
    {0x143, "CALL", "j", {}, 0x10},
    {0x144, "CALL", "aj", {}, 0x02},
    {0x144, "CALL", "j", {}, 0x10},
    {0x145, "BSSY", "nj"},
    {0x146, "YIELD", "p"},
    {0x147, "BRA", "pj", {}, 0x10, 0xf87c0000},
    {0x147, "BRA.U.ANY", "pj", {}, 0x10, 0xf87c0000, 0x100000},
    {0x147, "BRA.DIV", "Aj", {}, 0x10, 0xf87c0000, 0x08000000},
    {0x147, "BRA.U", "Uj", {}, 0x04, 0xfffc0000, 0x0b800000, 90},
    {0x148, "WARPSYNC", "pw", {}, 0x02, 0, 0, 0, 90},
    {0x148, "WARPSYNC", "paj", {}, 0x02, 0x400000, 0x400000, 90},
    {0x148, "WARPSYNC", "pa", {}, 0x02, 0, 0, 90},
    {0x148, "WARPSYNC", "pj", {}, 0x10, 0x400000, 0x400000},
    {0x148, "WARPSYNC", "p", {}, 0x10, 0, 0, 90},
    {0x148, "WARPSYNC", "p#", {}, 0x10},
    {0x149, "BRX", "pa#", {}, 0x10},
    {0x14d, "EXIT", "p"},
    {0x14e, "LEPC", "d", {}, 0x02},
    {0x14e, "LEPC", "d?", {}, 0x10},
    {0x150, "RET", "a#", {}, Any, 0xf800000, 0x3800000},
    {0x152, "RPCMOV", "#w", {}, 0x02},
    {0x153, "RPCMOV", "d#", {}, 0x02},
    {0x155, "BMOV", "d?", {}, 0x02},
    {0x155, "BMOV", "#", {}, 0x80},
    {0x156, "BMOV", "#w", {}, 0x02},
    {0x156, "BMOV", "#", {}, 0x10},
    {0x158, "BRXU", "pA#", {}, 0x10},
    {0x15c, "BPT.TRAP", "#", {}, Any, 0xffffff00, 0x300000},
    {0x15d, "NANOSLEEP", "ps"},
    {0x160, "TEX", "HdaF##gG", Modifiers::Texture, 0x20, 0xfe7ff000, 0x1e0000,
     0, 90},
    {0x160, "TEX", "HdaFT#gG", Modifiers::Texture, 0x80, 0xfe7ff000, 0x81e0000,
     90, 100},
    {0x160, "TEX", "HdaFTgG", Modifiers::Texture, 0x80, 0xfe7ff000, 0x81e0000,
     100},
    {0x161, "TEX.B", "HdaFgG", Modifiers::Texture, 0x02, 0xfe7ff000, 0x1e0000,
     0, 90},
    {0x163, "TLD4.R", "HdaF##gG", Modifiers::Scattered, 0x20, 0xfe7ff000,
     0x1e0000, 0, 90},
    {0x163, "TLD4.R", "HdaFT#gG", Modifiers::Scattered, 0x80, 0xfe7ff000,
     0x81e0000, 90, 100},
    {0x163, "TLD4.R", "HdaFTgG", Modifiers::Scattered, 0x80, 0xfe7ff000,
     0x81e0000, 100},
    {0x164, "TLD4.R.B", "HdaFgG", Modifiers::Scattered, 0x02, 0xfe7ff000,
     0x1e0000, 0, 90},
    {0x166, "TLD", "HdaF##gG", Modifiers::Texture, 0x20, 0xfe7f9000, 0x1e0000,
     0, 90},
    {0x166, "TLD", "HdaFT#gG", Modifiers::Texture, 0x80, 0xfe7f9000, 0x81e0000,
     90, 100},
    {0x166, "TLD", "HdaFTgG", Modifiers::Texture, 0x80, 0xfe7fc000, 0x81e0000,
     100},
    {0x167, "TLD.B", "HdaFgG", Modifiers::Texture, 0x02, 0xfe7f9000, 0x1e0000,
     0, 90},
    {0x16c, "TXD", "HdaF##gG", Modifiers::Scattered, 0x20, 0xfe7ff000, 0x1e0000,
     0, 90},
    {0x16c, "TXD", "HdaFT#gG", Modifiers::Scattered, 0x80, 0xfe7ff000,
     0x81e0000, 90, 100},
    {0x16c, "TXD", "HdaFTgG", Modifiers::Scattered, 0x80, 0xfe7ff000, 0x81e0000,
     100},
    {0x16d, "TXD.B", "HdaFgG", Modifiers::Scattered, 0x02, 0xfe7ff000, 0x1e0000,
     0, 90},
    {0x180, "LD", "dm", Modifiers::Size, 0x10, 0x800010f, 0x8000100, 0, 80},
    {0x180, "LD", "dM", Modifiers::Size, 0x10, 0xc00110f, 0xc001100},
    {0x180, "LD", "dm", Modifiers::Size, 0x12, 0xc00010f, 0x100},
    {0x180, "LD", "dm", Modifiers::Size, 0x10, 0xc00010f, 0x8000100},
    {0x181, "LDG", "dm", Modifiers::Size, 0x10, 0x80e010f, 0x80e0100, 0, 80},
    {0x181, "LDG", "dM", Modifiers::Size, 0x10, 0xc0e110f, 0xc0e1100},
    {0x181, "LDG", "dm", Modifiers::Size, 0x02, 0xc0e010f, 0xe0100},
    {0x182, "LDC", "dk", Modifiers::Size, Any, 0xc000},
    {0x183, "LDL", "dm", Modifiers::Size, Any, 0x701000, 0x100000},
    {0x183, "LDL.LU", "dm", Modifiers::Size, Any, 0x701000, 0x300000},
    {0x184, "LDS", "dm", Modifiers::Size},
    {0x185, "ST", "mw", Modifiers::Size, 0x10, 0x8000100, 0x8000100, 0, 80},
    {0x185, "ST", "Mw", Modifiers::Size, 0x10, 0xc001100, 0xc001100},
    {0x185, "ST", "mf", Modifiers::Size, 0x02, 0xc000100, 0x100},
    {0x186, "STG", "mw", Modifiers::Size, 0x10, 0x8000100, 0x8000100, 0, 80},
    {0x186, "STG", "Mw", Modifiers::Size, 0x10, 0xc001100, 0xc001100},
    {0x186, "STG", "mw", Modifiers::Size, 0x02, 0xc000100, 0x100},
    {0x187, "STL", "mw", Modifiers::Size, Any, 0x701000, 0x100000},
    {0x188, "STS", "mw", Modifiers::Size},
    {0x189, "SHFL", "Pdaef"},
    {0x18a, "ATOM", "Pdmw", Modifiers::Type, 0x02, 0x100, 0x100},
    {0x18a, "ATOM", "Pdmw", Modifiers::Type, 0x10, 0x8000100, 0x8000100, 0, 80},
    {0x18a, "ATOM", "PdMw", Modifiers::Type, 0x10, 0x8000180, 0x8000180, 80,
     100},
    {0x18a, "ATOM", "PdMw", Modifiers::Type, 0x10, 0x8001900, 0x8001100, 100},
    {0x18b, "ATOM", "Pdmwf", Modifiers::Type, 0x02},
    {0x18c, "ATOMS", "dmw", Modifiers::Type, 0x12, 0x800},
    {0x18c, "ATOMS", "dm", Modifiers::Type, 0x80},
    {0x18d, "ATOMS", "dmwf", Modifiers::Type, 0x02},
    {0x18d, "ATOMS", "Pmwb", Modifiers::Type, 0x04},
    {0x18e, "RED", "mw", Modifiers::Type, 0x10, 0x100, 0x100, 0, 80},
    {0x18e, "RED", "Mw", Modifiers::Type, 0x10, 0xc000180, 0xc000180, 80, 90},
    {0x18e, "REDG", "Mw", Modifiers::Type, 0x10, 0xc001980, 0xc000180, 90, 100},
    {0x18e, "REDG", "Mw", Modifiers::Type, 0x10, 0xc020900, 0xc020100, 100},
    {0x18f, "CCTL", "", {}, 0x10, 0xb801000, 0x2000000},
    {0x18f, "CCTL", "m", {}, 0x10, 0x8001000},
    {0x192, "MEMBAR.SYS", "", {}, 0x10, 0x3000, 0x3000},
    {0x192, "MEMBAR.GPU", "", {}, 0x10, 0x3000, 0x2000},
    {0x192, "MEMBAR", "", {}, 0x10},
    {0x199, "SULD", "dX##", Modifiers::Size, 0x20, 0xfffe0000, 0x1e0000},
    {0x199, "SULD", "dXT#", Modifiers::Size, 0x80, 0xfffe0000, 0x81e0000, 0,
     100},
    {0x199, "SULD", "dXT", Modifiers::Size, 0x80, 0xfffe0000, 0x81e0000, 100},
    {0x19a, "SULD", "dXH", Modifiers::Size, 0x10, 0xfffe0000, 0x1e0000},
    {0x19d, "SUST", "Xw##", Modifiers::Size, 0x20, 0xfffe0000, 0x100000},
    {0x19d, "SUST", "XwT#", Modifiers::Size, 0x80, 0xfffe0000, 0x8100000, 0,
     100},
    {0x19d, "SUST", "XwT", Modifiers::Size, 0x80, 0xfffe0000, 0x8100000, 100},
    {0x19e, "SUST", "XwH", Modifiers::Size, 0x10, 0xfffe0000, 0x100000},
    {0x1a1, "MATCH", "Pda", Modifiers::Length},
    {0x1a2, "ATOM", "PdMw", Modifiers::FloatType, 0x10, 0x8000180, 0x8000180, 0,
     100},
    {0x1a2, "ATOM", "PdMw", Modifiers::FloatType, 0x10, 0xc000100, 0xc000100,
     100},
    {0x1a3, "ATOMG", "PdMw", Modifiers::FloatType, 0x10, 0x8000180, 0x8000180,
     0, 100},
    {0x1a3, "ATOMG", "PdMw", Modifiers::FloatType, 0x10, 0xc000100, 0xc000100,
     100},
    {0x1a6, "REDG", "Mw", Modifiers::FloatType, 0x10, 0xc000180, 0xc000180, 0,
     100},
    {0x1a6, "REDG", "Mw", Modifiers::FloatType, 0x10, 0xc020100, 0xc020100,
     100},
    {0x1a7, "SYNCS.PHASECHK", "Pmw", {}, 0x04, 0xfff1ee00, 0x8000000},
    {0x1a7, "SYNCS.ARRIVE", "dmw", {}, 0x10, 0xff8ff900, 0x8000000},
    {0x1a8, "ATOMG", "Pdmw", Modifiers::Type, 0x02, 0x100, 0x100},
    {0x1a8, "ATOMG", "Pdmw", Modifiers::Type, 0x10, 0x8000100, 0x8000100, 0,
     80},
    {0x1a8, "ATOMG", "PdMw", Modifiers::Type, 0x10, 0x8000180, 0x8000180, 80,
     100},
    {0x1a8, "ATOMG", "PdMw", Modifiers::Type, 0x10, 0x8001900, 0x8001100, 100},
    {0x1a9, "ATOMG", "Pdmwf", Modifiers::Type, 0x02},
    {0x1aa, "QSPC", "Pdm", {}, 0x12},
    {0x1ab, "ERRBAR", "", {}, 0x10},
    {0x1ab, "CGAERRBAR", "", {}, 0x04},
    {0x1ac, "LDCU", "DK", Modifiers::Size, 0x08},
    {0x1ae, "LDGSTS", "oOp", Modifiers::Size, 0x80, 0x8001800, 0x8001800, 0,
     100},
    {0x1ae, "LDGSTS", "oOp", Modifiers::Size, 0x80, 0x8001000, 0x8001000, 100},
    {0x1af, "LDGDEPBAR", ""},
    {0x1b0, "ARRIVES", "m", {}, 0x10, 0xfff0e000, 0x8000000},
    {0x1b1, "SYNCS.CCTL", "m", {}, 0x10, 0xffffff00, 0x8000000},
    {0x1b2, "SYNCS.EXCH.64", "DYW", {}, 0x04, 0xffffffff, 0x8000100},
    {0x1bd, "STAS", "Mw", Modifiers::Size, 0x40},
    {0x1c2, "R2UR", "PDa"},
    {0x1c3, "S2UR", "Dz"},
    {0x1c4, "REDUX", "Da"},
    {0x1c6, "FENCE", "", {}, 0x02},
    {0x1c7, "UCGABAR_ARV", "", {}, 0x10},
    {0x1c7, "UCGABAR_WAIT", "", {}, 0x40},
};

/// The name of a special register that somebody asks for.
inline llvm::StringRef specialRegister(unsigned Number) {
  static constexpr std::pair<unsigned, llvm::StringLiteral> Names[] = {
      {0x21, "SR_TID.X"},     {0x22, "SR_TID.Y"},    {0x23, "SR_TID.Z"},
      {0x2f, "SR_SWINHI"},    {0x32, "SR_SMEMSZ"},   {0x36, "SR_LMEMLOSZ"},
      {0x37, "SR_LMEMHIOFF"}, {0x88, "SR_CgaCtaId"}, {0xff, "SRZ"}};
  for (auto [Its, Name] : Names)
    if (Its == Number)
      return Name;
  return "SR";
}

} // namespace regdem

#endif // REGDEM_LIB_MACHINECODE_SASSFORMS_H
