"""What XLA is given for a function and what it makes of that, for those who read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import jax

from ..core.process.named_tuples import NamedTuple
from ..errors import InvalidArgumentError
from ..graph.ir import Graph
from .language import NotInXla
from .partitioned import Absent, one_program

_DEVICE: Final = re.compile(r"(CPU|GPU|TPU)(?::(\d+|\*))?$", re.IGNORECASE)


class _Compiled(NamedTuple):
    lowered: Any  # JAX's: what was compiled
    made: Any  # JAX's: what came of it

    @property
    def given(self) -> Any:
        return self.lowered.compiler_ir("hlo")

    @property
    def module(self) -> Any:
        return self.made.runtime_executable().hlo_modules()[0]

    @property
    def serialized(self) -> Any:
        return self.module.as_serialized_hlo_module_proto()


STAGES: Final[Mapping[str, Callable[[_Compiled], str | bytes]]] = {
    "hlo": lambda one: one.given.as_hlo_text(),
    "hlo_serialized": lambda one: one.given.as_serialized_hlo_module_proto(),
    "stablehlo": lambda one: one.lowered.as_text("stablehlo"),
    "optimized_hlo": lambda one: one.made.as_text(),
    "optimized_hlo_serialized": lambda one: one.serialized,
    "optimized_hlo_proto_serialized": lambda one: one.serialized,
    "optimized_hlo_dot": lambda one: type(one.given)(one.serialized).as_hlo_dot_graph(),
}


def compiler_ir(graph: Graph, captures: Sequence[Any]) -> Callable[..., str | bytes]:
    """What gives the texts of a graph's program by their stages.

    Raises:
        ValueError: the graph takes something whose shape is not known.
        InvalidArgumentError: it is no single program of XLA.
    """
    unknown = [one for one in graph.parameters if not one.spec.shape.is_fully_defined()]
    if unknown:
        said = ", ".join(f"{one.name}: {one.spec.short}" for one in unknown)
        raise ValueError(
            f"Only support static input shape but got inputs = [{said}]: give tensors, or specs of "
            "known shapes"
        )
    given: list[Any] = []
    for one in graph.parameters:
        sizes: Any = one.spec.shape.as_list()
        given.append(Absent(tuple(sizes), one.spec.dtype.storage, None))
    lowered: list[Any] = []
    try:
        program, _ = one_program(graph, [*given, *captures], lowered.append)
    except NotInXla as refusal:
        raise InvalidArgumentError(
            f"'{graph.name}' is no single program of XLA: {refusal}"
        ) from refusal
    compiled = _Compiled(lowered[0], program.compiled)

    def text(
        stage: str = "hlo", device_name: str | None = None, platform_name: str | None = None
    ) -> str | bytes:
        _require_device(device_name)
        _require_device(platform_name)
        if stage not in STAGES:
            known = ", ".join(map(repr, STAGES))
            raise ValueError(f"Invalid stage selected: {stage!r}. Valid values are: {known}")
        return STAGES[stage](compiled)

    return text


def _require_device(name: str | None) -> None:
    """Refuse a device that JAX does not compile for here."""
    if name is None:
        return
    found = _DEVICE.search(name)
    here = jax.devices()
    kinds = {"GPU" if one.platform in ("cuda", "rocm") else one.platform.upper() for one in here}
    if found is None or found[1].upper() not in kinds:
        raise ValueError(
            f"No matching device found for '{name}': there are {', '.join(sorted(kinds))}"
        )
