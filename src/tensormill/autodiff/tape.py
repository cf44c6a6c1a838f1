"""`GradientTape`: records what happens while it is entered, and differentiates it."""

from __future__ import annotations

import enum
from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from ..core import context, dtypes, tree
from ..core.process.logs import logger
from ..core.process.tracebacks import hide_frames
from ..core.process.with_blocks import Enterable, block, exit_without_entry, setting
from ..core.values import TensorBase, TensorLike
from ..eager.tensor import EagerTensor
from ..eager.variable import ResourceVariable
from ..errors import DTypeMismatchError, ShapeMismatchError
from ..ops.bind import bind
from ..ops.conversion import as_tensor
from ..ops.dispatch.placements import inside, installed
from ..ops.op import REGISTRY
from . import replays
from .constants import zeros_like
from .recording import Recording, state_of
from .sources import handle_of, in_trace, stand_ins, underlying, variable_of

# Sources of one tensor, without a look; and a block that does nothing.
PLAIN: Final = frozenset((EagerTensor, ResourceVariable))
NOTHING: Final = nullcontext()


class UnconnectedGradients(enum.Enum):
    """What to answer for a source that the target does not depend on."""

    NONE = "none"
    ZERO = "zero"


class GradientTape(Enterable["GradientTape"]):
    """Records operations for automatic differentiation.

    Operations are recorded while the tape is entered and at least one of their operands is
    watched. Trainable variables are watched when they are read, unless `watch_accessed_variables`
    is off; tensors when `watch` is called. A tape that is not `persistent` computes gradients
    once. Tapes nest: what an inner tape computes is recorded by the outer one.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> tape.gradient(y, x).numpy()
    np.float32(6.0)
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        super().__init__()
        self._persistent = persistent
        # A persistent tape can record its own gradients.
        self._recording = Recording(watch_accessed_variables, orders=2 if persistent else 1)
        self._recording.active = False
        self._is_usable = False  # not yet entered, or spent
        self._has_warned = False

    # ---- recording
    def _enter(self) -> GradientTape:
        if self._recording.active:
            raise ValueError(
                "Tape is still recording: leave its `with` block first, or make another tape"
            )
        self._renew()
        context.record_until(self._entered, self._recording)
        return self

    def _renew(self) -> None:
        """Begin again after the tape was spent."""
        if not self._is_usable:
            self.reset()

    def watch(self, tensor: Any) -> None:
        """Record what is computed from a tensor, or from each tensor of a structure.

        >>> x = tf.constant(3.0)
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.gradient(y, x).numpy()
        np.float32(6.0)

        Raises:
            ValueError: something is neither a tensor nor a variable.
            RuntimeError: the tape was not entered yet, or has computed its gradients.
        """
        if not self._is_usable:
            raise RuntimeError("a tape watches what it is told within its `with` block only")
        for one in watched_parts(tensor):
            if not isinstance(one, TensorBase):
                raise ValueError(
                    f"Passed in object {one} of type {type(one).__name__!r}, "
                    "not tf.Tensor or tf.Variable or ExtensionType."
                )
            dtype = underlying(one).dtype
            if not dtype.is_differentiable:
                logger.warning(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
                    dtype,
                )
            self._recording.watch(handle_of(one))
            self._recording.watch(in_trace(handle_of(one)))

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables that are watched, in the order in which they were first read.

        >>> x = tf.Variable(3.0, name='x')
        >>> with tf.GradientTape() as tape:
        ...     y = x * 2.0
        >>> [variable.name for variable in tape.watched_variables()]
        ['x:0']
        """
        found = (variable_of(handle) for handle in self._recording.handles.values())
        return tuple({id(one): one for one in found if one is not None}.values())

    @block
    def stop_recording(self) -> Generator[None]:
        """Within, nothing is recorded.

        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     with tape.stop_recording():
        ...         scale = x * 10.0
        ...     y = scale * x
        >>> tape.gradient(y, x).numpy()
        np.float32(30.0)

        Raises:
            RuntimeError: the tape is not recording.
        """
        if not self._recording.active:
            raise RuntimeError("stop_recording() works only while the tape is recording")
        try:
            self._recording.active = False
            yield
            self._renew()  # a tape that was spent meanwhile records what comes
        finally:
            self._recording.active = self._entered.close is not exit_without_entry

    def reset(self) -> None:
        """Forget all that was recorded and watched, and go on recording.

        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        ...     tape.reset()
        ...     z = 2.0 * x
        >>> tape.gradient(z, x).numpy()
        np.float32(2.0)
        """
        self._recording.forget()
        self._is_usable = True

    # ---- derivatives
    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradient of the sum of all targets' elements by each source, structured as `sources`.

        `output_gradients` are factors, one of the shape of each target; without them, ones. A
        source that no target depends on gives None, or zeros if `unconnected_gradients` is "zero".

        >>> x, w = tf.Variable(3.0), tf.Variable(2.0)
        >>> with tf.GradientTape() as tape:
        ...     y = w * x * x
        >>> [gradient.numpy() for gradient in tape.gradient(y, [x, w])]
        [np.float32(12.0), np.float32(9.0)]

        Raises:
            RuntimeError: a tape that is not persistent has computed gradients before.
            TypeError: a target or source is no tensor and no variable.
            ValueError: there are other numbers of `output_gradients` and targets, or some are None.
            ShapeMismatchError, DTypeMismatchError: `output_gradients` do not fit the targets.
        """
        unconnected = as_unconnected(unconnected_gradients)
        self._check_target(target)
        recording = self._ready("gradient")
        with in_gradient_scope():
            targets = [known_as(recording, one, "target") for one in parts_of(target)]
            seeds = seeds_for(targets, _without_none(output_gradients))
            flat = parts_of(sources)
            try:
                answers = self._gradients(recording, targets, seeds, flat, unconnected)
            except Exception as error:
                hide_frames(error)
                raise
        self._spend()
        return packed_as(sources, answers)

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """d target / d source for each source: a tensor of shape target.shape + source.shape.

        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        >>> tape.jacobian(y, x).numpy()
        array([[2., 0.],
               [0., 4.]], dtype=float32)

        Raises:
            RuntimeError: a tape that is not persistent has computed gradients before.
            TypeError: the target is a structure, not one tensor.
        """
        from . import jacobian

        unconnected = as_unconnected(unconnected_gradients)
        self._check_single(target)
        recording = self._ready("jacobian")
        flat = tree.flatten(sources)
        with in_gradient_scope():
            tensors = [self._source_operand(recording, source) for source in flat]
            rows = jacobian.jacobian(recording, known_as(recording, target, "target"), tensors)
            answers = [
                gradient_of_source(row, source, unconnected, target)
                for row, source in zip(rows, flat, strict=True)
            ]
        self._spend()
        return tree.pack_sequence_as(sources, answers)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """For each example b: d target[b] / d source[b]; shape [b, *target.shape[1:], *source...].

        Zeros, as in TensorFlow, where the target does not depend on the source.

        >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.batch_jacobian(y, x)[1].numpy()
        array([[6., 0.],
               [0., 8.]], dtype=float32)

        Raises:
            ValueError: target or source have a rank below 2, or different first dimensions.
        """
        from . import jacobian

        as_unconnected(unconnected_gradients)
        self._check_single(target)
        recording = self._ready("batch_jacobian")
        with in_gradient_scope():
            operand = known_as(recording, target, "target")
            jacobian.check_batched(operand, source)
            tensor = self._source_operand(recording, source)
            row = jacobian.batch_jacobian(recording, operand, tensor, as_tensor(source))
        self._spend()
        return row

    # ---- parts of the above
    def _check_target(self, target: Any) -> None:
        if target is None:
            raise TypeError(
                "Argument `target` should be a list or nested structure of tensors, not None: does "
                "the function that computes it return it?"
            )

    def _check_single(self, target: Any) -> None:
        if not isinstance(target, TensorLike):
            raise TypeError(
                f"the target of a jacobian is one tensor, not {type(target).__name__}: for several "
                "targets use a persistent tape and one call for each"
            )

    def _ready(self, what: str) -> Recording:
        if not self._is_usable:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians), and only after it was entered"
            )
        if self._recording.active and self._persistent:
            logger.warning(
                "GradientTape.%s within the block of a persistent tape is significantly less "
                "efficient: the tape records what it computes, too, which only derivatives of "
                "higher order need; else call it after the block", what,
            )  # fmt: skip
        if not self._persistent:
            self._recording.active = False
        return self._recording

    def _spend(self) -> None:
        """A tape that is not persistent frees what it recorded, once gradients were computed."""
        if not self._persistent:
            self._is_usable = False
            self._recording.free()

    def _gradients(
        self,
        recording: Recording,
        targets: Sequence[Any],
        seeds: Sequence[Any],
        sources: Sequence[Any],
        unconnected: UnconnectedGradients,
    ) -> list[Any]:
        tensors = [self._source_operand(recording, source) for source in sources]
        found = replays.gradients(recording, targets, seeds, tensors)
        return [
            gradient_of_source(gradient, source, unconnected)
            for gradient, source in zip(found, sources, strict=True)
        ]

    def _source_operand(self, recording: Recording, source: Any) -> Any:
        """What the recording knows a source as; a warning where its gradient is None."""
        operand = as_operand(source, "source")
        self._warn_once(source, operand)
        return _known_in_trace(recording, operand) if context.building_graph() else operand

    def _warn_once(self, source: Any, operand: Any) -> None:
        if self._has_warned:
            return
        dtype = state_of(operand).dtype if operand.dtype is dtypes.resource else operand.dtype
        if dtype.is_differentiable and getattr(source, "trainable", True):
            return
        if not dtype.is_differentiable:
            reason = f"its dtype {dtype.name} is not floating"
        elif id(operand) not in self._recording.watched:
            reason = "the variable is not trainable and was not watched"
        else:
            return
        self._has_warned = True
        logger.warning("The gradient with respect to %s is None: %s.", source, reason)


def as_unconnected(value: Any) -> UnconnectedGradients:
    """The member of the enumeration that `value` is or spells."""
    try:
        return UnconnectedGradients(getattr(value, "value", value))
    except ValueError:
        raise ValueError(
            f"Unknown value for unconnected_gradients: {value!r}; it is 'none' or 'zero'"
        ) from None


def watched_parts(structure: Any) -> list[Any]:
    """What a tape watches of a structure: of a composite that has any, its tensors of numbers that
    have derivatives; the others say where those stand.
    """
    found: list[Any] = []
    for one in tree.flatten(structure):
        parts = tree.flatten(one, expand_composites=True)
        smooth = [part for part in parts if isinstance(part, TensorBase) and _is_smooth(part)]
        found += (isinstance(one, tree.Composite) and smooth) or parts
    return found


def _is_smooth(tensor: TensorBase) -> bool:
    return underlying(tensor).dtype.is_differentiable


def parts_of(structure: Any) -> list[Any]:
    """The tensors and variables of targets or sources: of composites, what gradients flow through.

    Raises:
        ValueError: nothing says that of a composite.
    """
    if type(structure) in PLAIN:
        return [structure]
    if type(structure) is list and PLAIN.issuperset(map(type, structure)):
        return [*structure]
    found: list[Any] = []
    for one in tree.flatten(structure):
        found += one._differentiated() if _has_parts(one) else [one]
    return found


def _has_parts(one: Any) -> bool:
    """Whether it is a composite, or a variable with a part for each of several replicas."""
    return isinstance(one, tree.Composite) or not getattr(one, "is_one_tensor", True)


def packed_as(sources: Any, gradients: Sequence[Any]) -> Any:
    """The gradients of `parts_of(sources)`, structured as these."""
    if type(sources) in PLAIN:
        return gradients[0]
    if type(sources) is list and PLAIN.issuperset(map(type, sources)):
        return [*gradients]
    rest = iter(gradients)
    return tree.map_structure(lambda one: _packed(one, rest), sources)


def _packed(source: Any, gradients: Iterator[Any]) -> Any:
    if not _has_parts(source):
        return next(gradients)
    own = [next(gradients) for _ in source._differentiated()]
    return None if all(one is None for one in own) else source._with_gradients(own)


def known_as(recording: Recording, value: Any, role: str) -> Any:
    """What the recording knows a target or source as.

    In a branch or a function within the one that was recorded, that is what stands for it there
    or, where the recording ended before, in one around.
    """
    operand = as_operand(value, role)
    return operand if not context.building_graph() else _known_in_trace(recording, operand)


def _known_in_trace(recording: Recording, operand: Any) -> Any:
    here = in_trace(operand)
    if id(here) in recording.watched:
        return here
    around = (one for one in stand_ins(operand) if id(one) in recording.watched)
    return next(around, operand)


def as_operand(value: Any, role: str) -> Any:
    """The tensor, or the handle of the variable, that a target or source is.

    Raises:
        TypeError: it is neither.
    """
    if type(value) is EagerTensor:
        return value
    if type(value) is ResourceVariable:
        return value.handle
    if not isinstance(value, TensorBase):
        raise TypeError(
            f"each {role} of a gradient must be a tf.Tensor or tf.Variable, but this is a "
            f"{type(value).__name__}, which has no attribute 'dtype' of a tensor: {value!r}"
        )
    return handle_of(value)


def in_gradient_scope() -> AbstractContextManager[Any]:
    """Name what is traced within as TensorFlow does: "gradient_tape/..."."""
    here = context.top()
    if here.interpreter.building_graph:
        return context.entered(here.replace(name_scope=f"{here.name_scope}gradient_tape/"))
    return NOTHING if installed.placements is None else setting(inside, True, None)


def _without_none(output_gradients: Any) -> Any:
    """None stands for ones as a whole, but in a structure it would be anybody's guess."""
    if output_gradients is not None and any(one is None for one in tree.flatten(output_gradients)):
        raise ValueError(
            "output_gradients holds None: give a gradient for each target, tf.ones_like(target) "
            "for ones and tf.zeros_like(target) where none comes in"
        )
    return output_gradients


