# Builds the libraries of a package that opgen rendered: find_package(opgen) in its CMakeLists.txt.
#
# Set by `opgen build`:
#   OPGEN_KERNELS_DIR   the folder of the hand-written kernels
#   OPGEN_CPU_LEVELS    the levels of x86-64 to compile kernels for; `plain`: for all processors
#   OPGEN_CUDA          whether to compile CUDA kernels; OPGEN_CUDA_ARCHS for which GPUs
#   OPGEN_TRITON        a source with what Triton compiled, for the ranges of OPGEN_TRITON_FOR
#   OPGEN_TRITON_HIP    the same for AMD's GPUs, for the ranges of OPGEN_TRITON_FOR_HIP
#   OPGEN_TORCH_ROCM    whether PyTorch is one for ROCm: it calls AMD's GPUs "cuda", and has no others
#   OPGEN_TORCH_INCLUDE, OPGEN_TORCH_LIB, OPGEN_TORCH_VERSION   empty: no PyTorch
#   OPGEN_JAX_INCLUDE   the folder of xla/ffi/api/ffi.h; empty: no JAX
#   OPGEN_PYTHON_INCLUDE, OPGEN_PYTHON_SUFFIX   empty: PyTorch's own way in from Python
#   OPGEN_PYBIND11_INCLUDE   empty: no bindings
#   OPGEN_ONLY          the families to compile; empty: all. PyTorch knows the others' schemas alone
#   OPGEN_WERROR        whether to warn of more, and to take warnings for errors
#   OPGEN_UNITY         whether adapters are compiled ten at a time: most of their time goes to headers
#   OPGEN_CACHE         a folder for what all projects have in common; empty: nothing is kept
# Compilations go through ccache or sccache where one is found, unless CMAKE_CXX_COMPILER_LAUNCHER
# or CMAKE_CUDA_COMPILER_LAUNCHER says through what; empty: directly.
# Everything is installed into the root of CMAKE_INSTALL_PREFIX.

