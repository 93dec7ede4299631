// InputFile: a file given with --in, mapped where that can be done, else read to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "ir/result.h"
#include "jit/files/file_bytes.h"
#include "jit/files/npy.h"
#include "runtime/operands.h"

namespace pto::jit::cli {

bool is_npy(std::string_view path);

class InputFile {
 public:
  enum class Use : std::uint8_t {
    Map,     // and never write
    Change,  // map, and keep to oneself what is written
    Read,    // what is in it now, whatever becomes of the file
  };

  // A regular file or a pipe; devices are refused: some have no end. Of a .npy file the header is
  // read.
  static Result<InputFile> open(const std::string& path, Use use);

  const std::string& path() const;
  const std::optional<NpyArray>& array() const;

  // The elements, without the header of a .npy file; and where they are in the file, unless that
  // was a pipe.
  Storage payload() const;
  std::optional<FileRange> range() const;

  // An error when the file does not have any more what it had.
  Result<Done> check() const;

  // `why` with the file it is about.
  Diagnostics complaint(Diagnostics why) const;

 private:
  struct Opened;
  explicit InputFile(std::shared_ptr<const Opened> opened) : opened_(std::move(opened)) {}

  std::shared_ptr<const Opened> opened_;
};

// All that is in a file or a pipe.
Result<std::string> read_text(const std::string& path);

}  // namespace pto::jit::cli
