#include <algorithm>
#include <array>

#include "jit/files/npy_header.h"
#include "tests/fuzz/fuzzers.h"
#include "tests/support/npy.h"

namespace pto::jit::tests {
namespace {

using Shape = std::vector<std::int64_t>;
using Bytes = std::vector<std::byte>;

std::uint64_t inputs = 0;
std::uint64_t headers = 0;
std::uint64_t arrays = 0;

std::span<const std::byte> bytes_in(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The header as the file has it, found without the reader's help.
std::string_view header_in(std::string_view file) {
  const std::size_t begin = std::min(file.find('{'), file.size());
  const std::size_t end = std::min(file.find('}', begin), file.size());
  return file.substr(begin, end - begin + 1);
}

// What is read is the end of the file, as long as the shape says, and survives being written.
std::string complaint_about_array(std::string_view file, const Bytes& read, DType dtype,
                                  const Shape& shape) {
  ++arrays;
  if (!file.ends_with(text_of(read))) return "what was read is not the end of the file";
  const std::optional<std::int64_t> bytes = cli::byte_count(shape, dtype);
  if (!bytes || static_cast<std::size_t>(*bytes) != read.size()) return "a payload of another size";
  const Bytes written = write_npy(read, dtype, shape);
  const Result<Bytes> again = read_npy(written, dtype, shape, false);
  return again && *again == read ? "" : "an array that is written cannot be read";
}

std::string complaint_about(std::string_view file, DType dtype, const Shape& shape) {
  for (const bool may_be_longer : {false, true}) {
    const Result<Bytes> read = read_npy(bytes_in(file), dtype, shape, may_be_longer);
    if (!read && (read.error().size() != 1 || read.error()[0].message.empty()))
      return "refused without a reason";
    if (!read || may_be_longer) continue;
    const std::string complaint = complaint_about_array(file, *read, dtype, shape);
    if (!complaint.empty()) return complaint;
  }
  return "";
}

std::string complaint_about_header(std::string_view text, const cli::NpyHeader& header) {
  const Result<cli::NpyHeader> again = cli::parse_npy_header(cli::print_npy_header(header));
  const bool can_be_printed = header.descr.find('\'') == std::string::npos;
  if (can_be_printed && (!again || !(*again == header)))
    return "a header does not read back: " + printable(text, 400);
  return "";
}

std::string finding(std::string_view file) {
  ++inputs;
  Shape shape = {8, 8};
  const std::string_view text = header_in(file);
  if (const Result<cli::NpyHeader> header = cli::parse_npy_header(text)) {
    ++headers;
    shape = header->shape;
    const std::string complaint = complaint_about_header(text, *header);
    if (!complaint.empty()) return complaint;
  }
  for (const DType dtype : {DType::I8, DType::BF16, DType::F16, DType::F32, DType::I32}) {
    const std::string complaint = complaint_about(file, dtype, shape);
    if (!complaint.empty()) return complaint;
  }
  return "";
}

constexpr std::array<std::string_view, 22> kWords = {"'descr'", "'fortran_order'",
                                                     "'shape'", ": ",
                                                     ", ",      "(",
                                                     ")",       "{",
                                                     "}",       "'<f4'",
                                                     "'|u1'",   "<i4",
                                                     ">f4",     "=u2",
                                                     "'<f2'",   "True",
                                                     "False",   "()",
                                                     "(8,)",    "-1",
                                                     "0",       "9223372036854775807"};

// A file as it is written, of some shape and type.
std::string any_array(Random& random) {
  constexpr std::array kTypes = {DType::U8, DType::BF16, DType::F16, DType::F32, DType::I32};
  const DType dtype = kTypes[random.below(kTypes.size())];
  Shape shape(random.below(4));
  for (std::int64_t& extent : shape) extent = static_cast<std::int64_t>(random.below(6));
  const Bytes payload(static_cast<std::size_t>(*cli::byte_count(shape, dtype)));
  return std::string(text_of(write_npy(payload, dtype, shape)));
}

// The file that a header promises; the file as it is where it promises too much.
std::string kept_promise(const std::string& file) {
  const std::string_view text = header_in(file);
  const Result<cli::NpyHeader> header = cli::parse_npy_header(text);
  if (!header || header->descr.empty() || text.size() > 255) return file;
  const std::int64_t size = header->descr.back() - '0';
  const std::optional<std::int64_t> count = cli::byte_count(header->shape, DType::U8);
  if (!count || *count > 1024 || size < 1 || size > 8) return file;
  std::string out("\x93NUMPY\x01\x00\x00\x00", 10);
  out[8] = static_cast<char>(text.size());
  return out + std::string(text) + std::string(static_cast<std::size_t>(*count * size), 'x');
}

// A word put in, something left out, or another length of header.
std::string mutated(std::string_view input, Random& random) {
  if (random.below(3) == 0) return kept_promise(std::string(input));
  std::string out = input.empty() || random.below(8) == 0 ? any_array(random) : std::string(input);
  for (std::size_t i = 1 + random.below(3); i-- > 0;) {
    const std::size_t at = random.below(out.size() + 1);
    const std::string_view word = kWords[random.below(kWords.size())];
    switch (random.below(4)) {
      case 0: out.insert(at, word); break;
      case 1: out.replace(at, std::min(word.size(), out.size() - at), word); break;
      case 2: out.erase(at, 1 + random.below(8)); break;
      default:
        if (out.size() > 9) out[6 + random.below(4)] = static_cast<char>(random.below(256));
    }
  }
  return out;
}

Reached reached() {
  return {std::to_string(inputs) + " inputs, " + std::to_string(headers) + " headers, " +
          std::to_string(arrays) + " arrays\n"};
}

}  // namespace

constinit const Fuzzer kNpyFuzzer = {"npy", finding, mutated, reached};

}  // namespace pto::jit::tests