get_filename_component(OPGEN_RUNTIME "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(OPGEN_KERNELS_DIR "${CMAKE_CURRENT_SOURCE_DIR}/../kernels" CACHE PATH "hand-written kernels")

find_program(OPGEN_COMPILER_CACHE NAMES ccache sccache)
mark_as_advanced(OPGEN_COMPILER_CACHE)
if(OPGEN_COMPILER_CACHE)
  set(OPGEN_COMPILER_LAUNCHER "${OPGEN_COMPILER_CACHE}")
  if(NOT DEFINED ENV{CCACHE_BASEDIR})
    # Copies of a project find each other's results.
    get_filename_component(root "${CMAKE_CURRENT_SOURCE_DIR}/.." ABSOLUTE)
    set(OPGEN_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${root}" "${OPGEN_COMPILER_CACHE}")
  endif()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/kept.cmake")

# What every target is compiled with. Properties: the variables that would set them are those of the
# project that finds this package, too.
function(_opgen_properties target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 17
    CXX_STANDARD_REQUIRED ON
    CXX_EXTENSIONS OFF
    CUDA_STANDARD 17
    CXX_VISIBILITY_PRESET hidden
    CUDA_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN"
    INSTALL_RPATH_USE_LINK_PATH OFF)
  # A kernel without its `return` would run into whatever code follows it.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Werror=return-type>")
  if(OPGEN_WERROR)
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-Wextra;-Werror>"
      "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=-Wall,-Wextra,-Werror>")
  endif()
  foreach(language CXX CUDA)
    if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
      set_target_properties(${target} PROPERTIES
        ${language}_COMPILER_LAUNCHER "${OPGEN_COMPILER_LAUNCHER}")
    endif()
  endforeach()
endfunction()

# Sets <options> to those that write <name> in place of a folder. A compiler cache names files by their
# path from the build folder.
function(_opgen_name_folder options kind folder name)
  file(RELATIVE_PATH relative "${CMAKE_BINARY_DIR}" "${folder}")
  set(${options} "-f${kind}-prefix-map=${folder}/=${name}" "-f${kind}-prefix-map=${relative}/=${name}"
    PARENT_SCOPE)
endfunction()

# In a wheel, what attackers rely on is refused, and nothing names the folders of the machine that built it:
# two builds of the same sources are the same.
function(_opgen_for_wheels target)
  if(SKBUILD)
    _opgen_name_folder(named file "${CMAKE_SOURCE_DIR}" "")
    set(optimised "$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>")
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:-fstack-protector-strong;${named};-ffile-prefix-map=${CMAKE_BINARY_DIR}/=>"
      "$<${optimised}:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
    target_link_options(${target} PRIVATE "LINKER:-z,relro,-z,now")
  endif()
endfunction()

# The levels of the CPU that kernels are compiled for.
include(CheckCXXCompilerFlag)
if(NOT (CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64"))
  set(OPGEN_CPU_LEVELS plain)
elseif(NOT DEFINED OPGEN_CPU_LEVELS)
  set(OPGEN_CPU_LEVELS plain x86-64-v3 x86-64-v4)
endif()

# The adapters of several families in one compilation: what they share is then compiled once for them.
# Of ten it is quickest from nothing; of four, where there are many, an edit stays quick too. Kernels are
# not: their sources may use names that others use too.
function(_opgen_unity name)
  list(LENGTH ARGN count)
  if(OPGEN_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  elseif(count GREATER 12)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  endif()
endfunction()

# How adapters are compiled: at -O1, as they hand over what the caller gave and compute nothing; but with
# small functions inlined, of which they are full.
function(_opgen_adapters name)
  target_compile_options(${name} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release,RelWithDebInfo>>:-O1
    $<$<CXX_COMPILER_ID:GNU>:-finline-small-functions;-findirect-inlining>>)
endfunction()

# In a wheel, what a framework's checks say of a file is without the folders of the machine that built it.
function(_opgen_without_folders name include)
  if(SKBUILD)
    _opgen_name_folder(named macro "${CMAKE_CURRENT_SOURCE_DIR}" "")
    target_compile_options(${name} PRIVATE ${named} "-fmacro-prefix-map=${include}/=")
  endif()
endfunction()

# A header that all adapters of a library include, parsed once. Where adapters are compiled ten at a
# time, or are few, it costs more than it saves; compiler caches may keep nothing that is compiled with one.
function(_opgen_precompile name header)
  list(LENGTH ARGN count)
  get_target_property(launcher ${name} CXX_COMPILER_LAUNCHER)
  if(count GREATER 3 AND NOT OPGEN_UNITY AND NOT launcher)
    target_precompile_headers(${name} PRIVATE "${header}")
  endif()
endfunction()

# Splits the files in the list <files> by OPGEN_ONLY: leaves those of these families, and sets
# <files>_OTHERS to the rest.
macro(_opgen_select files)
  set(${files}_OTHERS "")
  if(OPGEN_ONLY)
    string(REPLACE ";" "|" families "${OPGEN_ONLY}")
    set(${files}_OTHERS ${${files}})
    list(FILTER ${files} INCLUDE REGEX "^cpp/(${families})_(cpu|cuda|hip|torch|jax)(_tuned)?[.]")
    if(${files})
      list(REMOVE_ITEM ${files}_OTHERS ${${files}})
    endif()
  endif()
endmacro()

# opgen_project(NAMESPACE <name> [PACKAGE <hash>]): what every library of the project shares. The hash
# of a rendered package is in core/_package.py, where the package looks for it, too.
macro(opgen_project)
  cmake_parse_arguments(OPGEN "" "NAMESPACE;PACKAGE" "" ${ARGN})
  if(NOT OPGEN_PACKAGE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS core/_package.py)
    file(STRINGS core/_package.py OPGEN_PACKAGE REGEX "^PACKAGE_HASH = ")
    string(REGEX MATCH "[0-9a-f]+" OPGEN_PACKAGE "${OPGEN_PACKAGE}")
  endif()
endmacro()

# What tells adapters which kernels there are for CUDA and for HIP.
set(OPGEN_ON_CUDA OFF)
if(OPGEN_CUDA OR OPGEN_TRITON)
  set(OPGEN_ON_CUDA ON)
endif()
function(_opgen_on_gpus name cuda hip)
  target_compile_definitions(${name} PRIVATE OPGEN_NAMESPACE=${OPGEN_NAMESPACE})
  if(OPGEN_ON_CUDA AND cuda)
    target_compile_definitions(${name} PRIVATE USE_CUDA)
  endif()
  if(OPGEN_TRITON_FOR)
    target_compile_definitions(${name} PRIVATE "OPGEN_TRITON_FOR=${OPGEN_TRITON_FOR}")
  endif()
  if(OPGEN_TRITON_HIP AND hip)
    target_compile_definitions(${name} PRIVATE
      USE_ROCM "OPGEN_TRITON_FOR_HIP=${OPGEN_TRITON_FOR_HIP}")
  endif()
endfunction()

# A shared library of target <namespace>_<target>, whose file name and SONAME are
# lib<namespace>_<kind>-<package><suffix>.so, installed into `folder`.
function(_opgen_library target folder kind suffix)
  set(name "${OPGEN_NAMESPACE}_${target}")
  set(file "lib${OPGEN_NAMESPACE}_${kind}-${OPGEN_PACKAGE}${suffix}.so")
  add_library(${name} SHARED ${ARGN})
  _opgen_properties(${name})
  _opgen_for_wheels(${name})
  target_include_directories(${name} PRIVATE
    "${CMAKE_CURRENT_SOURCE_DIR}/cpp" "${OPGEN_RUNTIME}/include")
  target_link_options(${name} PRIVATE "LINKER:-soname,${file}")
  set_target_properties(${name} PROPERTIES
    PREFIX "" OUTPUT_NAME "${file}" SUFFIX "" NO_SONAME ON
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${folder}")
  install(TARGETS ${name} LIBRARY DESTINATION "${folder}")
endfunction()

# opgen_kernels(CPU <files> CUDA <files> HIP <files> CPU_LIBRARIES <names>
# CUDA_LIBRARIES <names>): the entries, with the kernels that they include,
# and the shared libraries whose functions they call.
#
# On x86-64 the library is built once for every level of the architecture, into the folders
# below its own from which the dynamic loader takes the best one that the machine can run. What is
# for GPUs is in a library of its own, with which all of them are linked.
function(opgen_kernels)
  cmake_parse_arguments(KERNELS "" "" "CPU;CUDA;HIP;CPU_LIBRARIES;CUDA_LIBRARIES" ${ARGN})
  foreach(kind CPU CUDA HIP)
    _opgen_select(KERNELS_${kind})
  endforeach()
  if(NOT KERNELS_CPU)
    # Where every op runs its reference there is nothing to compile, and still a library to link.
    set(KERNELS_CPU "${CMAKE_CURRENT_BINARY_DIR}/no_kernels.cpp")
    if(NOT EXISTS "${KERNELS_CPU}")
      file(WRITE "${KERNELS_CPU}" "")
    endif()
  endif()
  set(objects "")
  if(OPGEN_ON_CUDA)
    set_property(GLOBAL PROPERTY OPGEN_ON_CUDA ON)
  endif()
  if(OPGEN_ON_CUDA AND KERNELS_CUDA)
    # Where Triton compiled all kernels, the driver alone is needed.
    set(device driver_device.cpp)
    if(OPGEN_CUDA)
      set(device cuda_device.cu)
    endif()
    add_library(${OPGEN_NAMESPACE}_cuda OBJECT
      ${KERNELS_CUDA} ${OPGEN_TRITON} "${OPGEN_RUNTIME}/adapters/cuda/${device}")
    target_compile_definitions(${OPGEN_NAMESPACE}_cuda PRIVATE
      USE_CUDA OPGEN_NAMESPACE=${OPGEN_NAMESPACE})
    target_include_directories(${OPGEN_NAMESPACE}_cuda PRIVATE
      "${CMAKE_CURRENT_SOURCE_DIR}/cpp" "${OPGEN_RUNTIME}/include" "${OPGEN_KERNELS_DIR}")
    _opgen_properties(${OPGEN_NAMESPACE}_cuda)
    set_target_properties(${OPGEN_NAMESPACE}_cuda PROPERTIES
      CUDA_ARCHITECTURES "${OPGEN_CUDA_ARCHS}" CUDA_RUNTIME_LIBRARY Static)
    set(objects $<TARGET_OBJECTS:${OPGEN_NAMESPACE}_cuda>)
  endif()
  if(OPGEN_TRITON_HIP AND KERNELS_HIP)
    add_library(${OPGEN_NAMESPACE}_hip OBJECT
      ${KERNELS_HIP} ${OPGEN_TRITON_HIP} "${OPGEN_RUNTIME}/adapters/hip/hip_device.cpp")
    target_compile_definitions(${OPGEN_NAMESPACE}_hip PRIVATE
      USE_ROCM OPGEN_NAMESPACE=${OPGEN_NAMESPACE})
    target_include_directories(${OPGEN_NAMESPACE}_hip PRIVATE
      "${CMAKE_CURRENT_SOURCE_DIR}/cpp" "${OPGEN_RUNTIME}/include")
    _opgen_properties(${OPGEN_NAMESPACE}_hip)
    list(APPEND objects $<TARGET_OBJECTS:${OPGEN_NAMESPACE}_hip>)
  endif()
  set(levels "")
  foreach(level IN LISTS OPGEN_CPU_LEVELS)
    if(NOT level STREQUAL "plain")
      check_cxx_compiler_flag(-march=${level} OPGEN_COMPILES_${level})
    endif()
    if(level STREQUAL "plain" OR OPGEN_COMPILES_${level})
      list(APPEND levels ${level})
    endif()
  endforeach()
  if(NOT levels)
    set(levels plain)
  endif()
  if(objects)
    _opgen_library(gpus . gpus "" ${objects})
    set_target_properties(${OPGEN_NAMESPACE}_gpus PROPERTIES LINKER_LANGUAGE CXX)
    _opgen_complete(${OPGEN_NAMESPACE}_gpus)
    if(OPGEN_ON_CUDA)
      _opgen_foreign(gpus "$ORIGIN" ${KERNELS_CUDA_LIBRARIES})
    endif()
  endif()
  # Adapters link with the first. The process that loads them takes the best.
  set(target kernels)
  set(built "")
  foreach(level IN LISTS levels)
    set(folder .)
    set(adapters "$ORIGIN")
    set(options "")
    if(NOT level STREQUAL "plain")
      set(folder "glibc-hwcaps/${level}")
      set(adapters "$ORIGIN/../..")
      set(options -march=${level} -mprefer-vector-width=512)
    endif()
    _opgen_kernels(${target} ${folder} ${KERNELS_CPU})
    set(name "${OPGEN_NAMESPACE}_${target}")
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${options}>")
    if(objects)
      target_link_libraries(${name} PUBLIC ${OPGEN_NAMESPACE}_gpus)
      set_property(TARGET ${name} APPEND PROPERTY INSTALL_RPATH "${adapters}")
    endif()
    _opgen_foreign(${target} ${adapters} ${KERNELS_CPU_LIBRARIES})
    list(APPEND built ${target})
    list(LENGTH built count)
    set(target kernels_${count})
  endforeach()
endfunction()

function(_opgen_kernels target folder)
  _opgen_library(${target} ${folder} kernels "" ${ARGN})
  set(name "${OPGEN_NAMESPACE}_${target}")
  target_include_directories(${name} PRIVATE "${OPGEN_KERNELS_DIR}")
  # Loops marked `omp simd` are vectorised; no other licence is taken with floating point, so
  # that a kernel's arithmetic is what it says on every machine.
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=off>)
  _opgen_complete(${name})
endfunction()

# A library that needs no symbol of the process that loads it, but for a sanitizer's.
function(_opgen_complete name)
  if(OPGEN_CUDA)
    target_link_libraries(${name} PRIVATE CUDA::cudart_static)
  endif()
  target_link_libraries(${name} PRIVATE ${CMAKE_DL_LIBS})
  if(NOT "${CMAKE_CXX_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS}" MATCHES "-fsanitize")
    target_link_options(${name} PRIVATE "LINKER:--no-undefined")
  endif()
endfunction()

# Links with the libraries of others. One that lies with the kernels is installed beside those
# that are built, under its SONAME, and found there, in `folder`; any other is where the linker and
# the dynamic loader look for libraries.
function(_opgen_foreign target folder)
  set(name "${OPGEN_NAMESPACE}_${target}")
  foreach(library IN LISTS ARGN)
    file(GLOB_RECURSE found "${OPGEN_KERNELS_DIR}/${library}")
    list(LENGTH found count)
    if(count GREATER 1)
      message(FATAL_ERROR "error: there are several ${library} in ${OPGEN_KERNELS_DIR}")
    elseif(count)
      get_filename_component(place "${found}" DIRECTORY)
      target_link_directories(${name} PRIVATE "${place}")
      set_property(TARGET ${name} APPEND PROPERTY INSTALL_RPATH "${folder}")
      execute_process(COMMAND "${CMAKE_OBJDUMP}" -p "${found}" OUTPUT_VARIABLE facts)
      string(REGEX MATCH "SONAME +([^ \n]+)" soname "${facts}")
      set(soname "${library}")
      if(CMAKE_MATCH_1)
        set(soname "${CMAKE_MATCH_1}")
      endif()
      install(FILES "${found}" DESTINATION . RENAME "${soname}")
    endif()
    target_link_libraries(${name} PRIVATE "-l:${library}")
  endforeach()
endfunction()

# opgen_torch(<files>): the registrations in PyTorch, through its stable ABI; autograd, and the way
# in from Python.
function(opgen_torch)
  if(NOT OPGEN_TORCH_INCLUDE)
    return()
  endif()
  set(files ${ARGN})
  _opgen_select(files)
  _opgen_library(torch . torch "" ${files})
  set(name "${OPGEN_NAMESPACE}_torch")
  _opgen_unity(${name} ${files})
  _opgen_adapters(${name})
  _opgen_precompile(${name} "${OPGEN_RUNTIME}/adapters/torch/include/opgen/torch.h" ${files})
  if(files_OTHERS)
    # Their schemas, in one compilation: the package imports all ops.
    set(schemas "#define OPGEN_SCHEMAS_ONLY\n")
    foreach(file IN LISTS files_OTHERS)
      string(APPEND schemas "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${file}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/schemas.cpp" CONTENT "${schemas}" @ONLY)
    target_sources(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/schemas.cpp")
    set_source_files_properties("${CMAKE_CURRENT_BINARY_DIR}/schemas.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  target_include_directories(${name} PRIVATE "${OPGEN_RUNTIME}/adapters/torch/include")
  target_include_directories(${name} SYSTEM PRIVATE "${OPGEN_TORCH_INCLUDE}")
  _opgen_without_folders(${name} "${OPGEN_TORCH_INCLUDE}")
  # The oldest PyTorch that the library runs with: 2.10.
  target_compile_definitions(${name} PRIVATE TORCH_TARGET_VERSION=0x020a000000000000ULL)
  if(OPGEN_TORCH_ROCM)
    _opgen_on_gpus(${name} OFF ON)
  else()
    _opgen_on_gpus(${name} ON OFF)
  endif()
  target_link_libraries(${name} PRIVATE ${OPGEN_NAMESPACE}_kernels)
  _opgen_link_torch(${name} torch)
  opgen_torch_units()
endfunction()

# opgen_torch_units(): what differentiates, and the way in from Python. They know no op.
function(opgen_torch_units)
  string(REGEX MATCH "^[0-9]+[.][0-9]+" minor "${OPGEN_TORCH_VERSION}")
  _opgen_torch_unit(autograd "-${minor}" "" torch torch_cpu c10)
  if(OPGEN_PYTHON_INCLUDE)
    string(REGEX REPLACE "[.]so$" "" python "${OPGEN_PYTHON_SUFFIX}")
    _opgen_torch_unit(eager "-${minor}${python}" "${OPGEN_PYTHON_INCLUDE}" torch_python torch torch_cpu c10)
  endif()
endfunction()

# _opgen_torch_unit(<unit> <suffix> <include> <libraries>): a library of one source that needs the
# whole of PyTorch and knows no op. PyTorch is known by its version.py, so that environments with the
# same one share the object.
function(_opgen_torch_unit unit suffix include)
  set(torch "${OPGEN_TORCH_INCLUDE}")
  if(EXISTS "${OPGEN_TORCH_INCLUDE}/../version.py")
    file(SHA256 "${OPGEN_TORCH_INCLUDE}/../version.py" torch)
  endif()
  # PyTorch's headers then include the operators that they call, not all.
  _opgen_unit_object(${unit} "${OPGEN_RUNTIME}/adapters/torch" STANDARD 20
    SYSTEM "${OPGEN_TORCH_INCLUDE}" "${OPGEN_TORCH_INCLUDE}/torch/csrc/api/include" ${include}
    OPTIONS -O2 -DAT_PER_OPERATOR_HEADERS "-fmacro-prefix-map=${OPGEN_TORCH_INCLUDE}=torch"
    MADE_OF "${OPGEN_TORCH_VERSION}" "${torch}" "${include}")
  _opgen_library(${unit} . ${unit} "${suffix}" "${UNIT_OBJECT}")
  set(name "${OPGEN_NAMESPACE}_${unit}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  _opgen_link_torch(${name} ${ARGN})
  _opgen_keep_unit(${name})
endfunction()

# _opgen_unit_object(<unit> <folder> STANDARD <n> SYSTEM <folders> OPTIONS <options> MADE_OF <facts>):
# sets UNIT_OBJECT to the object of <folder>/<unit>.cpp, which knows no op. One object serves all
# projects and build types: OPGEN_CACHE keeps it under a hash of its sources, compiler and facts.
function(_opgen_unit_object unit folder)
  cmake_parse_arguments(UNIT "" "STANDARD" "SYSTEM;OPTIONS;MADE_OF" ${ARGN})
  _opgen_name_folder(named macro "${OPGEN_RUNTIME}" opgen/)
  set(options ${UNIT_OPTIONS} ${named} -g0 -DNDEBUG -fstack-protector-strong -U_FORTIFY_SOURCE
    -D_FORTIFY_SOURCE=2)
  string(TOUPPER "CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}" flags)
  # Without those that `options` override.
  string(REGEX REPLACE "(-g|-O[0-9sz]?|-DNDEBUG)( |$)" "" flags "${${flags}}")
  set(made_of ${unit} "${CMAKE_CXX_COMPILER}" ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}
    "${CMAKE_CXX_FLAGS}" "${flags}" ${UNIT_MADE_OF})
  file(GLOB_RECURSE files LIST_DIRECTORIES false CONFIGURE_DEPENDS
    "${folder}/*" "${OPGEN_RUNTIME}/include/*" "${OPGEN_RUNTIME}/cmake/*")
  foreach(file IN LISTS files)
    file(SHA256 "${file}" hash)
    list(APPEND made_of ${hash})
  endforeach()
  string(SHA256 key "${made_of}")
  set(kept "${OPGEN_CACHE}/${unit}-${key}.o")
  set(whole OFF)
  if(OPGEN_CACHE)
    _opgen_is_whole("${kept}" whole)
  endif()
  # What this build has compiled itself it goes on with: nothing is linked again.
  if(whole AND NOT "${OPGEN_COMPILED_${unit}}" STREQUAL key)
    message(STATUS "the ${unit} unit is compiled already: ${kept}")
    set_source_files_properties("${kept}" PROPERTIES EXTERNAL_OBJECT TRUE)
    set(UNIT_OBJECT "${kept}" PARENT_SCOPE)
    set(UNIT_KEPT "" PARENT_SCOPE)
    return()
  endif()
  set(OPGEN_COMPILED_${unit} "${key}" CACHE INTERNAL "")
  add_library(${unit}_object OBJECT "${folder}/${unit}.cpp")
  target_include_directories(${unit}_object PRIVATE "${OPGEN_RUNTIME}/include" "${folder}/include")
  target_include_directories(${unit}_object SYSTEM PRIVATE ${UNIT_SYSTEM})
  _opgen_properties(${unit}_object)
  set_target_properties(${unit}_object PROPERTIES CXX_STANDARD ${UNIT_STANDARD})
  target_compile_options(${unit}_object PRIVATE ${options})
  set(UNIT_OBJECT "$<TARGET_OBJECTS:${unit}_object>" PARENT_SCOPE)
  set(UNIT_KEPT "${kept}" PARENT_SCOPE)
endfunction()

# Copies the object of _opgen_unit_object into OPGEN_CACHE once <name> is linked with it.
function(_opgen_keep_unit name)
  if(UNIT_KEPT AND OPGEN_CACHE)
    add_custom_command(TARGET ${name} POST_BUILD VERBATIM
      COMMAND "${CMAKE_COMMAND}" "-DFROM=${UNIT_OBJECT}" "-DTO=${UNIT_KEPT}"
              -P "${OPGEN_RUNTIME}/cmake/keep.cmake")
  endif()
endfunction()

# PyTorch is found by name in the process that loads the library, never by a path.
function(_opgen_link_torch name)
  target_link_directories(${name} PRIVATE "${OPGEN_TORCH_LIB}")
  target_link_options(${name} PRIVATE "LINKER:--no-as-needed")
  target_link_libraries(${name} PRIVATE ${ARGN})
endfunction()

# opgen_jax(<files>): the handlers for XLA's FFI.
function(opgen_jax)
  if(NOT OPGEN_JAX_INCLUDE)
    return()
  endif()
  set(files ${ARGN})
  _opgen_select(files)
  _opgen_library(jax . jax "" ${files})
  set(name "${OPGEN_NAMESPACE}_jax")
  _opgen_unity(${name} ${files})
  _opgen_adapters(${name})
  _opgen_precompile(${name} "${OPGEN_RUNTIME}/adapters/jax/include/opgen/jax.h" ${files})
  target_include_directories(${name} PRIVATE "${OPGEN_RUNTIME}/adapters/jax/include")
  target_include_directories(${name} SYSTEM PRIVATE "${OPGEN_JAX_INCLUDE}")
  _opgen_without_folders(${name} "${OPGEN_JAX_INCLUDE}")
  _opgen_on_gpus(${name} ON ON)
  find_package(Threads REQUIRED)
  target_link_libraries(${name} PRIVATE ${OPGEN_NAMESPACE}_kernels Threads::Threads)
endfunction()

# opgen_bindings(<file>): the pybind11 module `bindings`, of a table.
function(opgen_bindings)
  if(NOT OPGEN_PYBIND11_INCLUDE)
    return()
  endif()
  # pybind11 and Python are known by the headers with their versions.
  set(versions "")
  foreach(header "${OPGEN_PYBIND11_INCLUDE}/pybind11/detail/common.h" "${OPGEN_PYTHON_INCLUDE}/patchlevel.h")
    if(EXISTS "${header}")
      file(SHA256 "${header}" hash)
      list(APPEND versions ${hash})
    else()
      list(APPEND versions "${header}")
    endif()
  endforeach()
  # Not -O3: no call of an op runs it.
  _opgen_unit_object(bindings "${OPGEN_RUNTIME}/adapters/python" STANDARD 17
    SYSTEM "${OPGEN_PYBIND11_INCLUDE}" "${OPGEN_PYTHON_INCLUDE}" OPTIONS -O1
    MADE_OF "${OPGEN_PYTHON_SUFFIX}" ${versions})
  add_library(bindings MODULE ${ARGN} "${UNIT_OBJECT}")
  _opgen_properties(bindings)
  target_include_directories(bindings PRIVATE "${OPGEN_RUNTIME}/adapters/python/include")
  set_target_properties(bindings PROPERTIES PREFIX "" SUFFIX "${OPGEN_PYTHON_SUFFIX}")
  _opgen_keep_unit(bindings)
  if(OPGEN_JAX_INCLUDE)
    # It looks for the handlers by their names.
    target_link_options(bindings PRIVATE "LINKER:--no-as-needed")
    target_link_libraries(bindings PRIVATE ${OPGEN_NAMESPACE}_jax)
  endif()
  target_link_libraries(bindings PRIVATE ${CMAKE_DL_LIBS})
  install(TARGETS bindings LIBRARY DESTINATION .)
endfunction()

if(OPGEN_CUDA)
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
