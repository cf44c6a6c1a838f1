"""All processes of a program find each other before JAX connects them.

The first one listens at its address; the others tell it who they are, and wait until it says that
everybody came. JAX's own connecting ends the whole process where somebody is missing or a port is
taken; here these are errors that programs can catch.
"""

from __future__ import annotations

import errno
import json
import selectors
import socket
import time
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from typing import Any, Final

from ...errors import (
    DeadlineExceededError,
    InvalidArgumentError,
    UnavailableError,
    UnknownError,
)
from .membership import Membership

LONGEST: Final = 1 << 16  # bytes of a message: what is longer is not from a worker
PAUSE: Final = 0.1  # seconds until the next try to connect


@contextmanager
def called(member: Membership, seconds: float) -> Generator[None]:
    """A block that begins when all processes are there. The port stays this process's meanwhile.

    seconds: how long the others may take to come.

    Raises:
        UnknownError: something else listens at the address of this process.
        DeadlineExceededError: a process did not come in time.
        InvalidArgumentError: processes were told of different clusters, or two are the same task.
        UnavailableError: the first process went away meanwhile.
    """
    deadline = time.monotonic() + seconds
    if member.leads:
        with _reserved(member.addresses[0]):
            _Listener(member, deadline, seconds).wait()
            yield
    else:
        _answer(member, deadline, seconds)
        yield


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def place(address: str) -> tuple[str, int]:
    """The host and the port of an address."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def any_host(address: str) -> str:
    """The same port on all of a machine's own addresses."""
    host, port = place(address)
    return f"[::]:{port}" if _family(host) == socket.AF_INET6 else f"0.0.0.0:{port}"


