# ptojit::mpi: scatters between processes, <ptojit/mpi.h>. A library of its own, so that nothing else loads MPI. Without
# what it needs it is left out, and the reason is printed.
set(PTOJIT_MPI AUTO CACHE STRING "Scatters over MPI: ON, OFF, or AUTO for where MPI is installed")

set(mpi_missing "")
if(PTOJIT_MPI STREQUAL "OFF" OR PTOJIT_SANITIZE MATCHES "thread|fuzzer" OR NOT PROJECT_IS_TOP_LEVEL)
  set(mpi_missing "it is not wanted in this build")
else()
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI 3.0 QUIET COMPONENTS CXX)
  if(NOT MPI_CXX_FOUND)
    set(mpi_missing "MPI is not installed (Debian: libopenmpi-dev openmpi-bin)")
  endif()
endif()
if(mpi_missing)
  if(PTOJIT_MPI STREQUAL "ON")
    message(FATAL_ERROR "PTOJIT_MPI is ON, but ${mpi_missing}")
  endif()
  set(has_mpi OFF)
  message(STATUS "no MPI: ${mpi_missing}")
  return()
endif()
set(has_mpi ON)

set(mpi_header ${include_root}/ptojit/mpi.h)
add_custom_command(OUTPUT ${mpi_header} DEPENDS jit/calls/mpi/mpi.h ${write_headers}
  COMMAND ${CMAKE_COMMAND} "-DHEADERS=${PROJECT_SOURCE_DIR}/jit/calls/mpi/mpi.h" "-DKNOWN=${public_headers}"
    -DOUT=${include_root}/ptojit -P ${write_headers} VERBATIM)
add_custom_target(ptojit_mpi_header ALL DEPENDS ${mpi_header})

# It needs more of the library than the shared one shows.
ptojit_sources(mpi_sources jit/calls/mpi)
add_library(ptojit_mpi STATIC ${mpi_sources})
add_library(ptojit::mpi ALIAS ptojit_mpi)
set_target_properties(ptojit_mpi PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME mpi)
add_dependencies(ptojit_mpi ptojit_mpi_header)
target_link_libraries(ptojit_mpi PRIVATE $<BUILD_INTERFACE:ptojit_common> PUBLIC ptojit_static MPI::MPI_CXX)

install(TARGETS ptojit_mpi EXPORT ptojit_mpi)
install(EXPORT ptojit_mpi NAMESPACE ptojit:: FILE ptojit-mpi.cmake DESTINATION ${package_dir})
install(FILES ${mpi_header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ptojit)
