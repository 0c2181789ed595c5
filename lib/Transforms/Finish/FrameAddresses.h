//===- FrameAddresses.h - what has an address in the frame ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The places that may have an address in the frame at a point of a kernel, for
// FrameUse. What an instruction with a guard writes, threads without it keep as
// it was: a place that one guard's threads have an address in, and all others a
// number, may be used as a number by these.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_LIB_FINISH_FRAMEADDRESSES_H
#define REGDEM_LIB_FINISH_FRAMEADDRESSES_H

#include "regdem/MachineCode/Sass.h"
#include <bitset>
#include <map>
#include <optional>

namespace regdem {

/// General registers, uniform ones from FirstUniform on, and words of the frame
/// from FirstWord on.
constexpr unsigned FirstUniform = 256, FirstWord = 320, Places = 4096;
using Registers = std::bitset<Places>;

/// The place of R in such a set; none for predicates and constant registers.
std::optional<unsigned> placeOf(SassRegister R);

/// The place of the register that Operand is, as it is; none for anything else.
std::optional<unsigned> plainRegister(const SassOperand &Operand);

/// Whether R is one of Addresses.
bool has(const Registers &Addresses, SassRegister R);

/// Whether Operand is a register of Addresses, as it is.
bool isAddress(const Registers &Addresses, const SassOperand &Operand);

/// Whether Operand names a register of Addresses in any way.
bool mentions(const Registers &Addresses, const SassOperand &Operand);

class FrameAddresses {
public:
  /// Places with an address in some thread for which Guard holds.
  Registers under(SassCondition Guard) const;
  /// An instruction with Guard writes to Place what is, or is not, an address.
  void write(unsigned Place, bool IsAddress, SassCondition Guard);
  /// The distance from R1 of the address in a uniform register; none where it
  /// is not known. Of other places: what the address in it will lack since a
  /// sum has R1 in the place of a uniform register; none: nothing.
  std::optional<int64_t> distance(unsigned Place) const;
  void setDistance(unsigned Place, std::optional<int64_t> Distance);
  /// What is known of the threads for which Guard holds.
  FrameAddresses onlyUnder(SassCondition Guard) const;
  /// Predicate gets a new value.
  void forget(SassRegister Predicate);
  /// What holds after paths that had this or Other.
  void join(const FrameAddresses &Other);

  bool operator==(const FrameAddresses &Other) const {
    return Addresses == Other.Addresses;
  }

private:
  struct Address {
    SassCondition Only; ///< Whose threads have it.
    std::optional<int64_t> Distance;

    bool operator==(const Address &Other) const {
      return Only == Other.Only && Distance == Other.Distance;
    }
  };
  std::map<unsigned, Address> Addresses; ///< By place.
};

} // namespace regdem

#endif // REGDEM_LIB_FINISH_FRAMEADDRESSES_H
