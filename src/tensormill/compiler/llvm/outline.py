"""Loop nests that become functions of their own: those that threads may share."""

from __future__ import annotations

from ..loops.ir import For, Program
from .module import Module
from .statements import Statements


class Outliner:
    """Decides which loops leave the function they stand in."""

    def __init__(self, module: Module, program: Program) -> None:
        self.module = module

    def outline(self, statements: Statements, loop: For) -> bool:
        """Emit `loop` elsewhere and call it; False if it had better stay."""
        return False
