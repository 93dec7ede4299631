// The tool run in this process, on files in a directory of each test's own.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pto::jit::tests {

using Bytes = std::vector<std::byte>;

struct ToolRun {
  int exit = 0;
  std::string out;
  std::string err;

  // Whether it failed as `exit` says, without output, with each of `words` in its message.
  ::testing::AssertionResult fails(int code, std::initializer_list<std::string_view> words) const;
};

class ToolTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Without the tool's own name.
  static ToolRun tool(const std::vector<std::string>& arguments);

  std::string path(const std::string& name) const;
  std::string put(const std::string& name, std::span<const std::byte> bytes) const;
  std::string put(const std::string& name, std::string_view text) const;
  Bytes get(const std::string& name) const;

  // Everything in the directory.
  std::set<std::string> names() const;

 private:
  std::filesystem::path root_;
};

// `count` elements of `size` bytes, each holding its own number.
Bytes numbered(std::size_t count, std::size_t size);

// Indices of 4 bytes.
Bytes indices(std::initializer_list<std::uint32_t> values);

// A .npy image of `payload` with the header as given.
Bytes npy(const std::string& header, std::span<const std::byte> payload);

}  // namespace pto::jit::tests
