"""The assertions of `tf.test.TestCase`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import ml_dtypes
import numpy as np

from ..core.values import TensorBase
from ..eager.tensor import EagerTensor
from ..errors import InvalidArgumentError, OpError
from ..graph.proto.messages import from_text
from .evaluation import as_array, as_lists, evaluated, is_ragged
from .foundation import absltest

# float16, float32, float64 and bfloat16, float8 are compared in a wider one.
NARROW: Final = (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16))


class TensorAssertions(absltest.TestCase):
    """Comparisons of anything that can be a tensor; `msg` is told besides."""

    # ---- equality

    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """All elements are equal, or NaN in both; shapes are, too."""
        if is_ragged(a) or is_ragged(b):
            self.assertEqual(as_lists(a), as_lists(b), msg)
            return
        one, other = _as_texts(as_array(a)), _as_texts(as_array(b))
        self._assert_shapes(one, other, msg)
        np.testing.assert_array_equal(one, other, msg or "")

    def assertDictEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Both have the same keys, and values that are all equal; of floats, that are close.

        A tensor of one element is equal to that element. `assertEqual` asks it of dicts.
        """
        missing, more = (
            [key for key in one if key not in other] for one, other in ((a, b), (b, a))
        )
        if missing or more:
            self.fail(f"{msg or ''} Expected, but missing: {missing}; unexpected: {more}")
        for key, value in a.items():
            if _are_equal(value, b[key]):
                continue
            compare = self.assertAllClose if _has_fractions(value) else self.assertAllEqual
            compare(value, b[key], msg=f"{msg or ''} at {key!r}")

    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """An element differs."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        raise AssertionError(f"The two values are equal at all elements. {msg or ''}")

    def assertAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Numbers, or structures of them, differ by at most `atol + rtol * abs(b)`."""
        if is_ragged(a) or is_ragged(b):
            self._assert_close_lists(as_lists(a), as_lists(b), rtol, atol, msg)
            return
        self._assert_close(a, b, rtol, atol, msg, "")

    def assertNotAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """A number is not that close."""
        try:
            self.assertAllClose(a, b, rtol, atol)
        except AssertionError:
            return
        raise AssertionError(f"The two values are close at all elements. {msg or ''}")

    def assertAllCloseAccordingToType(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, float_rtol: float = 1e-6,
        float_atol: float = 1e-6, half_rtol: float = 1e-3, half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2, bfloat16_atol: float = 1e-2, msg: str | None = None,
    ) -> None:  # fmt: skip
        """As assertAllClose, by the tolerances of the narrowest of both types."""
        one, other = as_array(a), as_array(b)
        wider = (
            (np.float32, float_rtol, float_atol), (np.complex64, float_rtol, float_atol),
            (np.float16, half_rtol, half_atol),
            (ml_dtypes.bfloat16, bfloat16_rtol, bfloat16_atol),
        )  # fmt: skip
        for dtype, relative, absolute in wider:
            if np.dtype(dtype) in (one.dtype, other.dtype):
                rtol, atol = max(rtol, relative), max(atol, absolute)
        self.assertAllClose(one, other, rtol, atol, msg)

    def _assert_close(
        self, a: Any, b: Any, rtol: float, atol: float, msg: str | None, path: str
    ) -> None:
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            self.assertCountEqual(
                a.keys(), b.keys(), f"mismatched keys: a{path} has {a.keys()}, b{path} {b.keys()}"
            )
            for key in a:
                self._assert_close(a[key], b[key], rtol, atol, msg, f"{path}[{key!r}]")
            return
        arrays = _as_arrays(a, b)
        if arrays is None:
            self.assertEqual(len(a), len(b), f"Mismatched length at {path}")
            for place, pair in enumerate(zip(a, b, strict=True)):
                self._assert_close(*pair, rtol, atol, msg, f"{path}[{place}]")
            return
        one, other = arrays
        self._assert_shapes(one, other, msg)
        told = f"Mismatched value: a{path} is different from b{path}. {msg or ''}"
        one, other = (_widened(array) for array in (one, other))
        np.testing.assert_allclose(one, other, rtol, atol, equal_nan=True, err_msg=told)

    def _assert_close_lists(
        self, a: Any, b: Any, rtol: float, atol: float, msg: str | None
    ) -> None:
        if isinstance(a, list) and isinstance(b, list):
            self.assertEqual(len(a), len(b), msg)
            for pair in zip(a, b, strict=True):
                self._assert_close_lists(*pair, rtol, atol, msg)
            return
        self._assert_close(a, b, rtol, atol, msg, "")

    def _assert_shapes(self, a: Any, b: Any, msg: str | None) -> None:
        told = f"Shape mismatch: expected {a.shape}, got {b.shape}. {msg or ''}"
        self.assertEqual(a.shape, b.shape, told)

    # ---- order

    def _assert_each(self, a: Any, holds: Callable[[Any], Any], told: str) -> None:
        array = as_array(a)
        wrong = np.argwhere(~np.asarray(holds(array), bool))
        if not len(wrong):
            return
        shown = "\n".join([f"  {place.tolist()}: {array[tuple(place)]}" for place in wrong[:10]])
        raise AssertionError(
            f"{len(wrong)} of the {array.size} element(s) are {told}. "
            f"Subscript(s) and value(s) of the offending elements:\n{shown}"
        )

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Every element is greater."""
        self._assert_each(a, lambda x: x > comparison_target, f"not > {comparison_target}")

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Every element is less."""
        self._assert_each(a, lambda x: x < comparison_target, f"not < {comparison_target}")

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Every element is greater or equal."""
        self._assert_each(a, lambda x: x >= comparison_target, f"not >= {comparison_target}")

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Every element is less or equal."""
        self._assert_each(a, lambda x: x <= comparison_target, f"not <= {comparison_target}")

    def assertAllInRange(
        self, target: Any, lower_bound: Any, upper_bound: Any, open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:  # fmt: skip
        """Every element is between the bounds, which count unless they are open."""
        array = as_array(target)
        if not (np.issubdtype(array.dtype, np.number) or array.dtype in NARROW):
            raise AssertionError(f"The value of {target!r} does not have an ordered numeric type")

        def within(x: Any) -> Any:
            above = x > lower_bound if open_lower_bound else x >= lower_bound
            return above & (x < upper_bound if open_upper_bound else x <= upper_bound)

        left, right = "(" if open_lower_bound else "[", ")" if open_upper_bound else "]"
        told = f"outside the range {left}{lower_bound}, {upper_bound}{right}"
        self._assert_each(array, within, told)

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Every element is one of these."""
        found = set(as_array(target).reshape(-1).tolist()) - set(expected_set)
        if found:
            raise AssertionError(
                f"{len(found)} unique element(s) are not in the set {expected_set}: {sorted(found)}"
            )

    # ---- single numbers

    def assertNear(self, f1: Any, f2: Any, err: Any, msg: str | None = None) -> None:
        """Two numbers differ by at most `err`."""
        difference = abs(f1 - f2)
        told = f"{f1:f} != {f2:f} +/- {err:f} (difference: {difference}) {msg or ''}"
        self.assertTrue(f1 == f2 or difference <= err, told)

    def assertArrayNear(self, farray1: Any, farray2: Any, err: Any, msg: str | None = None) -> None:
        """Numbers differ one by one by at most `err`."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for one, other in zip(farray1, farray2, strict=True):
            self.assertNear(float(one), float(other), err, msg)

    def assertNDArrayNear(
        self, ndarray1: Any, ndarray2: Any, err: Any, msg: str | None = None
    ) -> None:
        """The distance of two arrays is less than `err`."""
        self.assertLess(np.linalg.norm(as_array(ndarray1) - as_array(ndarray2)), err, msg)

    # ---- what tensors are

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """The elements are of that dtype."""
        self.assertEqual(as_array(target).dtype, expected_dtype)

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: str | None = None) -> None:
        """Both have one shape.

        Raises:
            TypeError: one of them is no tensor, array or number of NumPy's.
        """
        for name, value in (("input_a", input_a), ("input_b", input_b)):
            if not isinstance(value, (np.ndarray, np.generic, TensorBase)):
                raise TypeError(
                    f"{name} must be a Numpy ndarray, Numpy scalar, or a Tensor, got {type(value)}"
                )
        self.assertEqual(tuple(input_a.shape), tuple(input_b.shape), msg)

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: str | None = None) -> None:
        """Both names are of one device."""
        self.assertEqual(_canonical(device1), _canonical(device2), msg)

    # ---- errors

    @contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: type[BaseException], expected_err_re_or_predicate: Any
    ) -> Iterator[None]:
        """The block raises that class; its message has the pattern, or the predicate holds."""
        wanted = expected_err_re_or_predicate
        try:
            yield
        except exception_type as error:
            message = error.message if isinstance(error, OpError) else str(error)
            holds = wanted(error) if callable(wanted) else re.search(wanted, message)
            if not holds:
                raise AssertionError(f"Exception of type {type(error)}: {message}") from error
        else:
            self.fail(f"{exception_type.__name__} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """The block raises an error of `tf.errors`, with such a message."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(
        self, exception_type: type[BaseException] = InvalidArgumentError
    ) -> Any:
        """The block raises an error that tells of shapes."""
        return self.assertRaisesWithPredicateMatch(
            exception_type, r"Incompatible shapes|Dimensions must be equal|required broadcastable"
        )

    # ---- messages

    def assertProtoEqualsVersion(
        self, expected: str, actual: Any, producer: int = 2474, min_consumer: int = 0,
        msg: str | None = None,
    ) -> None:  # fmt: skip
        """A GraphDef of these versions is equal to a text that does not tell them."""
        versions = f"versions {{ producer: {producer} min_consumer: {min_consumer} }}"
        self.assertProtoEquals(f"{versions}\n{expected}", actual, msg)

    def assertProtoEquals(
        self, expected_message_maybe_ascii: Any, validate_message: Any, msg: str | None = None,
        relative_tolerance: float | None = None,
    ) -> None:  # fmt: skip
        """Two messages are equal; the first may be a text."""
        expected = expected_message_maybe_ascii
        if isinstance(expected, str):
            expected = from_text(expected, type(validate_message))
        self.assertEqual(str(expected), str(validate_message), msg)


