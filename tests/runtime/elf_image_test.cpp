// The object file made for debuggers, read back field by field.
#include "runtime/code/elf_image.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

namespace pto::jit::tests {
namespace {

constexpr const char* kName = "a5:mscatter.row src=f32[8x32] idx=i32[1x8] table=f32[64x32]";
constexpr std::size_t kSize = 0x1234;
constexpr int kCode = 0;  // stands for code somewhere

#if defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#else
constexpr int kMachine = EM_X86_64;
#endif

class ElfImage : public testing::Test {
 protected:
  template <class T>
  T at(std::uint64_t offset) const {
    T out{};
    EXPECT_LE(offset + sizeof(T), image.size());
    std::memcpy(&out, image.data() + offset, sizeof(T));
    return out;
  }

  std::string text_at(const Elf64_Shdr& strings, std::uint32_t offset) const {
    EXPECT_EQ(strings.sh_type, static_cast<std::uint32_t>(SHT_STRTAB));
    EXPECT_LT(offset, strings.sh_size);
    EXPECT_LE(strings.sh_offset + strings.sh_size, image.size());
    EXPECT_EQ(image[strings.sh_offset + strings.sh_size - 1], std::byte{0});
    return reinterpret_cast<const char*>(image.data()) + strings.sh_offset + offset;
  }

  Elf64_Shdr section(std::uint64_t number) const {
    EXPECT_LT(number, header.e_shnum);
    return at<Elf64_Shdr>(header.e_shoff + number * header.e_shentsize);
  }

  // The number of the section with this name.
  std::uint16_t find(const std::string& name) const {
    for (std::uint16_t i = 0; i < header.e_shnum; ++i) {
      if (text_at(section(header.e_shstrndx), section(i).sh_name) == name) return i;
    }
    ADD_FAILURE() << "no section " << name;
    return 0;
  }

  const std::vector<std::byte> image = make_elf_image(kName, &kCode, kSize);
  const Elf64_Ehdr header = at<Elf64_Ehdr>(0);
};

TEST_F(ElfImage, HasTheHeaderOfAnObjectFile) {
  EXPECT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0);
  EXPECT_EQ(header.e_ident[EI_CLASS], ELFCLASS64);
  EXPECT_EQ(header.e_ident[EI_DATA], ELFDATA2LSB);
  EXPECT_EQ(header.e_ident[EI_VERSION], EV_CURRENT);
  EXPECT_EQ(header.e_type, ET_REL);
  EXPECT_EQ(header.e_machine, kMachine);
  EXPECT_EQ(header.e_ehsize, sizeof(Elf64_Ehdr));
  EXPECT_EQ(header.e_shentsize, sizeof(Elf64_Shdr));
  EXPECT_LE(header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize, image.size());
}

TEST_F(ElfImage, BeginsItsSectionsWithAnEmptyOne) {
  EXPECT_EQ(section(0).sh_type, static_cast<std::uint32_t>(SHT_NULL));
  for (std::uint16_t i = 1; i < header.e_shnum; ++i) {
    const Elf64_Shdr here = section(i);
    const std::uint64_t held = here.sh_type == SHT_NOBITS ? 0 : here.sh_size;
    EXPECT_LE(here.sh_offset + held, image.size()) << i;
    EXPECT_EQ(here.sh_offset % here.sh_addralign, 0u) << i;
  }
}

TEST_F(ElfImage, SaysWhereTheCodeIsWithoutHoldingIt) {
  const Elf64_Shdr text = section(find(".text"));
  EXPECT_EQ(text.sh_type, static_cast<std::uint32_t>(SHT_NOBITS));
  EXPECT_EQ(text.sh_flags, static_cast<std::uint64_t>(SHF_ALLOC | SHF_EXECINSTR));
  EXPECT_EQ(text.sh_addr, reinterpret_cast<std::uintptr_t>(&kCode));
  EXPECT_EQ(text.sh_size, kSize);
}

TEST_F(ElfImage, HasOneFunctionOverTheWholeCode) {
  const Elf64_Shdr symbols = section(find(".symtab"));
  ASSERT_EQ(symbols.sh_entsize, sizeof(Elf64_Sym));
  ASSERT_EQ(symbols.sh_size, 2 * sizeof(Elf64_Sym));
  EXPECT_EQ(symbols.sh_info, 1u);
  const auto empty = at<Elf64_Sym>(symbols.sh_offset);
  EXPECT_EQ(empty.st_name, 0u);
  EXPECT_EQ(empty.st_shndx, SHN_UNDEF);
  const auto function = at<Elf64_Sym>(symbols.sh_offset + sizeof(Elf64_Sym));
  EXPECT_EQ(text_at(section(symbols.sh_link), function.st_name), kName);
  EXPECT_EQ(ELF64_ST_TYPE(function.st_info), STT_FUNC);
  EXPECT_EQ(ELF64_ST_BIND(function.st_info), STB_GLOBAL);
  EXPECT_EQ(function.st_shndx, find(".text"));
  EXPECT_EQ(function.st_value, 0u);
  EXPECT_EQ(function.st_size, kSize);
}

}  // namespace
}  // namespace pto::jit::tests
