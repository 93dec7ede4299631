/* Top-k split: a sort leaves pairs of value and position; two gathers by byte offsets take them
 * apart. What a target makes of a spec is known before anything runs. */
#include <ptojit/c.h>
#include <stdint.h>
#include <stdio.h>

enum { COUNT = 128 };

static uint32_t pairs[2 * COUNT], offsets[COUNT], values[COUNT], positions[COUNT];

static ptojit_buffer view(const char* operand, uint32_t* words, int64_t count) {
  return (ptojit_buffer){.operand = operand, .data = words, .bytes = 4 * count, .dtype = "u32"};
}

/* Every second word of the pairs, from the byte `first` on. */
static ptojit_status take(const ptojit_spec* spec, uint32_t first, uint32_t* out) {
  for (uint32_t i = 0; i < COUNT; ++i) offsets[i] = first + 8 * i;
  const ptojit_buffer buffers[] = {view("src", pairs, 2 * COUNT), view("offset", offsets, COUNT),
                                   view("dst", out, COUNT)};
  const ptojit_arguments arguments = {.buffers = buffers, .buffer_count = 3};
  return ptojit_call(spec, &arguments, NULL, NULL);
}

static ptojit_spec* spec_of(const char* text) {
  ptojit_spec* spec = NULL;
  ptojit_parse(text, &spec, NULL);
  return spec; /* null when the text is none; every function takes that for an error */
}

int main(void) {
  ptojit_diagnostics* why;
  ptojit_spec* narrow = spec_of("a5:tgatherb src=u32[1x256] offset=u32[1x128] dst=u32[1x100]");
  const ptojit_status refused = ptojit_check(narrow, &why);
  printf("%zu broken rules: %s\n", ptojit_diagnostics_count(why), ptojit_diagnostics_json(why));
  ptojit_diagnostics_free(why);
  ptojit_spec_free(narrow);
  if (refused != PTOJIT_ILLEGAL) return 1;

  for (uint32_t i = 0; i < COUNT; ++i) {
    pairs[2 * i] = 1000 - i;
    pairs[2 * i + 1] = i;
  }
  ptojit_spec* spec = spec_of("a5:tgatherb src=u32[1x256] offset=u32[1x128] dst=u32[1x128]");
  const ptojit_status taken =
      take(spec, 0, values) != PTOJIT_OK ? PTOJIT_FAILED : take(spec, 4, positions);
  ptojit_spec_free(spec);
  for (uint32_t i = 0; i < COUNT && taken == PTOJIT_OK; ++i) {
    if (values[i] != 1000 - i || positions[i] != i) return 1;
  }
  return taken == PTOJIT_OK ? 0 : 1;
}
