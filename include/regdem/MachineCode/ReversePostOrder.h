//===- ReversePostOrder.h - every number after what leads to it -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_MACHINECODE_REVERSEPOSTORDER_H
#define REGDEM_MACHINECODE_REVERSEPOSTORDER_H

#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <vector>

namespace regdem {

/// What can be reached from Entry in a graph of nodes 0 to Count - 1, in
/// reverse post-order: each node after those that lead to it, edges that close
/// a cycle aside. Successors gives those of a node as an ArrayRef that stays
/// valid.
template <typename SuccessorsOf>
std::vector<unsigned> reversePostOrder(unsigned Entry, size_t Count,
                                       SuccessorsOf Successors) {
  std::vector<unsigned> Order;
  std::vector<bool> Seen(Count);
  std::vector<std::pair<unsigned, llvm::ArrayRef<unsigned>>> Stack;
  auto Open = [&](unsigned Node) {
    Seen[Node] = true;
    Stack.emplace_back(Node, Successors(Node));
  };
  Open(Entry);
  while (!Stack.empty()) {
    auto &[Node, Left] = Stack.back();
    if (Left.empty()) {
      Order.push_back(Node);
      Stack.pop_back();
      continue;
    }
    unsigned To = Left.front();
    Left = Left.drop_front();
    if (!Seen[To])
      Open(To); // Makes Node and Left invalid.
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

} // namespace regdem

#endif // REGDEM_MACHINECODE_REVERSEPOSTORDER_H