def _are_equal(one: Any, other: Any) -> bool:
    """Whether Python says so of two values, which are arrays where there are tensors."""
    values = [x.numpy() if isinstance(x, EagerTensor) else x for x in (one, other)]
    try:
        return bool(values[0] == values[1])
    except ValueError:  # several elements, which are for NumPy to compare
        return False


def _has_fractions(value: Any) -> bool:
    return not is_ragged(value) and as_array(value).dtype.kind in "fcV"  # V: bfloat16 and others


def _as_texts(array: Any) -> Any:
    """Texts of NumPy as bytes, which tensors of texts consist of."""
    if array.dtype.kind != "U":
        return array
    return np.array([text.encode() for text in array.reshape(-1)], object).reshape(array.shape)


def _widened(array: Any) -> Any:
    is_narrow = array.dtype.kind not in "biufc" or array.dtype in NARROW
    return array.astype(np.float32) if is_narrow and array.dtype.kind not in "OSU" else array


def _as_arrays(a: Any, b: Any) -> tuple[Any, Any] | None:
    """Both as arrays; None where they are structures of several."""
    if not isinstance(a, (list, tuple)):
        return as_array(a), as_array(b)
    if any(isinstance(one, Mapping) for one in (*a, *(b if isinstance(b, (list, tuple)) else ()))):
        return None
    try:
        one, other = as_array(a), as_array(b)
    except (ValueError, TypeError):
        return None
    return None if "O" in (one.dtype.kind, other.dtype.kind) else (one, other)


def _canonical(device: Any) -> str:
    from ..core.device_specs import canonical_device

    return canonical_device(str(evaluated(device) if not isinstance(device, str) else device))
