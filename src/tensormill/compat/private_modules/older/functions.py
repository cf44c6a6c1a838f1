"""`Defun`: how functions in graphs were said before there was `tf.function`."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

from ....autodiff.custom import custom_gradient
from ....core.dtypes import as_dtype
from ....core.specs import TensorSpec
from ....eager.convert import convert_to_tensor
from ....function.decorator import function


class Defun:
    """A decorator: calls of the function are calls of one graph, traced for these dtypes.

    Dtypes of the arguments; None may be given for all, and then those of each call count.
    `func_name`: what the graph is called. `python_grad_func(op, *gradients)` gives the gradients of
    the arguments, which `op.inputs` has; `grad_func`, another such function, those of arguments and
    gradients together.
    """

    def __init__(self, *input_types: Any, **kwargs: Any) -> None:
        self._dtypes: Final = [as_dtype(one) for one in input_types]
        self._name: Final = kwargs.pop("func_name", None)
        self._grad: Final = kwargs.pop("grad_func", None)
        self._python_grad: Final = kwargs.pop("python_grad_func", None)

    def __call__(self, func: Callable[..., Any]) -> DefinedFunction:
        """The function, which graphs call.

        Raises:
            ValueError: it is no function, or two others give its gradient.
        """
        if not callable(func):
            raise ValueError(f"Function {func} must be a callable.")
        if self._grad is not None and self._python_grad is not None:
            raise ValueError("Gradient defined twice for this function")
        return DefinedFunction(func, self._dtypes, self._name, self._grad, self._python_grad)


class DefinedFunction:
    """What `Defun` makes of a function."""

    def __init__(
        self,
        func: Callable[..., Any],
        dtypes: list[Any],
        name: str | None,
        grad: Callable[..., Any] | None,
        python_grad: Callable[..., Any] | None,
    ) -> None:
        self.declared_input_types: Final = tuple(dtypes)
        self.name: Final = name or func.__name__
        self._func: Final = func
        specs = [TensorSpec(None, one) for one in dtypes] if dtypes else None
        inner = func if grad is None and python_grad is None else self._with(grad, python_grad)
        self._function: Final = function(inner, input_signature=specs, autograph=False)
        self.__doc__ = func.__doc__

    def _with(
        self, grad: Callable[..., Any] | None, python_grad: Callable[..., Any] | None
    ) -> Callable[..., Any]:
        @custom_gradient
        def differentiated(*args: Any) -> Any:
            result = self._func(*args)
            outputs = list(result) if isinstance(result, (list, tuple)) else [result]
            op = SimpleNamespace(inputs=list(args), outputs=outputs, name=self.name)

            def backwards(*gradients: Any) -> Any:
                if grad is not None:
                    return grad(*args, *gradients)
                assert python_grad is not None
                return python_grad(op, *gradients)

            return result, backwards

        return differentiated

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function gives for these tensors; `name` is accepted.

        Raises:
            ValueError: there are more or fewer than declared.
        """
        kwargs.pop("name", None)
        declared = self.declared_input_types
        if declared and len(args) != len(declared):
            raise ValueError(
                f"Expected number of arguments: {len(declared)}, received: {len(args)}"
            )
        kinds = declared or [None] * len(args)
        tensors = [convert_to_tensor(one, kind) for one, kind in zip(args, kinds, strict=True)]
        return self._function(*tensors)
