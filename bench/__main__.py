"""Run benchmarks and print their ratios: `python -m bench [MODULE...] [--json FILE]`.

Each module runs in a separate process, so that the threads of one framework do not slow down
another. The exit code is 1 if a measured ratio violates its limit.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from opgen.bench.harness import measure
from opgen.bench.table import document, text

FOLDER = Path(__file__).parent


def benchmarks() -> list[str]:
    """Return the names of the modules in this folder that define `groups()`, sorted."""
    return sorted(f.stem for f in FOLDER.glob("*.py") if "\ndef groups(" in f.read_text())


def main(arguments: Sequence[str] | None = None) -> int:
    modules = benchmarks()
    parser = argparse.ArgumentParser("python -m bench", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=", ".join(modules))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write results here too")
    options = parser.parse_args(arguments)
    unknown = set(options.modules) - set(modules)
    if unknown:
        parser.error(f"there is no {min(unknown)}; there are {', '.join(modules)}")
    chosen = options.modules or modules
    if len(chosen) == 1:
        return _run(chosen[0], options.json)
    return _run_apart(chosen, options.json)


def _run(module: str, file: Path | None) -> int:
    results = []
    for group in import_module(f"bench.{module}").groups():
        results.append(measure(group))
        print(text(results[-1]), flush=True)
    if file:
        file.write_text(document(results))
    return int(not all(f.holds for result in results for f in result.findings))


def _run_apart(modules: Sequence[str], file: Path | None) -> int:
    codes, documents = [], []
    with TemporaryDirectory() as folder:
        for module in modules:
            part = Path(folder, f"{module}.json")
            command = [sys.executable, "-m", "bench", module, "--json", str(part)]
            codes.append(subprocess.run(command, check=False).returncode)
            if part.exists():
                documents.append(json.loads(part.read_text()))
    if file:
        groups = [group for part in documents for group in part["groups"]]
        whole = {"machine": documents[0]["machine"], "groups": groups}
        file.write_text(json.dumps(whole, indent=2) + "\n")
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
