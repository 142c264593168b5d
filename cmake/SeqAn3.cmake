# SeqAn3, which reads pattern files, compiles with GCC alone. In a build with clang (for fuzzing) GCC compiles the one source
# that includes it. `seqan3_source` is that source or its object.
set(seqan3_source lib/reader/pattern_file.cpp)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_package(seqan3 REQUIRED CONFIG PATHS /usr/share/cmake /usr/lib/cmake)
else()
  find_program(BASESWEEP_GCC g++ REQUIRED)
  find_path(SDSL_INCLUDE sdsl/int_vector.hpp REQUIRED PATHS /usr/include/seqan3/submodules/sdsl-lite/include)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/seqan3_source.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${BASESWEEP_GCC} -std=c++20 -O1 -g -fPIC -DSEQAN3_HAS_ZLIB=1 -I${PROJECT_SOURCE_DIR} -isystem ${SDSL_INCLUDE}
            -MD -MF ${object}.d -c ${PROJECT_SOURCE_DIR}/${seqan3_source} -o ${object}
    DEPENDS ${seqan3_source} DEPFILE ${object}.d VERBATIM)
  set(seqan3_source ${object})
  add_library(seqan3::seqan3 INTERFACE IMPORTED)
  target_link_libraries(seqan3::seqan3 INTERFACE z)
endif()
