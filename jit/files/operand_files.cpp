#include "jit/files/operand_files.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "ir/mnemonic.h"

namespace pto::jit::cli {
namespace {

std::string written_names(const KernelSpec& spec) {
  const Role role = written_role(spec.op);
  std::string name(operand_name(spec.op, role));
  if (role != Role::Peer) return name;
  if (spec.ranks == 1) return name + ".0";
  return name + ".0 to " + name + "." + std::to_string(spec.ranks - 1);
}

std::string all_names(const KernelSpec& spec) {
  std::string out;
  for (const MemoryOperand& operand : operands_read(spec)) out += name_of(spec, operand) + " ";
  return out + written_names(spec);
}

std::optional<MemoryOperand> operand_named(const KernelSpec& spec, std::string_view name) {
  for (const MemoryOperand& operand : memory_operands(spec)) {
    if (name_of(spec, operand) == name) return operand;
  }
  return std::nullopt;
}

std::string shown(std::string_view text) { return "'" + printable(text, 200) + "'"; }

// The files of one option.
class OptionReader {
 public:
  OptionReader(const KernelSpec& spec, std::string_view option, std::string accepted)
      : spec_(spec), option_(option), accepted_(std::move(accepted)) {}

  Result<OperandFile> read(std::string_view text) const {
    const std::size_t at = text.find('=');
    if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) {
      return complaint("form", option_ + " " + shown(text) + " is not NAME=FILE");
    }
    const std::string_view name = text.substr(0, at);
    const std::optional<MemoryOperand> operand = operand_named(spec_, name);
    if (!operand) {
      return complaint("name", option_ + " " + shown(text) + ": " + shown(name) +
                                   " is not an operand of " + std::string(name_of(spec_.op)) +
                                   " that has a file");
    }
    return OperandFile{*operand, std::string(text.substr(at + 1))};
  }

  Result<std::vector<OperandFile>> read_all(std::span<const std::string> texts) const {
    std::vector<OperandFile> out;
    for (const std::string& text : texts) {
      Result<OperandFile> file = read(text);
      if (!file) return std::move(file).error();
      const auto same = [&](const OperandFile& old) { return old.operand == file->operand; };
      if (std::ranges::any_of(out, same))
        return complaint("twice", option_ + " gives " + name_of(spec_, file->operand) + " twice");
      out.push_back(std::move(*file));
    }
    return out;
  }

  Diagnostic complaint(std::string_view id, const std::string& message) const {
    return error("option." + std::string(id), message + "; " + option_ + " takes " + accepted_);
  }

 private:
  const KernelSpec& spec_;
  std::string option_;
  std::string accepted_;
};

std::optional<Diagnostic> missing_input(const KernelSpec& spec, const OperandFiles& files) {
  std::string missing;
  for (const MemoryOperand& operand : operands_read(spec)) {
    const bool is_needed = !files.out.empty() || operand.role == Role::Index;
    if (is_needed && files.input_of(operand).empty())
      missing += " --in " + name_of(spec, operand) + "=FILE";
  }
  if (missing.empty()) return std::nullopt;
  return error("option.missing", "operands that are read need a file; give" + missing);
}

}  // namespace

std::string OperandFiles::input_of(const MemoryOperand& operand) const {
  const auto found = std::ranges::find(in, operand, &OperandFile::operand);
  return found == in.end() ? "" : found->path;
}

std::vector<MemoryOperand> operands_read(const KernelSpec& spec) {
  std::vector<MemoryOperand> out = memory_operands(spec);
  std::erase_if(
      out, [&](const MemoryOperand& operand) { return operand.role == written_role(spec.op); });
  return out;
}

Result<OperandFiles> parse_operand_files(const KernelSpec& spec, std::span<const std::string> in,
                                         std::span<const std::string> out, Purpose purpose) {
  const OptionReader ins(spec, "--in", all_names(spec));
  const OptionReader outs(spec, "--out", written_names(spec));
  Result<std::vector<OperandFile>> inputs = ins.read_all(in);
  if (!inputs) return std::move(inputs).error();
  Result<std::vector<OperandFile>> outputs = outs.read_all(out);
  if (!outputs) return std::move(outputs).error();
  for (const OperandFile& file : *outputs) {
    if (file.operand.role == written_role(spec.op)) continue;
    return outs.complaint("read_only", name_of(spec, file.operand) + " is read, not written");
  }
  if (outputs->empty() && purpose == Purpose::Run)
    return outs.complaint("missing", "no --out, so the result would be lost");
  OperandFiles files{std::move(*inputs), std::move(*outputs)};
  if (purpose == Purpose::Check) return files;
  if (auto problem = missing_input(spec, files)) return std::move(*problem);
  return files;
}

}  // namespace pto::jit::cli
