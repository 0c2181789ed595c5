//===- RawCode.cpp - several kernels in one listing -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "regdem/MachineCode/RawCode.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include <set>

using namespace llvm;

namespace regdem {

using File = object::ELF64LEFile;

static bool holdsCode(const File::Elf_Shdr &Section) {
  return Section.sh_flags & ELF::SHF_EXECINSTR &&
         Section.sh_type == ELF::SHT_PROGBITS;
}

/// Fills in Code's functions, which are in section CodeIndex of Image.
static Error readFunctions(const File &Image, size_t CodeIndex, RawCode &Code) {
  auto Sections = Image.sections();
  if (!Sections)
    return Sections.takeError();
  for (const auto &S : *Sections) {
    if (S.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto Symbols = Image.symbols(&S);
    if (!Symbols)
      return Symbols.takeError();
    auto Names = Image.getStringTableForSymtab(S);
    if (!Names)
      return Names.takeError();
    for (const auto &Symbol : *Symbols) {
      if (Symbol.getType() != ELF::STT_FUNC || Symbol.st_shndx != CodeIndex)
        continue;
      Expected<StringRef> Name = Symbol.getName(*Names);
      if (!Name)
        return Name.takeError();
      StringRef &Known = Code.Functions[Symbol.st_value];
      if (Known.empty() || *Name < Known)
        Known = *Name;
    }
  }
  return Error::success();
}

std::optional<RawCode> rawCodeOf(StringRef Cubin) {
  Expected<File> Image = File::create(Cubin);
  if (!Image) {
    consumeError(Image.takeError());
    return std::nullopt;
  }
  auto Sections = Image->sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return std::nullopt;
  }
  std::optional<RawCode> Result;
  size_t CodeIndex = 0, Index = 0;
  for (const auto &S : *Sections) {
    size_t Here = Index++;
    if (!holdsCode(S))
      continue;
    Expected<StringRef> Name = Image->getSectionName(S);
    auto Bytes = Image->getSectionContents(S);
    bool Failed = !Name || !Bytes;
    if (!Name)
      consumeError(Name.takeError());
    if (!Bytes)
      consumeError(Bytes.takeError());
    if (Failed || Result || !Name->consume_front(".text."))
      return std::nullopt;
    Result = RawCode{*Name, toStringRef(*Bytes), {}};
    CodeIndex = Here;
  }
  for (const auto &S : *Sections)
    if ((S.sh_type == ELF::SHT_REL || S.sh_type == ELF::SHT_RELA) &&
        S.sh_info == CodeIndex && S.sh_size)
      return std::nullopt;
  if (!Result)
    return std::nullopt;
  if (Error E = readFunctions(*Image, CodeIndex, *Result)) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  return Result;
}

uint64_t codeBytesOf(StringRef Cubin) {
  Expected<File> Image = File::create(Cubin);
  if (!Image) {
    consumeError(Image.takeError());
    return 0;
  }
  auto Sections = Image->sections();
  if (!Sections) {
    consumeError(Sections.takeError());
    return 0;
  }
  uint64_t Bytes = 0;
  for (const auto &S : *Sections)
    if (holdsCode(S))
      Bytes += S.sh_size;
  return Bytes;
}

namespace {

/// A line of the listing: an instruction at Address or, without one, what
/// follows it.
struct ListingLine {
  std::optional<uint64_t> Address;
  StringRef Text; ///< Behind the address.
};

ListingLine readLine(StringRef Line) {
  ListingLine Result;
  StringRef Rest = Line.ltrim();
  uint64_t Address = 0;
  // An encoding has a blank and 0x in front of its digits.
  if (Rest.consume_front("/*") && !Rest.consumeInteger(16, Address) &&
      Rest.consume_front("*/")) {
    Result.Address = Address;
    Result.Text = Rest;
  } else {
    Result.Text = Line;
  }
  return Result;
}

/// An instruction without its guard.
StringRef unguarded(StringRef Text) {
  StringRef Body = Text.trim();
  if (Body.starts_with("@"))
    Body = Body.split(' ').second.ltrim();
  return Body;
}

/// The opcode of an instruction, without guard and modifiers.
StringRef opcodeOf(StringRef Text) {
  return unguarded(Text).take_while([](char C) { return isAlnum(C); });
}

/// The number of operands before the last.
size_t operandsBefore(StringRef Text) {
  SmallVector<StringRef, 8> Words;
  unguarded(Text.split(';').first).split(Words, ' ', -1, /*KeepEmpty=*/false);
  return Words.size() < 2 ? 0 : Words.size() - 2;
}

/// Where the last operand of Text, an address, begins; npos if it is none.
size_t findTarget(StringRef Text, uint64_t &Target) {
  size_t End = Text.find(';');
  if (End == StringRef::npos)
    return StringRef::npos;
  StringRef Body = Text.take_front(End).rtrim();
  size_t Begin = Body.rfind(' ');
  if (Begin == StringRef::npos)
    return StringRef::npos;
  StringRef Operand = Body.drop_front(Begin + 1);
  if (!Operand.consume_front("0x") || Operand.getAsInteger(16, Target))
    return StringRef::npos;
  return Begin + 1;
}

std::string label(uint64_t Address) {
  return ".L_at_" + utohexstr(Address, /*LowerCase=*/true);
}

/// The lines of one kernel, whose code stands from Start to End in the listing.
class KernelText {
public:
  KernelText(uint64_t Start, uint64_t End) : Start(Start), End(End) {}

