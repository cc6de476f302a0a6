"""`opgen eject`: rendered code that its owner goes on with."""

from __future__ import annotations

from dataclasses import replace

from opgen.cli.commands import Failure, print_changes, print_found, read_config, say
from opgen.compiler.discovery import shown, spec_files
from opgen.compiler.project_sources import listed


def eject(op: str) -> int:
    """Leave the rendered files of an op's family to their owner."""
    from opgen.compiler.pipeline import load
    from opgen.output import ejected, write
    from opgen.output.render import render
    from opgen.source.diagnostics import did_you_mean
    from opgen.spec.extensions import builtin_targets

    config = read_config([], "text")
    project, found, sources = load(spec_files([], config), config)
    if project is None:
        print_found(found, sources, "text")
        return 1
    names = [each.name for each in project.ops]
    if op not in names:
        raise Failure(f"there is no op `{op}`: {did_you_mean(op, names)}")
    out = shown(config.out_dir)
    there = ejected.read(out)
    if f"core/_{op}.py" in there:
        raise Failure(f"`{op}` is ejected already")
    # What was edited already stays as it is.
    changes = write.check(ejected.without(render(project, config.targets), there)[0], out)
    others = replace(changes, edited=())
    print_changes(others, out)
    if others:
        raise Failure(f"{out} is not what the specs say: run `opgen render`")
    family = next(each for each in project.families if op in {own.name for own in each.ops})
    targets = [t for t in config.targets or builtin_targets() if t in builtin_targets()]
    paths = ejected.eject(project, family, targets, out)
    ops = listed([f"`{each.name}`" for each in family.ops])
    say(f"{len(paths)} files of {ops} in {out} are yours: no render changes them")
    say(f"{shown(config.specs_dir)}/{family.name}.toml still says what the other files name")
    return 0
