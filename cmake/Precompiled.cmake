# Precompiled headers: the standard headers and fmt, which most sources include. They save about 0.6 of the 1.2 CPU seconds
# that a typical source takes. Every source still includes what it uses, so that it compiles without them
# (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON, as scripts/check.sh does).
#
# basesweep_precompile(TARGET) has a target use them. All targets share one set, so they must be compiled with -fPIC.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  file(CONFIGURE OUTPUT generated/precompiled.cpp CONTENT "// Holds the precompiled headers.\n")
  add_library(basesweep_precompiled OBJECT ${PROJECT_BINARY_DIR}/generated/precompiled.cpp)
  target_link_libraries(basesweep_precompiled PRIVATE fmt::fmt)
  target_precompile_headers(basesweep_precompiled PRIVATE
    <algorithm> <array> <atomic> <cstdint> <exception> <functional> <map> <memory> <memory_resource> <mutex> <optional> <span>
    <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)  # ccache needs it
endif()

function(basesweep_precompile target)
  if(TARGET basesweep_precompiled)
    target_precompile_headers(${target} REUSE_FROM basesweep_precompiled)
  endif()
endfunction()
