"""`training.saving.saveable_object`: what programs derive what they save by themselves from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....core.process.tracebacks import shallow


class SaveSpec:
    """A tensor, or what makes it, under the name that it has in a checkpoint."""

    def __init__(
        self, tensor: Any, slice_spec: str, name: str, dtype: Any = None, device: Any = None
    ) -> None:
        self._tensor = tensor
        self.slice_spec = slice_spec
        self.name = name
        if callable(self._tensor):
            if dtype is None or device is None:
                raise AssertionError("a tensor that is made later needs a dtype and a device")
            self.dtype, self.device = dtype, device
        else:
            self.dtype = tensor.dtype
            self.device = getattr(tensor, "device", None) if device is None else device

    @property
    def tensor(self) -> Any:
        """The tensor."""
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """Several tensors that are saved and restored together; `restore` is the program's."""

    def __init__(self, op: Any, specs: Sequence[SaveSpec] | Callable[[], Any], name: str) -> None:
        self.op = op
        self._specs = specs
        self.name = name

    @property
    def specs(self) -> Any:
        """What is saved."""
        return self._specs() if callable(self._specs) else self._specs

    @property
    def device(self) -> Any:
        """Where it lies."""
        return self.specs[0].device

    @shallow
    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """Give back what was restored; a class of the program's says how.

        Raises:
            ValueError: it does not.
        """
        raise ValueError("Calling an abstract method.")


class BaseSaverBuilder:
    """The names that programs use: the rest of it makes operations, which `Saver` does here."""

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject
