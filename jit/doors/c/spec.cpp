// The C interface to specs: read, checked, explained, written for the device.
#include <cstring>

#include "ir/spec_text.h"
#include "jit/doors/c/answer.h"
#include "jit/text/emit_source.h"
#include "targets/planner.h"

using namespace pto::jit;  // NOLINT(google-build-using-namespace)
using c::answer;

ptojit_status ptojit_parse(const char* text, ptojit_spec** spec, ptojit_diagnostics** why) {
  const auto work = [&]() -> Result<Done> {
    const Result<KernelSpec> read = parse(text);
    if (!read) return read.error();
    *spec = new ptojit_spec{*read};
    return Done{};
  };
  return answer(why, {{"text", text}, {"spec", spec}}, work, text ? text : "");
}

void ptojit_spec_free(ptojit_spec* spec) { delete spec; }

ptojit_status ptojit_check(const ptojit_spec* spec, ptojit_diagnostics** why) {
  return answer(why, {{"spec", spec}}, [&]() -> Result<Done> {
    const Result<LegalSpec> legal = verify(spec->spec);
    if (!legal) return legal.error();
    c::tell(why, notes_on(*legal));
    return Done{};
  });
}

ptojit_status ptojit_print(const ptojit_spec* spec, char** text, ptojit_diagnostics** why) {
  return answer(why, {{"spec", spec}, {"text", text}},
                [&] { return c::hand_over(text, print(spec->spec)); });
}

ptojit_status ptojit_plan(const ptojit_spec* spec, char** text, ptojit_diagnostics** why) {
  return answer(why, {{"spec", spec}, {"text", text}}, [&]() -> Result<Done> {
    const Result<LegalSpec> legal = verify(spec->spec);
    if (!legal) return legal.error();
    return c::hand_over(text, print(make_plan(*legal), legal->spec().op));
  });
}

ptojit_status ptojit_source(const ptojit_spec* spec, ptojit_form form, char** text,
                            ptojit_diagnostics** why) {
  int number = 0;  // C lets an enum hold any, and C++ does not let it be looked at
  static_assert(sizeof number == sizeof form);
  std::memcpy(&number, &form, sizeof number);
  return answer(why, {{"spec", spec}, {"text", text}}, [&]() -> Result<Done> {
    if (number < PTOJIT_INTRINSIC || number > PTOJIT_PTO_LINE)
      return error("c.form", std::to_string(number) + " is no form; forms are 0 to 3");
    return c::hand_over(text, emit_source(spec->spec, {.form = static_cast<SourceForm>(number)}));
  });
}

int ptojit_extent(const ptojit_spec* spec, const char* dimension) {
  if (!spec || !dimension) return -1;
  const std::optional<Dim> dim = dim_named(spec->spec.op, dimension);
  return dim ? static_cast<int>(*dim) : -1;
}
