# The optional part of the build that needs a CUDA toolkit.
#
# RIDGE_LAB_CUBINS: compile the lab's PTX for each GPU generation and carry the binaries too, so that no driver has to
# compile at run time. AUTO: in optimised builds, where nvcc is found. From PTX it takes about 10 s of one core.
set(RIDGE_LAB_CUBINS AUTO CACHE STRING "Carry the lab's kernels compiled for each GPU generation: ON, OFF or AUTO")
if(RIDGE_CUDA)
  find_program(RIDGE_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda/bin)
endif()
if(RIDGE_LAB_CUBINS STREQUAL AUTO)
  set(RIDGE_LAB_CUBINS OFF)
  if(RIDGE_NVCC AND RIDGE_CUDA AND CMAKE_BUILD_TYPE STREQUAL Release AND NOT RIDGE_SANITIZE AND NOT RIDGE_FUZZ)
    set(RIDGE_LAB_CUBINS ON)
  endif()
elseif(RIDGE_LAB_CUBINS AND NOT (RIDGE_CUDA AND RIDGE_NVCC))
  message(FATAL_ERROR "RIDGE_LAB_CUBINS=ON needs nvcc and RIDGE_CUDA=ON")
endif()

# ridge_cuda_binaries(TARGET SYMBOL): compiles src/lab/ptx/*.ptx for every supported GPU and embeds <name>.fatbin files.
function(ridge_cuda_binaries target symbol)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/fatbin")
  file(MAKE_DIRECTORY "${folder}")
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/lab/ptx/*.ptx")
  list(SORT sources)
  set(binaries "")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    set(code "arch=compute_80,code=[sm_80,sm_86,sm_89,sm_90,sm_100,sm_120]")
    if(name STREQUAL gemm_wgmma)
      set(code "arch=compute_90a,code=sm_90a")
    endif()
    add_custom_command(OUTPUT "${folder}/${name}.fatbin"
      COMMAND ${RIDGE_NVCC} -fatbin --compress-mode=size -gencode "${code}" "${source}" -o "${folder}/${name}.fatbin"
      DEPENDS "${source}"
      COMMENT "Compiling ${name}.ptx for each GPU generation" VERBATIM)
    list(APPEND binaries "${folder}/${name}.fatbin")
  endforeach()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cc")
  set(script "${CMAKE_SOURCE_DIR}/cmake/RidgeEmbedScript.cmake")
  list(JOIN binaries "|" joined)
  set(list_file "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.list")
  file(GENERATE OUTPUT "${list_file}" CONTENT "${joined}")
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DLIST_FILE=${list_file}" "-DOUTPUT=${output}" "-DSYMBOL=${symbol}" -P "${script}"
    DEPENDS ${binaries} "${script}" "${list_file}"
    COMMENT "Embedding ${symbol}" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
  target_compile_definitions(${target} PRIVATE RIDGE_LAB_CUBINS)
endfunction()
