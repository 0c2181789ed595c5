//===- InstOrder.cpp - orders that a block can be built in ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/Decision/InstOrder.h"

namespace regdem {

llvm::StringRef toString(InstOrder Order) {
  switch (Order) {
  case InstOrder::Source:
    return "";
  case InstOrder::Near:
    return "near";
  case InstOrder::Deep:
    return "deep";
  }
  return "";
}

InstOrder parseInstOrder(llvm::StringRef Name) {
  for (InstOrder Order : OtherOrders)
    if (toString(Order) == Name)
      return Order;
  return InstOrder::Source;
}

} // namespace regdem
