// Which options of `ptojit emit` go with which forms, and with one another.
#include <algorithm>
#include <array>

#include "ir/enum_set.h"
#include "jit/doors/cli/arguments.h"
#include "jit/doors/cli/emit.h"

namespace pto::jit::cli {
namespace {

struct FormName {
  std::string_view name;
  Form form;
};

constexpr std::array kForms = {
    FormName{"intrinsic", Form::Intrinsic}, FormName{"expanded", Form::Expanded},
    FormName{"pto-as", Form::PtoAs},        FormName{"pto-line", Form::PtoLine},
    FormName{"llvm-ir", Form::LlvmIr},      FormName{"asm", Form::Asm},
    FormName{"obj", Form::Object},
};

constexpr EnumSet<Form> kKernels = {Form::Intrinsic, Form::Expanded};
constexpr EnumSet<Form> kHost = {Form::LlvmIr, Form::Asm, Form::Object};
constexpr EnumSet<Form> kLine = {Form::PtoLine};
constexpr EnumSet<Form> kChecked = kKernels | kHost;
constexpr EnumSet<Form> kNamed = kChecked | EnumSet<Form>{Form::PtoAs};

struct OptionRow {
  const char* name;
  EnumSet<Form> forms;
  std::string_view help;
};

// What is not listed goes with all of them.
constexpr std::array kOptions = {
    OptionRow{"--placement", kKernels | kLine,
              "manual, tiles at stated offsets, or auto, where the device's compiler puts them"},
    OptionRow{"--level", kLine, "sync, ssa or dps"},
    OptionRow{"--features", kHost,
              "the instructions to use: native is all this host has; x86-64 has avx512, avx2 and "
              "baseline, aarch64 sve2, sve and neon; by default native for asm of this host, else "
              "the least"},
    OptionRow{"--triple", kHost, "the machine: aarch64-linux-gnu, ...; by default this host's"},
    OptionRow{"--cpu", kHost, "a processor LLVM knows, instead of --features"},
    OptionRow{"--check", kChecked,
              "run the kernel, text for devices in the emulation, on made-up operands, and compare "
              "with the interpreter"},
    OptionRow{"--bind", kChecked, "with --check, NAME=N,... for some '?' of the spec"},
    OptionRow{"--trace", kKernels,
              "with --check, the emulated runs as a Chrome trace, to this file"},
    OptionRow{"--name", kNamed, "of the function, instead of one made up"},
    OptionRow{"--out-dir", kNamed, "write to files of this folder, under names of their own"},
};

struct PairRow {
  const char* id;
  const char* first;
  const char* second;
  bool is_needed;  // by the first; otherwise they exclude each other
};

constexpr std::array kPairs = {
    PairRow{"option.bind", "--bind", "--check", true},
    PairRow{"option.trace", "--trace", "--check", true},
    PairRow{"option.out", "-o", "--out-dir", false},
    PairRow{"option.cpu", "--cpu", "--features", false},
};

std::string names_of(EnumSet<Form> forms) {
  std::string out;
  for (const FormName& row : kForms) {
    if (forms.contains(row.form)) out += (out.empty() ? "" : ", ") + std::string(row.name);
  }
  return out;
}

std::string idle_text(const OptionRow& row, Form form) {
  return std::string(row.name) + " has no effect on the form " + names_of({form}) +
         "; it goes with " + names_of(row.forms);
}

std::string pair_text(const PairRow& row) {
  const std::string first(row.first);
  const std::string second(row.second);
  return row.is_needed ? first + " has no effect without " + second
                       : first + " and " + second + " exclude each other";
}

}  // namespace

Result<Form> parse_form(const std::string& name) {
  EnumSet<Form> all;
  for (const FormName& row : kForms) {
    if (row.name == name) return row.form;
    all = all | EnumSet<Form>{row.form};
  }
  return error("option.form", "'" + printable(name) + "' is no form; there are " + names_of(all));
}

std::string help_of(std::string_view option) {
  const auto* row = std::ranges::find(kOptions, option, &OptionRow::name);
  return "For " + names_of(row->forms) + ": " + std::string(row->help);
}

Result<Done> check_options(Form form, const Arguments& given) {
  Diagnostics found;
  for (const OptionRow& row : kOptions) {
    if (given.has(row.name) && !row.forms.contains(form))
      found.push_back(error("option.form", idle_text(row, form)));
  }
  for (const PairRow& row : kPairs) {
    if (given.has(row.first) && given.has(row.second) != row.is_needed)
      found.push_back(error(row.id, pair_text(row)));
  }
  if (!found.empty()) return found;
  return Done{};
}

}  // namespace pto::jit::cli
