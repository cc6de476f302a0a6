"""The keys of `ir_json`."""

from typing import Annotated, TypedDict

from opgen.spec.models.strings import Name
from opgen.spec.models.types import doc


class Options(TypedDict, total=False):
    """Output of the IR of an op."""

    file: Annotated[Name, doc("The file's name, without `.json`. By default the op's.", "first")]
