# How everything is compiled: ridge_flags for the product, ridge_test_flags for test programs.
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
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # In instrumented code that is optimised g++ 12 sees faults that are none; the release build refuses every warning.
    target_compile_options(ridge_flags INTERFACE -Wno-error -Wno-maybe-uninitialized)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND RIDGE_SANITIZE MATCHES address)
    # At a fixed address a program starts in half the time: its data holds about a million places for sanitizers' messages.
    target_link_options(ridge_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
endif()
if(RIDGE_FUZZ)
  target_compile_options(ridge_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Test programs: not optimised, and without the undefined-behaviour sanitizer in the tests' own code, which halves the time
# that they take to compile; the code under test keeps both. They share one precompiled header.
if(RIDGE_TESTS AND NOT RIDGE_FUZZ)
  add_library(ridge_test_flags INTERFACE)
  target_link_libraries(ridge_test_flags INTERFACE ridge_flags tl::expected fmt::fmt GTest::gtest GTest::gtest_main)
  target_include_directories(ridge_test_flags INTERFACE ${CMAKE_SOURCE_DIR}/tests)
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
