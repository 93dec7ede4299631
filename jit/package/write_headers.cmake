# Writes the public headers as users find them, side by side in one folder and including each other by name alone, and
# the linker's list of what they declare: nothing else is visible in the shared library.
# In: HEADERS (paths), KNOWN (others that they may include), OUT (the folder), EXPORTS (the list, if wanted).
cmake_minimum_required(VERSION 3.25)
set(names "")
foreach(header IN LISTS HEADERS KNOWN)
  get_filename_component(name ${header} NAME)
  list(APPEND names ${name})
endforeach()

set(exports "")
foreach(header IN LISTS HEADERS)
  file(READ ${header} text)

  string(REGEX MATCHALL "#include \"[^\"\n]+\"" includes "${text}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.*/)?([^/\"]+)\"" "\\2" name "${include}")
    if(NOT name IN_LIST names)
      message(FATAL_ERROR "${header} is public and includes ${name}, which is not: see jit/package/package.cmake")
    endif()
  endforeach()
  get_filename_component(name ${header} NAME)
  string(REGEX REPLACE "#include \"[^\"\n]*/" "#include \"" rewritten "${text}")
  file(WRITE ${OUT}/${name} "${rewritten}")

  # Functions and classes begin at the start of a line; the linker compares names as C++ spells them.
  string(REGEX MATCHALL "\n[A-Za-z][A-Za-z0-9_:<>, &*]*[ &*][a-z_0-9]+\\(" functions "${text}")
  list(FILTER functions EXCLUDE REGEX "^\n(inline|constexpr|consteval|friend|using|typedef) ")
  list(TRANSFORM functions REPLACE ".*[ &*]([a-z_0-9]+)\\($" "\\1")
  string(REGEX MATCHALL "\n(class|struct) [A-Za-z]+[^;\n]*{" classes "${text}")
  list(TRANSFORM classes REPLACE "\n(class|struct) ([A-Za-z]+).*" "\\2")
  list(APPEND exports ${functions} ${classes})
endforeach()

if(NOT EXPORTS)
  return()
endif()
list(FILTER exports EXCLUDE REGEX "^ptojit")
list(REMOVE_DUPLICATES exports)
list(SORT exports)
list(TRANSFORM exports REPLACE "(.+)" "    pto::jit::\\1[!0-9A-Z_a-z]*")
list(JOIN exports ";\n" lines)
file(WRITE ${EXPORTS} "{\n  global:\n    ptojit_*;\n    extern \"C++\" {\n${lines};\n    };\n  local: *;\n};\n")
