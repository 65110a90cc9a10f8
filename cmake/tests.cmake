find_package(OpenSSL REQUIRED COMPONENTS Crypto)  # SHA-256, for golden digests of gigabytes

# Tests stand beside what they test. Those that read FLOYDNET_TEST_DATA are in files named
# *_golden_test.cc and carry the label shared-data. A program runs as so many shards, since loading libtorch
# takes half a second: ctest -R torch_unit; one case: build/release/bin/torch_unit_test --gtest_filter=...
function(floydnet_test_program name label shards)
  target_link_libraries(${name} PRIVATE GTest::gmock GTest::gtest_main)
  math(EXPR last "${shards} - 1")
  foreach(index RANGE ${last})
    floydnet_shard(${name}.${index} ${label} ${name} ${index} ${shards})
  endforeach()
endfunction()

# floydnet_shard(NAME LABEL PROGRAM INDEX COUNT FLAGS...)
function(floydnet_shard name label program index count)
  add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tests/shard.sh $<TARGET_FILE:${program}> ${index} ${count} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT 600)
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

set(torch_shards_unit 8)
set(torch_shards_golden 1)
foreach(kind unit golden)
  set(label ${kind})
  if(kind STREQUAL "golden")
    set(label shared-data)
  endif()
  floydnet_test_sources(core_tests ${kind} base graph weights wl record report ${task_data_folders})
  add_executable(core_${kind}_test ${core_tests})
  target_compile_definitions(core_${kind}_test PRIVATE FLOYDNET_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(core_${kind}_test PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(core_${kind}_test PRIVATE ${task_data_targets} floydnet_core OpenSSL::Crypto)
  floydnet_test_program(core_${kind}_test ${label} 2)

  floydnet_test_sources(torch_tests ${kind} attention model train bench ${task_folders} console cli)
  floydnet_torch_objects(torch_${kind}_test_objects ${torch_tests})
  add_executable(torch_${kind}_test $<TARGET_OBJECTS:torch_${kind}_test_objects>
    $<TARGET_OBJECTS:floydnet_registry> ${program_objects})
  target_link_libraries(torch_${kind}_test PRIVATE floydnet_whole OpenMP::OpenMP_CXX fmt::fmt)
  floydnet_test_program(torch_${kind}_test ${label} ${torch_shards_${kind}})
endforeach()

# The kernels' own pieces, for every SIMD target at once; compiled as they are.
floydnet_test_sources(kernel_tests unit kernels)
add_executable(kernels_unit_test ${kernel_tests})
target_compile_options(kernels_unit_test PRIVATE -ffp-contract=off)
set_target_properties(kernels_unit_test PROPERTIES UNITY_BUILD OFF)
target_link_libraries(kernels_unit_test PRIVATE floydnet_kernels floydnet_core)
floydnet_test_program(kernels_unit_test unit 1)

# The kernels' tests once more for each instruction set that is not this machine's best; one that it
# does not have is skipped.
foreach(target SSE4 AVX2)
  foreach(index 0 1 2 3)
    add_test(NAME kernels_${target}.${index} COMMAND ${PROJECT_SOURCE_DIR}/tests/kernels.sh ${target}
      $<TARGET_FILE:floydnet_serve> $<TARGET_FILE:torch_unit_test> ${index} 4)
    set_tests_properties(kernels_${target}.${index} PROPERTIES LABELS unit SKIP_RETURN_CODE 77 TIMEOUT 600)
  endforeach()
endforeach()

add_test(NAME dependencies COMMAND ${PROJECT_SOURCE_DIR}/tests/dependencies.sh ${PROJECT_SOURCE_DIR})

# The numbered examples link the shared library, as other programs do, and print what their comments say.
file(GLOB numbered_examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/[0-9]-*.cc)
foreach(source ${numbered_examples})
  get_filename_component(name ${source} NAME_WE)
  floydnet_torch_objects(${name}_objects ${source})
  add_executable(${name} $<TARGET_OBJECTS:${name}_objects>)
  target_link_libraries(${name} PRIVATE floydnet)
  add_test(NAME example.${name} COMMAND ${PROJECT_SOURCE_DIR}/tests/examples.sh ${source} $<TARGET_FILE:${name}>
    ${PROJECT_SOURCE_DIR})
endforeach()
foreach(library floydnet floydnet_c)
  add_test(NAME symbols.${library}
    COMMAND ${PROJECT_SOURCE_DIR}/tests/symbols.sh $<TARGET_FILE:${library}> ${PROJECT_SOURCE_DIR}/include)
endforeach()
add_test(NAME api-docs
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/api-docs.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/api-docs)
set_tests_properties(api-docs PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")

# A sanitized library cannot be loaded into an ordinary Python or an ordinary consumer.
if(NOT FLOYDNET_SANITIZE)
  add_test(NAME consumer
    COMMAND ${PROJECT_SOURCE_DIR}/tests/consumer/run.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  add_test(NAME python
    COMMAND /usr/bin/python3 -m unittest discover -s ${PROJECT_SOURCE_DIR}/python/tests)
  set(python_environment "PYTHONPATH=${PROJECT_SOURCE_DIR}/python" "PYTHONDONTWRITEBYTECODE=1"
    "FLOYDNET_LIBRARY_DIR=$<TARGET_FILE_DIR:floydnet>" "FLOYDNET_PROGRAM=$<TARGET_FILE:floydnet_program>")
  set_tests_properties(python PROPERTIES ENVIRONMENT "${python_environment}")
endif()
add_test(NAME convert
  COMMAND ${PROJECT_SOURCE_DIR}/tests/convert.sh $<TARGET_FILE:floydnet_program> ${PROJECT_SOURCE_DIR})
set_tests_properties(convert PROPERTIES
  LABELS shared-data SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
floydnet_torch_objects(floydnet_serve_objects ${PROJECT_SOURCE_DIR}/tests/serve.cc)
add_executable(floydnet_serve $<TARGET_OBJECTS:floydnet_serve_objects> $<TARGET_OBJECTS:floydnet_registry>
  ${program_objects})
target_link_libraries(floydnet_serve PRIVATE floydnet_whole OpenMP::OpenMP_CXX fmt::fmt hwy::hwy)
add_test(NAME program COMMAND ${PROJECT_SOURCE_DIR}/tests/program.sh $<TARGET_FILE:floydnet_program>
  $<TARGET_FILE:floydnet_serve>)
add_test(NAME tsp COMMAND ${PROJECT_SOURCE_DIR}/tests/tsp.sh $<TARGET_FILE:floydnet_program>
  $<TARGET_FILE:floydnet_serve>)
add_test(NAME graph_data COMMAND ${PROJECT_SOURCE_DIR}/tests/graph_data.sh $<TARGET_FILE:floydnet_program>
  $<TARGET_FILE:floydnet_serve>)
# Scores of graph predictions beside scikit-learn's.
add_executable(graph_scores ${PROJECT_SOURCE_DIR}/tests/graph_scores.cc)
target_link_libraries(graph_scores PRIVATE floydnet_graphs_data floydnet_core)
add_test(NAME graph_scores
  COMMAND /usr/bin/python3 ${PROJECT_SOURCE_DIR}/tests/graph_scores.py $<TARGET_FILE:graph_scores>)
set_tests_properties(graph_scores PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
add_test(NAME molecules COMMAND ${PROJECT_SOURCE_DIR}/tests/molecules.sh $<TARGET_FILE:floydnet_program>
  $<TARGET_FILE:floydnet_serve>)
set_tests_properties(molecules PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
add_test(NAME graphs COMMAND ${PROJECT_SOURCE_DIR}/tests/graphs.sh $<TARGET_FILE:floydnet_program>
  $<TARGET_FILE:floydnet_serve>)
# The worked example, with a line for it in a registry of its own.
file(READ ${PROJECT_SOURCE_DIR}/src/tasks/registry.cc registry)
string(REPLACE "TASK(brec)" "TASK(brec) TASK(common_neighbours)" registry "${registry}")
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/example/registry.cc CONTENT "${registry}")
floydnet_torch_objects(floydnet_example_objects ${PROJECT_BINARY_DIR}/example/registry.cc
  ${PROJECT_SOURCE_DIR}/examples/common_neighbours/commands.cc)
add_executable(floydnet_example $<TARGET_OBJECTS:floydnet_main> $<TARGET_OBJECTS:floydnet_example_objects>
  ${program_objects})
target_link_libraries(floydnet_example PRIVATE floydnet_whole OpenMP::OpenMP_CXX fmt::fmt hwy::hwy)
add_test(NAME example COMMAND ${PROJECT_SOURCE_DIR}/tests/example.sh $<TARGET_FILE:floydnet_example>)
add_test(NAME graphs_recipe
  COMMAND ${PROJECT_SOURCE_DIR}/tests/graphs_recipe.sh $<TARGET_FILE:floydnet_program> ${PROJECT_SOURCE_DIR})
add_test(NAME tsp_recipe
  COMMAND ${PROJECT_SOURCE_DIR}/tests/tsp_recipe.sh $<TARGET_FILE:floydnet_program> ${PROJECT_SOURCE_DIR})
add_test(NAME recipes
  COMMAND ${PROJECT_SOURCE_DIR}/tests/recipes.sh $<TARGET_FILE:floydnet_program> ${PROJECT_SOURCE_DIR})
# They keep the machine busy with processes of their own, and wait for time-outs.
add_test(NAME resume COMMAND ${PROJECT_SOURCE_DIR}/tests/resume.sh $<TARGET_FILE:floydnet_program>)
add_test(NAME ranks COMMAND ${PROJECT_SOURCE_DIR}/tests/ranks.sh $<TARGET_FILE:floydnet_program>)
add_test(NAME network COMMAND ${PROJECT_SOURCE_DIR}/tests/network.sh $<TARGET_FILE:floydnet_program>)
set_tests_properties(resume ranks network PROPERTIES TIMEOUT 600)
set_tests_properties(network PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
