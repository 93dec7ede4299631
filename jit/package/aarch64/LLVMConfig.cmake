# LLVM for aarch64 where the machine that builds is another: its headers are the same for both (llvm-19-dev), its
# library is Debian's for arm64 (libllvm19:arm64).
find_path(LLVM_INCLUDE_DIRS llvm/IR/Module.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)
find_file(LLVM_LIBRARY libLLVM.so.19.1 PATHS /usr/lib/aarch64-linux-gnu NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LLVM DEFAULT_MSG LLVM_LIBRARY LLVM_INCLUDE_DIRS)
if(LLVM_FOUND AND NOT TARGET LLVM)
  add_library(LLVM SHARED IMPORTED)
  set_target_properties(LLVM PROPERTIES IMPORTED_LOCATION ${LLVM_LIBRARY})
endif()
