"""`tf.strings.unicode_script`: in which script a character is written."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as numpy_module
import re2

from ...core import dtypes
from ...core.specs import TensorSpec
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..op import In, Op, Out

# ICU's numbers (UScriptCode) of the scripts that TensorFlow knows, those of Unicode 13.
NUMBERS: Final = (
    "Common=0 Inherited=1 Arabic=2 Armenian=3 Bengali=4 Bopomofo=5 Cherokee=6 Coptic=7 Cyrillic=8 "
    "Deseret=9 Devanagari=10 Ethiopic=11 Georgian=12 Gothic=13 Greek=14 Gujarati=15 Gurmukhi=16 "
    "Han=17 Hangul=18 Hebrew=19 Hiragana=20 Kannada=21 Katakana=22 Khmer=23 Lao=24 Latin=25 "
    "Malayalam=26 Mongolian=27 Myanmar=28 Ogham=29 Old_Italic=30 Oriya=31 Runic=32 Sinhala=33 "
    "Syriac=34 Tamil=35 Telugu=36 Thaana=37 Thai=38 Tibetan=39 Canadian_Aboriginal=40 Yi=41 "
    "Tagalog=42 Hanunoo=43 Buhid=44 Tagbanwa=45 Braille=46 Cypriot=47 Limbu=48 Linear_B=49 "
    "Osmanya=50 Shavian=51 Tai_Le=52 Ugaritic=53 Buginese=55 Glagolitic=56 Kharoshthi=57 "
    "Syloti_Nagri=58 New_Tai_Lue=59 Tifinagh=60 Old_Persian=61 Balinese=62 Batak=63 Brahmi=65 "
    "Cham=66 Egyptian_Hieroglyphs=71 Pahawh_Hmong=75 Old_Hungarian=76 Javanese=78 Kayah_Li=79 "
    "Lepcha=82 Linear_A=83 Mandaic=84 Meroitic_Hieroglyphs=86 Nko=87 Old_Turkic=88 Old_Permic=89 "
    "Phags_Pa=90 Phoenician=91 Miao=92 Vai=99 Cuneiform=101 Carian=104 Tai_Tham=106 Lycian=107 "
    "Lydian=108 Ol_Chiki=109 Rejang=110 Saurashtra=111 SignWriting=112 Sundanese=113 "
    "Meetei_Mayek=115 Imperial_Aramaic=116 Avestan=117 Chakma=118 Kaithi=120 Manichaean=121 "
    "Inscriptional_Pahlavi=122 Psalter_Pahlavi=123 Inscriptional_Parthian=125 Samaritan=126 "
    "Tai_Viet=127 Bamum=130 Lisu=131 Old_South_Arabian=133 Bassa_Vah=134 Duployan=135 Elbasan=136 "
    "Grantha=137 Mende_Kikakui=140 Meroitic_Cursive=141 Old_North_Arabian=142 Nabataean=143 "
    "Palmyrene=144 Khudawadi=145 Warang_Citi=146 Mro=149 Nushu=150 Sharada=151 Sora_Sompeng=152 "
    "Takri=153 Tangut=154 Anatolian_Hieroglyphs=156 Khojki=157 Tirhuta=158 Caucasian_Albanian=159 "
    "Mahajani=160 Ahom=161 Hatran=162 Modi=163 Multani=164 Pau_Cin_Hau=165 Siddham=166 Adlam=167 "
    "Bhaiksuki=168 Marchen=169 Newa=170 Osage=171 Masaram_Gondi=175 Soyombo=176 "
    "Zanabazar_Square=177 Dogra=178 Gunjala_Gondi=179 Makasar=180 Medefaidrin=181 "
    "Hanifi_Rohingya=182 Sogdian=183 Old_Sogdian=184 Elymaic=185 Nyiakeng_Puachue_Hmong=186 "
    "Nandinagari=187 Wancho=188 Chorasmian=189 Dives_Akuru=190 Khitan_Small_Script=191 Yezidi=192 "
)
UNKNOWN: Final = 103
NO_CHARACTER: Final = -1
LARGEST: Final = 0x10FFFF


@cache
def scripts() -> list[tuple[Any, int]]:
    """What matches a character of a script, and the script's number; the usual ones first."""
    told = [one.split("=") for one in NUMBERS.split()]
    usual = ("Latin", "Common", "Han", "Hiragana", "Katakana", "Cyrillic", "Arabic", "Hangul")
    told.sort(key=lambda one: usual.index(one[0]) if one[0] in usual else len(usual))
    return [(re2.compile(rf"\p{{{name}}}"), int(number)) for name, number in told]


def script_of(code: int) -> int:
    """The number of a character's script."""
    if not 0 <= code <= LARGEST:
        return NO_CHARACTER
    if 0xD800 <= code < 0xE000:  # halves of pairs, of no script
        return UNKNOWN
    character = chr(code)
    return next((k for pattern, k in scripts() if pattern.match(character)), UNKNOWN)


class UnicodeScript(Op):
    """The script of each code point."""

    input = In("i32 *s")
    output = Out("i32 *s")
    ignores_places = True
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.spec.shape, dtypes.int32)

    def eager(self, np: Any) -> Any:
        table, is_code = known_scripts(), (self.input >= 0) & (self.input <= LARGEST)
        codes = np.where(is_code, self.input, LARGEST + 1)
        found = table[codes]
        if (found == NOT_ASKED).any():
            for code in np.unique(codes[found == NOT_ASKED]).tolist():
                table[code] = script_of(code)
            found = table[codes]
        return found.astype(np.int32)


NOT_ASKED: Final = -2


@cache
def known_scripts() -> Any:
    """The script of each character that was asked for; behind them what no character is."""
    return numpy_module.full(LARGEST + 2, NOT_ASKED, numpy_module.int16)


@dispatchable(elements=1)
def unicode_script(input: Any, name: str | None = None) -> Any:
    """The script of each code point, by ICU's number: 25 for Latin, 8 for Cyrillic, 17 for Han.

    input: int32 of any shape, which the result has. 0 is common to all scripts, 1 inherited from
    the character before, 103 unknown, -1 no code point.

    >>> tf.strings.unicode_script([ord("a"), ord("Ж"), ord("!"), -1]).numpy()
    array([25,  8,  0, -1], dtype=int32)

    Raises:
        DTypeMismatchError: `input` are not int32 numbers.
    """
    return bind(UnicodeScript, as_tensor(input, dtypes.int32), name=name)
