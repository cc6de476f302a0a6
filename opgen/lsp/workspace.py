"""The specs that an editor has open, and checks of their projects with the unsaved text."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from opgen.compiler.discovery import SPEC, specs_below
from opgen.compiler.pipeline import findings, parse_all, resolve
from opgen.ir.op import Op
from opgen.output.spec_groups import groups, ties
from opgen.source.diagnostics import Diagnostic, errors
from opgen.source.garbage import uncollected
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config, load_config
from opgen.spec.parse import parse_spec
from opgen.spec.spec import Spec

Parsed = tuple[Spec | None, list[Diagnostic]]


class Known(NamedTuple):
    """The last read state of a spec: its text, its ops, and the names that may relate it to others.

    Two specs must be checked together if their `ties` have a name in common.
    """

    text: str
    ties: frozenset[str] = frozenset()
    ops: frozenset[str] = frozenset()


@dataclass
class Checked:
    """The result of a check: the files whose findings may have changed, and the new findings."""

    files: set[str] = field(default_factory=set)
    found: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, SourceFile] = field(default_factory=dict)

    def add(self, sources: dict[str, SourceFile], found: list[Diagnostic]) -> Checked:
        self.files.update(sources)
        self.found += found
        self.sources |= sources
        return self


@dataclass
class Workspace:
    """The text of each file that is open in the editor, and the specs of these files' projects."""

    texts: dict[str, str] = field(default_factory=dict)
    known: dict[str, Known] = field(default_factory=dict)
    # For each spec, the other files in which the spec's last check had findings, such as its
    # reference.
    blamed: dict[str, set[str]] = field(default_factory=dict)

    def source(self, path: str) -> SourceFile:
        """Return a file with the editor's text, or from disk if it is not open in the editor."""
        text = self.texts.get(path)
        return SourceFile.read(Path(path)) if text is None else SourceFile(path, text)

    def check(self, path: str) -> Checked:
        """Check the changed specs in the project of the file `path`, and all specs related to them.

        Two specs are related if they have a name in common, such as an op that one of them calls.
        """
        config, problems, configured = load_config(Path(path))
        done = Checked(self.blamed.pop(path, set()))
        if problems and configured is not None:
            self.blamed[path] = {configured.path}
            return done.add({configured.path: configured}, problems)
        sources = self._sources(path, config)
        changed = {f for f, s in sources.items() if f == path or self._changed(s)}
        before = {f for f in self.known if Path(f).is_relative_to(config.root)}
        gone = before - {*sources}
        lost = {name for f in before & (changed | gone) for name in self.known[f].ties}
        parsed = {}
        if path in sources:
            parsed[path] = spec, found = self._parse(sources[path])
            if spec is None:
                # The spec has errors, so its ops are unknown. Keep the findings of other specs.
                return done.add({path: sources[path]}, found)
        for file in gone:
            del self.known[file]
            done.files.add(file)
        parsed |= {file: self._parse(sources[file]) for file in changed if file != path}
        chosen = []
        for group in self._groups(sources):
            names = {name for file in group for name in self.known[file].ties}
            if not changed.isdisjoint(group) or not lost.isdisjoint(names):
                chosen += group
        parsed |= {file: self._parse(sources[file]) for file in chosen if file not in parsed}
        specs = {file: spec for file, (spec, _) in parsed.items() if spec is not None}
        misread = [finding for _, found in parsed.values() for finding in found]
        others = (self.known[file].ops for file in sources if file not in parsed)
        seen = {file: sources[file] for file in parsed}
        with uncollected():
            found = findings(specs, misread, seen, config, frozenset().union(*others))
        for file in parsed:
            done.files |= self.blamed.pop(file, set())
            named = {f for f in seen if f not in parsed and Path(f).name in sources[file].text}
            self.blamed[file] = named
        return done.add(seen, found)

    def op(self, path: str, name: str) -> Op | None:
        """Return the op `name` of the project, or None if the specs have errors."""
        config, problems, _ = load_config(Path(path))
        every = self._sources(path, config)
        group = next((group for group in self._groups(every) if path in group), [])
        sources = {file: every[file] for file in group}
        specs, found = parse_all(sources)
        if problems or errors([*found, *findings(specs, [], dict(sources), config)]):
            return None
        return next((op for op in resolve(specs, sources, config).ops if op.name == name), None)

    def ops(self, path: str) -> dict[str, str]:
        """Return a map from the name of each op in the project to the path of its spec."""
        root = load_config(Path(path))[0].root
        own = (each for each in self.known.items() if Path(each[0]).is_relative_to(root))
        return {name: file for file, known in own for name in known.ops}

    def _sources(self, path: str, config: Config) -> dict[str, SourceFile]:
        """Return all specs of a project, and `path` if it is a spec outside of the spec folder."""
        folder = config.specs_dir
        below = specs_below(folder, config.out_dir) if folder.is_dir() else ()
        found = {each.path: each for each in below}
        found |= {file: self.source(file) for file in self.texts.keys() & found.keys()}
        own = found.get(path) or self.source(path)
        if SPEC.search(own.text) and not Path(path).is_relative_to(config.out_dir):
            found[path] = own
        return dict(sorted(found.items()))

    def _groups(self, sources: dict[str, SourceFile]) -> list[list[str]]:
        return groups({f: self.known[f].ties for f in sources if f in self.known})

    def _changed(self, source: SourceFile) -> bool:
        known = self.known.get(source.path)
        return known is None or known.text != source.text

    def _parse(self, source: SourceFile) -> Parsed:
        """Parse a spec and store its names in `known`. If parsing fails, keep the earlier names."""
        spec, found = parse_spec(source)
        if spec is not None:
            names = frozenset(spec.names("ops"))
            self.known[source.path] = Known(source.text, ties(spec), names)
        else:
            before = self.known.get(source.path, Known(""))
            self.known[source.path] = before._replace(text=source.text)
        return spec, found
