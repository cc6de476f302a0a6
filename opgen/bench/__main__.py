"""`python -m opgen.bench CONFIG JOB`: the process that measures one framework.

`opgen bench` starts this process. `opgen tune` also starts it, for another kind of job. The process
writes rows to stdout, one line of JSON each, and everything else to stderr.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from opgen.bench.errors import BenchError
from opgen.bench.measuring import Job, measured
from opgen.bench.rows import to_json
from opgen.bench.sizes import Size
from opgen.bench.tuning import TuningJob, tuned
from opgen.compiler.pipeline import load
from opgen.spec.config import load_config


def main(root: str, job_text: str) -> int:
    fields = json.loads(job_text)
    sizes = [Size(*size) for size in fields.pop("sizes")]
    specs = list(map(Path, fields.pop("specs")))
    tunes = fields.pop("tunes", False)
    # Print the output of frameworks and compilers to stderr, because stdout is for the rows.
    rows = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    config, _, _ = load_config(Path(root))
    project, _, _ = load(specs, config)
    if project is None:
        _say("the specs have errors")
        return 2
    try:
        found: Iterator[Any]
        if tunes:
            dims = [{n: _size(size) for n, size in each} for each in fields.pop("dims")]
            job = TuningJob(sizes=sizes, dims=dims, **fields)
            found = tuned(job, project, config, _say)
        else:
            found = map(to_json, measured(Job(sizes=sizes, **fields), project, config, _say))
        for row in found:
            print(json.dumps(row), file=rows)
    except (BenchError, LookupError, ImportError) as error:
        _say(str(error))
        return 2
    return 0


def _size(size: Any) -> Any:
    return tuple(size) if isinstance(size, list) else size


def _say(text: str) -> None:
    print(f"opgen: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
