"""By what rules TPUs would train embeddings. CPUs take from them which slots tables have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...module.initializers import Constant

Rate = float | Callable[[], float]


class EmbeddingOptimizer:
    """What the rules have in common. Two are equal if they are of one kind and say the same."""

    def __init__(
        self,
        learning_rate: Rate,
        use_gradient_accumulation: bool,
        clip_weight_min: float | None = None,
        clip_weight_max: float | None = None,
        weight_decay_factor: float | None = None,
        multiply_weight_decay_factor_by_learning_rate: bool | None = None,
        clipvalue: Any = None,
        slot_variable_creation_fn: Callable[..., Any] | None = None,
        low_dimensional_packing_status: bool = False,
    ) -> None:
        if clipvalue is not None and not use_gradient_accumulation:
            raise ValueError(
                "When `use_gradient_accumulation` is False, gradients are not clipped: leave out "
                f"`clipvalue`, which is {clipvalue!r}."
            )
        least, most = clipvalue if isinstance(clipvalue, tuple) else (None, None)
        if clipvalue is not None and not isinstance(clipvalue, tuple):
            least, most = -1.0 * clipvalue, clipvalue
        self.slot_variable_creation_fn = slot_variable_creation_fn
        self.learning_rate = learning_rate
        self.use_gradient_accumulation = use_gradient_accumulation
        self.clip_weight_min = clip_weight_min
        self.clip_weight_max = clip_weight_max
        self.clip_gradient_min = least
        self.clip_gradient_max = most
        self.weight_decay_factor = weight_decay_factor
        self.multiply_weight_decay_factor_by_learning_rate = (
            multiply_weight_decay_factor_by_learning_rate
        )
        self.low_dimensional_packing_status = low_dimensional_packing_status

    def slots(self) -> dict[str, Callable[..., Any]]:
        """The names of what is kept for each number of a table, with initializers."""
        return {}

    def __eq__(self, other: Any) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((type(self), *(vars(self)[name] for name in sorted(vars(self)))))


class SGD(EmbeddingOptimizer):
    """Embeddings are trained by stochastic gradient descent, which keeps nothing.

    >>> tf.tpu.experimental.embedding.SGD(0.1, clipvalue=2.0).clip_gradient_min
    -2.0

    Raises:
        ValueError: `clipvalue` without gradient accumulation.
    """

    def __init__(
        self,
        learning_rate: Rate = 0.01,
        use_gradient_accumulation: bool = True,
        clip_weight_min: float | None = None,
        clip_weight_max: float | None = None,
        weight_decay_factor: float | None = None,
        multiply_weight_decay_factor_by_learning_rate: bool | None = None,
        clipvalue: Any = None,
        low_dimensional_packing_status: bool = False,
    ) -> None:
        super().__init__(
            learning_rate,
            use_gradient_accumulation,
            clip_weight_min,
            clip_weight_max,
            weight_decay_factor,
            multiply_weight_decay_factor_by_learning_rate,
            clipvalue,
            low_dimensional_packing_status=low_dimensional_packing_status,
        )


class Adagrad(EmbeddingOptimizer):
    """Embeddings are trained by Adagrad, which keeps "accumulators".

    >>> tf.tpu.experimental.embedding.Adagrad(0.1).initial_accumulator_value
    0.1

    Raises:
        ValueError: `initial_accumulator_value` is not positive; `clipvalue` without gradient
            accumulation.
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        initial_accumulator_value: float = 0.1,
        use_gradient_accumulation: bool = True,
        clip_weight_min: float | None = None,
        clip_weight_max: float | None = None,
        weight_decay_factor: float | None = None,
        multiply_weight_decay_factor_by_learning_rate: bool | None = None,
        slot_variable_creation_fn: Callable[..., Any] | None = None,
        clipvalue: Any = None,
        low_dimensional_packing_status: bool = False,
    ) -> None:
        super().__init__(
            learning_rate,
            use_gradient_accumulation,
            clip_weight_min,
            clip_weight_max,
            weight_decay_factor,
            multiply_weight_decay_factor_by_learning_rate,
            clipvalue,
            slot_variable_creation_fn,
            low_dimensional_packing_status,
        )
        _require_positive(initial_accumulator_value=initial_accumulator_value)
        self.initial_accumulator_value = initial_accumulator_value

    def slots(self) -> dict[str, Callable[..., Any]]:
        """The name is "accumulators"."""
        return {"accumulators": Constant(self.initial_accumulator_value)}


