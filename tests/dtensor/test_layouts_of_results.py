"""How results of operations are laid out: TensorFlow's answers, recorded in layouts.json."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf

from .programs import PROGRAMS, laid_out, letters_of

UNKNOWN = "unknown"
DISPUTED = ("grad_matmul ['x.', 'x.']", "normalized ['xy', 'x']")
RECORDED = json.loads(Path(__file__).with_name("layouts.json").read_text())


def asked(mode: str) -> Iterator[tuple[str, list[str], str]]:
    for name, answers in RECORDED[mode].items():
        for letters, answer in answers.items():
            yield name, letters.split(","), answer


def differing(mode: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    traced: dict[str, Any] = {}
    for name, letters, answer in asked(mode):
        function, shapes = PROGRAMS[name]
        if name not in traced:
            traced[name] = tf.function(function)
        called = traced[name] if mode == "traced" else function
        operands = [laid_out(shape, one) for shape, one in zip(shapes, letters, strict=True)]
        result = called(*operands)
        ours = UNKNOWN if getattr(result, "placed", True) is None else letters_of(result)
        if ours != answer:
            found[f"{name} {letters}"] = (answer, ours)
    return found


def test_eager_results_are_laid_out_as_tensorflow_lays_them_out() -> None:
    assert differing("eager") == {}


def test_results_of_functions_are_laid_out_as_tensorflow_lays_them_out() -> None:
    found = differing("traced")
    # What is computed there would lie along one axis of the mesh twice.
    assert {call: ours for call, (_, ours) in found.items()} == dict.fromkeys(DISPUTED, UNKNOWN)


@pytest.mark.parametrize("traced", [False, True])
def test_what_tensorflow_refuses_has_no_known_layout(traced: bool) -> None:
    product = tf.function(tf.matmul) if traced else tf.matmul
    result = product(laid_out((4, 4), ".x"), laid_out((4, 4), "y."))
    with pytest.raises(tf.errors.UnimplementedError, match=r"not known .* use dtensor.relayout"):
        letters_of(result)
