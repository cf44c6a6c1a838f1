"""Processes find each other: here, threads over loopback."""

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import tensormill as tf
from tensormill.distribution.workers.membership import Membership
from tensormill.distribution.workers.roll_call import called


@pytest.fixture
def addresses() -> list[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    return [f"127.0.0.1:{port}", "127.0.0.1:1", "127.0.0.1:2"]


def member(rank: int, addresses: list[str]) -> Membership:
    return Membership("worker", rank, rank, addresses)


def come(rank: int, addresses: list[str], seconds: float = 20.0) -> Any:
    try:
        with called(member(rank, addresses), seconds):
            return rank
    except tf.errors.OpError as error:
        return error


def together(*calls: Callable[[], Any]) -> list[Any]:
    with ThreadPoolExecutor(len(calls)) as threads:
        return [one.result() for one in [threads.submit(call) for call in calls]]


def test_all_begin_when_all_are_there(addresses: list[str]) -> None:
    assert together(*(lambda k=k: come(k, addresses) for k in (2, 1, 0))) == [2, 1, 0]


def test_who_does_not_come_is_told_by_name(addresses: list[str]) -> None:
    first, second = together(lambda: come(0, addresses, 0.2), lambda: come(1, addresses, 5.0))

    assert isinstance(first, tf.errors.DeadlineExceededError)
    assert "worker 2 (127.0.0.1:2) did not come within 0.2 s" in first.message
    assert isinstance(second, tf.errors.UnavailableError)
    assert first.message in second.message


def test_nobody_waits_for_ever_for_the_first(addresses: list[str]) -> None:
    error = come(1, addresses, 0.2)

    assert isinstance(error, tf.errors.DeadlineExceededError)
    assert f"worker 0 ({addresses[0]}) did not come within 0.2 s" in error.message


def test_a_taken_port_is_told(addresses: list[str]) -> None:
    with socket.create_server(("127.0.0.1", int(addresses[0].rpartition(":")[2]))):
        error = come(0, addresses)

    assert isinstance(error, tf.errors.UnknownError)
    assert "Give TF_CONFIG a free port" in error.message


@pytest.mark.parametrize(
    ("other", "text"),
    [
        (lambda addresses: (1, [*addresses[:2], "elsewhere:2"]), "give all the same cluster"),
        (lambda addresses: (3, addresses), "two processes say that they are worker 3"),
    ],
)
def test_processes_of_another_program_are_refused(
    addresses: list[str], other: Any, text: str
) -> None:
    rank, told = other(addresses)
    first, second = together(lambda: come(0, addresses), lambda: come(rank, told))

    assert isinstance(first, tf.errors.InvalidArgumentError)
    assert text in first.message
    assert isinstance(second, tf.errors.UnavailableError)
    assert text in second.message


@pytest.fixture
def stranger(addresses: list[str]) -> Callable[[], None]:
    """Something that connects, and says what no worker says, until worker 0 listens."""

    def call() -> None:
        host, port = addresses[0].split(":")
        while True:
            try:
                with socket.create_connection((host, int(port))) as connection:
                    connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
                    connection.recv(1)
                    return
            except ConnectionRefusedError:
                continue
            except ConnectionResetError:
                return

    return call


def test_strangers_are_not_counted(addresses: list[str], stranger: Callable[[], None]) -> None:
    two = addresses[:2]

    def come_late() -> Any:
        stranger()
        return come(1, two)

    assert together(lambda: come(0, two), come_late) == [0, 1]