def _bound(address: str, shared: bool) -> socket.socket:
    host, port = place(address)
    made = socket.socket(_family(host), socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind(("", port))
    except BaseException:
        made.close()
        raise
    return made


@contextmanager
def _reserved(address: str) -> Generator[None]:
    """A block in which only this process can listen at a port.

    Raises:
        UnknownError: another one does.
    """
    with ExitStack() as held:
        try:
            # Alone first: with SO_REUSEPORT two programs would share the port and its callers.
            with _bound(address, shared=False) as alone:
                alone.listen()
            held.enter_context(_bound(address, shared=True))
        except OSError as error:
            raise UnknownError(
                f"worker 0 cannot listen at {address}: {error.strerror}. Is another program there, "
                "or an earlier run of this one? Give TF_CONFIG a free port"
                if error.errno == errno.EADDRINUSE
                else f"worker 0 cannot listen at {address}: {error}"
            ) from None
        yield


class _Listener:
    """The first process, which waits for the others."""

    def __init__(self, member: Membership, deadline: float, seconds: float) -> None:
        self._member: Final = member
        self._deadline: Final = deadline
        self._seconds: Final = seconds
        self._came: Final[dict[int, socket.socket]] = {}
        self._texts: Final[dict[socket.socket, bytes]] = {}
        self._selector: Final = selectors.DefaultSelector()

    def wait(self) -> None:
        """Until everybody came, who are all told so."""
        with ExitStack() as held:
            held.enter_context(closing(self._selector))
            listening = held.enter_context(_bound(self._member.addresses[0], shared=True))
            listening.listen(self._member.size)
            self._selector.register(listening, selectors.EVENT_READ)
            try:
                while len(self._came) < self._member.size - 1:
                    self._next(listening)
                self._tell({})
            except BaseException as error:
                self._tell({"error": str(error)})
                raise
            finally:
                for one in self._texts:
                    one.close()

    def _next(self, listening: socket.socket) -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise DeadlineExceededError(self._missing())
        for key, _ in self._selector.select(min(left, 1.0)):
            if key.fileobj is listening:
                self._accept(listening.accept()[0])
            else:
                self._hear(key.fileobj)

    def _missing(self) -> str:
        away = [k for k in range(1, self._member.size) if k not in self._came]
        return (
            f"{', '.join(map(self._member.named, away))} did not come within {self._seconds:g} s: "
            "start the program there too, with the same cluster in TF_CONFIG; "
            "CommunicationOptions(timeout_seconds=...) waits longer"
        )

    def _accept(self, caller: socket.socket) -> None:
        caller.setblocking(False)
        self._texts[caller] = b""
        self._selector.register(caller, selectors.EVENT_READ)

    def _hear(self, caller: Any) -> None:
        try:
            got = caller.recv(LONGEST)
        except OSError:
            got = b""
        text = self._texts[caller] = self._texts[caller] + got
        if got and b"\n" not in text and len(text) < LONGEST:
            return
        self._selector.unregister(caller)
        told = _read(text)
        if told is None or not got:  # nobody of ours, or one that gave up
            self._forget(caller)
            return
        self._admit(caller, told)

    def _admit(self, caller: socket.socket, told: dict[str, Any]) -> None:
        """Raises InvalidArgumentError where it is a process of another program, or there twice."""
        rank, addresses = told.get("rank"), told.get("addresses")
        if addresses != list(self._member.addresses):
            raise InvalidArgumentError(
                f"worker {rank} was told of the cluster {addresses}, worker 0 of "
                f"{list(self._member.addresses)}: give all the same cluster in TF_CONFIG"
            )
        if not isinstance(rank, int) or not 0 < rank < self._member.size or self._here(rank):
            raise InvalidArgumentError(
                f"two processes say that they are worker {rank}: give each one its own task in "
                "TF_CONFIG"
            )
        self._came[rank] = caller
        self._selector.register(caller, selectors.EVENT_READ)

    def _here(self, rank: int) -> bool:
        """Whether a worker came, and did not go since."""
        return rank in self._came

    def _forget(self, caller: socket.socket) -> None:
        for rank, one in list(self._came.items()):
            if one is caller:
                del self._came[rank]
        del self._texts[caller]
        caller.close()

    def _tell(self, answer: dict[str, Any]) -> None:
        line = json.dumps(answer).encode() + b"\n"
        for one in self._texts:
            try:
                one.setblocking(True)
                one.settimeout(5.0)
                one.sendall(line)
            except OSError:  # it is gone: JAX finds that out
                pass


def _answer(member: Membership, deadline: float, seconds: float) -> None:
    """Tell the first process that this one is there; wait for the others."""
    line = json.dumps({"rank": member.rank, "addresses": list(member.addresses)}).encode() + b"\n"
    while True:
        with _connected(member, deadline, seconds) as connection:
            try:
                connection.sendall(line)
                told = _read(_line_of(connection, member, deadline, seconds))
            except OSError as error:
                raise _lost(member, error.strerror) from None
        if told is None:
            raise _lost(member, "it hung up")
        if "error" in told:
            raise UnavailableError(f"worker 0 refuses to begin: {told['error']}")
        return


def _lost(member: Membership, reason: Any) -> UnavailableError:
    return UnavailableError(f"{member.named(0)} went away before all workers were there: {reason}")


def _connected(member: Membership, deadline: float, seconds: float) -> socket.socket:
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise DeadlineExceededError(
                f"{member.named(0)} did not come within {seconds:g} s: start the program there "
                "too; CommunicationOptions(timeout_seconds=...) waits longer"
            )
        try:
            return socket.create_connection(place(member.addresses[0]), timeout=left)
        except OSError:  # it does not listen yet, or its name is not known yet
            time.sleep(min(PAUSE, left))


def _line_of(
    connection: socket.socket, member: Membership, deadline: float, seconds: float
) -> bytes:
    text = b""
    while b"\n" not in text and len(text) < LONGEST:
        # The first one gives up at its own deadline and says who is missing: hear it out.
        connection.settimeout(max(deadline - time.monotonic(), 0.0) + 5.0)
        try:
            got = connection.recv(LONGEST)
        except TimeoutError:
            raise DeadlineExceededError(
                f"{member.named(0)} did not say within {seconds:g} s that all workers are there"
            ) from None
        if not got:
            break
        text += got
    return text


def _read(text: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
