/*
 * The C interface: a spec read, checked, compiled, called and written as text, for programs in C
 * and for other languages to stand on. The C++ one is <ptojit/ptojit.h>.
 *
 * A function that can fail returns a status and takes a `why`, which may be null; otherwise it
 * receives diagnostics, to be freed, or null where there is nothing to say. What a function gives
 * through another pointer is written only when it returns PTOJIT_OK, and is the caller's to free.
 * Freeing null does nothing. Nothing is thrown, nothing is written to a stream, and every function
 * may be called by any thread; a handle may be read by several at a time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "jit/version.h"

/* NOLINTBEGIN(readability-identifier-naming) */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptojit_spec ptojit_spec;               /* what to do; may be legal or not */
typedef struct ptojit_kernel ptojit_kernel;           /* code that does it */
typedef struct ptojit_diagnostics ptojit_diagnostics; /* what is wrong or worth knowing */

typedef enum ptojit_status {
  PTOJIT_OK = 0,
  PTOJIT_ILLEGAL = 1,  /* a rule of the target is broken */
  PTOJIT_UNUSABLE = 2, /* a text, a buffer, an option or the machine does not allow it */
  PTOJIT_FAILED = 3    /* out of memory; without diagnostics */
} ptojit_status;

/* PTOJIT_VERSION of the library that is running. */
const char* ptojit_version(void);

/* --- diagnostics and texts ------------------------------------------------------------------- */

size_t ptojit_diagnostics_count(const ptojit_diagnostics* diagnostics);
/* As a person reads them, and as a JSON array; both last as long as the diagnostics. */
const char* ptojit_diagnostics_text(const ptojit_diagnostics* diagnostics);
const char* ptojit_diagnostics_json(const ptojit_diagnostics* diagnostics);
void ptojit_diagnostics_free(ptojit_diagnostics* diagnostics);

void ptojit_text_free(char* text);

/* --- specs ----------------------------------------------------------------------------------- */

ptojit_status ptojit_parse(const char* text, ptojit_spec** spec, ptojit_diagnostics** why);
void ptojit_spec_free(ptojit_spec* spec);

/* The verdict of the target. A legal spec may have notes. */
ptojit_status ptojit_check(const ptojit_spec* spec, ptojit_diagnostics** why);

/* Its canonical text; and what it means, line by line. */
ptojit_status ptojit_print(const ptojit_spec* spec, char** text, ptojit_diagnostics** why);
ptojit_status ptojit_plan(const ptojit_spec* spec, char** text, ptojit_diagnostics** why);

typedef enum ptojit_form {
  PTOJIT_INTRINSIC = 0, /* C++ around the instruction */
  PTOJIT_EXPANDED = 1,  /* C++ in the device's primitives */
  PTOJIT_PTO_AS = 2,    /* a module for the PTO assembler */
  PTOJIT_PTO_LINE = 3   /* the instruction as one line */
} ptojit_form;

/* The kernel for the device. */
ptojit_status ptojit_source(const ptojit_spec* spec, ptojit_form form, char** text,
                            ptojit_diagnostics** why);

/* --- kernels --------------------------------------------------------------------------------- */

/* How a kernel is made. Null, or a null member: as it is best here. */
typedef struct ptojit_options {
  const char* backend;  /* auto, xbyak, llvm, interpreter */
  const char* features; /* native, avx512, avx2, baseline; native, sve2, sve, neon */
} ptojit_options;

/* Compiled, or found in the cache. */
ptojit_status ptojit_compile(const ptojit_spec* spec, const ptojit_options* options,
                             ptojit_kernel** kernel, ptojit_diagnostics** why);
void ptojit_kernel_free(ptojit_kernel* kernel);

/* Its machine code as text. */
ptojit_status ptojit_asm(const ptojit_kernel* kernel, char** text, ptojit_diagnostics** why);

// clang-format off
#ifndef PTOJIT_FRAME
#define PTOJIT_FRAME

struct ptojit_audit_report {
  int64_t out_of_bounds;
  int64_t first_out_of_bounds; /* row-major position, -1 when there is none */
  int64_t collisions;
  int64_t first_collision;
};

struct ptojit_frame {
  void *tile;         /* the walked side: the data tile, or the root's source */
  const void *index;  /* indices or byte offsets */
  void *table;        /* the addressed side: the table or the store tile */
  void *const *ranks; /* communication: each rank's destination */
  struct ptojit_audit_report *report;
  void *scratch; /* 8-byte aligned */
  int64_t extents[26];
  int64_t part[3]; /* only kernels of parts read them */
};

#endif
// clang-format on

/*
 * The unchecked call: one indirect call, and the frame must be what the kernel expects. It reads an
 * extent for each '?' of its spec; ptojit_extent says at which place of `extents` the dimension of
 * that name ("src.vr", "table.d3") stands, or -1 when the operation has none of that name.
 */
void ptojit_run(const ptojit_kernel* kernel, const struct ptojit_frame* frame);
int ptojit_extent(const ptojit_spec* spec, const char* dimension);

/* Memory as its owner describes it. As long as `bytes` is true, a mistake is a diagnostic. */
typedef struct ptojit_buffer {
  const char* operand; /* as the spec's text names it; "dst.2" is rank 2 of a group */
  void* data;
  int64_t bytes;
  const char* dtype;      /* "f32" */
  const int64_t* extents; /* `rank` of them; null: as the spec states */
  const int64_t* strides; /* `rank` of them, in elements, tables only; null: packed, or as stated */
  size_t rank;
} ptojit_buffer;

/* The value of a '?' that no buffer's extents tell. */
typedef struct ptojit_binding {
  const char* dimension; /* "src.vr" */
  int64_t value;
} ptojit_binding;

typedef struct ptojit_arguments {
  const ptojit_buffer* buffers; /* all operands but a stage, in any order */
  size_t buffer_count;
  const ptojit_binding* bindings;
  size_t binding_count;
  struct ptojit_audit_report* report; /* where an audited kernel tells what it found, or null */
  int threads; /* 0 or 1: the caller's; more: up to so many, with the same result */
  int parts;   /* 0: as many as pay; else so many */
} ptojit_arguments;

/*
 * The checked call: nothing has been touched when it fails. Without a policy an index that leaves
 * its operand is a mistake too; what was checked is a copy of the indices, which is then followed.
 */
ptojit_status ptojit_call(const ptojit_spec* spec, const ptojit_arguments* arguments,
                          const ptojit_options* options, ptojit_diagnostics** why);

/* --- the cache of kernels -------------------------------------------------------------------- */

typedef struct ptojit_cache_statistics {
  uint64_t hits;
  uint64_t misses;
  uint64_t evictions;
  uint64_t failures;
  uint64_t entries;
  uint64_t bytes;
  uint64_t bindings;          /* values of '?' seen often, given kernels of their own */
  uint64_t declined_bindings; /* that were not: no spec without '?' has them, or no memory */
} ptojit_cache_statistics;

ptojit_status ptojit_cache_read(ptojit_cache_statistics* statistics, ptojit_diagnostics** why);
ptojit_status ptojit_cache_clear(ptojit_diagnostics** why);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming) */
