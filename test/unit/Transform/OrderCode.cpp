//===- OrderCode.cpp - random code of one block ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderSubject.h"

#include <random>

namespace regdem::test {

namespace {

constexpr unsigned Length = 18; ///< Instructions ahead of the terminators.

class CodeWriter {
public:
  explicit CodeWriter(unsigned Seed) : Random(Seed) {}

  OrderCode write() {
    // Half of a block is arithmetic, so that much may move.
    for (unsigned I = 0; I != Length; ++I)
      if (below(2))
        arithmetic();
      else
        memory();
    // Another round, or not.
    add(Kind::Arithmetic, "%10 = SUB32ri %10, 1");
    add(Kind::Arithmetic, "%11 = SETP_i32ri %10, 0, 4");
    add(Kind::Terminator, "CBranch %11, %bb.1");
    add(Kind::Terminator, "GOTO %bb.2");
    return std::move(Code);
  }

private:
  std::mt19937 Random;
  OrderCode Code;

  unsigned below(unsigned N) { return static_cast<unsigned>(Random() % N); }
  std::string word() { return "%" + std::to_string(1 + below(6)); }
  std::string predicate() { return "%" + std::to_string(7 + below(2)); }
  std::string offset() { return std::to_string(4 * below(8)); }

  void add(Kind K, const std::string &Line) {
    Code.Kinds.push_back(K);
    Code.Lines.push_back(Line);
  }

  void arithmetic() {
    const Kind K = Kind::Arithmetic;
    switch (below(10)) {
    case 0:
    case 1:
      return add(K, word() + " = ADD32rr " + word() + ", " + word());
    case 2:
    case 3:
      return add(K, word() + " = SUB32rr " + word() + ", " + word());
    case 4:
      return add(K, predicate() + " = SETP_i32rr " + word() + ", " + word() +
                        ", 2");
    case 5:
      return add(K, word() + " = SELP_b32rr " + word() + ", " + word() + ", " +
                        predicate());
    case 6: { // Two results.
      unsigned First = 1 + below(5);
      return add(K, "%" + std::to_string(First) + ", %" +
                        std::to_string(First + 1) + " = I64toV2I32 %0");
    }
    case 7: // A physical register, which nothing else of the operands shows.
      return add(K, word() + " = SUB32ri " + word() + ", 7, implicit-def $r1");
    case 8:
      return add(K, word() + " = COPY $r1");
    default:
      return add(K, "INLINEASM &\"not.b32 $0, $1;\", 0, 262154, def " + word() +
                        ", 262153, " + word());
    }
  }

  /// A load from memory of which Operand says what LLVM is to know.
  void load(Kind K, const std::string &How, const std::string &Operand) {
    add(K,
        word() + " = LD_i32 " + How + ", 3, 32, -1, %0, " + offset() + Operand);
  }

  void memory() {
    switch (below(16)) {
    case 0:
      return load(Kind::Constant, "0, 0, 1",
                  " :: (dereferenceable invariant load (s32), addrspace 1)");
    case 1:
      return add(Kind::ReadOnly,
                 word() + " = LD_GLOBAL_NC_i32 3, 32, -1, %0, " + offset());
    case 2:
    case 3:
    case 4:
      return load(Kind::Load, "0, 0, 1", " :: (load (s32), addrspace 1)");
    case 5:
      return load(Kind::Load, "0, 0, 3", " :: (load (s32), addrspace 3)");
    case 6:
    case 7:
      return add(Kind::Store, "ST_i32 " + word() + ", 0, 0, 1, 32, %0, " +
                                  offset() + " :: (store (s32), addrspace 1)");
    case 8:
      return below(2) ? load(Kind::Volatile, "8, 0, 1",
                             " :: (volatile load (s32), addrspace 1)")
                      : load(Kind::Volatile, "2, 4, 1",
                             " :: (load monotonic (s32), addrspace 1)");
    case 9:
      return load(Kind::Unknown, "8, 0, 1", "");
    case 10:
      return add(Kind::Atomic,
                 word() + " = INT_PTX_ATOM_ADD_32_Gr %0, 0, " + word() +
                     " :: (load store monotonic (s32), addrspace 1)");
    case 11:
      return add(Kind::Barrier, "BARRIER_CTA_SYNC_ALIGNED_ALL_i 0");
    case 12:
      return below(2) ? add(Kind::Fence, "INT_MEMBAR_GL")
                      : add(Kind::Fence, "atomic_thread_fence_seq_cst_gpu");
    case 13:
      return add(Kind::Vote,
                 predicate() + " = VOTE_SYNC_ANYi " + predicate() + ", -1");
    case 14:
      return below(2) ? add(Kind::Clock, word() + " = SREG_CLOCK")
                      : add(Kind::Call, "CALL_UNI @callee, 0, 0");
    default:
      return add(Kind::Assembly, "INLINEASM &\"mov.b32 $0, $1;\", 1, 262154, "
                                 "def " +
                                     word() + ", 262153, " + word());
    }
  }
};

} // namespace

OrderCode randomOrderCode(unsigned Seed) { return CodeWriter(Seed).write(); }

} // namespace regdem::test
