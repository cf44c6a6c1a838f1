"""Images of other than three channels, as TensorFlow refuses them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.behaviours.library import tf

PIXELS = tf.ones([1, 2, 4])
SPACES: dict[str, Callable[[Any], Any]] = {
    "rgb_to_hsv": tf.image.rgb_to_hsv,
    "hsv_to_rgb": tf.image.hsv_to_rgb,
}
CHANGES: dict[str, Callable[[Any], Any]] = {
    "adjust_hue": lambda x: tf.image.adjust_hue(x, 0.5),
    "adjust_saturation": lambda x: tf.image.adjust_saturation(x, 0.5),
}


def traced(call: Callable[[Any], Any], *dims: Any) -> Any:
    """A function of images of this shape; none: of any rank."""
    spec = tf.TensorSpec(dims or None)
    return tf.function(call, [spec], autograph=False)


@pytest.mark.parametrize("name", SPACES)
def test_colours_have_three_channels(name: str) -> None:
    call = SPACES[name]

    for run in (call, traced(call), traced(call, None, None, None)):
        with pytest.raises(tf.errors.FailedPreconditionError, match="3 channels"):
            run(PIXELS)
    with pytest.raises(ValueError, match=r"must be 3 but is 4|3 channels"):
        traced(call, 1, 2, 4)(PIXELS)


@pytest.mark.parametrize("name", SPACES)
def test_colours_have_an_axis(name: str) -> None:
    call = SPACES[name]

    for run in (call, traced(call)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"at least 1-?D"):
            run(tf.constant(1.0))


@pytest.mark.parametrize("name", CHANGES)
def test_changed_colours_have_three_channels_where_they_run(name: str) -> None:
    call = CHANGES[name]

    def chosen(wanted: Any) -> Any:
        return tf.cond(wanted, lambda: tf.reduce_sum(call(PIXELS)), lambda: 7.0)

    function = tf.function(chosen, autograph=False)
    assert function(tf.constant(False)).numpy() == 7.0
    runs = [
        lambda: call(PIXELS),
        lambda: function(tf.constant(True)),
        lambda: traced(call, None, None, None)(PIXELS),
    ]
    for run in runs:
        with pytest.raises(tf.errors.InvalidArgumentError, match="3 channels"):
            run()
