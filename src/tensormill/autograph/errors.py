"""Exceptions of the conversion itself; `staging.py` shows the user's own ones."""

from __future__ import annotations


class AutoGraphError(Exception):
    """Base of what goes wrong between a function's source and its converted form."""


class ConversionError(AutoGraphError):
    """A function could not be converted; the message names the function and the reason."""


class NoSourceError(ConversionError):
    """The function's source text cannot be read (made by `exec`, typed into a prompt)."""


class NotInEveryBranch(ValueError):
    """A variable has a value in one branch only. `name` is the variable."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