class AdagradMomentum(EmbeddingOptimizer):
    """Embeddings are trained by Adagrad with momentum: it keeps "accumulators" and "momenta".

    >>> tf.tpu.experimental.embedding.AdagradMomentum(0.1, momentum=0.9).use_nesterov
    False

    Raises:
        ValueError: `exponent` or `epsilon` is not positive; `clipvalue` without gradient
            accumulation.
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        momentum: float = 0.0,
        use_nesterov: bool = False,
        exponent: float = 2,
        beta2: float = 1,
        epsilon: float = 1e-10,
        use_gradient_accumulation: bool = True,
        clip_weight_min: float | None = None,
        clip_weight_max: float | None = None,
        weight_decay_factor: float | None = None,
        multiply_weight_decay_factor_by_learning_rate: bool | None = None,
        slot_variable_creation_fn: Callable[..., Any] | None = None,
        clipvalue: Any = None,
        low_dimensional_packing_status: bool = False,
    ) -> None:
        super().__init__(
            learning_rate,
            use_gradient_accumulation,
            clip_weight_min,
            clip_weight_max,
            weight_decay_factor,
            multiply_weight_decay_factor_by_learning_rate,
            clipvalue,
            slot_variable_creation_fn,
            low_dimensional_packing_status,
        )
        _require_positive(exponent=exponent, epsilon=epsilon)
        self.momentum = momentum
        self.use_nesterov = use_nesterov
        self.exponent = exponent
        self.beta2 = beta2
        self.epsilon = epsilon

    def slots(self) -> dict[str, Callable[..., Any]]:
        """Its names are "accumulators" and "momenta"."""
        return {"accumulators": Constant(0.0), "momenta": Constant(0.0)}


class Adam(EmbeddingOptimizer):
    """Embeddings are trained by Adam, which keeps "momenta" and "velocities".

    >>> tf.tpu.experimental.embedding.Adam(0.1).beta_2
    0.999

    Raises:
        ValueError: a `beta` is not in [0, 1); `epsilon` is not positive; Adam that is not lazy, or
            `clipvalue`, without gradient accumulation.
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-07,
        lazy_adam: bool = True,
        sum_inside_sqrt: bool = True,
        use_gradient_accumulation: bool = True,
        clip_weight_min: float | None = None,
        clip_weight_max: float | None = None,
        weight_decay_factor: float | None = None,
        multiply_weight_decay_factor_by_learning_rate: bool | None = None,
        slot_variable_creation_fn: Callable[..., Any] | None = None,
        clipvalue: Any = None,
        low_dimensional_packing_status: bool = False,
    ) -> None:
        super().__init__(
            learning_rate,
            use_gradient_accumulation,
            clip_weight_min,
            clip_weight_max,
            weight_decay_factor,
            multiply_weight_decay_factor_by_learning_rate,
            clipvalue,
            slot_variable_creation_fn,
            low_dimensional_packing_status,
        )
        for name, beta in (("beta_1", beta_1), ("beta_2", beta_2)):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Argument `{name}` must be >= 0 and < 1. Received: {beta}.")
        _require_positive(epsilon=epsilon)
        if not use_gradient_accumulation and not lazy_adam:
            raise ValueError(
                "Adam that is not lazy (`lazy_adam=False`) needs `use_gradient_accumulation=True`."
            )
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.lazy_adam = lazy_adam
        self.sum_inside_sqrt = sum_inside_sqrt

    def slots(self) -> dict[str, Callable[..., Any]]:
        """Its names are "momenta" and "velocities"."""
        return {"momenta": Constant(0.0), "velocities": Constant(0.0)}


