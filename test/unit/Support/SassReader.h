//===- SassReader.h - machine code as nvdisasm prints it -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RegDem decodes machine code (SassListing.h). Tests compare that with what
// nvdisasm prints, and state code in its syntax.
//
// The text is that of `nvdisasm -c -hex`; not of -json, because every release
// from 12.x on prints the former alike and because -json leaves the encoding
// out, which holds the control bits. -raw drops the encoding, too.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_TEST_UNIT_SASSREADER_H
#define REGDEM_TEST_UNIT_SASSREADER_H

#include "regdem/MachineCode/Sass.h"
#include "regdem/MachineCode/SassListing.h"

namespace regdem {

/// The operands of an instruction with this opcode, as nvdisasm prints them.
/// Nothing is lost: what SassOperand has no field for goes to its Text.
SassOperands readOperands(llvm::StringRef Opcode, llvm::StringRef Printed);

/// All code of Text. An error names the first line that nvdisasm does not print
/// so.
llvm::Expected<SassListing> readListing(llvm::StringRef Text);

/// The section of L with the code of Kernel, its only one.
llvm::Expected<SassListing> sectionOf(const SassListing &L,
                                      llvm::StringRef Kernel);

/// Reads the kernel Name (mangled; empty: the only kernel) in Text. Text that
/// is not what nvdisasm prints, lacks the encoding, or has a branch whose
/// targets are not shown, is an error of one line. SlowPathTables: as
/// readKernel() takes them.
llvm::Expected<SassKernel>
parseSass(llvm::StringRef Text, llvm::StringRef Name = "",
          llvm::ArrayRef<uint64_t> SlowPathTables = {});

/// Whether there is an nvdisasm for disassemble().
bool hasNvdisasm();

/// All code of Cubin, as nvdisasm prints it.
SassListing disassemble(llvm::StringRef Cubin);

} // namespace regdem

#endif // REGDEM_TEST_UNIT_SASSREADER_H
