# Libraries from the distribution. Each is an imported target, so a missing one is named at configure time.
find_package(Threads REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)

# Settles an AUTO option: ON exactly when the package is installed. A plain variable hides the cache entry, so that the
# question is asked again at the next configuration.
macro(ridge_optional option package)
  if(${option} STREQUAL AUTO)
    find_package(${package} QUIET)
    set(${option} ${${package}_FOUND})
  elseif(${option})
    find_package(${package} REQUIRED)
  endif()
endmacro()
find_package(Python3 QUIET COMPONENTS Interpreter)
if(RIDGE_TESTS STREQUAL AUTO AND NOT Python3_FOUND)
  set(RIDGE_TESTS OFF)  # the golden files need it
endif()
ridge_optional(RIDGE_TESTS GTest)
ridge_optional(RIDGE_BENCH benchmark)
include(GoogleTest)
