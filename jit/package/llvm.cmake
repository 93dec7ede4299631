# Defines ptojit::llvm, the shared library of LLVM 19.1, where it is installed; for the build of pto-jit and for projects
# that use its archive. LLVM's own package is not asked: it searches for everything that LLVM was built with, in C.
# LLVM_ROOT names another prefix of LLVM.
set(ptojit_llvm_paths /usr/lib/llvm-19/lib)
if(CMAKE_CROSSCOMPILING)
  set(ptojit_llvm_paths "")  # the library of the machine that builds
endif()
find_library(PTOJIT_LLVM_LIBRARY libLLVM.so.19.1 HINTS ${LLVM_ROOT}/lib $ENV{LLVM_ROOT}/lib
  PATHS ${ptojit_llvm_paths})
mark_as_advanced(PTOJIT_LLVM_LIBRARY)
if(PTOJIT_LLVM_LIBRARY AND NOT TARGET ptojit::llvm)
  add_library(ptojit::llvm SHARED IMPORTED)
  set_target_properties(ptojit::llvm PROPERTIES IMPORTED_LOCATION ${PTOJIT_LLVM_LIBRARY})
endif()
