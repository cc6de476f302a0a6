"""The software bill of materials (SBOM) of a wheel, in the CycloneDX format (PEP 770)."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from opgen.source.version import __version__

FILE = "sbom.cdx.json"


def sbom(name: str, version: str, license: str | None, *, cuda: bool) -> str:
    """Return the SBOM of a wheel as JSON. The text is the same for each build of the wheel.

    The SBOM lists opgen's headers as a component. If `cuda` is true, it also lists NVIDIA's CUDA
    runtime.
    """
    own = _component(name, version, f"pkg:pypi/{quote(name)}@{quote(version, safe='')}", license)
    parts = [_component("opgen-headers", __version__, None, "Apache-2.0")]
    if cuda:
        parts.append(_component("cudart_static", None, None, None, "NVIDIA CUDA Toolkit EULA"))
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": own,
            "tools": {"components": [_component("opgen", __version__, None, "Apache-2.0")]},
        },
        "components": parts,
        "dependencies": [
            {"ref": own["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]},
            *({"ref": part["bom-ref"]} for part in parts),
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _component(
    name: str, version: str | None, purl: str | None, expression: str | None, licence: str = ""
) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "library", "bom-ref": purl or name, "name": name}
    if version is not None:
        found["version"] = version
    if purl is not None:
        found["purl"] = purl
    if expression is not None:
        found["licenses"] = [{"expression": expression}]
    elif licence:
        found["licenses"] = [{"license": {"name": licence}}]
    return found
