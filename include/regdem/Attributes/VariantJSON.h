//===- VariantJSON.h - variants as JSON and back ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef REGDEM_ATTRIBUTES_VARIANTJSON_H
#define REGDEM_ATTRIBUTES_VARIANTJSON_H

#include "llvm/Support/JSON.h"

namespace regdem {

struct BuildRecipe;
struct Variant;

/// The fields of R, for the report and for attributes.
llvm::json::Object toJSON(const BuildRecipe &R);

/// The recipe of which toJSON() made O; a field that is missing, or is not of
/// its kind, is as in one that says nothing.
BuildRecipe recipeFromJSON(const llvm::json::Object &O);

/// The fields of V, for the report and for attributes.
llvm::json::Object toJSON(const Variant &V, bool IsChosen);

/// The variant of which toJSON() made O, what it makes of others left out; as
/// recipeFromJSON() otherwise.
Variant variantFromJSON(const llvm::json::Object &O);

} // namespace regdem

#endif // REGDEM_ATTRIBUTES_VARIANTJSON_H
