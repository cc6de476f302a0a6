"""The base class of errors that a user can fix, as opposed to bugs of opgen."""

from __future__ import annotations


class Failure(Exception):
    """Error for a command that cannot continue. The message is the reason, for the user."""
