# Sources that are compiled together, since most of the time that they take is for headers and templates that they share:
# the 34 sources of lib/pipeline take 200 CPU seconds one by one.
#
# basesweep_compile_together(TARGET FOLDER SIZE [EXCEPT SOURCE...]) has the target's sources in this folder ("." for those
# without one) compiled SIZE at a time. EXCEPT: sources whose anonymous namespaces have names of others, or types that a
# class has as members. Each source still includes what it uses, so that it compiles alone (-DBASESWEEP_TOGETHER=OFF, as
# scripts/check.sh does).

# basesweep_compile_all_together(TARGET SIZE) has all sources of the target compiled SIZE at a time.

option(BASESWEEP_TOGETHER "Compile several sources of a folder together" ON)

function(basesweep_compile_together target folder size)
  if(NOT BASESWEEP_TOGETHER)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 3 these "" "" EXCEPT)
  get_target_property(sources ${target} SOURCES)
  set(number 0)
  foreach(source IN LISTS sources)
    get_filename_component(its_folder "${source}" DIRECTORY)
    if(its_folder STREQUAL "")
      set(its_folder ".")
    endif()
    if(NOT its_folder STREQUAL folder OR source IN_LIST these_EXCEPT)
      continue()
    endif()
    math(EXPR group "${number} / ${size}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${folder}/${group}")
    math(EXPR number "${number} + 1")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

function(basesweep_compile_all_together target size)
  if(BASESWEEP_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE BATCH UNITY_BUILD_BATCH_SIZE ${size})
  endif()
endfunction()
