"""Strings in base64, of the alphabet that is safe in addresses of the web (RFC 4648, section 5)."""

from __future__ import annotations

import base64
import re
from typing import Any, Final

from ...core.native_operations import TEXTS
from ...errors import InvalidArgumentError
from ..bind import api, bind
from ..op import Attr, In, Op, Out
from .byte_strings import each
from .spans.coding import Base64Letters, Base64Spans, ReadBase64, without_fill
from .spans.spans import Spans

_TEXT: Final = re.compile(rb"[A-Za-z0-9_-]*")


class EncodeBase64(Op):
    """Strings in base64, with `-` and `_`; filled up with `=` to a multiple of 4 if `pad`.

    input: string [...]; the result has its shape.

    >>> tf.io.encode_base64([b"a", b"hello"]).numpy()
    array([b'YQ', b'aGVsbG8'], dtype=object)

    Raises:
        DTypeMismatchError: `input` are not strings.
    """

    input = In("str *s")
    output = Out("str *s")
    pad = Attr(False)
    ignores_places = True
    differentiable = False
    native_from = TEXTS

    def eager(self, np: Any) -> Any:
        return each(self.encoded, self.input)

    def on_spans(self) -> Any:
        return Spans(*bind(Base64Spans, *self.input.parts, pad=self.pad), is_whole=True)

    def encoded(self, text: bytes) -> bytes:
        made = base64.urlsafe_b64encode(text)
        return made if self.pad else made.rstrip(b"=")


class DecodeBase64(Op):
    """What strings in base64, with `-` and `_`, say; `=` at the end may be there or not.

    input: string [...]; the result has its shape.

    >>> tf.io.decode_base64(["YQ", "YQ==", "aGVsbG8"]).numpy()
    array([b'a', b'a', b'hello'], dtype=object)

    Raises:
        InvalidArgumentError: a string is not in base64.
    """

    input = In("str *s")
    output = Out("str *s")
    ignores_places = True
    differentiable = False
    native_from = TEXTS

    def eager(self, np: Any) -> Any:
        return each(decoded, self.input)

    def on_spans(self) -> Any:
        starts, _, row = self.input.parts
        ends, wrong = bind(Base64Letters, *self.input.parts)
        return Spans(*bind(ReadBase64, starts, ends, row, wrong), is_whole=True)


def decoded(text: bytes) -> bytes:
    if len(text) % 4 == 1:
        raise InvalidArgumentError(
            f"Base64 string length cannot be 1 modulo 4: {text[:64]!r} has {len(text)} bytes"
        )
    plain = without_fill(text)
    if not _TEXT.fullmatch(plain):
        raise InvalidArgumentError(f"Invalid character found in base64: {text[:64]!r}")
    return base64.urlsafe_b64decode(plain + b"=" * (-len(plain) % 4))


encode_base64 = api(EncodeBase64, elements=1)
decode_base64 = api(DecodeBase64, elements=1)
