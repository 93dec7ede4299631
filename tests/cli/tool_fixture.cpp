#include "tests/cli/tool_fixture.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "jit/tools/tool.h"

namespace pto::jit::tests {

namespace fs = std::filesystem;

::testing::AssertionResult ToolRun::fails(int code,
                                          std::initializer_list<std::string_view> words) const {
  if (exit != code) return ::testing::AssertionFailure() << "exit " << exit << "\n" << err;
  if (!out.empty()) return ::testing::AssertionFailure() << "output: " << out;
  for (const std::string_view word : words) {
    if (err.find(word) == std::string::npos)
      return ::testing::AssertionFailure() << "no '" << word << "' in: " << err;
  }
  return ::testing::AssertionSuccess();
}

void ToolTest::SetUp() {
  std::string name = ::testing::TempDir() + "ptojit-tool-XXXXXX";
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  root_ = name;
}

void ToolTest::TearDown() { fs::remove_all(root_); }

ToolRun ToolTest::tool(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"ptojit"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out;
  std::ostringstream err;
  const int exit = cli::run_tool(static_cast<int>(argv.size()), argv.data(), out, err);
  return {exit, out.str(), err.str()};
}

std::string ToolTest::path(const std::string& name) const { return (root_ / name).string(); }

std::string ToolTest::put(const std::string& name, std::span<const std::byte> bytes) const {
  std::ofstream out(path(name), std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  return path(name);
}

std::string ToolTest::put(const std::string& name, std::string_view text) const {
  return put(name, std::as_bytes(std::span(text)));
}

Bytes ToolTest::get(const std::string& name) const {
  std::ifstream in(path(name), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::set<std::string> ToolTest::names() const {
  std::set<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(root_))
    out.insert(entry.path().filename().string());
  return out;
}

Bytes numbered(std::size_t count, std::size_t size) {
  Bytes out(count * size);
  for (std::size_t i = 0; i < count; ++i) std::memcpy(out.data() + i * size, &i, size);
  return out;
}

Bytes indices(std::initializer_list<std::uint32_t> values) {
  Bytes out(values.size() * sizeof(std::uint32_t));
  std::memcpy(out.data(), std::data(values), out.size());
  return out;
}

Bytes npy(const std::string& header, std::span<const std::byte> payload) {
  std::string front = "\x93NUMPY";
  front += {'\x01', '\x00', static_cast<char>(header.size()), '\x00'};
  front += header;
  const auto begin = std::as_bytes(std::span(front));
  Bytes out(begin.begin(), begin.end());
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

}  // namespace pto::jit::tests
