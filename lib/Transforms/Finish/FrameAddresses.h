//===- FrameAddresses.h - what has an address in the frame ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands of an instruction, and the places that may have an address in the
// frame at a point of a kernel, for FrameUse. What an instruction with a guard
// writes, threads without it keep as it was: a place that one guard's threads
// have an address in, and all others a number, may be used as a number by
// these.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_FRAMEADDRESSES_H
#define REGDEM_LIB_FINISH_FRAMEADDRESSES_H

#include "regdem/MachineCode/Sass.h"
#include <bitset>
#include <map>
#include <optional>

namespace regdem {

constexpr unsigned StackPointer = 1;

/// General registers, uniform ones from FirstUniform on, and words of the frame
/// from FirstWord on.
constexpr unsigned FirstUniform = 256, FirstWord = 320, Places = 4096;
using Registers = std::bitset<Places>;

/// The place of R in such a set; none for predicates.
std::optional<unsigned> placeOf(SassRegister R);

/// Operands of I, without predicates that are constant: nvdisasm leaves most of
/// them out, code that was read without it has all.
llvm::SmallVector<llvm::StringRef, 6> operandsOf(const SassInstruction &I);

/// The place of the register that Operand is, ".reuse" and the like apart; none
/// for one with a sign, an address or anything else.
std::optional<unsigned> plainRegister(llvm::StringRef Operand);

bool isAddress(const Registers &Addresses, llvm::StringRef Operand);

/// Whether Operand names a register of Addresses in any way.
bool mentions(const Registers &Addresses, llvm::StringRef Operand);

class FrameAddresses {
public:
  /// Places with an address in some thread for which Guard holds; empty: any.
  Registers under(llvm::StringRef Guard) const;
  /// An instruction with Guard writes to Place what is, or is not, an address.
  void write(unsigned Place, bool IsAddress, llvm::StringRef Guard);
  /// The distance from R1 of the address in a uniform register; none where it
  /// is not known. Of other places: what the address in it will lack since a
  /// sum has R1 in the place of a uniform register; none: nothing.
  std::optional<int64_t> distance(unsigned Place) const;
  void setDistance(unsigned Place, std::optional<int64_t> Distance);
  /// What holds for threads for which Guard does, or does not, hold.
  FrameAddresses onlyUnder(llvm::StringRef Guard, bool Holds) const;
  /// Predicate gets a new value.
  void forget(SassRegister Predicate);
  /// What holds after paths that had this or Other.
  void join(const FrameAddresses &Other);

  bool operator==(const FrameAddresses &Other) const {
    return Addresses == Other.Addresses;
  }

private:
  /// A predicate, whose name is in the kernel's text, and whether it must not
  /// hold.
  using Guard = std::pair<llvm::StringRef, bool>;
  static Guard read(llvm::StringRef Text);

  struct Address {
    Guard Only; ///< Whose threads have it; without a predicate: all.
    std::optional<int64_t> Distance;

    bool operator==(const Address &Other) const {
      return Only == Other.Only && Distance == Other.Distance;
    }
  };
  std::map<unsigned, Address> Addresses; ///< By place.
};

} // namespace regdem

#endif // REGDEM_LIB_FINISH_FRAMEADDRESSES_H