class FTRL(EmbeddingOptimizer):
    """Embeddings are trained by "follow the regularized leader": "accumulators" and "linears".

    >>> tf.tpu.experimental.embedding.FTRL(0.1).learning_rate_power
    -0.5

    Raises:
        ValueError: `initial_accumulator_value` is not positive; `clipvalue` without gradient
            accumulation.
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        learning_rate_power: float = -0.5,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        beta: float = 0.0,
        initial_accumulator_value: float = 0.1,
        use_gradient_accumulation: bool = True,
        clip_weight_min: float | None = None,
        clip_weight_max: float | None = None,
        weight_decay_factor: float | None = None,
        multiply_weight_decay_factor_by_learning_rate: bool | None = None,
        slot_variable_creation_fn: Callable[..., Any] | None = None,
        clipvalue: Any = None,
        multiply_linear_by_learning_rate: bool = False,
        allow_zero_accumulator: bool = False,
        low_dimensional_packing_status: bool = False,
    ) -> None:
        super().__init__(
            learning_rate,
            use_gradient_accumulation,
            clip_weight_min,
            clip_weight_max,
            weight_decay_factor,
            multiply_weight_decay_factor_by_learning_rate,
            clipvalue,
            slot_variable_creation_fn,
            low_dimensional_packing_status,
        )
        _require_positive(initial_accumulator_value=initial_accumulator_value)
        self.initial_accumulator_value = initial_accumulator_value
        self.learning_rate_power = learning_rate_power
        self.l1_regularization_strength = l1_regularization_strength
        self.l2_regularization_strength = l2_regularization_strength
        self.beta = beta
        self.multiply_linear_by_learning_rate = multiply_linear_by_learning_rate
        self.allow_zero_accumulator = allow_zero_accumulator

    def slots(self) -> dict[str, Callable[..., Any]]:
        """Its names are "accumulators" and "linears"."""
        return {"accumulators": Constant(self.initial_accumulator_value), "linears": Constant(0.0)}


class CustomOptimizer(EmbeddingOptimizer):
    """Embeddings are trained by a function of the program's; it keeps what `slot_names` says.

    >>> rule = tf.function(lambda gradient, row: row - gradient)
    >>> tf.tpu.experimental.embedding.CustomOptimizer(rule, hyperparameters=[0.5]).hyperparameters
    (0.5,)

    Raises:
        ValueError: there are not as many names, initializers and dimensions of slots, or a slot has
            other than 1 or 2 axes.
    """

    def __init__(
        self,
        custom_computation: Any,
        learning_rate: Rate = 0.01,
        slot_names: Sequence[str] | None = None,
        slot_initializers: Sequence[Any] | None = None,
        hyperparameters: Sequence[Any] | None = None,
        slot_dims: Sequence[int] | None = None,
    ) -> None:
        super().__init__(learning_rate, use_gradient_accumulation=False)
        names, initializers = tuple(slot_names or ()), tuple(slot_initializers or ())
        dimensions = (2,) * len(names) if slot_dims is None else tuple(slot_dims)
        if not len(names) == len(initializers) == len(dimensions):
            raise ValueError(
                f"there are {len(names)} slot_names, {len(initializers)} slot_initializers and "
                f"{len(dimensions)} slot_dims: give as many of each"
            )
        for name, dimension in zip(names, dimensions, strict=True):
            if dimension not in (1, 2):
                raise ValueError(f"slot '{name}' has {dimension} axes: only 1 and 2 are supported")
        self._slots = tuple(zip(names, initializers, strict=True))
        self._dimensions = dimensions
        self._hyperparameters = tuple(hyperparameters or ())
        self._custom_computation = custom_computation

    @property
    def custom_computation(self) -> Any:
        """The function."""
        return self._custom_computation

    @property
    def hyperparameters(self) -> tuple[Any, ...]:
        """Numbers, or functions that give them, that the function takes besides."""
        return self._hyperparameters

    @property
    def slot_dims(self) -> tuple[int, ...]:
        """How many axes each slot has."""
        return self._dimensions

    def slots(self) -> dict[str, Callable[..., Any]]:
        """What the program said."""
        return dict(self._slots)


def _require_positive(**numbers: float) -> None:
    for name, number in numbers.items():
        if number <= 0:
            raise ValueError(f"Argument `{name}` must be positive. Received: {number}")
