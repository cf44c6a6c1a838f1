"""Eager execution: every operation runs at once, by its NumPy kernel."""

from __future__ import annotations

from typing import Any, ClassVar, Final, final

import numpy as np

from ..core import context
from ..core.dtypes import DType
from ..core.process import floating_point_warnings
from ..core.specs import Known, ResourceSpec, TensorSpec
from ..core.text import strings_in
from ..errors import InvalidArgumentError, OpError, ResourceExhaustedError
from ..ops.demand_readers import EAGER, RUNNING
from ..ops.dispatch.placements import installed, with_devices
from ..ops.op import REGISTRY, Op, inferred, require_patterns
from . import fast_operators
from .arrays import Array
from .convert import check_dtype, convert_value
from .devices import choices, has_accelerators, usual_device
from .kernels.learning import learned
from .kernels.lookup import by_kernel
from .kernels.outputs import as_output, run_natively
from .tensor import PROCESS, EagerHandle, EagerTensor, Tensor, wrap

ndarray: Final = np.ndarray


# How NumPy's ValueErrors begin for arrays that no memory can hold.
TOO_BIG: Final = ("array is too big", "Maximum allowed dimension")


class Eager:
    """The interpreter where nobody has entered another one."""

    building_graph: ClassVar[bool] = False
    on_device: str | None = None
    own_tensors: ClassVar[frozenset[type]] = frozenset((EagerTensor, EagerHandle))

    @property
    def at_once(self) -> Eager:
        return self

    def apply(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
    ) -> tuple[Any, ...]:
        """Run the kernel of `op`; an operation without one is run through its expansion."""
        if installed.looks:
            found = self._elsewhere(op, operands, attrs, name)
            if found is not NotImplemented:
                return found
        if op.kernels and (found := by_kernel(op, operands, attrs)) is not NotImplemented:
            return (found,)
        return self.run(op, operands, attrs)

    def _elsewhere(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
    ) -> Any:
        """What it means for tensors with layouts, or on devices; NotImplemented for others."""
        if not installed.has_begun and (usual := begun()) is not self:
            return usual.apply(op, operands, attrs, name)
        placements, devices = installed.placements, installed.devices
        if placements is not None and placements.concern(operands):
            return placements.applied(self, op, operands, attrs, name)
        if devices is None:
            return NotImplemented
        return devices.applied(op, operands, attrs, self.on_device)

    def run(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any]
    ) -> tuple[Any, ...]:
        """`apply` for tensors that have no layout, or where it does not matter."""
        if op.eager is None:
            return self.expand(op, operands, attrs)
        payloads = [x._array if type(x) is EagerTensor else payload(x) for x in operands]
        if (op.ranks or op.alike) and not fits(op, payloads):
            raise explained(op, operands, attrs, ValueError("operands of other ranks than these"))
        if (op.native_from is not None or op.by_element) and (
            found := run_natively(op, payloads, attrs)
        ) is not None:
            return learned(op, operands, attrs, found[0]) if op.single else found
        application = op(*payloads, **attrs)
        if op.string_inputs:
            require_texts(application)
        token = floating_point_warnings.enter()
        try:
            if op.demands is not None:  # as in `evaluated`, which would be one more call
                application.found = application.demands(EAGER)
            result = application.eager(np)
        except OpError:
            raise
        except MemoryError as error:
            raise ResourceExhaustedError(f"{op.name}: {error}") from None
        except (ValueError, IndexError, TypeError, OverflowError, ZeroDivisionError) as error:
            better = told_of(op, operands, attrs, error)
            if better is error:
                raise
            raise better from better.__cause__
        finally:
            floating_point_warnings.leave(token)
        if op.single:
            return learned(op, operands, attrs, as_output(result, op.outputs[0].fixed_dtype))
        if not op.outputs:
            return ()
        fixed = [field.fixed_dtype for field in op.outputs if not field.listed]
        fixed += [None] * (len(result) - len(fixed))
        return tuple(map(as_output, result, fixed))

    def expand(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any]
    ) -> tuple[Any, ...]:
        """Recorders see the operation itself where it has a gradient, else what it expands to."""
        if op.expand is None:
            raise InvalidArgumentError(f"{op.name} has no eager meaning")
        here = context.top()
        is_one = op.vjp is not None or not here.recorders
        if op.native_from is not None and is_one:
            found = run_natively(op, tuple(map(payload, operands)), attrs)
            if found is not None:
                return found
        # Nothing else looks at the operands.
        inferred(op(*map(known_of, operands), **attrs), RUNNING)
        if op.demands is not None:
            op(*map(payload, operands), **attrs).demands(EAGER)  # elements, too
        application = op(*operands, **attrs)
        if op.vjp is None or not here.recorders:
            result = application.expand()
        else:
            with context.entered(here.replace(recorders=())):
                result = application.expand()
        return (result,) if op.single else tuple(result or ())

    def together(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any]
    ) -> tuple[Any, ...] | None:
        """All that `op` expands to in native code; None where this runs part by part."""
        if installed.looks or any(type(x) is not EagerTensor for x in operands):
            return None
        return run_natively(op, [x._array for x in operands], attrs)

    def convert(
        self, value: Any, dtype: DType | None = None, preferred: DType | None = None
    ) -> Any:
        if type(value) is EagerTensor or type(value) is EagerHandle:
            return value if dtype is None or value.dtype is dtype else check_dtype(value, dtype)
        if isinstance(value, (EagerTensor, EagerHandle)):  # of a class of its own
            return check_dtype(value, dtype)
        if isinstance(value, Tensor):
            raise out_of_scope(value)
        return convert_value(value, dtype, preferred, self.constant)

    def in_one_dtype(self, values: Any, allowed: frozenset[DType] | None) -> None:
        """What runs at once has its dtype."""
        return

    def in_python(self, arguments: Any) -> None:
        """What runs at once is to Python what it is."""
        return

    def constant(self, array: Array, name: str | None = None) -> EagerTensor:
        """A tensor around a canonical array that nobody else holds."""
        if not installed.has_begun and (usual := begun()) is not self:
            return usual.constant(array, name)
        return wrap(array)


