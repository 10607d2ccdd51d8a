# ridge_module(NAME  SOURCES ...  TESTS ...  DEPENDS modules...  LINK libraries...)
#
# One folder of src is one static library ridge_NAME, whose unit tests (x_test.cc beside x.cc) form one test program
# NAME_test. DEPENDS names other ridge modules; tools/check holds them to the allowed edges.
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

# ridge_test_program(NAME [ONE_PROCESS] SOURCES ... DEPENDS modules... LINK libraries...): a GoogleTest program whose cases are
# tests of ctest; with ONE_PROCESS the program is one test, for cases that share what takes long to compute.
function(ridge_test_program name)
  if(NOT RIDGE_TESTS OR RIDGE_FUZZ)
    return()
  endif()
  if(RIDGE_TEST_PROGRAMS AND NOT name IN_LIST RIDGE_TEST_PROGRAMS)
    return()
  endif()
  cmake_parse_arguments(arg "ONE_PROCESS" "" "SOURCES;DEPENDS;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  foreach(module IN LISTS arg_DEPENDS)
    target_link_libraries(${name} PRIVATE ridge_${module})
  endforeach()
  target_link_libraries(${name} PRIVATE ridge_test_flags ${arg_LINK})
  target_precompile_headers(${name} REUSE_FROM ridge_test_pch)
  if(RIDGE_SANITIZE OR arg_ONE_PROCESS)
    # One process for the whole program: starting a sanitized one takes longer than most cases do.
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES COST 100)  # the longest first
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
  target_include_directories(fuzz_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  if(RIDGE_FUZZ)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME fuzz_${name} COMMAND fuzz_${name} -max_total_time=10 -timeout=10 -rss_limit_mb=2048
      ${CMAKE_BINARY_DIR}/corpus_${name} ${arg_CORPUS})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/corpus_${name})
  else()
    target_link_libraries(fuzz_${name} PRIVATE ridge_fuzz_replay)
    add_test(NAME fuzz_${name} COMMAND fuzz_${name} ${arg_CORPUS})
  endif()
endfunction()

add_custom_target(ridge_bench)

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
  target_include_directories(bench_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(bench_${name} PRIVATE RIDGE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_dependencies(ridge_bench bench_${name})
endfunction()
