# The library as others see it: one archive and one shared library of the same objects, the public headers as
# <ptojit/NAME.h>, and what finds them from other projects.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Each includes only others of this list, so that no other header of ours is needed or installed.
set(public_headers
  ir/amount.h
  ir/diagnostic.h
  ir/dtype.h
  ir/enum_set.h
  ir/frame.h
  ir/operands.h
  ir/operation.h
  ir/plan.h
  ir/result.h
  ir/spec.h
  ir/spec_text.h
  jit/doors/c/c.h
  jit/calls/buffer_view.h
  jit/calls/checked_call.h
  jit/compile/compile.h
  jit/text/emit_source.h
  jit/options/environment.h
  jit/backends/kernel_kind.h
  jit/compile/host_object.h
  jit/calls/parallel/invoke_parallel.h
  jit/calls/parallel/parallel.h
  jit/ptojit.h
  jit/calls/ranks/scatter.h
  jit/text/assembler/line_text.h
  jit/options/strategy_wish.h
  jit/backends/watching/disassembly.h
  runtime/cache/cache_limits.h
  runtime/code/code_limits.h
  runtime/host/host_features.h
  runtime/kernel.h
  runtime/large_buffer.h
  runtime/parallel/work_pool.h
  runtime/ranks/parallel_group.h
  runtime/ranks/sending.h
  targets/binding.h
  targets/placement.h
  targets/planner.h
  targets/verify.h)
list(TRANSFORM public_headers PREPEND ${PROJECT_SOURCE_DIR}/)
list(APPEND public_headers ${generated_root}/jit/version.h)

set(include_root ${PROJECT_BINARY_DIR}/include)
set(exports ${PROJECT_BINARY_DIR}/ptojit.exports)
set(written_headers "")
foreach(header IN LISTS public_headers)
  get_filename_component(name ${header} NAME)
  list(APPEND written_headers ${include_root}/ptojit/${name})
endforeach()
set(write_headers ${PROJECT_SOURCE_DIR}/jit/package/write_headers.cmake)
add_custom_command(OUTPUT ${written_headers} ${exports} DEPENDS ${public_headers} ${write_headers}
  COMMAND ${CMAKE_COMMAND} "-DHEADERS=${public_headers}" -DOUT=${include_root}/ptojit
    -DEXPORTS=${exports} -P ${write_headers} VERBATIM)
add_custom_target(ptojit_headers ALL DEPENDS ${written_headers} ${exports})

# A thread ends through the library whose kernels it used, so that whatever holds the library stays loaded.
set(stay_loaded LINKER:-z,nodelete)

add_library(ptojit_static STATIC $<TARGET_OBJECTS:ptojit_objects>)
target_link_options(ptojit_static INTERFACE ${stay_loaded})
add_library(ptojit_shared SHARED $<TARGET_OBJECTS:ptojit_objects>)
target_link_options(ptojit_shared PRIVATE ${stay_loaded} LINKER:-Bsymbolic-functions
  LINKER:--version-script=${exports})
if(PTOJIT_SANITIZE)
  target_link_options(ptojit_shared PRIVATE -fsanitize=${PTOJIT_SANITIZE})
else()
  target_link_options(ptojit_shared PRIVATE LINKER:-z,defs)
endif()
set_target_properties(ptojit_shared PROPERTIES LINK_DEPENDS ${exports} VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

foreach(kind static shared)
  add_library(ptojit::${kind} ALIAS ptojit_${kind})
  add_dependencies(ptojit_${kind} ptojit_headers)
  set_target_properties(ptojit_${kind} PROPERTIES OUTPUT_NAME ptojit EXPORT_NAME ${kind})
  target_compile_features(ptojit_${kind} INTERFACE cxx_std_20)
  target_include_directories(ptojit_${kind} INTERFACE
    $<BUILD_INTERFACE:${include_root}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(ptojit_${kind} PRIVATE ${library_links})
endforeach()
if(BUILD_SHARED_LIBS)
  add_library(ptojit::ptojit ALIAS ptojit_shared)
else()
  add_library(ptojit::ptojit ALIAS ptojit_static)
endif()

# Inside another project what nobody links is not built, and installing is that project's business.
if(NOT PROJECT_IS_TOP_LEVEL)
  set_target_properties(ptojit_objects ptojit_static ptojit_shared PROPERTIES EXCLUDE_FROM_ALL ON)
  return()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ptojit)
foreach(kind static shared)
  install(TARGETS ptojit_${kind} EXPORT ptojit_${kind})
  install(EXPORT ptojit_${kind} NAMESPACE ptojit:: FILE ptojit-${kind}.cmake DESTINATION ${package_dir})
endforeach()
install(FILES ${written_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ptojit)

configure_package_config_file(jit/package/ptojit-config.cmake.in ptojit-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(ptojit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ptojit-config.cmake ${PROJECT_BINARY_DIR}/ptojit-config-version.cmake
  jit/package/llvm.cmake DESTINATION ${package_dir})

# Relative to itself, so that a prefix may be moved.
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(private_libraries "")
if(disassemblers)
  set(private_libraries $<TARGET_FILE:${disassemblers}>)
endif()
if(has_llvm)
  string(APPEND private_libraries " ${PTOJIT_LLVM_LIBRARY}")
endif()
if(has_tbb)
  string(APPEND private_libraries " $<TARGET_FILE:TBB::tbb>")
endif()
configure_file(jit/package/ptojit.pc.in ptojit.pc.in @ONLY)
file(GENERATE OUTPUT ptojit.pc INPUT ${PROJECT_BINARY_DIR}/ptojit.pc.in)
install(FILES ${PROJECT_BINARY_DIR}/ptojit.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
