"""What servers of the data service do with what is no message."""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import suppress
from typing import Any

import pytest

from tensormill.data_service.wire import Connection, MessageServer

LENGTHS = struct.Struct("<IQ")
WRONG = {
    "no JSON": LENGTHS.pack(3, 0) + b"{]}",
    "no text": LENGTHS.pack(2, 0) + b"\xff\xfe",
    "no object": LENGTHS.pack(2, 0) + b"[]",
    "too deep": LENGTHS.pack(1 << 19, 0) + b"[" * (1 << 19),
    "a long header": LENGTHS.pack(1 << 30, 0),
    "an end": LENGTHS.pack(5, 9) + b"{}",
    "another protocol": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.sampled
@pytest.mark.parametrize("sent", WRONG.values(), ids=WRONG)
def test_what_is_no_message_ends_its_connection_alone(
    sent: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = threading.Event()
    server = MessageServer(lambda header, payload, _: (header, payload), 0, lambda _: ended.set())
    try:
        with socket.create_connection(("127.0.0.1", server.port)) as stranger:
            stranger.sendall(sent)
            with suppress(OSError):  # the system says so at once where bytes were left unread
                stranger.shutdown(socket.SHUT_WR)
                assert stranger.recv(1) == b""
        assert ended.wait(10)
        client = Connection(f"localhost:{server.port}")
        answer: Any = client.call("question", b"bytes", number=1)
        client.close()
    finally:
        server.stop()

    assert ({"what": "question", "number": 1}, b"bytes") == answer
    assert capsys.readouterr().err == ""
