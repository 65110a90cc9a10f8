# The libraries of the Python package, as `pip install .` builds them (pyproject.toml). They are made for
# the PyTorch that is installed beside the Python that asks; without one there is libfloydnet_c alone.
#
# pip builds in an environment of its own, made by these two variables, in which the installed PyTorch
# cannot be seen.
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env --unset=PYTHONPATH --unset=PYTHONNOUSERSITE ${Python_EXECUTABLE}
    -c "import importlib.util as i; print(i.find_spec('torch').origin)"
  OUTPUT_VARIABLE torch_init OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE without_torch)
if(NOT without_torch)
  get_filename_component(torch_folder ${torch_init} DIRECTORY)
  message(STATUS "The package is built for the PyTorch in ${torch_folder}")
  if(EXISTS ${torch_folder}/share/cmake/Torch)
    # The folder itself, not its share/cmake: libraries have to be found there before the system's.
    list(PREPEND CMAKE_PREFIX_PATH ${torch_folder})
  endif()
else()
  message(STATUS "${Python_EXECUTABLE} has no PyTorch: the package is built without the operators")
endif()

# floydnet_python_library(TARGET): puts a library, without the links of its versions, into the wheel.
function(floydnet_python_library name)
  add_dependencies(python_package ${name})
  set_target_properties(${name} PROPERTIES NO_SONAME ON VERSION "" SOVERSION ""
    INSTALL_RPATH "$ORIGIN;$ORIGIN/../../torch/lib")
  install(TARGETS ${name} LIBRARY DESTINATION floydnet/lib COMPONENT python)
endfunction()
add_custom_target(python_package)
