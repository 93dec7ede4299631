"""Exceptions that carry the library's diagnostics."""

from __future__ import annotations

import re
from typing import Sequence

from ptojit._ptojit import Diagnostic


class Error(Exception):
    """Something was refused. `diagnostics` says what, by which rule, and what would be accepted."""

    diagnostics: Sequence[Diagnostic]

    def __init__(self, diagnostics: Sequence[Diagnostic], text: str) -> None:
        super().__init__(text.rstrip("\n"))
        self.diagnostics = tuple(diagnostics)

    def __reduce__(self):
        return type(self), (self.diagnostics, str(self)), self.__dict__

    @property
    def id(self) -> str:
        """Of the first diagnostic: stable, as 'a5.scatter.width'."""
        return self.diagnostics[0].id

    @property
    def rule(self) -> str:
        """That the first diagnostic found broken; may be empty."""
        return self.diagnostics[0].rule

    @property
    def try_(self) -> str:
        """The nearest legal spec, where there is one to be had."""
        return self.diagnostics[0].try_


class SpecError(Error, ValueError):
    """A spec that cannot be read, or that its target refuses."""


class ArrayError(Error, ValueError):
    """Arrays, or values of runtime dimensions, that do not fit the kernel."""


class RangeError(Error, IndexError):
    """An index out of range; the message names its position."""


# By the first word of a diagnostic's id. Rules begin with their target.
_KINDS = {"index": RangeError, "call": ArrayError, "bind": ArrayError}


def error_of(diagnostics: Sequence[Diagnostic], text: str) -> Error:
    """The exception that diagnostics become."""
    kind = _KINDS.get(diagnostics[0].id.partition(".")[0], SpecError)
    return kind(diagnostics, text)


_PART = re.compile(r"^(?:error\[(?P<id>[^\]]+)\]|  (?P<name>rule|from|try|but)): +(?P<value>.*)$", re.M)


def parse_diagnostics(text: str) -> list[Diagnostic]:
    """Diagnostics as the tool prints them, read back."""
    found: list[tuple[str, str, dict[str, str]]] = []
    for part in _PART.finditer(text):
        if part["id"]:
            found.append((part["id"], part["value"], {}))
        elif found:
            found[-1][2][part["name"]] = part["value"]
    return [Diagnostic(*each) for each in found] or [Diagnostic("tool.usage", text.strip())]
