"""Requests and answers over sockets: a header in JSON and bytes, nothing that runs when it is read.

Servers listen at the loopback interface alone: who connects to a worker can have it run a graph.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any, Final, cast

from .. import errors
from ..core.process.locks import ForkedLock

_LENGTHS: Final = struct.Struct("<IQ")
# Headers are short: somebody who says otherwise speaks another protocol.
_LONGEST_HEADER: Final = 1 << 20

Message = tuple[dict[str, Any], bytes]
# What answers a header and a payload that came over a connection.
Answers = Callable[[dict[str, Any], bytes, Any], Message]


def send(connection: socket.socket, header: dict[str, Any], payload: bytes = b"") -> None:
    """Send one message."""
    text = json.dumps(header).encode()
    connection.sendall(_LENGTHS.pack(len(text), len(payload)) + text + payload)


def receive(connection: socket.socket) -> Message | None:
    """The next message; None where the other side has closed the connection.

    Raises:
        DataLossError: that is no message.
    """
    lengths = _read(connection, _LENGTHS.size)
    if lengths is None:
        return None
    size, rest = _LENGTHS.unpack(lengths)
    text = _read(connection, size) if size <= _LONGEST_HEADER else None
    payload = _read(connection, rest) if text is not None else None
    if text is None or payload is None:
        raise errors.DataLossError("data service: a message that is none, or has no end")
    return _header(text), payload


def _header(text: bytes) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise errors.DataLossError(f"data service: a header that is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise errors.DataLossError("data service: a header that is no object of JSON")
    return cast("dict[str, Any]", found)


def _read(connection: socket.socket, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(min(size - len(parts), 1 << 20))
        if not part:
            return None
        parts += part
    return bytes(parts)


def packed(parts: Sequence[bytes]) -> bytes:
    """Several pieces as one."""
    sizes = [len(one) for one in parts]
    return b"".join([struct.pack(f"<I{len(sizes)}Q", len(sizes), *sizes), *parts])


def unpacked(payload: bytes) -> list[bytes]:
    """The pieces."""
    (count,) = struct.unpack_from("<I", payload)
    sizes = struct.unpack_from(f"<{count}Q", payload, 4)
    found: list[bytes] = []
    at = 4 + 8 * count
    for size in sizes:
        found.append(payload[at : at + size])
        at += size
    return found


class MessageServer:
    """Answers each message, in a thread for each connection."""

    def __init__(
        self, answers: Answers, port: int, ended: Callable[[Any], None] = lambda connection: None
    ) -> None:
        self._connections: set[socket.socket] = set()
        self._ended = ended  # told of connections that are closed
        self._lock = ForkedLock()
        server = self

        class Handler(BaseRequestHandler):
            def handle(self) -> None:
                server.serve(self.request, answers)

        class Server(ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            block_on_close = False

        try:
            self._server = Server(("127.0.0.1", port), Handler)
        except OSError as error:
            raise errors.UnavailableError(f"port {port} cannot be listened at: {error}") from None
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="tensormill-service", daemon=True
        )
        self._thread.start()

    def serve(self, connection: socket.socket, answers: Answers) -> None:
        """Answer what comes over one connection until it is closed."""
        with self._lock():
            self._connections.add(connection)
        try:
            # Ends where the other side is gone, or speaks another protocol.
            with suppress(OSError, errors.DataLossError):
                while (found := receive(connection)) is not None:
                    send(connection, *_answer(answers, *found, connection))
        finally:
            with self._lock():
                self._connections.discard(connection)
            self._ended(connection)

    def stop(self) -> None:
        """Close all connections and the port."""
        self._server.shutdown()
        self._server.server_close()
        with self._lock():
            open_ones = list(self._connections)
        for one in open_ones:
            _shut(one)
        self._thread.join()

    def join(self) -> None:
        """Wait until it is stopped."""
        self._thread.join()


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):  # it is closed
        connection.shutdown(socket.SHUT_RDWR)


def _answer(
    answers: Answers, header: dict[str, Any], payload: bytes, connection: socket.socket
) -> Message:
    try:
        return answers(header, payload, connection)
    except Exception as error:
        kind = type(error) if isinstance(error, errors.OpError) else errors.InternalError
        name = next(one.__name__ for one in kind.__mro__ if hasattr(errors, one.__name__))
        return {"error": name, "message": getattr(error, "message", None) or repr(error)}, b""


class Connection:
    """A way to ask a server."""

    def __init__(self, address: str) -> None:
        self.address = address
        host, _, port = address.rpartition(":")
        try:
            self.socket = socket.create_connection((host, int(port)))
        except (OSError, ValueError) as error:
            raise errors.UnavailableError(f"data service at {address}: {error}") from None
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, what: str, payload: bytes = b"", **facts: Any) -> None:
        """Ask, and look for the answer later."""
        try:
            send(self.socket, {"what": what, **facts}, payload)
        except OSError as error:
            raise self._gone(error) from None

    def answer(self) -> Message:
        """The answer.

        Raises:
            OpError: the server says so, or is gone.
        """
        try:
            found = receive(self.socket)
        except OSError as error:
            raise self._gone(error) from None
        if found is None:
            raise self._gone("it closed the connection")
        header, payload = found
        if "error" in header:
            kind: Any = getattr(errors, header["error"], errors.InternalError)
            raise kind(header["message"])
        return header, payload

    def call(self, what: str, payload: bytes = b"", **facts: Any) -> Message:
        """Ask, and wait for the answer."""
        self.ask(what, payload, **facts)
        return self.answer()

    def _gone(self, why: Any) -> errors.OpError:
        return errors.UnavailableError(f"data service at {self.address}: {why}")

    def close(self) -> None:
        """End it."""
        self.socket.close()
