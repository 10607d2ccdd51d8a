# ridge_embed(TARGET DIR PATTERN SYMBOL): compiles the files of DIR that match PATTERN (a glob, "*.toml") into TARGET.
# They are reached through a function in namespace ridge, which the user declares:
#   #include "base/embedded.h"
#   namespace ridge { std::span<const EmbeddedFile> SYMBOL(); }
# Files are sorted by name. A changed, added or removed file rebuilds. Needs nothing but CMake.
function(ridge_embed target dir pattern symbol)
  get_filename_component(dir "${dir}" ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
  file(GLOB files CONFIGURE_DEPENDS "${dir}/${pattern}")
  list(SORT files)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cc")
  set(script "${CMAKE_SOURCE_DIR}/cmake/RidgeEmbedScript.cmake")
  list(JOIN files "|" joined)
  set(list_file "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.list")
  file(GENERATE OUTPUT "${list_file}" CONTENT "${joined}")  # rewritten only when the list changes
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DLIST_FILE=${list_file}" "-DOUTPUT=${output}" "-DSYMBOL=${symbol}" -P "${script}"
    DEPENDS ${files} "${script}" "${list_file}"
    COMMENT "Embedding ${symbol}" VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
