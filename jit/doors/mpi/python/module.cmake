# ptojit.mpi, beside the Python package: a module of its own, so that `import ptojit` loads no MPI. It needs mpi4py when it
# is imported, not when it is built.
if(NOT has_mpi OR NOT TARGET ptojit_python)
  return()
endif()
add_library(ptojit_python_mpi MODULE jit/doors/mpi/python/module.cpp)
target_link_libraries(ptojit_python_mpi PRIVATE ptojit_mpi ptojit_python_arrays)
target_link_options(ptojit_python_mpi PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(ptojit_python_mpi PROPERTIES PREFIX "" OUTPUT_NAME _mpi SUFFIX ${python_suffix}
  CXX_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${python_root}/ptojit)
configure_file(${PROJECT_SOURCE_DIR}/jit/doors/mpi/python/mpi.py ${python_root}/ptojit/mpi.py COPYONLY)
install(TARGETS ptojit_python_mpi LIBRARY DESTINATION ${python_package})
install(FILES ${PROJECT_SOURCE_DIR}/jit/doors/mpi/python/mpi.py DESTINATION ${python_package})
if(TARGET ptojit_tests)
  add_dependencies(ptojit_tests ptojit_python_mpi)
endif()
