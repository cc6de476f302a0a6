"""The keys of `ir_json`."""

from typing import Annotated, TypedDict

from opgen.spec.models.strings import Name
from opgen.spec.models.types import doc


class Options(TypedDict, total=False):
    """Where the IR of an op is written."""

    file: Annotated[Name, doc("The file's name, without `.json`. By default the op's.", "first")]
