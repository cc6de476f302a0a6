# For builds that `opgen build` does not run, of a wheel say. Sets what opgenConfig.cmake asks for of
# the frameworks to those of the Python that builds.
find_package(Python REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND "${Python_EXECUTABLE}" -P "${CMAKE_CURRENT_LIST_DIR}/find_frameworks.py"
  OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
foreach(key torch_include torch_lib torch_version torch_rocm jax_include jax_version jax_ffi python_include python_suffix)
  string(TOUPPER "OPGEN_${key}" variable)
  string(JSON "${variable}" GET "${found}" ${key})
endforeach()

# opgen_record(): installs BUILD.json, which says what the libraries were built with.
function(opgen_record)
  set(record "{}")
  string(REGEX REPLACE "^[.]|[.]so$" "" python "${OPGEN_PYTHON_SUFFIX}")
  foreach(pair "compiler=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
      "torch=${OPGEN_TORCH_VERSION}" "jax=${OPGEN_JAX_VERSION}" "ffi=${OPGEN_JAX_FFI}" "python=${python}")
    string(REGEX MATCH "^([a-z]+)=(.*)$" pair "${pair}")
    set(value "null")
    if(CMAKE_MATCH_2)
      set(value "\"${CMAKE_MATCH_2}\"")
    endif()
    string(JSON record SET "${record}" "${CMAKE_MATCH_1}" "${value}")
  endforeach()
  set(cuda "false")
  get_property(on_cuda GLOBAL PROPERTY OPGEN_ON_CUDA)
  if(on_cuda)
    set(cuda "true")
  endif()
  string(JSON record SET "${record}" cuda ${cuda})
  set(hip "false")
  if(OPGEN_TRITON_HIP)
    set(hip "true")
  endif()
  string(JSON record SET "${record}" hip ${hip})
  file(WRITE "${CMAKE_BINARY_DIR}/BUILD.json" "${record}\n")
  install(FILES "${CMAKE_BINARY_DIR}/BUILD.json" DESTINATION .)
endfunction()
