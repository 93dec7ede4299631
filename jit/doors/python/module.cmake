# The Python package in build/python: the module on pybind11, and the files of the package beside it. It is for Debian's
# interpreter, whichever other stands first in the path. Without what it needs it is left out, and the reason is printed.
set(PTOJIT_PYTHON AUTO CACHE STRING "The Python package: ON, OFF, or AUTO for where its packages are installed")

# ptojit_find_python(OUT): sets python_* and leaves in OUT what is missing.
function(ptojit_find_python out)
  set(${out} "" PARENT_SCOPE)
  find_program(python_program python3 PATHS /usr/bin NO_DEFAULT_PATH)
  if(PTOJIT_PYTHON STREQUAL "OFF" OR PTOJIT_SANITIZE)
    set(${out} "it is not wanted in this build" PARENT_SCOPE)
    return()
  elseif(NOT python_program)
    set(${out} "there is no /usr/bin/python3 (Debian: python3-dev)" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${python_program} -c
    "import numpy, sysconfig as s; print(s.get_path('include'), numpy.get_include(), s.get_config_var('EXT_SUFFIX'), sep=';')"
    OUTPUT_VARIABLE facts ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    set(${out} "NumPy is not installed (Debian: python3-numpy)" PARENT_SCOPE)
    return()
  endif()
  list(POP_FRONT facts include numpy suffix)
  find_path(pybind11_root pybind11/pybind11.h)
  find_path(dlpack_root dlpack/dlpack.h)
  foreach(header ${include}/Python.h:python3-dev ${numpy}/numpy/arrayobject.h:python3-numpy
          ${pybind11_root}/pybind11/pybind11.h:pybind11-dev ${dlpack_root}/dlpack/dlpack.h:libdlpack-dev)
    string(REPLACE ":" ";" header ${header})
    list(GET header 0 path)
    list(GET header 1 package)
    if(NOT EXISTS ${path})
      set(${out} "${path} is not there (Debian: ${package})" PARENT_SCOPE)
    endif()
  endforeach()
  set(python_suffix ${suffix} PARENT_SCOPE)
  set(python_roots ${include} ${numpy} ${pybind11_root} ${dlpack_root} PARENT_SCOPE)
endfunction()

ptojit_find_python(python_missing)
if(python_missing)
  if(PTOJIT_PYTHON STREQUAL "ON")
    message(FATAL_ERROR "PTOJIT_PYTHON is ON, but ${python_missing}")
  endif()
  message(STATUS "no Python package: ${python_missing}")
  if(BUILD_TESTING)
    add_test(NAME Python.Package COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${python_missing}")
    set_tests_properties(Python.Package PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
  endif()
  return()
endif()

set(python_root ${PROJECT_BINARY_DIR}/python)
# What reads arrays, for every module that takes some.
ptojit_sources(python_sources jit/doors/python EXCEPT "^jit/doors/python/module.cpp")
add_library(ptojit_python_arrays STATIC ${python_sources})
set_target_properties(ptojit_python_arrays PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
target_include_directories(ptojit_python_arrays SYSTEM PUBLIC ${python_roots})
target_link_libraries(ptojit_python_arrays PUBLIC ptojit_jit)
add_library(ptojit_python MODULE jit/doors/python/module.cpp)
# By the archive: the module needs no other file of ours, wherever it is moved.
target_link_libraries(ptojit_python PRIVATE ptojit_python_arrays ptojit_cli)
# Two copies of the library in one process keep out of each other's way.
target_link_options(ptojit_python PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(ptojit_python PROPERTIES PREFIX "" OUTPUT_NAME _ptojit SUFFIX ${python_suffix}
  CXX_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${python_root}/ptojit)
set_target_properties(ptojit_cli PROPERTIES POSITION_INDEPENDENT_CODE ON)
set(python_package ${CMAKE_INSTALL_LIBDIR}/python3/dist-packages/ptojit)
install(TARGETS ptojit_python LIBRARY DESTINATION ${python_package})

file(GLOB package_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/jit/doors/python/ptojit
     ${PROJECT_SOURCE_DIR}/jit/doors/python/ptojit/*.py* ${PROJECT_SOURCE_DIR}/jit/doors/python/ptojit/py.typed)
foreach(file ${package_files})
  configure_file(${PROJECT_SOURCE_DIR}/jit/doors/python/ptojit/${file} ${python_root}/ptojit/${file} COPYONLY)
  install(FILES ${PROJECT_SOURCE_DIR}/jit/doors/python/ptojit/${file} DESTINATION ${python_package})
endforeach()

if(BUILD_TESTING)
  if(TARGET ptojit_tests)
    add_dependencies(ptojit_tests ptojit_python)
  endif()
  file(GLOB python_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/python/*_test.py)
  foreach(file ${python_tests})
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME Python.${name} COMMAND ${python_program} ${file})
    set_tests_properties(Python.${name} PROPERTIES TIMEOUT 300
      ENVIRONMENT "PYTHONPATH=${python_root};PYTHONDONTWRITEBYTECODE=1")
  endforeach()
endif()
