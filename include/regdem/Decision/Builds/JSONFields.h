//===- JSONFields.h - records as JSON and back ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record names its fields once, for both ways, in fields(JSONFields &, Record
// &): toJSON() and fromJSON() follow from that. What is read comes from files:
// it may be anything.
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_DECISION_BUILDS_JSONFIELDS_H
#define REGDEM_DECISION_BUILDS_JSONFIELDS_H

#include "regdem/Options.h"
#include "llvm/Support/JSON.h"

namespace regdem {

/// An object to which a record's fields are written, or from which they are
/// read. A field that is missing, or not of its kind, stays as it is then.
class JSONFields {
public:
  JSONFields() = default;
  explicit JSONFields(const llvm::json::Object &From) : From(&From) {}

  llvm::json::Object Written;
  bool IsValid = true; ///< What was read is all there and may be so.
  bool reads() const { return From; }

  /// Whether there is a field that is written only If so.
  bool has(llvm::StringRef Key, bool If) const {
    return From ? From->get(Key) != nullptr : If;
  }

  template <class T> void value(llvm::StringRef Key, T &Of) {
    if (!From) {
      Written[Key] = Of;
      return;
    }
    T Read{};
    llvm::json::Path::Root Root;
    const llvm::json::Value *Its = From->get(Key);
    if (Its && fromJSON(*Its, Read, Root))
      Of = std::move(Read);
    else
      IsValid = false;
  }

  template <class T> void optional(llvm::StringRef Key, T &Of, bool If) {
    if (has(Key, If))
      value(Key, Of);
  }

  template <class T>
  void number(llvm::StringRef Key, T &Of, NumberRange Allowed) {
    int64_t N = static_cast<int64_t>(Of); // An unsigned one would drop bits.
    value(Key, N);
    IsValid &= N >= Allowed.Low && N <= Allowed.High;
    Of = static_cast<T>(N);
  }

  /// One of the values that have Names; nothing is written of others.
  template <class T, size_t Size>
  void name(llvm::StringRef Key, T &Of,
            const std::pair<T, llvm::StringLiteral> (&Names)[Size]) {
    for (const auto &[Is, Name] : Names) {
      if (From ? From->getString(Key) != Name : Is != Of)
        continue;
      Of = Is;
      if (!From)
        Written[Key] = Name;
      return;
    }
    IsValid = false;
  }

  /// An object of its own with the fields that List names.
  template <class Fn> void object(llvm::StringRef Key, Fn List) {
    JSONFields Inner;
    if (From && !(Inner.From = From->getObject(Key))) {
      IsValid = false;
      return;
    }
    List(Inner);
    IsValid &= Inner.IsValid;
    if (!From)
      Written[Key] = std::move(Inner.Written);
  }

private:
  const llvm::json::Object *From = nullptr; ///< Null: fields are written.
};

template <class T>
auto toJSON(T Of) -> decltype(fields(std::declval<JSONFields &>(), Of),
                              llvm::json::Value(nullptr)) {
  JSONFields To;
  fields(To, Of);
  return std::move(To.Written);
}

template <class T>
auto fromJSON(const llvm::json::Value &From, T &To, llvm::json::Path)
    -> decltype(fields(std::declval<JSONFields &>(), To), true) {
  const llvm::json::Object *O = From.getAsObject();
  if (!O)
    return false;
  JSONFields Fields(*O);
  fields(Fields, To);
  return Fields.IsValid;
}

} // namespace regdem

#endif // REGDEM_DECISION_BUILDS_JSONFIELDS_H
