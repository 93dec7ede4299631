#include "jit/doors/c/answer.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace pto::jit::c {

Result<Done> check_given(std::initializer_list<Needed> needed) {
  for (const Needed& one : needed) {
    if (!one.value) return error("c.null", std::string(one.name) + " is null");
  }
  return Done{};
}

void tell(ptojit_diagnostics** why, const Diagnostics& found, std::string_view text) {
  if (why && !found.empty())
    *why = new ptojit_diagnostics{found.size(), render(found, text), json_of(found)};
}

Result<Done> hand_over(char** out, const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  *out = copy;
  return Done{};
}

Result<Done> hand_over(char** out, const Result<std::string>& text) {
  if (!text) return text.error();
  return hand_over(out, *text);
}

}  // namespace pto::jit::c

size_t ptojit_diagnostics_count(const ptojit_diagnostics* diagnostics) {
  return diagnostics ? diagnostics->count : 0;
}

const char* ptojit_diagnostics_text(const ptojit_diagnostics* diagnostics) {
  return diagnostics ? diagnostics->text.c_str() : "";
}

const char* ptojit_diagnostics_json(const ptojit_diagnostics* diagnostics) {
  return diagnostics ? diagnostics->json.c_str() : "[]";
}

void ptojit_diagnostics_free(ptojit_diagnostics* diagnostics) { delete diagnostics; }

void ptojit_text_free(char* text) { std::free(text); }

const char* ptojit_version(void) { return PTOJIT_VERSION; }
