# Hot loops, once for each instruction set. Always optimised: unoptimised, they would bring copies of inline functions
# along that older processors cannot run (tests/check_isa_objects.sh looks for that).
#
# All 64-bit ARM processors have NEON, so there they are compiled once.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(BASESWEEP_INSTRUCTION_SETS neon:armv8-a)
  # Every ARM processor multiplies and adds in one step, which rounds once; not every x86-64 processor does. Scores and
  # p-values must not differ.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
  # A plain char has a sign on x86-64, where most tests run, and has none on ARM.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsigned-char> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fsigned-char>)
else()
  set(BASESWEEP_INSTRUCTION_SETS sse42:x86-64-v2 avx2:x86-64-v3 avx512:x86-64-v4)
endif()

function(basesweep_isa_objects library)
  foreach(isa IN LISTS BASESWEEP_INSTRUCTION_SETS)
    string(REPLACE ":" ";" isa ${isa})
    list(GET isa 0 name)
    list(GET isa 1 march)
    add_library(${library}_${name} OBJECT ${ARGN})
    target_include_directories(${library}_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_definitions(${library}_${name} PRIVATE BASESWEEP_ISA=${name})
    target_compile_options(${library}_${name} PRIVATE -march=${march} -O3 -fno-exceptions -Wno-psabi
                           $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    list(LENGTH ARGN sources)
    if(sources GREATER 4 AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # below that, reading headers costs less
      target_precompile_headers(${library}_${name} PRIVATE
        <algorithm> <cstdint> <map> <memory_resource> <optional> <string> <utility> <vector>
        ${PROJECT_SOURCE_DIR}/lib/base/vector_instructions.hpp)
    endif()
    if(name STREQUAL avx512)
      target_compile_options(${library}_${name} PRIVATE -mprefer-vector-width=512)
    endif()
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${library}_${name}>)
  endforeach()
endfunction()
