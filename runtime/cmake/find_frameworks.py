"""Print, as JSON, the folders of PyTorch, JAX, pybind11 and the headers of the running Python.

Nothing is imported. Run it with `python -P`, so that Python does not mistake a folder called
`torch` in the working directory for PyTorch. The value for a missing package is an empty string.
"""

import importlib.metadata
import importlib.util
import json
import os
import re
import sysconfig


def folder(package, *below):
    spec = importlib.util.find_spec(package)
    places = spec.submodule_search_locations if spec else None
    path = os.path.join(list(places)[0], *below) if places else ""
    return path if os.path.isdir(path) else ""


def version(package, found):
    return importlib.metadata.version(package) if found else ""


def ffi(include):
    """Return the version of XLA's FFI in jaxlib's headers: "0.3"."""
    header = os.path.join(include, "xla", "ffi", "api", "c_api.h")
    if not include or not os.path.isfile(header):
        return ""
    with open(header, encoding="utf-8") as file:
        found = dict(re.findall(r"#define XLA_FFI_API_(MAJOR|MINOR) (\d+)", file.read()))
    return f"{found['MAJOR']}.{found['MINOR']}"


def rocm(torch):
    """Return the version of ROCm for which PyTorch was built."""
    file = os.path.join(torch, "version.py")
    if not torch or not os.path.isfile(file):
        return ""
    with open(file, encoding="utf-8") as text:
        found = re.search(r"^hip\b[^=]*= *'(.+?)'", text.read(), re.MULTILINE)
    return found[1] if found else ""


torch, jax = folder("torch", "include"), folder("jaxlib", "include")
python = sysconfig.get_path("include")
python = python if os.path.isfile(os.path.join(python, "Python.h")) else ""
found = {
    "torch_include": torch,
    "torch_lib": folder("torch", "lib"),
    "torch_version": version("torch", torch),
    "torch_rocm": rocm(folder("torch")),
    "jax_include": jax,
    "jax_version": version("jaxlib", jax),
    "jax_ffi": ffi(jax),
    "pybind11_include": folder("pybind11", "include") if python else "",
    "python_include": python,
    "python_suffix": sysconfig.get_config_var("EXT_SUFFIX") or ".so",
}
print(json.dumps(found))
