"""One trace of a function, callable: `ConcreteFunction`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn, Self

from ..backends.base import Movable
from ..core import context
from ..core.process.lazy_property import lazy_property
from ..core.process.tracebacks import hide_frames
from ..core.specs import TensorSpec
from ..eager.tensor import note_memory, put_on
from ..graph.builder import FuncGraph
from ..graph.devices import places_of_results
from ..graph.ir import Graph
from ..graph.passes.implementations import add
from ..ops.dispatch.placements import installed
from .atomic_function import AtomicFunction
from .callee import Callee
from .outputs import packer, structured, with_specs
from .signature.arguments import is_variable
from .signature.containers import Compose, leaves_of, map_leaves
from .signature.flat_call import bind_concrete
from .signature.function_type import FunctionType
from .signature.keyword_order import keywords_of
from .signature.parameters import Parameters
from .signature.readable_signatures import as_signature, pretty_signature, short_signature
from .traces.frozen_values import Frozen


def _variable_of(handle: Any) -> Any:
    """The variable that a captured handle belongs to: of one with several parts, that part."""
    reference = getattr(handle, "variable", None)
    found: Any = None if reference is None else reference()
    if found is None or found.is_one_tensor:
        return found
    return next(part for part in found.all_parts if part.handle is handle)


class ConcreteFunction:
    """A function traced for arguments of certain types.

    Call it with all arguments as in Python (those that were Python values may be left out), or
    with its tensors alone, by position or by name.
    """

    def __init__(
        self,
        graph: FuncGraph,
        finished: Graph,
        parameters: Parameters,
        arguments: Sequence[Any],
        key: Any,
        name: str,
        shown: Sequence[Any] | None = None,
    ) -> None:
        self._func_graph = graph
        self._parameters: Final = parameters
        self._arguments: Final = tuple(arguments)  # with specs in place of tensors
        self._shown: Final = self._arguments if shown is None else tuple(shown)  # no names added
        self._key: Final = key
        self._name: Final = name
        self._captured: Final = tuple(one.external for one in graph.passed_captures())
        self._callee: Final = Callee(finished, self._captured)
        self._pack: Final = packer(graph.structured_outputs)
        self._output_specs: Any = with_specs(graph.structured_outputs)
        self.frozen: tuple[Frozen, ...] = ()  # Python values that became constants

    # ---- what it is
    @property
    def graph(self) -> FuncGraph:
        """The traced graph, with TensorFlow's face."""
        return self._func_graph

    @property
    def name(self) -> bytes:
        """`__inference_<function>_<number>`."""
        return self._name.encode()

    @property
    def function_def(self) -> Any:
        """This function as a FunctionDef proto."""
        from ..graph.proto.graphdef import function_def_of

        return function_def_of(self._callee.graph)

    @property
    def inputs(self) -> list[Any]:
        """The parameters' placeholders, then those of what was captured."""
        return self._func_graph.inputs

    @property
    def outputs(self) -> list[Any]:
        """The tensors of the graph that are returned, in a list."""
        return list(self._func_graph.outputs)

    @property
    def captured_inputs(self) -> list[Any]:
        """The tensors and variables' handles from outside, as the graph takes them."""
        return list(self._captured)

    # ---- what libraries ask of it by private names
    @property
    def _captured_inputs(self) -> list[Any]:
        return self.captured_inputs

    @property
    def _arg_keywords(self) -> list[str]:
        return keywords_of(self)

    @property
    def _num_positional_args(self) -> int:
        return len(self._arg_keywords)

    @property
    def structured_input_signature(self) -> tuple[Any, Any]:
        """`((positional...), {keyword-only...})`: specs, and Python values where they count."""
        return as_signature(self._parameters, self._arguments)

    @property
    def structured_outputs(self) -> Any:
        """What is returned, with symbolic tensors at the leaves."""
        return self._func_graph.structured_outputs

    @property
    def function_type(self) -> FunctionType:
        """What it takes and gives, with specs for annotations."""
        pairs = zip(self._parameters.each, self._shown, strict=False)
        taken = [parameter.replace(annotation=spec) for parameter, spec in pairs]
        return FunctionType(taken, return_annotation=self._output_specs)

    @property
    def output_shapes(self) -> Any:
        """The shapes of the results, structured as they are."""
        return map_leaves(_shape_of, self._output_specs, _of_spec(_shape_of))

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results, structured as they are."""
        return map_leaves(_dtype_of, self._output_specs, _of_spec(_dtype_of))

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that it captured, in the order of their first use."""
        found = (_variable_of(handle) for handle in self._captured)
        return tuple(variable for variable in found if variable is not None)

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of the `variables` that are trainable."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def inference_fn(self) -> AtomicFunction:
        """The function without what it captured."""
        return AtomicFunction(self)

    @property
    def callee(self) -> Callee:
        """The graph in the form that other functions call."""
        return self._callee

    @property
    def key(self) -> Any:
        """The trace type of the calls that it serves."""
        return self._key

    @property
    def parameters(self) -> Parameters:
        """The parameters of the Python function."""
        return self._parameters

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What it was traced for, one for each parameter: specs in place of tensors."""
        return self._arguments

    def is_usable_in(self, graph: FuncGraph | None) -> bool:
        """Whether what it captured can be had in `graph` (None: eagerly)."""
        return all(_is_within_reach(one, graph) for one in self._captured if one.symbolic)

    def agrees_with(self, names: Sequence[str | None]) -> bool:
        """Whether its specs have these names, leaf by leaf (None: any name)."""
        own = [
            getattr(leaf, "name", None) for value in self._arguments for leaf in leaves_of(value)
        ]
        return all(name in (None, mine) for name, mine in zip(names, own, strict=True))

    # ---- calling
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run.

        Raises:
            TypeError: arguments that do not fit the signature; the message names the argument.
            InvalidArgumentError: a tensor of another dtype or shape.
        """
        try:
            leaves = bind_concrete(self._parameters, self._arguments, args, kwargs)
            return self.call_with(leaves)
        except Exception as error:
            hide_frames(error)
            raise

    def call_with(self, leaves: Sequence[Any]) -> Any:
        """The structured result for tensors and variables, one for each parameter of the graph."""
        operands = [leaf.handle if is_variable(leaf) else leaf for leaf in leaves]
        here = context.top()
        if not here.observers or here.interpreter.building_graph:
            results = self._callee.call(operands)
        else:
            results = context.observed_call(here, self, lambda: self._callee.call(operands))
        if (place := here.interpreter.on_device) is not None:
            results = put_on(place, results)
        if self._places and not here.interpreter.building_graph:
            note_memory(self._places, results)
        return structured(self._pack, results)

    def quick_entry(self) -> tuple[Any, Any] | None:
        """The native way in, for tensors by position, and how its outputs become the result.

        None where there is none, because steps of the graph run in Python, because it captured
        what has a layout, which results get as well, or because results say where they are.
        """
        placements, graph = installed.placements, self._callee.closed
        if placements is not None and placements.concern_call(graph, self._captured):
            return None
        bound = self._callee.bound
        if self._places and not isinstance(bound, Movable):
            return None
        return None if bound.entry is bound else (bound.entry, self._pack)

    @lazy_property
    def _places(self) -> Sequence[str | None]:
        """The devices that results say they are on, whatever calls are meant for."""
        return places_of_results(self._callee.graph)

    # ---- text
    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Parameters, results and captures on several lines; in one, without captures, if not
        `verbose`.
        """
        if not verbose:
            return self.short_signature
        captures = [
            (f"{number}", TensorSpec(handle.shape, handle.dtype))
            for number, handle in enumerate(self._captured)
        ]
        return pretty_signature(self._parameters, self._shown, self._output_specs, captures)

    def __copy__(self) -> Self:
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"cannot pickle or copy {self!r}; tf.saved_model.save writes it to a file")

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    @property
    def short_signature(self) -> str:
        """Parameters and results in one line: names, shapes and dtypes."""
        return short_signature(self._parameters, self._shown, self._output_specs)

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.short_signature} at {id(self):#x}>"

    def add_to_graph(self, g: Any = None, overwrite: bool = False) -> None:
        """Offer this function to graphs that call another one for the same purpose.

        A graph has the functions that it calls without being told; what this adds is one with the
        attributes `api_implements` and `api_preferred_device` (`graph/passes/implementations.py`).
        """
        add(self._callee.closed)

    def add_gradient_functions_to_graph(self, g: Any = None) -> None:
        """Nothing: gradients are made when they are asked for."""


def _shape_of(spec: Any) -> Any:
    return getattr(spec, "shape", None)


def _dtype_of(spec: Any) -> Any:
    return getattr(spec, "dtype", None)


def _of_spec(fact: Callable[[Any], Any]) -> Compose:
    return lambda spec: lambda parts: fact(spec)


def _is_within_reach(tensor: Any, graph: FuncGraph | None) -> bool:
    while graph is not None and not tensor.op.belongs_to(graph):
        graph = graph.enclosing
    return graph is not None
