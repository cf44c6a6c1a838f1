"""A trace that takes what it captured as arguments: `ConcreteFunction.inference_fn`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ..core.specs import TensorSpec
from ..eager.tensor import Tensor
from ..graph.ir import Value
from ..graph.payload import payload_of, spec_of_payload
from ..graph.verify import agree
from .callee import Callee
from .outputs import packer, structured
from .signature.arguments import is_variable
from .signature.casting import cast
from .signature.flat_call import bind_concrete

if TYPE_CHECKING:
    from ..graph.builder import FuncGraph
    from .concrete import ConcreteFunction
    from .signature.function_type import FunctionType


class AtomicFunction:
    """A traced function without the tensors and variables that it captured: they are given.

    >>> v = tf.Variable(2.0)
    >>> times = tf.function(lambda x: v * x).get_concrete_function(tf.TensorSpec([]))
    >>> float(times.inference_fn.call_with_captures((3.0,), {}, [tf.Variable(5.0).handle]))
    15.0
    """

    def __init__(self, trace: ConcreteFunction) -> None:
        self._trace: Final = trace
        self._callee: Final = Callee(trace.callee.closed)
        self._pack: Final = packer(trace.structured_outputs)

    @property
    def name(self) -> bytes:
        """`__inference_<function>_<number>`."""
        return self._trace.name

    @property
    def function_type(self) -> FunctionType:
        """What it takes and gives, with specs for annotations."""
        return self._trace.function_type

    @property
    def graph(self) -> FuncGraph:
        """The traced graph."""
        return self._trace.graph

    @property
    def definition(self) -> Any:
        """This function as a FunctionDef proto."""
        return self._trace.function_def

    @property
    def cached_definition(self) -> Any:
        """The same as `definition`."""
        return self.definition

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run, where nothing was captured.

        Raises:
            ValueError: something was.
            TypeError: arguments that do not fit the signature.
        """
        if self._trace.captured_inputs:
            raise ValueError(
                f"{self!r} captured {len(self._trace.captured_inputs)} tensors: give them by "
                "call_with_captures, or call the ConcreteFunction, which has them"
            )
        return self.call_with_captures(args, kwargs, [])

    def call_with_captures(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], captures: Sequence[Any]
    ) -> Any:
        """Run with other tensors in place of `ConcreteFunction.captured_inputs`, in their order.

        Raises:
            TypeError: arguments that do not fit the signature, or other captures.
        """
        leaves = bind_concrete(
            self._trace.parameters, self._trace.arguments, tuple(args), dict(kwargs)
        )
        return structured(self._pack, self._run([*leaves, *captures]))

    def call_flat(self, *args: Any) -> list[Any]:
        """The results as a list, for the tensors of the arguments and then those captured.

        Raises:
            TypeError: more or fewer are given, or a variable or tensor of another dtype or shape.
        """
        return list(self._run(args))

    def _run(self, leaves: Sequence[Any]) -> tuple[Any, ...]:
        wanted = self._callee.graph.parameters
        if len(leaves) != len(wanted):
            raise TypeError(
                f"{self!r} takes {len(wanted)} tensors, captures included: got {len(leaves)}"
            )
        pairs = zip(leaves, wanted, strict=True)
        return self._callee.call([_fitting(leaf, parameter) for leaf, parameter in pairs])

    def __repr__(self) -> str:
        return f"<AtomicFunction {self._trace.short_signature}>"


def _fitting(leaf: Any, parameter: Value) -> Any:
    """A tensor as a parameter of the graph wants it, or the handle of such a variable."""
    if isinstance(parameter.spec, TensorSpec):
        return cast(leaf, parameter.spec, parameter.name)
    handle = leaf.handle if is_variable(leaf) else leaf
    spec: Any = None
    if isinstance(handle, Tensor):
        spec = handle._known.spec if handle.symbolic else spec_of_payload(payload_of(handle))
    if spec is None or not agree(spec, parameter.spec):
        raise TypeError(
            f"{parameter.name}: expected a handle of {parameter.spec.short}, got {handle!r}"
        )
    return handle
