"""`opgen eject`: stops rendering the files of an op, so that authors can edit these files."""

from __future__ import annotations

from dataclasses import replace

from opgen.cli.console import op_of, read_config, read_project, say, say_waiting
from opgen.cli.render import print_changes, refuse_newer
from opgen.compiler.discovery import shown
from opgen.compiler.project_sources import listed
from opgen.source.failure import Failure


def eject(op: str) -> int:
    """Stop rendering the files of the family that contains the op. Authors can then edit them."""
    from opgen.output import ejected, write
    from opgen.output.files import MANIFEST
    from opgen.output.render import render
    from opgen.source.text import read_text
    from opgen.spec.extensions import builtin_targets, default_targets

    config = read_config([], "text")
    project = read_project([], config)
    op_of(project, op)
    out = shown(config.out_dir)
    refuse_newer(out)
    there = ejected.read(out)
    family = next(each for each in project.families if op in {own.name for own in each.ops})
    targets = [t for t in config.targets or default_targets() if t in builtin_targets()]
    rendered = render(project, config.targets)
    files = ejected.family_files(project, family, targets, rendered)
    if f"core/_{op}.py" in there and not ejected.unfinished(files, out):
        raise Failure(f"`{op}` is ejected already")
    # The author may already have edited the files. If only the manifest is stale, an earlier
    # `opgen eject` was killed.
    changes = replace(write.check(ejected.without(rendered, there)[0], out), edited=())
    texts = ejected.texts(rendered, files, out) if not changes.missing else {}
    if changes.stale == (MANIFEST,) and read_text(out / MANIFEST) == texts.get(MANIFEST):
        changes = replace(changes, stale=())
    if changes:
        print_changes(changes, out)
        raise Failure(f"{out} is not what the specs say: run `opgen render`")
    write.replace(out, texts, say_waiting)
    ops = listed([f"`{each.name}`" for each in family.ops])
    say(f"{len(files)} files of {ops} in {out} are yours: no render changes them")
    say(f"{shown(config.specs_dir)}/{family.name}.toml still says what the other files name")
    return 0
