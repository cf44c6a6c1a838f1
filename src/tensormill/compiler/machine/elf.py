"""Object code for x86-64 is put in its place in memory: what a linker does, and no more.

Read are relocatable ELF files as LLVM writes them for position-independent code of the small model
(System V ABI, AMD64 supplement, 4.4). Functions outside are reached by jumps that lie
beside the code, since a call reaches two gigabytes only. What is not understood is
refused, and then LLVM's own linker does the work.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import Any, Final, final

from ...core.process.named_tuples import NamedTuple
from .pages import ALIGNMENT, NoPagesError, Pages

_HEADER: Final = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_SYMBOL: Final = struct.Struct("<IBBHQQ")
_RELOCATION: Final = struct.Struct("<QIIq")
_MAGIC: Final = b"\x7fELF\x02\x01"  # 64 bits, little-endian
_X86_64: Final = 62
_RELOCATABLE: Final = 1
_SYMBOLS, _RELOCATIONS, _ZEROS = 2, 4, 8  # kinds of sections
_WRITTEN, _IN_MEMORY, _PER_THREAD = 1, 2, 1024  # flags of sections
_ABSOLUTE, _RESERVED = 0xFFF1, 0xFF00  # instead of a section's number
_LOCAL: Final = 0  # a symbol that its file alone knows
_UNWINDING: Final = ".eh_frame"  # nothing is thrown through our code
_ONCE_WRITTEN: Final = ".data.rel.ro"  # by the linker
_JUMP: Final = b"\xff\x25\x00\x00\x00\x00"  # to the address in the next eight bytes
_STUB_BYTES: Final = 16

_DIRECT, _RELATIVE, _CALL, _RELATIVE_64 = 1, 2, 4, 24
_TABLE: Final = (9, 41, 42)  # relative to a word that holds the address


class NotUnderstoodError(Exception):
    """The object code has something that only LLVM's linker knows."""


class _Section(NamedTuple):
    name: str
    kind: int
    flags: int
    offset: int
    size: int
    link: int
    target: int
    alignment: int

    def moved(self, begin: int, first: int) -> _Section:
        """The section where its file begins at a byte, and its sections at a number."""
        counted = self._replace(offset=self.offset + begin, link=self.link + first)
        return counted._replace(target=self.target + first)

    @property
    def is_placed(self) -> bool:
        """Empty ones, too: a constant without elements has an address."""
        return bool(self.flags & _IN_MEMORY) and self.name != _UNWINDING


class _Symbol(NamedTuple):
    name: str
    section: int  # 0: outside of the files
    value: int
    is_global: bool


class _Relocation(NamedTuple):
    section: int
    offset: int
    kind: int
    symbol: int
    addend: int


@final
class LoadedObject:
    """Object code in its place, given back when this is dropped."""

    _block: tuple[int, int] | None = None  # a signal may end `__init__` before it has one

    def __init__(self, pages: Pages, addresses: Mapping[str, int], block: tuple[int, int]) -> None:
        self._pages = pages
        self._addresses = addresses
        self._block = block

    def __getitem__(self, name: str) -> int:
        return self._addresses[name]

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        if self._block is not None and not is_finalizing():  # then modules are being taken apart
            self._pages.give_back(*self._block)


def load(
    code: bytes, symbols: Mapping[str, int], exported: Collection[str], pages: Pages
) -> LoadedObject:
    """Put object code into memory; `symbols` has addresses that the process does not.

    It may be several files, one after another, which see each other's symbols.

    The library knows the addresses of what is `exported`.

    Raises:
        NotUnderstoodError: something in it is LLVM's to link, or a symbol is nowhere.
    """
    image = _Image(code, symbols)
    try:
        address = pages.place(image.size, image.at)
    except NoPagesError as error:
        raise NotUnderstoodError(str(error)) from error
    return LoadedObject(pages, image.exports(exported, address), (address, image.size))


