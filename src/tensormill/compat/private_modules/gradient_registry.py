"""TensorFlow's registry of gradients, by which libraries replace the rules of operations.

`shap` reads an operation's gradient function there, puts one of its own in its place, and later the
first one back. Here these are names for what `autodiff/registry.py` holds.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any, Final, TypeAlias

from ...autodiff import registry
from ...autodiff.backward import rule_of_its_own
from ...ops import catalogue as catalogue  # who asks whether a type is there means all of them
from ...ops.op import REGISTRY, Op


class OwnGradient:
    """The rule of the operations of one type, as a gradient function of an operation."""

    def __init__(self, op_type: str) -> None:
        self._op_type: Final = op_type

    def __call__(self, op: Any, *gradients: Any) -> Any:
        """A gradient for each input, None where there is none; of one input, not in a list."""
        if not isinstance(op, registry.RegisteredOperation):
            raise TypeError(
                f"the gradient function of {self._op_type} takes the operation that a gradient "
                f"function is called with, not {op!r}"
            )
        wanted = {id(one) for one in op.inputs if one.dtype.is_differentiable}
        pulled = rule_of_its_own(op.application, list(gradients), wanted)
        found = [
            None if id(operand) not in wanted else one() if callable(one) else one
            for operand, one in zip(op.inputs, pulled, strict=True)
        ]
        return found[0] if len(found) == 1 else found


class GradientEntry(MutableMapping[str, Any]):
    """What is registered for one type: its function, as "type", and where that comes from."""

    def __init__(self, op_type: str, kind: type[Op]) -> None:
        self._op_type: Final = op_type
        self._own: Final = OwnGradient(op_type) if kind.differentiable else None
        self._parts: Final = {"type": self._own, "location": (kind.__module__, kind.__qualname__)}

    def __getitem__(self, key: str) -> Any:
        return self._parts[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._parts[key] = value
        if key != "type":
            return
        if value is self._own:
            registry.restore(self._op_type)
        else:
            registry.replace(self._op_type, value)

    def __delitem__(self, key: str) -> None:
        raise TypeError(f"an entry of the registry of gradients keeps its {key!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)


class GradientEntries(MutableMapping[str, Any]):
    """All entries by the types of operations, and those that others have added."""

    def __init__(self) -> None:
        self._added: Final[dict[str, Any]] = {}
        self._own: Final[dict[str, GradientEntry]] = {}

    def __getitem__(self, op_type: str) -> Any:
        if op_type in self._added:
            return self._added[op_type]
        if op_type not in self._own:
            self._own[op_type] = GradientEntry(op_type, REGISTRY[op_type])
        return self._own[op_type]

    def __setitem__(self, op_type: str, entry: Any) -> None:
        self._added[op_type] = entry
        registry.replace(op_type, entry["type"])

    def __delitem__(self, op_type: str) -> None:
        if op_type not in self._added:
            raise KeyError(f"{op_type!r} was not added, and its own rule stays")
        del self._added[op_type]
        registry.restore(op_type)

    def __iter__(self) -> Iterator[str]:
        return iter({**REGISTRY, **self._added})

    def __len__(self) -> int:
        return len({**REGISTRY, **self._added})


Types: TypeAlias = list[str]  # a method is called `list`


class GradientRegistry:
    """Gradient functions by the types of operations."""

    def __init__(self) -> None:
        self._registry: Final = GradientEntries()

    def list(self) -> Types:
        """The types of operations that have one."""
        return list(self._registry)

    def lookup(self, name: str) -> Any:
        """The function of a type.

        Raises:
            LookupError: there is none.
        """
        if name not in self._registry:
            raise LookupError(f"gradient registry has no entry for: {name}")
        return self._registry[name]["type"]


_gradient_registry: Final = GradientRegistry()


def record_gradient(op_name: str, inputs: Any, attrs: Any, outputs: Any) -> None:
    """Refused: tapes see what is applied by themselves, and need not be told.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError(
        f"tapes record {op_name} when it is applied; tf.custom_gradient says what the gradient of "
        f"something else is"
    )
