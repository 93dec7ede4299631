#include "jit/files/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <string_view>

#include "jit/files/npy_header.h"

namespace pto::jit::cli {
namespace {

// Payloads go to kernels as they lie in the file, and NumPy's '=' is the order of the host.
static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = kMagic.size() + 2;
constexpr std::size_t kAlignment = 64;  // of the payload in the files we write

struct ArrayType {
  DType dtype;
  std::string_view kind;  // NumPy's letter and width, without the byte order
};

// NumPy has neither bf16 nor the 8-bit floats: unsigned integers carry their bits.
constexpr std::array kArrayTypes = {
    ArrayType{DType::I8, "i1"},     ArrayType{DType::U8, "u1"},     ArrayType{DType::I16, "i2"},
    ArrayType{DType::U16, "u2"},    ArrayType{DType::I32, "i4"},    ArrayType{DType::U32, "u4"},
    ArrayType{DType::F16, "f2"},    ArrayType{DType::BF16, "u2"},   ArrayType{DType::F32, "f4"},
    ArrayType{DType::F8E4M3, "u1"}, ArrayType{DType::F8E5M2, "u1"}, ArrayType{DType::HIF8, "u1"},
};
static_assert(std::ranges::equal(kArrayTypes, kDTypes, {}, &ArrayType::dtype, &DTypeInfo::dtype));

std::string_view kind_of(DType dtype) { return kArrayTypes[static_cast<std::size_t>(dtype)].kind; }

std::string descr_of(DType dtype) {
  return (size_of(dtype) == 1 ? "|" : "<") + std::string(kind_of(dtype));
}

struct Parts {
  std::string_view header;
  std::size_t payload;  // where it begins
};

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

Result<Parts> split(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(kMagic)) return npy_error("the file does not begin like a .npy file");
  if (text.size() < kVersionEnd) return npy_error("the file ends before its version");
  const unsigned major = static_cast<unsigned char>(text[kMagic.size()]);
  const unsigned minor = static_cast<unsigned char>(text[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    return npy_error("the file has version " + std::to_string(major) + "." + std::to_string(minor) +
                     "; 1.0, 2.0 and 3.0 can be read");
  }
  const std::size_t begin = kVersionEnd + (major == 1 ? 2 : 4);
  if (text.size() < begin) return npy_error("the file ends inside the length of its header");
  const std::size_t length = little_endian(text.substr(kVersionEnd, begin - kVersionEnd));
  if (length > text.size() - begin) {
    return npy_error("the header claims " + std::to_string(length) + " bytes, the file has " +
                     std::to_string(text.size() - begin) + " left");
  }
  return Parts{text.substr(begin, length), begin + length};
}

using Complaint = std::optional<Diagnostic>;

// A byte order is one of '<', '>', '=' and '|', the last for types that have none.
Complaint check_descr(const std::string& descr, DType dtype) {
  const std::string need =
      ", the operand (" + std::string(name_of(dtype)) + ") needs '" + descr_of(dtype) + "'";
  const std::string has = "the array has the type '" + printable(descr) + "'";
  constexpr std::string_view kOrders = "<>=|";
  const bool is_known = !descr.empty() && kOrders.find(descr.front()) != std::string_view::npos;
  if (!is_known || std::string_view(descr).substr(1) != kind_of(dtype)) {
    return npy_error(has + need);
  }
  if (size_of(dtype) == 1) return std::nullopt;
  if (descr.front() == '>') return npy_error(has + ", which is big-endian" + need);
  if (descr.front() == '|') return npy_error(has + ", which has no byte order" + need);
  return std::nullopt;
}

// With one extent above 1 at most, both orders are the same.
Complaint check_order(const NpyHeader& header) {
  const auto is_long = [](std::int64_t extent) { return extent != 1; };
  if (!header.fortran_order || std::ranges::count_if(header.shape, is_long) <= 1) {
    return std::nullopt;
  }
  return npy_error("the array of shape " + print_tuple(header.shape) +
                   " is in Fortran order; save it in C order (numpy.ascontiguousarray)");
}

Complaint check_size(const NpyHeader& header, DType dtype, std::size_t payload) {
  const std::string shape = "the array's shape " + print_tuple(header.shape);
  const std::optional<std::int64_t> claimed = byte_count(header.shape, dtype);
  if (!claimed) return npy_error(shape + " is beyond 2^63 bytes");
  if (static_cast<std::size_t>(*claimed) == payload) return std::nullopt;
  return npy_error(shape + " takes " + std::to_string(*claimed) + " bytes, the file has " +
                   std::to_string(payload) + " after its header");
}

std::span<const std::int64_t> without_leading_ones(std::span<const std::int64_t> shape) {
  const auto first = std::ranges::find_if(shape, [](std::int64_t extent) { return extent != 1; });
  return {first, shape.end()};
}

bool is_same(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  return std::ranges::equal(without_leading_ones(a), without_leading_ones(b));
}

bool has_shape(std::span<const std::int64_t> shape, const ArrayNeed& need, std::int64_t count) {
  const bool is_flat = shape.size() == 1 && shape[0] >= need.least;
  if (is_flat && (shape[0] <= count || need.may_be_longer)) return true;
  if (!need.valid.empty() && is_same(shape, need.valid)) return true;
  return need.may_be_longer ? is_same(shape, need.storage)
                            : std::ranges::equal(shape, need.storage);
}

Complaint check_shape(std::span<const std::int64_t> shape, const ArrayNeed& need) {
  const std::optional<std::int64_t> bytes = byte_count(need.storage, need.dtype);
  if (!bytes) return npy_error("the operand's storage is beyond 2^63 bytes");
  const std::int64_t count = *bytes / size_of(need.dtype);
  if (has_shape(shape, need, count)) return std::nullopt;
  const bool has_parts = !need.valid.empty() && need.valid != need.storage;
  return npy_error("the array has the shape " + print_tuple(shape) + ", the operand needs " +
                   (need.storage.size() == 1 ? "" : print_tuple(need.storage) + " or ") +
                   (has_parts ? print_tuple(need.valid) + ", what is valid of it, or " : "") +
                   (need.least < count ? print_tuple(std::array{need.least}) + " up to " : "") +
                   print_tuple(std::array{count}) +
                   (need.may_be_longer ? "; a flat array may be longer" : ""));
}

Complaint check(const NpyArray& array, const ArrayNeed& need) {
  const NpyHeader& header = array.header;
  if (Complaint wrong = check_descr(header.descr, need.dtype)) return wrong;
  if (Complaint wrong = check_order(header)) return wrong;
  if (Complaint wrong = check_size(header, need.dtype, array.bytes)) return wrong;
  return check_shape(header.shape, need);
}

}  // namespace

Result<NpyArray> find_array(std::span<const std::byte> file) {
  const Result<Parts> parts = split(file);
  if (!parts) return parts.error();
  const Result<NpyHeader> header = parse_npy_header(parts->header);
  if (!header) return header.error();
  return NpyArray{*header, parts->payload, file.size() - parts->payload};
}

Result<Done> check_array(const NpyArray& array, const ArrayNeed& need) {
  if (Complaint wrong = check(array, need)) return std::move(*wrong);
  return Done{};
}

std::vector<std::byte> npy_front(DType dtype, std::span<const std::int64_t> shape) {
  std::string header = print_npy_header({descr_of(dtype), false, {shape.begin(), shape.end()}});
  const std::size_t begin = kVersionEnd + 2;
  const std::size_t unpadded = begin + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ').append("\n");

  std::string front(kMagic);
  front.append({'\x01', '\x00'});
  front.append({static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)});
  front += header;
  const auto bytes = std::as_bytes(std::span(front));
  return {bytes.begin(), bytes.end()};
}

std::optional<std::int64_t> byte_count(std::span<const std::int64_t> shape, DType dtype) {
  std::int64_t bytes = size_of(dtype);
  for (const std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    if (extent > 0 && bytes > std::numeric_limits<std::int64_t>::max() / extent) {
      return std::nullopt;
    }
    bytes *= extent;
  }
  return bytes;
}

}  // namespace pto::jit::cli
