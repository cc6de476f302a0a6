"""The dtype variables of one file, with the methods that lint rules need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from opgen.language.dtype_variables import DtypeVariables
from opgen.language.dtypes import DTYPES
from opgen.lint.expression_contexts import Site, dtype_sites
from opgen.source.cached import cached_property
from opgen.source.diagnostics import Path, Where
from opgen.source.work import Work
from opgen.spec.models.attrs import DtypeSpec


class DtypeTable(DtypeVariables):
    """The dtype variables of the spec in `file`.

    `others` has the names that ops of the file declare, each with a description for messages. A
    dtype variable of the file must not depend on such a name.
    """

    name = "dtypes"

    def __init__(
        self,
        variables: Mapping[str, DtypeSpec],
        file: str,
        others: Mapping[str, str],
        work: Work,
    ) -> None:
        super().__init__(variables)
        self.file, self.others, self.work = file, others, work

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        return tuple(dtype_sites(self.variables))

    @cached_property
    def types(self) -> dict[str, str]:
        return dict.fromkeys(self.variables, "dtype")

    def lookup(self, site: Site, name: str) -> str | None:
        return "dtype" if name in DTYPES else self.types.get(name)

    def at(
        self,
        path: Path,
        part: Literal["key", "value"] = "value",
        start: int | None = None,
        end: int | None = None,
    ) -> Where:
        return Where(self.file, ("dtypes", *path), part, start, end)
