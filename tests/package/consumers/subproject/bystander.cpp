// A source that has nothing to do with the library, and nothing of it: neither its standard nor its
// headers.
static_assert(__cplusplus == 201703L);
#if __has_include("ir/spec.h") || __has_include(<ptojit/ptojit.h>)
#error "headers of the library are in the way"
#endif
