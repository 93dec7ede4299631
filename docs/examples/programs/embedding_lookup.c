/* Embedding lookup: one kernel, compiled once, gathers the rows of batches of any size up to 64. An
 * id beyond the vocabulary gives a row of zeros. */
#include <ptojit/c.h>
#include <stdint.h>
#include <stdio.h>

enum { WIDTH = 256, VOCABULARY = 1000, MOST = 64 };

static float table[VOCABULARY * WIDTH], out[MOST * WIDTH];

/* The frame is taken as it is: whoever calls a kernel like this answers for the memory. */
static int look_up(const ptojit_spec* spec, const ptojit_kernel* kernel, const int32_t* ids,
                   int count) {
  struct ptojit_frame frame = {.tile = out, .index = ids, .table = table};
  frame.extents[ptojit_extent(spec, "dst.vr")] = count;
  frame.extents[ptojit_extent(spec, "table.d3")] = VOCABULARY;
  ptojit_run(kernel, &frame);
  for (int row = 0; row < count; ++row) {
    const float wanted = ids[row] < VOCABULARY ? (float)ids[row] : 0.0F;
    if (out[row * WIDTH] != wanted || out[row * WIDTH + WIDTH - 1] != wanted) return 1;
  }
  printf("%d rows looked up\n", count);
  return 0;
}

int main(void) {
  ptojit_spec* spec = NULL;
  ptojit_kernel* kernel = NULL;
  ptojit_diagnostics* why;
  ptojit_status status = ptojit_parse(
      "a5:mgather.row.zero dst=f32[64x256|?x256] idx=i32[1x64|1x?] table=f32[?x256]", &spec, &why);
  if (status == PTOJIT_OK) status = ptojit_compile(spec, NULL, &kernel, &why);
  if (status != PTOJIT_OK) {
    fputs(ptojit_diagnostics_text(why), stderr);
    ptojit_diagnostics_free(why);
    ptojit_spec_free(spec);
    return 1;
  }

  for (int i = 0; i < VOCABULARY * WIDTH; ++i) table[i] = (float)(i / WIDTH);
  const int32_t first[] = {7, 999, 3}, second[] = {1000, 7};
  const int failed = look_up(spec, kernel, first, 3) || look_up(spec, kernel, second, 2) ||
                     out[2 * WIDTH] != 3.0F; /* the second batch had two rows */
  ptojit_kernel_free(kernel);
  ptojit_spec_free(spec);
  return failed;
}
