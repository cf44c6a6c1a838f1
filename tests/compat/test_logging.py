"""tf.compat.v1.logging."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

import tensormill as tf
from tensormill.core.process import logging_before, logs


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


def test_some_messages_of_many(caplog: pytest.LogCaptureFixture) -> None:
    v1 = tf.compat.v1.logging
    v1.set_verbosity(v1.INFO)
    for step in range(5):
        v1.log_every_n(v1.INFO, "every %d", 2, step)
        v1.log_first_n(v1.INFO, "first %d", 2, step)
        v1.log_if(v1.INFO, "if %d", step == 3, step)
    v1.vlog(v1.INFO, "plainly")
    v1.flush()

    assert ["every 0", "first 0", "first 1", "every 2", "if 3", "every 4", "plainly"] == [
        record.getMessage() for record in caplog.records
    ]


@pytest.mark.parametrize("set_up", ["never", "before the import", "after the import"])
def test_messages_have_their_level_and_name_unless_logging_was_set_up_before(
    set_up: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # After the import TensorFlow has its handler already; here it is made with the first message.
    monkeypatch.setattr(logging_before, "_was_set_up", False)
    monkeypatch.setattr(logs.logger, "handlers", [])
    monkeypatch.setattr(logs.logger, "level", logging.INFO)
    quiet = [logging.NullHandler()]

    monkeypatch.setattr(logging.getLogger(), "handlers", quiet * (set_up == "before the import"))
    logging_before.look()
    monkeypatch.setattr(logging.getLogger(), "handlers", quiet * (set_up != "never"))
    logs.begin()
    tf.get_logger().info("step %d", 3)

    said = "" if set_up == "before the import" else "INFO:tensorflow:step 3\n"
    assert said == capsys.readouterr().err
