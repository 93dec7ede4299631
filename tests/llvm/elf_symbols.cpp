#include "tests/llvm/elf_symbols.h"

#include <elf.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pto::jit::tests {
namespace {

template <class T>
T at(std::span<const std::byte> object, std::size_t offset) {
  T out{};
  if (offset + sizeof(T) > object.size()) {
    std::fputs("an object file ends early\n", stderr);
    std::abort();
  }
  std::memcpy(&out, object.data() + offset, sizeof(T));
  return out;
}

Elf64_Shdr section(std::span<const std::byte> object, std::size_t number) {
  const auto header = at<Elf64_Ehdr>(object, 0);
  return at<Elf64_Shdr>(object, header.e_shoff + number * header.e_shentsize);
}

}  // namespace

int machine_of(std::span<const std::byte> object) { return at<Elf64_Ehdr>(object, 0).e_machine; }

std::span<const std::byte> instructions_of(std::span<const std::byte> object) {
  const auto header = at<Elf64_Ehdr>(object, 0);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr text = section(object, i);
    if ((text.sh_flags & SHF_EXECINSTR) != 0 && text.sh_size > 0)
      return object.subspan(text.sh_offset, text.sh_size);
  }
  return {};
}

std::vector<std::string> undefined_symbols(std::span<const std::byte> object) {
  const auto header = at<Elf64_Ehdr>(object, 0);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr symbols = section(object, i);
    if (symbols.sh_type != SHT_SYMTAB) continue;
    const Elf64_Shdr names = section(object, symbols.sh_link);
    for (std::size_t offset = sizeof(Elf64_Sym); offset < symbols.sh_size;
         offset += sizeof(Elf64_Sym)) {
      const auto symbol = at<Elf64_Sym>(object, symbols.sh_offset + offset);
      if (symbol.st_shndx != SHN_UNDEF) continue;
      out.emplace_back(
          reinterpret_cast<const char*>(object.data() + names.sh_offset + symbol.st_name));
    }
  }
  return out;
}

}  // namespace pto::jit::tests
