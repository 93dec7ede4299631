#include "runtime/code/elf_image.h"

#include <elf.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

namespace pto::jit {
namespace {

#if defined(__aarch64__)
constexpr std::uint16_t kMachine = EM_AARCH64;
#else
constexpr std::uint16_t kMachine = EM_X86_64;
#endif

// Section numbers; the first section is always empty.
constexpr std::uint16_t kText = 1;
constexpr std::uint16_t kSymbols = 2;
constexpr std::uint16_t kStrings = 3;
constexpr std::uint16_t kSections = 4;

// Everything of a fixed size, in file order; the strings follow.
struct Head {
  Elf64_Ehdr file{};
  std::array<Elf64_Shdr, kSections> sections{};
  std::array<Elf64_Sym, 2> symbols{};  // the first one is always empty
};

// Names of sections and of the symbol share one table, which begins with an empty name.
class Strings {
 public:
  std::uint32_t add(std::string_view name) {
    const auto at = static_cast<std::uint32_t>(text_.size());
    text_.append(name).push_back('\0');
    return at;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_ = std::string(1, '\0');
};

Elf64_Ehdr file_header() {
  Elf64_Ehdr out{};
  std::memcpy(out.e_ident, ELFMAG, SELFMAG);
  out.e_ident[EI_CLASS] = ELFCLASS64;
  out.e_ident[EI_DATA] = ELFDATA2LSB;
  out.e_ident[EI_VERSION] = EV_CURRENT;
  out.e_type = ET_REL;
  out.e_machine = kMachine;
  out.e_version = EV_CURRENT;
  out.e_shoff = offsetof(Head, sections);
  out.e_ehsize = sizeof(Elf64_Ehdr);
  out.e_shentsize = sizeof(Elf64_Shdr);
  out.e_shnum = kSections;
  out.e_shstrndx = kStrings;
  return out;
}

Elf64_Shdr text_section(std::uint32_t name, const void* address, std::size_t size) {
  Elf64_Shdr out{};
  out.sh_name = name;
  out.sh_type = SHT_NOBITS;
  out.sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  out.sh_addr = reinterpret_cast<std::uintptr_t>(address);
  out.sh_size = size;
  out.sh_addralign = 1;
  return out;
}

Elf64_Shdr symbol_section(std::uint32_t name) {
  Elf64_Shdr out{};
  out.sh_name = name;
  out.sh_type = SHT_SYMTAB;
  out.sh_offset = offsetof(Head, symbols);
  out.sh_size = sizeof(Head::symbols);
  out.sh_link = kStrings;
  out.sh_info = 1;  // the first symbol that is not local
  out.sh_addralign = alignof(Elf64_Sym);
  out.sh_entsize = sizeof(Elf64_Sym);
  return out;
}

Elf64_Shdr string_section(std::uint32_t name) {
  Elf64_Shdr out{};
  out.sh_name = name;
  out.sh_type = SHT_STRTAB;
  out.sh_offset = sizeof(Head);
  out.sh_addralign = 1;
  return out;
}

// In a relocatable file a symbol's value counts from its section's start.
Elf64_Sym function_symbol(std::uint32_t name, std::size_t size) {
  Elf64_Sym out{};
  out.st_name = name;
  out.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  out.st_shndx = kText;
  out.st_size = size;
  return out;
}

}  // namespace

std::vector<std::byte> make_elf_image(std::string_view name, const void* address,
                                      std::size_t size) {
  Strings strings;
  Head head;
  head.file = file_header();
  head.sections[kText] = text_section(strings.add(".text"), address, size);
  head.sections[kSymbols] = symbol_section(strings.add(".symtab"));
  head.sections[kStrings] = string_section(strings.add(".strtab"));
  head.symbols[1] = function_symbol(strings.add(name), size);
  head.sections[kStrings].sh_size = strings.text().size();
  std::vector<std::byte> out(sizeof(Head) + strings.text().size());
  std::memcpy(out.data(), &head, sizeof(Head));
  std::memcpy(out.data() + sizeof(Head), strings.text().data(), strings.text().size());
  return out;
}

}  // namespace pto::jit