  /// False where Line needs symbols.
  bool add(const ListingLine &Line);

  std::string print(StringRef Kernel) const;

private:
  struct Entry {
    std::optional<uint64_t> Address;
    std::string Text;
  };
  uint64_t Start, End;
  std::vector<Entry> Entries;
  std::set<uint64_t> Targets;
};

bool KernelText::add(const ListingLine &Line) {
  if (!Line.Address) {
    Entries.push_back({std::nullopt, Line.Text.str()});
    return true;
  }
  Entry E{*Line.Address - Start, Line.Text.str()};
  StringRef Opcode = opcodeOf(Line.Text);
  for (StringRef Symbolic : {"BRX", "JMX", "JMP", "LEPC"})
    if (Opcode.starts_with(Symbolic))
      return false;
  if (Opcode == "BRA" || Opcode == "BSSY" || Opcode == "CALL") {
    uint64_t Target = 0;
    size_t Begin = findTarget(Line.Text, Target);
    if (Begin == StringRef::npos || Target < Start || Target >= End)
      return false;
    // A call through a register has that in front of the address.
    if (Opcode == "CALL" && operandsBefore(Line.Text))
      return false;
    Target -= Start;
    Targets.insert(Target);
    StringRef Behind = Line.Text.drop_front(Line.Text.find(';'));
    E.Text =
        (Line.Text.take_front(Begin) + "`(" + label(Target) + ") " + Behind)
            .str();
  }
  Entries.push_back(std::move(E));
  return true;
}

std::string KernelText::print(StringRef Kernel) const {
  std::string Text =
      ("\t.section\t.text." + Kernel + ",\"ax\",@progbits\n\t.other\t" +
       Kernel + ",@\"STO_CUDA_ENTRY STV_DEFAULT\"\n" + Kernel + ":\n")
          .str();
  for (const Entry &E : Entries) {
    if (E.Address) {
      if (Targets.count(*E.Address))
        Text += label(*E.Address) + ":\n";
      Text += "\t/*" + utohexstr(*E.Address, /*LowerCase=*/true) + "*/";
    }
    Text += E.Text + "\n";
  }
  return Text;
}

} // namespace

std::optional<std::vector<std::string>>
splitRawListing(StringRef Listing, ArrayRef<RawCode> Codes) {
  std::vector<std::string> Texts;
  uint64_t Start = 0;
  for (const RawCode &Code : Codes) {
    uint64_t End = Start + Code.Bytes.size(), Seen = 0;
    KernelText Kernel(Start, End);
    bool NeedsSymbols = false;
    while (!Listing.empty()) {
      auto [Line, Rest] = Listing.split('\n');
      ListingLine L = readLine(Line);
      if (L.Address && *L.Address >= End)
        break;
      Listing = Rest;
      if (Line.trim().empty() || Line.ltrim().starts_with("."))
        continue; // A directive on top.
      NeedsSymbols |= !Kernel.add(L);
      Seen += L.Address.has_value();
    }
    if (!Seen)
      return std::nullopt;
    Texts.push_back(NeedsSymbols ? "" : Kernel.print(Code.Kernel));
    Start = End;
  }
  return Texts;
}

} // namespace regdem
