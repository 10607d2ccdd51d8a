# ridge_module(NAME  SOURCES ...  TESTS ...  DEPENDS modules...  LINK libraries...)
#
# One folder of src is one static library ridge_NAME, whose unit tests (x_test.cc beside x.cc) form one test program
# NAME_test. DEPENDS names other ridge modules; tools/check holds them to the allowed edges.
add_library(ridge_flags INTERFACE)
target_compile_options(ridge_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wold-style-cast -Wcast-qual -Woverloaded-virtual
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>  # which clang counts to -Wconversion and g++ does not
  $<$<BOOL:${RIDGE_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlapping copies in "text" + std::string when it optimises (GCC bug 105651).
  target_compile_options(ridge_flags INTERFACE -Wno-restrict)
endif()
target_include_directories(ridge_flags INTERFACE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
if(RIDGE_SANITIZE)
  target_compile_options(ridge_flags INTERFACE -fsanitize=${RIDGE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ridge_flags INTERFACE -fsanitize=${RIDGE_SANITIZE})
endif()
if(RIDGE_FUZZ)
  target_compile_options(ridge_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

add_custom_target(ridge_bench)

function(ridge_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;TESTS;DEPENDS;LINK;TEST_DEPENDS" ${ARGN})
  add_library(ridge_${name} STATIC ${arg_SOURCES})
  target_link_libraries(ridge_${name} PUBLIC ridge_flags tl::expected PRIVATE fmt::fmt ${arg_LINK})
  foreach(module IN LISTS arg_DEPENDS)
    target_link_libraries(ridge_${name} PUBLIC ridge_${module})
  endforeach()
  if(arg_TESTS)
    ridge_test_program(${name}_test SOURCES ${arg_TESTS} DEPENDS ${name} ${arg_TEST_DEPENDS} LINK ${arg_LINK})
  endif()
endfunction()

# Test programs: not optimised, and without the undefined-behaviour sanitizer in the tests' own code, which halves the time
# that they take to compile; the code under test keeps both. They share one precompiled header.
if(RIDGE_TESTS AND NOT RIDGE_FUZZ)
  add_library(ridge_test_flags INTERFACE)
  target_link_libraries(ridge_test_flags INTERFACE ridge_flags tl::expected fmt::fmt GTest::gtest GTest::gtest_main)
  target_compile_definitions(ridge_test_flags INTERFACE RIDGE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_compile_options(ridge_test_flags INTERFACE -O0 $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  if(RIDGE_SANITIZE MATCHES undefined)
    target_compile_options(ridge_test_flags INTERFACE -fno-sanitize=undefined)
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/test_pch.cc CONTENT "// Only here to make the precompiled header of the tests.\n")
  add_library(ridge_test_pch OBJECT ${CMAKE_BINARY_DIR}/test_pch.cc)
  target_link_libraries(ridge_test_pch PRIVATE ridge_test_flags)
  target_precompile_headers(ridge_test_pch PRIVATE <gtest/gtest.h> <fmt/format.h> <map> <optional> <sstream> <string> <vector>)
endif()

# ridge_test_program(NAME SOURCES ... DEPENDS modules... LINK libraries...): a GoogleTest program whose cases are tests of ctest.
function(ridge_test_program name)
  if(NOT RIDGE_TESTS OR RIDGE_FUZZ)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  foreach(module IN LISTS arg_DEPENDS)
    target_link_libraries(${name} PRIVATE ridge_${module})
  endforeach()
  target_link_libraries(${name} PRIVATE ridge_test_flags ${arg_LINK})
  target_precompile_headers(${name} REUSE_FROM ridge_test_pch)
  if(RIDGE_SANITIZE)
    # One process for the whole program: starting a sanitized one takes longer than most cases do.
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  else()
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60)
  endif()
endfunction()

# ridge_fuzz(NAME SOURCE DEPENDS modules...): a libFuzzer target under the fuzz preset; elsewhere the same entry point is
# linked with tests/fuzz/replay_main.cc, so that the corpus is replayed by every build's test suite.
function(ridge_fuzz name)
  cmake_parse_arguments(arg "" "SOURCE;CORPUS" "DEPENDS" ${ARGN})
  add_executable(fuzz_${name} ${arg_SOURCE})
  foreach(module IN LISTS arg_DEPENDS)
    target_link_libraries(fuzz_${name} PRIVATE ridge_${module})
  endforeach()
  target_link_libraries(fuzz_${name} PRIVATE fmt::fmt)
  if(RIDGE_FUZZ)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME fuzz_${name} COMMAND fuzz_${name} -max_total_time=10 -timeout=10 -rss_limit_mb=2048
      ${CMAKE_BINARY_DIR}/corpus_${name} ${arg_CORPUS})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/corpus_${name})
  else()
    target_sources(fuzz_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cc)
    add_test(NAME fuzz_${name} COMMAND fuzz_${name} ${arg_CORPUS})
  endif()
endfunction()

# ridge_bench(NAME SOURCE DEPENDS modules...): a Google Benchmark program bench_NAME, built by the target ridge_bench only.
function(ridge_bench name)
  if(NOT RIDGE_BENCH)
    return()
  endif()
  cmake_parse_arguments(arg "" "SOURCE" "DEPENDS;LINK" ${ARGN})
  add_executable(bench_${name} EXCLUDE_FROM_ALL ${arg_SOURCE})
  foreach(module IN LISTS arg_DEPENDS)
    target_link_libraries(bench_${name} PRIVATE ridge_${module})
  endforeach()
  target_link_libraries(bench_${name} PRIVATE fmt::fmt benchmark::benchmark benchmark::benchmark_main ${arg_LINK})
  target_compile_definitions(bench_${name} PRIVATE RIDGE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_dependencies(ridge_bench bench_${name})
endfunction()
