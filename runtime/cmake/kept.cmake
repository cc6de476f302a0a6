# _opgen_is_whole(<file> <variable>): whether a file is as `keep.cmake` kept it. A disk that was full, or lost
# its power, may hold a part of it.
function(_opgen_is_whole file variable)
  set(whole OFF)
  if(EXISTS "${file}" AND EXISTS "${file}.sha256")
    file(SHA256 "${file}" found)
    file(READ "${file}.sha256" expected)
    if(found STREQUAL expected)
      set(whole ON)
    endif()
  endif()
  set("${variable}" ${whole} PARENT_SCOPE)
endfunction()
