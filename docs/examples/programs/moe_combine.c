/* MoE combine: what the experts made of their tokens is added up, two experts for each of eight
 * tokens. The kernel for the device is written from the same spec. */
#include <ptojit/c.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TOKENS = 8, WIDTH = 64 };

static int fail(ptojit_diagnostics* why) {
  fputs(ptojit_diagnostics_text(why), stderr);
  ptojit_diagnostics_free(why);
  return 1;
}

int main(void) {
  static float made[2 * TOKENS * WIDTH], combined[TOKENS * WIDTH];
  int32_t tokens[2 * TOKENS];
  for (int row = 0; row < 2 * TOKENS; ++row) {
    tokens[row] = row % TOKENS;
    for (int i = 0; i < WIDTH; ++i) made[row * WIDTH + i] = row < TOKENS ? 0.75F : 0.25F;
  }

  ptojit_spec* spec;
  ptojit_diagnostics* why;
  if (ptojit_parse("a5:mscatter.row.atomic_add src=f32[16x64] idx=i32[1x16] table=f32[?x64]", &spec,
                   &why) != PTOJIT_OK)
    return fail(why);
  const int64_t extents[] = {TOKENS, WIDTH};
  const ptojit_buffer buffers[] = {
      {.operand = "src", .data = made, .bytes = sizeof made, .dtype = "f32"},
      {.operand = "idx", .data = tokens, .bytes = sizeof tokens, .dtype = "i32"},
      {.operand = "table",
       .data = combined,
       .bytes = sizeof combined,
       .dtype = "f32",
       .extents = extents,
       .rank = 2},
  };
  const ptojit_arguments arguments = {.buffers = buffers, .buffer_count = 3};
  char* text = NULL;
  ptojit_status status = ptojit_call(spec, &arguments, NULL, &why);
  if (status == PTOJIT_OK) status = ptojit_source(spec, PTOJIT_INTRINSIC, &text, &why);
  ptojit_spec_free(spec);
  if (status != PTOJIT_OK) return fail(why);

  int failed = strstr(text, "MSCATTER<") == NULL;
  for (int i = 0; i < TOKENS * WIDTH; ++i) failed |= combined[i] != 1.0F;
  printf("combined; the kernel for A5 has %zu characters\n", strlen(text));
  ptojit_text_free(text);
  return failed;
}
