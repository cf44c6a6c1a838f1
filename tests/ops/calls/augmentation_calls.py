"""Calls that change images at random, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call

IMAGE = (np.arange(3 * 2 * 4 * 3, dtype=np.float32).reshape(3, 2, 4, 3) * 7 % 29) / 29
BYTES = (IMAGE * 255).astype(np.uint8)
# What each function takes beside images and seeds.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "brightness": (0.3,),
    "contrast": (0.2, 1.8),
    "hue": (0.4,),
    "saturation": (0.3, 2.0),
    "flip_left_right": (),
    "flip_up_down": (),
}


def seeded(name: str, *arguments: Any) -> Callable[..., Any]:
    """The call with a few seeds: not all mirror, or choose the first place."""

    def call(tf: Any, x: Any) -> Any:
        function = getattr(tf.image, f"stateless_random_{name}")
        return [function(x, *arguments, seed=(seed, 5)) for seed in range(3)]

    return call


def drawn(name: str, *arguments: Any) -> Callable[..., Any]:
    """The call with the global seed, and with one of its own."""

    def call(tf: Any, x: Any) -> Any:
        function = getattr(tf.image, f"random_{name}")
        return function(x, *arguments, seed=7)

    return call


def after_set_seed(call: Callable[..., Any]) -> Callable[..., Any]:
    def after(tf: Any, x: Any) -> Any:
        tf.random.set_seed(11)
        return call(tf, x)

    return after


def primaries(name: str) -> Callable[..., Any]:
    return lambda tf, x: getattr(tf.image, name)(x)


def refused(name: str, *arguments: Any) -> Callable[..., Any]:
    return lambda tf, x: getattr(tf.image, name)(x, *arguments, seed=(1, 2))


CALLS: dict[str, Call] = {
    **{
        f"stateless_random_{name}": (seeded(name, *arguments), [IMAGE])
        for name, arguments in ARGUMENTS.items()
    },
    **{
        f"stateless_random_{name} of bytes": (seeded(name, *arguments), [BYTES[0]])
        for name, arguments in ARGUMENTS.items()
    },
    **{
        f"random_{name}": (after_set_seed(drawn(name, *arguments)), [IMAGE])
        for name, arguments in ARGUMENTS.items()
    },
    "stateless_random_crop": (seeded("crop", [1, 2, 2, 3]), [IMAGE]),
    "stateless_random_crop of bytes": (seeded("crop", [2, 2, 1]), [BYTES[0]]),
    "stateless_random_crop, all that is left": (seeded("crop", [1, -1, 2, 3]), [IMAGE]),
    "random_crop": (after_set_seed(drawn("crop", [1, 2, 2, 3])), [IMAGE]),
    "rgb_to_yiq": (primaries("rgb_to_yiq"), [IMAGE]),
    "yiq_to_rgb": (primaries("yiq_to_rgb"), [IMAGE[0].astype(np.float64)]),
    "rgb_to_yuv": (primaries("rgb_to_yuv"), [IMAGE[0, 0, 0]]),
    "yuv_to_rgb": (primaries("yuv_to_rgb"), [IMAGE[0].astype(np.float16)]),
    "rgb_to_yiq of bytes": (primaries("rgb_to_yiq"), [BYTES]),
    "stateless_random_brightness, negative": (
        refused("stateless_random_brightness", -0.1), [IMAGE],
    ),
    "stateless_random_hue, too far": (refused("stateless_random_hue", 0.6), [IMAGE]),
    "stateless_random_contrast of no range": (
        refused("stateless_random_contrast", 0.5, 0.5), [IMAGE],
    ),
    "stateless_random_saturation, negative": (
        refused("stateless_random_saturation", -0.5, 0.5), [IMAGE],
    ),
    "stateless_random_crop, too large": (refused("stateless_random_crop", [3, 3, 4, 3]), [IMAGE]),
    "stateless_random_flip_left_right of a row": (
        refused("stateless_random_flip_left_right"), [IMAGE[0, 0]],
    ),
}  # fmt: skip
