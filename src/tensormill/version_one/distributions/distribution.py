"""What every distribution does, by the few things that each kind says of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from ...core.dtypes import DType, as_dtype, int32
from ...core.shapes import TensorShape
from ...eager.convert import convert_to_tensor, get_static_value
from ...eager.scopes import control_dependencies, name_scope
from ...ops.array.broadcasting import broadcast_dynamic_shape, broadcast_static_shape
from ...ops.array.concatenation import concat
from ...ops.array.shapes import rank, reshape, shape
from ...ops.control.flow import identity
from ...ops.math.arithmetic import square
from ...ops.math.elementwise import exp, log, log1p, sqrt
from ...ops.math.reduce import reduce_prod
from .divergences import cross_entropy, kl_divergence


class ReparameterizationType:
    """Whether samples are a differentiable function of the parameters.

    >>> tf.compat.v1.distributions.FULLY_REPARAMETERIZED
    <Reparameterization Type: FULLY_REPARAMETERIZED>
    """

    def __init__(self, rep_type: str) -> None:
        self._rep_type: Final = rep_type

    def __repr__(self) -> str:
        return f"<Reparameterization Type: {self._rep_type}>"


FULLY_REPARAMETERIZED: Final = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED: Final = ReparameterizationType("NOT_REPARAMETERIZED")


class Distribution:
    """A distribution over numbers or vectors, or a batch of them.

    A subclass says what of `_log_prob`, `_prob`, `_cdf`, `_sample_n`, `_mean`, ... it knows, and
    its shapes by `_batch_shape`, `_event_shape` and the same with `_tensor`; the rest follows.

    >>> d = tf.compat.v1.distributions.Normal(0.0, [1.0, 2.0])
    >>> d.batch_shape, d.log_prob(0.0).numpy()
    (TensorShape([2]), array([-0.9189385, -1.6120857], dtype=float32))

    Raises:
        NotImplementedError: (of its methods) nobody knows that of this kind.
    """

    def __init__(
        self,
        dtype: Any,
        reparameterization_type: ReparameterizationType,
        validate_args: bool,
        allow_nan_stats: bool,
        parameters: Mapping[str, Any] | None = None,
        graph_parents: Sequence[Any] | None = None,
        name: str | None = None,
    ) -> None:
        self._dtype: Final = None if dtype is None else as_dtype(dtype)
        self._reparameterization_type: Final = reparameterization_type
        self._validate_args: Final = validate_args
        self._allow_nan_stats: Final = allow_nan_stats
        hidden = {"self", "__class__"}
        given = dict(parameters or {})
        self._parameters: Final = {key: one for key, one in given.items() if key not in hidden}
        self._graph_parents: Final = list(graph_parents or ())
        self._name: Final = name or self._kind

    @classmethod
    def param_shapes(
        cls, sample_shape: Any, name: str = "DistributionParamShapes"
    ) -> dict[str, Any]:
        """The shapes that parameters have where a sample is to have this one."""
        with name_scope(name):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape: Any) -> dict[str, TensorShape]:
        """The shapes of parameters, where that of a sample is known.

        Raises:
            ValueError: it is not.
        """
        known = sample_shape if isinstance(sample_shape, TensorShape) else None
        if known is None:
            value = get_static_value(convert_to_tensor(sample_shape, int32))
            known = None if value is None else TensorShape(value.tolist())
        if known is None or not known.is_fully_defined():
            raise ValueError("TensorShape sample_shape must be fully defined")
        shapes = cls.param_shapes(known.as_list())
        return dict.fromkeys(shapes, known)

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        raise NotImplementedError("_param_shapes not implemented")

    # ---- what it is
    @property
    def _kind(self) -> str:
        return type(self).__name__.removesuffix("Distribution") or "Distribution"

    @property
    def name(self) -> str:
        """The name that it was given."""
        return self._name

    @property
    def dtype(self) -> DType | None:
        """The dtype of samples."""
        return self._dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """What it was made with."""
        return dict(self._parameters)

    @property
    def reparameterization_type(self) -> ReparameterizationType:
        """Whether samples are differentiable."""
        return self._reparameterization_type

    @property
    def allow_nan_stats(self) -> bool:
        """Whether what is not defined is nan, and no error."""
        return self._allow_nan_stats

    @property
    def validate_args(self) -> bool:
        """Whether values are checked."""
        return self._validate_args

    def copy(self, **override_parameters_kwargs: Any) -> Any:
        """Another one with some parameters changed."""
        return type(self)(**{**self.parameters, **override_parameters_kwargs})

    # ---- shapes
    @property
    def batch_shape(self) -> TensorShape:
        """How many distributions it is."""
        return TensorShape(self._batch_shape())

    @property
    def event_shape(self) -> TensorShape:
        """The shape of one sample of one of them."""
        return TensorShape(self._event_shape())

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """`batch_shape` as an int32 vector."""
        with self._scope(name):
            if self.batch_shape.is_fully_defined():
                return convert_to_tensor(self.batch_shape.as_list(), int32)
            return self._batch_shape_tensor()

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Any:
        """`event_shape` as an int32 vector."""
        with self._scope(name):
            if self.event_shape.is_fully_defined():
                return convert_to_tensor(self.event_shape.as_list(), int32)
            return self._event_shape_tensor()

    def is_scalar_batch(self, name: str = "is_scalar_batch") -> Any:
        """Whether it is one distribution."""
        with self._scope(name):
            return self._is_scalar(self.batch_shape, self.batch_shape_tensor)

    def is_scalar_event(self, name: str = "is_scalar_event") -> Any:
        """Whether samples are numbers."""
        with self._scope(name):
            return self._is_scalar(self.event_shape, self.event_shape_tensor)

    @staticmethod
    def _is_scalar(static: TensorShape, dynamic: Callable[[], Any]) -> Any:
        if static.rank is not None:
            return convert_to_tensor(static.rank == 0)
        return shape(dynamic())[0] == 0

    def _batch_shape(self) -> Any:
        return TensorShape(None)

    def _event_shape(self) -> Any:
        return TensorShape(None)

    def _batch_shape_tensor(self) -> Any:
        raise self._unknown("batch_shape_tensor")

    def _event_shape_tensor(self) -> Any:
        raise self._unknown("event_shape_tensor")

    # ---- samples
    def sample(self, sample_shape: Any = (), seed: int | None = None, name: str = "sample") -> Any:
        """Random numbers [*sample_shape, *batch_shape, *event_shape]."""
        with self._scope(name):
            sizes = reshape(convert_to_tensor(sample_shape, int32), [-1])
            drawn = self._known("_sample_n", "sample")(reduce_prod(sizes), seed)
            found = reshape(drawn, concat([sizes, shape(drawn)[1:]], 0))
            leading = get_static_value(sizes)
            known = TensorShape(leading.tolist() if leading is not None else None)
            found.set_shape(known.concatenate(self.batch_shape).concatenate(self.event_shape))
            return found

    # ---- probabilities: each is worked out from another where the kind does not say it
    def log_prob(self, value: Any, name: str = "log_prob") -> Any:
        """The logarithm of the density, or of the mass."""
        return self._of_value("log_prob", name, value, ("_log_prob", identity), ("_prob", log))

    def prob(self, value: Any, name: str = "prob") -> Any:
        """The density, or the mass."""
        return self._of_value("prob", name, value, ("_prob", identity), ("_log_prob", exp))

    def log_cdf(self, value: Any, name: str = "log_cdf") -> Any:
        """The logarithm of the probability of at most this."""
        return self._of_value("log_cdf", name, value, ("_log_cdf", identity), ("_cdf", log))

    def cdf(self, value: Any, name: str = "cdf") -> Any:
        """The probability of at most this."""
        return self._of_value("cdf", name, value, ("_cdf", identity), ("_log_cdf", exp))

    def log_survival_function(self, value: Any, name: str = "log_survival_function") -> Any:
        """The logarithm of the probability of more than this."""
        return self._of_value(
            "log_survival_function", name, value, ("_log_survival_function", identity),
            ("_cdf", lambda p: log1p(-p)), ("_log_cdf", lambda p: log1p(-exp(p))),
        )  # fmt: skip

    def survival_function(self, value: Any, name: str = "survival_function") -> Any:
        """The probability of more than this."""
        return self._of_value(
            "survival_function", name, value, ("_survival_function", identity),
            ("_cdf", lambda p: 1.0 - p), ("_log_cdf", lambda p: 1.0 - exp(p)),
        )  # fmt: skip

    def quantile(self, value: Any, name: str = "quantile") -> Any:
        """What at most is drawn with this probability."""
        return self._of_value("quantile", name, value, ("_quantile", identity))

    # ---- moments
    def mean(self, name: str = "mean") -> Any:
        """The mean."""
        return self._of_itself("mean", name, ("_mean", identity))

    def variance(self, name: str = "variance") -> Any:
        """The variance."""
        return self._of_itself("variance", name, ("_variance", identity), ("_stddev", square))

    def stddev(self, name: str = "stddev") -> Any:
        """The standard deviation."""
        return self._of_itself("stddev", name, ("_stddev", identity), ("_variance", sqrt))

    def covariance(self, name: str = "covariance") -> Any:
        """The covariance matrix of vectors."""
        return self._of_itself("covariance", name, ("_covariance", identity))

    def mode(self, name: str = "mode") -> Any:
        """The most probable value."""
        return self._of_itself("mode", name, ("_mode", identity))

    def entropy(self, name: str = "entropy") -> Any:
        """The entropy, in nats."""
        return self._of_itself("entropy", name, ("_entropy", identity))

    # ---- two distributions
    def cross_entropy(self, other: Distribution, name: str = "cross_entropy") -> Any:
        """The mean of -other.log_prob of samples of this."""
        with self._scope(name):
            return cross_entropy(self, other, self.allow_nan_stats)

    def kl_divergence(self, other: Distribution, name: str = "kl_divergence") -> Any:
        """How far another one is from this: `tf.compat.v1.distributions.kl_divergence`."""
        with self._scope(name):
            return kl_divergence(self, other, self.allow_nan_stats)

    # ---- how the above are found
    @contextmanager
    def _scope(self, name: str) -> Iterator[None]:
        with name_scope(self.name.rstrip("/")), name_scope(name):
            yield

    def _known(self, hook: str, what: str) -> Callable[..., Any]:
        found = getattr(self, hook, None)
        if found is None:
            raise self._unknown(what)
        return found

    def _unknown(self, what: str) -> NotImplementedError:
        return NotImplementedError(f"{what} is not implemented: {self._kind}")

    def _first(self, what: str, hooks: Sequence[tuple[str, Callable[[Any], Any]]]) -> Any:
        for hook, after in hooks:
            if hasattr(self, hook):
                return getattr(self, hook), after
        raise self._unknown(what)

    def _of_value(
        self, what: str, name: str, value: Any, *hooks: tuple[str, Callable[[Any], Any]]
    ) -> Any:
        hook, after = self._first(what, hooks)
        with self._scope(name):
            return after(hook(convert_to_tensor(value, dtype_hint=self.dtype, name="value")))

    def _of_itself(self, what: str, name: str, *hooks: tuple[str, Callable[[Any], Any]]) -> Any:
        hook, after = self._first(what, hooks)
        with self._scope(name):
            return after(hook())

    def _checked(self, value: Any, *checks: Callable[[Any], Any]) -> Any:
        """The value, after checks where this distribution makes some."""
        if not self.validate_args:
            return value
        with control_dependencies(
            [one for one in (check(value) for check in checks) if one is not None]
        ):
            return identity(value)

    def __str__(self) -> str:
        name, batch, event, dtype = self._described()
        parts = [f'"{name}"', *(f"{key}={one}" for key, one in (("batch_shape", batch),
                 ("event_shape", event), ("dtype", dtype)))]  # fmt: skip
        return f"tfp.distributions.{self._kind}({', '.join(parts)})"

    def __repr__(self) -> str:
        name, batch, event, dtype = self._described()
        return (
            f"<tfp.distributions.{self._kind} '{name}' batch_shape={batch} event_shape={event} "
            f"dtype={dtype}>"
        )

    def _described(self) -> tuple[str, TensorShape, TensorShape, str]:
        dtype = None if self.dtype is None else self.dtype.name
        return self.name, self.batch_shape, self.event_shape, str(dtype)


class OfNumbers(Distribution):
    """Samples are numbers, and the batch is what parameters broadcast to."""

    _given: tuple[Any, ...] = ()

    def _event_shape(self) -> TensorShape:
        return TensorShape([])

    def _event_shape_tensor(self) -> Any:
        return convert_to_tensor([], int32)

    def _batch_shape(self) -> TensorShape:
        found = self._given[0].shape
        for one in self._given[1:]:
            found = broadcast_static_shape(found, one.shape)
        return found

    def _batch_shape_tensor(self) -> Any:
        found = shape(self._given[0])
        for one in self._given[1:]:
            found = broadcast_dynamic_shape(found, shape(one))
        return found

    def _sizes(self, count: Any) -> Any:
        """[count, *batch_shape]."""
        return concat([[count], self.batch_shape_tensor()], 0)


def of_one_dtype(*given: Any) -> tuple[Any, ...]:
    """Parameters as tensors of one floating dtype.

    Raises:
        ValueError: they are of several dtypes, or of one that is not floating.
    """
    tensors = [convert_to_tensor(one) for one in given]
    if not tensors[0].dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {tensors[0].dtype!r}.")
    for one in tensors[1:]:
        if one.dtype is not tensors[0].dtype:
            raise ValueError(
                f"{one}, type={one.dtype!r}, must be of the same type ({tensors[0].dtype!r}) as "
                f"{tensors[0]}."
            )
    return tuple(tensors)


def rank_of(value: Any) -> Any:
    """The number of axes, as a number where it is known."""
    return value.shape.rank if value.shape.rank is not None else rank(value)