@final
class EagerUsually(Eager):
    """Eager execution where nobody names a device and there is a GPU or TPU, or several.

    usual: the full name of the first one.
    """

    def __init__(self, usual: str) -> None:
        self._usual: Final = usual

    def apply(
        self, op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], name: str | None
    ) -> tuple[Any, ...]:
        """What the device gives, or else the CPU, whose results come there."""
        placements = installed.placements
        if placements is not None and placements.concern(operands):
            return placements.applied(self, op, operands, attrs, name)
        devices = with_devices()
        found = devices.applied_usually(op, operands, attrs, self._usual)
        if found is not NotImplemented:
            return found
        return devices.brought(self.run(op, operands, attrs), operands, self._usual)

    def constant(self, array: Array, name: str | None = None) -> EagerTensor:
        return with_devices().brought((wrap(array),), (), self._usual)[0]


def begun() -> Any:
    """The interpreter on top, when it has been found out which one that is where nobody names a
    device, as the first operation comes.

    Kernels are for tensors of the CPU: where there is a GPU, nothing is done without a look.
    """
    usual = PROCESS + usual_device() if has_accelerators() else None
    if usual is not None:
        choices.has_listed_devices = True
        for op in tuple(REGISTRY.values()):
            op.kernels.clear()
    installed.begin(usual)
    context.begin(context.base.interpreter if usual is None else EagerUsually(usual))
    return context.top().interpreter


def require_texts(application: Op) -> None:
    """Refuse string operands that hold anything but bytes, before a kernel reads its memory."""
    for field in application.string_inputs:
        operand = getattr(application, field.name)
        for array in operand if field.listed else (operand,):
            strings_in(array)


def fits(op: type[Op], payloads: list[Any]) -> bool:
    """Whether the ranks of arrays are those of the patterns; `explained` says where they are not.

    Kernels do not look: NumPy takes a vector of one element for a scalar, and repeats it.
    """
    for position, least, most in op.ranks:
        operand = payloads[position]
        if type(operand) is ndarray:
            if not least <= operand.ndim <= most:
                return False
        elif type(operand) is tuple:
            if not all(least <= one.ndim <= most for one in operand if type(one) is ndarray):
                return False
    return not op.alike or len({payloads[position].shape for position in op.alike}) < 2


def payload(operand: Any) -> Any:
    """What kernels see: arrays, a variable's storage, a list; a tuple of them."""
    if type(operand) is tuple:
        return tuple(map(payload, operand))
    return operand._array


def told_of(
    op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], error: Exception
) -> Exception:
    """What users are told of an error in a kernel."""
    if getattr(error, "__notes__", None):
        return error  # the user's own, which says where it comes from (ops/raising.py)
    if str(error).startswith(TOO_BIG):
        return ResourceExhaustedError(f"{op.name}: {error}")
    return explained(op, operands, attrs, error)


def explained(
    op: type[Op], operands: tuple[Any, ...], attrs: dict[str, Any], error: Exception
) -> Exception:
    """The error of inference, which knows the operation's words, or what the patterns ask for; else
    NumPy's own text.
    """
    try:
        application = op(*map(known_of, operands), **attrs)
        inferred(application, RUNNING)
        require_patterns(application)
    except OpError as better:
        return better
    except Exception:  # a rule that fails on these operands: NumPy's text is all there is
        pass
    unexplained = InvalidArgumentError(f"{op.name}: {error}")
    unexplained.__cause__ = error
    return unexplained


def known_of(operand: Any) -> Any:
    """What inference may know of an eager operand: everything."""
    if type(operand) is tuple:
        return tuple(map(known_of, operand))
    if type(operand) is EagerTensor:
        return Known(TensorSpec(operand.shape, operand.dtype), payload(operand))
    state = getattr(payload(operand), "spec", None)
    if isinstance(state, (TensorSpec,)):
        return Known(ResourceSpec(state, getattr(payload(operand), "trainable", True)))
    return Known(state or TensorSpec((), operand.dtype))


def out_of_scope(tensor: Any) -> Exception:
    """A symbolic tensor was used where its function is not being traced any more."""
    explain = getattr(tensor, "out_of_scope", None)
    if explain is not None:
        return explain()
    return TypeError(f"{tensor!r} is out of scope and cannot be used here; use return values")


def install() -> None:
    """Make eager execution the meaning of operations where nobody entered another one."""
    context.install(Eager())
    fast_operators.install()
