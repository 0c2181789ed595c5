//===- FrameState.cpp - registers and barriers at one place ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameState.h"

using namespace llvm;

namespace regdem::framecheck {

State join(const State &X, const State &Y) {
  State Result = X;
  for (const auto &[Register, Value] : Y.Values)
    Result.Values[Register] =
        framecheck::join(valueOf(X.Values, Register), Value);
  for (const auto &[Register, Value] : X.Values)
    Result.Values[Register] =
        framecheck::join(Value, valueOf(Y.Values, Register));
  Result.Foreign.insert(Y.Foreign.begin(), Y.Foreign.end());
  for (const auto &[Barrier, At] : Y.Meetings)
    Result.Meetings[Barrier].insert(At.begin(), At.end());
  return Result;
}

std::optional<int64_t> depth(const State &S) {
  FrameValue V = valueOf(S.Values, StackPointer);
  if (V.What != FrameValue::Kind::Known)
    return std::nullopt;
  return -V.Offset;
}

bool isOther(const SassRegister &R, const State &S) {
  return valueOf(S.Values, placeOf(R)).What == FrameValue::Kind::Other;
}

/// How many registers from one result on I may write. How many those of
/// textures and of asynchronous tensor instructions are is not in the text.
static unsigned spanOf(const SassInstruction &I) {
  return I.Class == SassClass::Texture || I.Class == SassClass::Tensor ||
                 I.Class == SassClass::Other
             ? 4
             : 1;
}

void write(const ListedInstruction &I, const SassInstruction &R,
           FrameValue Result, FrameValue Carry, State &S) {
  for (const SassRegister &W : R.Writes) {
    S.Foreign.erase({W.File, W.Index});
    bool IsPredicate =
        W.File == SassFile::Predicate || W.File == SassFile::UniformPredicate;
    if (W.File == SassFile::Predicate)
      forgetGuard(("P" + Twine(unsigned{W.Index})).str(), S.Values);
    if (W.File == SassFile::UniformPredicate)
      forgetGuard(("UP" + Twine(unsigned{W.Index})).str(), S.Values);
    unsigned Span = IsPredicate ? 1 : spanOf(R);
    for (unsigned Index = W.Index; Index != W.Index + Span; ++Index) {
      unsigned Place = placeOf(W.File, Index);
      FrameValue Old = valueOf(S.Values, Place);
      FrameValue New =
          writtenUnder(Guard::of(I), IsPredicate ? Carry : Result, Old);
      if (Index != W.Index)
        New = join(Old, New);
      if (New.What == FrameValue::Kind::Other)
        S.Values.erase(Place);
      else
        S.Values[Place] = New;
    }
  }
}

} // namespace regdem::framecheck
