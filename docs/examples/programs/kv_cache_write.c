/* KV-cache write: the keys of a decoding step go to their slots of the cache. A token without a
 * slot has -1, which is beyond the end of every cache and skipped. */
#include <ptojit/c.h>
#include <stdint.h>
#include <stdio.h>

enum { WIDTH = 128, SLOTS = 64, MOST = 8 };

static int fail(ptojit_diagnostics* why) {
  fputs(ptojit_diagnostics_text(why), stderr);
  ptojit_diagnostics_free(why);
  return 1;
}

int main(void) {
  static uint16_t cache[SLOTS * WIDTH], keys[MOST * WIDTH];
  int32_t slots[MOST] = {5, -1, 40};
  for (int i = 0; i < MOST * WIDTH; ++i) keys[i] = 0x3f80; /* 1.0 as bf16 */

  ptojit_spec* spec;
  ptojit_diagnostics* why;
  if (ptojit_parse("a5:mscatter.row.skip src=bf16[8x128|?x128] idx=i32[1x8|1x?] table=bf16[?x128]",
                   &spec, &why) != PTOJIT_OK)
    return fail(why);

  const int64_t extents[] = {SLOTS, WIDTH};
  const ptojit_buffer buffers[] = {
      {.operand = "src", .data = keys, .bytes = sizeof keys, .dtype = "bf16"},
      {.operand = "idx", .data = slots, .bytes = sizeof slots, .dtype = "i32"},
      {.operand = "table",
       .data = cache,
       .bytes = sizeof cache,
       .dtype = "bf16",
       .extents = extents,
       .rank = 2},
  };
  const ptojit_binding tokens = {"src.vr", 3};
  const ptojit_arguments arguments = {
      .buffers = buffers, .buffer_count = 3, .bindings = &tokens, .binding_count = 1};
  const ptojit_status status = ptojit_call(spec, &arguments, NULL, &why);
  ptojit_spec_free(spec);
  if (status != PTOJIT_OK) return fail(why);

  int written = 0;
  for (int i = 0; i < SLOTS * WIDTH; ++i) written += cache[i] != 0;
  printf("%d elements written\n", written);
  return written == 2 * WIDTH && cache[5 * WIDTH] && cache[40 * WIDTH] ? 0 : 1;
}