def seeds_for(targets: Sequence[Any], output_gradients: Any) -> list[Any]:
    """The gradient that each target starts with: what was given for it, None for ones."""
    given = [None] * len(targets)
    if output_gradients is not None:
        given = parts_of(output_gradients)
    if len(given) != len(targets):
        raise ValueError(
            f"output_gradients must hold one gradient for each target: there are "
            f"{len(given)} for {len(targets)} targets"
        )
    return [_seed(target, one) for target, one in zip(targets, given, strict=True)]


def _seed(target: Any, given: Any) -> Any:
    """The gradient to start from; None for ones, or for a target through which none can flow."""
    if given is None or not target.dtype.is_differentiable:
        return None
    dtype = state_of(target).dtype if target.dtype is dtypes.resource else target.dtype
    shape = state_of(target).shape if target.dtype is dtypes.resource else target.shape
    seed = as_tensor(given, None if isinstance(given, TensorLike) else dtype)
    if seed.dtype is not dtype:
        raise DTypeMismatchError(
            f"an output gradient has dtype {seed.dtype.name} (cannot compute Mul) but its target "
            f"has dtype {dtype.name}"
        )
    if seed.shape.is_compatible_with(shape):
        return seed
    if seed.shape.num_elements() != shape.num_elements():
        raise ShapeMismatchError(
            f"an output gradient has shape {seed.shape} and cannot be reshaped to the shape "
            f"{shape} of its target"
        )
    return bind(REGISTRY["Reshape"], seed, list(shape))


def gradient_of_source(
    gradient: Any, source: Any, unconnected: UnconnectedGradients, target: Any = None
) -> Any:
    """What the caller gets for one source; `target` is given for a jacobian."""
    if gradient is not None or unconnected is UnconnectedGradients.NONE:
        return gradient
    if target is None:
        return zeros_like(in_trace(handle_of(source)))
    from .jacobian import zeros_of

    return zeros_of(target, as_tensor(source))
