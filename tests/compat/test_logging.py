"""tf.compat.v1.logging."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

import tensormill as tf


@pytest.fixture(autouse=True)
def level() -> Iterator[None]:
    before = tf.get_logger().level
    yield
    tf.get_logger().setLevel(before)


def test_the_verbosity_is_the_loggers_level() -> None:
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    assert tf.compat.v1.logging.get_verbosity() == logging.ERROR == tf.get_logger().level


@pytest.mark.parametrize("name", ["debug", "info", "warning", "warn", "error", "fatal"])
def test_messages_go_through_the_logger(name: str, caplog: pytest.LogCaptureFixture) -> None:
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.DEBUG)
    getattr(tf.compat.v1.logging, name)("%s happened", name)
    tf.compat.v1.logging.log(logging.INFO, "logged")

    levels = {"warn": "WARNING", "fatal": "CRITICAL"}
    assert caplog.messages == [f"{name} happened", "logged"]
    assert caplog.records[0].levelname == levels.get(name, name.upper())


def test_what_is_below_the_verbosity_is_not_said(caplog: pytest.LogCaptureFixture) -> None:
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    tf.compat.v1.logging.warning("silence")
    assert caplog.messages == []