def files_of(code: bytes) -> list[bytes]:
    """The files that object code consists of; LLVM writes the table of sections at their ends.

    Raises:
        NotUnderstoodError: it is no object code for x86-64, or cut off.
    """
    files: list[bytes] = []
    while code or not files:
        header = _header_of(code)
        length = header[6] + header[12] * _SECTION.size
        if not _HEADER.size <= length <= len(code):
            raise NotUnderstoodError("a file without its end")
        files.append(code[:length])
        code = code[length:]
    return files


@final
class _Image:
    """The parts of files that go into memory: their sections, jumps to outside, a table."""

    def __init__(self, code: bytes, symbols: Mapping[str, int]) -> None:
        self._code = code
        self._sections: list[_Section] = []
        self._symbols: list[_Symbol] = []
        self._relocations: list[_Relocation] = []
        begin = 0
        for file in files_of(code):
            self._read(file, begin)
            begin += len(file)
        self._join()
        self._places = self._placed()
        self._outside = self._outside_addresses(symbols)
        self._stubs = self._reserve((_RELATIVE, _CALL), _STUB_BYTES)
        self._table = self._reserve(_TABLE, 8)

    def _read(self, file: bytes, begin: int) -> None:
        """Note what is in a file; its sections and symbols are counted on from those before."""
        first, symbols = len(self._sections), len(self._symbols)
        own = [one.moved(begin, first) for one in _sections_of(file)]
        self._sections += own
        for section in own:
            if section.kind == _SYMBOLS:
                self._symbols += self._symbols_in(section, first)
        for section in own:
            if section.kind == _RELOCATIONS and self._sections[section.target].is_placed:
                for offset, kind, symbol, addend in _RELOCATION.iter_unpack(self._bytes(section)):
                    one = _Relocation(section.target, offset, kind, symbols + symbol, addend)
                    self._relocations.append(one)

    def _symbols_in(self, section: _Section, first: int) -> Iterator[_Symbol]:
        names = self._sections[section.link].offset
        for name, about, _, number, value, _ in _SYMBOL.iter_unpack(self._bytes(section)):
            if number >= _RESERVED and number != _ABSOLUTE:
                raise NotUnderstoodError("a symbol without a section")
            place = number + first if 0 < number < _RESERVED else number
            yield _Symbol(_text_at(self._code, names + name), place, value, about >> 4 != _LOCAL)

    def _join(self) -> None:
        """What is outside of a file may be in another one."""
        known = {one.name: one for one in self._symbols if one.section and one.is_global}
        self._symbols = [
            known.get(one.name, one) if one.section == 0 else one for one in self._symbols
        ]

    def _bytes(self, section: _Section) -> bytes:
        return self._code[section.offset : section.offset + section.size]

    def _placed(self) -> dict[int, int]:
        """Where each section begins; `size` is what they take."""
        places: dict[int, int] = {}
        self.size = 0
        for number, section in enumerate(self._sections):
            if section.is_placed:
                _refuse_unusual(section)
                places[number] = _aligned(self.size, section.alignment)
                self.size = places[number] + section.size
        return places

    def _outside_addresses(self, symbols: Mapping[str, int]) -> dict[int, int]:
        """The addresses of the symbols that are used and not in the file, by their numbers."""
        used = {one.symbol for one in self._relocations}
        found: dict[int, int] = {}
        for number in used:
            symbol = self._symbols[number]
            if symbol.section == 0:
                found[number] = symbols.get(symbol.name) or process_symbol(symbol.name)
        return found

    def _reserve(self, kinds: tuple[int, ...], size: int) -> dict[int, int]:
        """Places for one stub or word per symbol that relocations of these kinds need."""
        places: dict[int, int] = {}
        for one in self._relocations:
            needed = one.kind in _TABLE or one.symbol in self._outside
            if one.kind in kinds and needed and one.symbol not in places:
                places[one.symbol] = _aligned(self.size, size)
                self.size = places[one.symbol] + size
        return places

    # ---------------------------------------------------------------- at an address

    def at(self, base: int) -> bytes:
        """The bytes that belong at an address."""
        image = bytearray(self.size)
        for number, place in self._places.items():
            section = self._sections[number]
            if section.kind != _ZEROS:
                image[place : place + section.size] = self._bytes(section)
        for symbol, place in self._stubs.items():
            image[place : place + len(_JUMP)] = _JUMP
            struct.pack_into("<Q", image, place + len(_JUMP), self._outside[symbol])
        for symbol, place in self._table.items():
            struct.pack_into("<Q", image, place, self._address(symbol, base))
        for one in self._relocations:
            self._relocate(image, one, base)
        return bytes(image)

    def _relocate(self, image: bytearray, one: _Relocation, base: int) -> None:
        place = self._places[one.section] + one.offset
        here = base + place
        if one.kind == _DIRECT:
            struct.pack_into("<Q", image, place, self._address(one.symbol, base) + one.addend)
        elif one.kind == _RELATIVE_64:
            distance = self._address(one.symbol, base) + one.addend - here
            struct.pack_into("<q", image, place, distance)
        elif one.kind in (_RELATIVE, _CALL, *_TABLE):
            target = self._target(one, base) + one.addend
            struct.pack_into("<i", image, place, target - here)
        else:
            raise NotUnderstoodError(f"relocation {one.kind}")

    def _target(self, one: _Relocation, base: int) -> int:
        if one.kind in _TABLE:
            return base + self._table[one.symbol]
        if (stub := self._stubs.get(one.symbol)) is None:
            return self._address(one.symbol, base)
        if one.kind == _RELATIVE:  # of data: a jump is no stand-in for it
            raise NotUnderstoodError(f"data of the process: {self._symbols[one.symbol].name}")
        return base + stub

    def _address(self, number: int, base: int) -> int:
        if (outside := self._outside.get(number)) is not None:
            return outside
        symbol = self._symbols[number]
        if symbol.section == _ABSOLUTE:
            return symbol.value
        return base + self._places[symbol.section] + symbol.value

    def exports(self, names: Collection[str], base: int) -> dict[str, int]:
        """The addresses of what has one of these names."""
        return {
            symbol.name: base + self._places[symbol.section] + symbol.value
            for symbol in self._symbols
            if symbol.name in names and symbol.section in self._places
        }


