"""Exceptions of the conversion itself; `user_errors.py` shows the user's own ones."""

from __future__ import annotations

from typing import TypeVar

Raised = TypeVar("Raised", bound=Exception)


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


def about_variable(name: str, error: Raised) -> Raised:
    """The error, which knows from now on what variable it is about: who has its lines adds them."""
    error.__dict__["variable"] = name
    return error


def variable_of(error: BaseException) -> str | None:
    """The variable that an error is about, if it is known."""
    return error.__dict__.get("variable")
