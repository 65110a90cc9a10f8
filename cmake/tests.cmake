find_package(GTest REQUIRED)
include(GoogleTest)

# Tests stand beside what they test. Those that read FLOYDNET_TEST_DATA are in files named
# *_golden_test.cc and carry the label shared-data.
function(floydnet_test_program name)
  cmake_parse_arguments(arg "" "LABEL" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT arg_SOURCES)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${name} PRIVATE FLOYDNET_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "${arg_LABEL}" SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]" TIMEOUT 600)
endfunction()

function(floydnet_test_sources variable suffix)
  set(sources)
  foreach(folder ${ARGN})
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*_test.cc)
    if(suffix STREQUAL "golden")
      list(FILTER found INCLUDE REGEX "_golden_test\\.cc$")
    else()
      list(FILTER found EXCLUDE REGEX "_golden_test\\.cc$")
    endif()
    list(APPEND sources ${found})
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

set(core_folders base graph weights)
set(torch_folders attention attention/kernels model cli)
foreach(kind unit golden)
  set(label ${kind})
  if(kind STREQUAL "golden")
    set(label shared-data)
  endif()
  floydnet_test_sources(core_tests ${kind} ${core_folders})
  floydnet_test_program(core_${kind}_test LABEL ${label} SOURCES ${core_tests}
    LIBRARIES floydnet_core)
  floydnet_test_sources(torch_tests ${kind} ${torch_folders})
  floydnet_test_program(model_${kind}_test LABEL ${label} SOURCES ${torch_tests}
    LIBRARIES floydnet_cli floydnet_core floydnet)
  if(TARGET model_${kind}_test)
    target_precompile_headers(model_${kind}_test PRIVATE <torch/torch.h>)
  endif()
endforeach()

add_test(NAME dependencies COMMAND ${PROJECT_SOURCE_DIR}/tests/dependencies.sh ${PROJECT_SOURCE_DIR})

# A sanitized library cannot be loaded into an ordinary Python or an ordinary consumer.
if(NOT FLOYDNET_SANITIZE)
  add_test(NAME consumer
    COMMAND ${PROJECT_SOURCE_DIR}/tests/consumer/run.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  add_test(NAME python
    COMMAND /usr/bin/python3 -m unittest discover -s ${PROJECT_SOURCE_DIR}/python/tests)
  set_tests_properties(python PROPERTIES ENVIRONMENT
    "PYTHONPATH=${PROJECT_SOURCE_DIR}/python;PYTHONDONTWRITEBYTECODE=1;FLOYDNET_LIBRARY=$<TARGET_FILE:floydnet>")
endif()
add_test(NAME program
  COMMAND ${PROJECT_SOURCE_DIR}/tests/program.sh $<TARGET_FILE:floydnet_program>)