def _sections_of(code: bytes) -> list[_Section]:
    header = _header_of(code)
    start: int = header[6]
    count: int = header[12]
    names: int = header[13]
    places = range(start, start + count * _SECTION.size, _SECTION.size)
    rows: list[tuple[int, ...]] = [_SECTION.unpack_from(code, place) for place in places]
    text = rows[names][4]
    return [
        _Section(_text_at(code, text + name), kind, flags, offset, size, link, info, alignment)
        for name, kind, flags, _, offset, size, link, info, alignment, _ in rows
    ]


def _header_of(code: bytes) -> tuple[Any, ...]:
    if len(code) < _HEADER.size or code[:6] != _MAGIC:
        raise NotUnderstoodError("no ELF file")
    header: tuple[Any, ...] = _HEADER.unpack_from(code)
    if header[1:3] != (_RELOCATABLE, _X86_64):
        raise NotUnderstoodError("no object code for x86-64")
    return header


def _text_at(code: bytes, offset: int) -> str:
    return code[offset : code.index(b"\0", offset)].decode()


def _refuse_unusual(section: _Section) -> None:
    if section.size == 0:
        return
    written = section.flags & _WRITTEN and not section.name.startswith(_ONCE_WRITTEN)
    if written or section.flags & _PER_THREAD or section.alignment > ALIGNMENT:
        raise NotUnderstoodError(f"section {section.name}")


def _aligned(offset: int, alignment: int) -> int:
    return offset + -offset % max(alignment, 1)


@cache
def process_symbol(name: str) -> int:
    """The address of a function of the process: libc's, CPython's.

    Raises:
        NotUnderstoodError: it has no such function.
    """
    try:
        found = getattr(ctypes.pythonapi, name)
    except AttributeError:
        raise NotUnderstoodError(f"no symbol {name}") from None
    return ctypes.cast(found, ctypes.c_void_p).value or 0
