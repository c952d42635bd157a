"""What bytes become, whatever was said about them."""

import subprocess
import sys
import warnings

import pytest

from stupidos.charsets import _LABELS, GUESSABLE, codec_of
from stupidos.decode import DecodeWarning, _sample, decode
from stupidos.errors import DecodeError
from stupidos.signatures import not_text

POLISH = "Zażółć gęślą jaźń: każdy żółw śpiewał, a wąż tańczył i płakał nad źdźbłem trawy. "
RUSSIAN = "Съешь же ещё этих мягких французских булок да выпей чаю, сказала бабушка внуку. "
GREEK = "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, είπε ο γέρος στον ποιητή της πόλης. "
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"
CHINESE = "我能吞下玻璃而不伤身体。今天的天气很好，我们去公园散步。"
KOREAN = "나는 유리를 먹을 수 있어요. 그래도 아프지 않아요. 오늘은 날씨가 좋습니다. "
FRENCH = "Où sont passés les élèves ? Ils étaient là dès l'été, très gênés et déçus. "

SAMPLES = [
    (POLISH, "cp1250"),
    (POLISH, "iso8859-2"),
    (RUSSIAN, "cp1251"),
    (RUSSIAN, "koi8-r"),
    (GREEK, "cp1253"),
    (JAPANESE, "cp932"),
    (JAPANESE, "euc_jis_2004"),
    (CHINESE, "gb18030"),
    (
        CHINESE.replace("伤", "傷")
        .replace("体", "體")
        .replace("气", "氣")
        .replace("们", "們")
        .replace("园", "園"),
        "big5hkscs",
    ),
    (KOREAN, "cp949"),
    (FRENCH, "cp1252"),
]


def page(text, head=""):
    return f"<html><head>{head}<script>var a = 1;</script></head><body><p class=x>{text}</p></body></html>"


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", [POLISH, JAPANESE, "a"])
def test_a_byte_order_mark_decides_and_is_not_part_of_the_text(codec, text):
    assert decode(text.encode(codec), "text/html; charset=koi8-r")[0] == text


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [POLISH, CHINESE])
def test_nuls_tell_utf_16_and_utf_32_without_a_mark(codec, text):
    assert decode(page(text).encode(codec)) == (page(text), codec)


def test_a_page_with_a_few_nuls_is_still_utf_8():
    text = page(POLISH + "\0" + POLISH)
    assert decode(text.encode()) == (text, "utf-8")


@pytest.mark.parametrize(("han", "codec"), [(3, "utf-16-le"), (4, "utf-8")])
def test_one_nul_in_eight_bytes_is_utf_16_even_where_the_bytes_are_ascii(han, codec):
    assert decode(("慢" * han + " ").encode("utf-16-le") * 6)[1] == codec


@pytest.mark.parametrize(("han", "found"), [(39, True), (40, False)])
def test_one_nul_in_eighty_bytes_is_utf_16_where_the_bytes_are_not_utf_8(han, found):
    assert (decode(("语" * han + " ").encode("utf-16-le"))[1] == "utf-16-le") is found


@pytest.mark.parametrize("codec", ["utf-32-le", "utf-32-be"])
def test_utf_32_has_fewer_than_one_astral_character_in_five(codec):
    assert decode(("abcde🍵" * 9).encode(codec))[1] == codec
    with pytest.raises(DecodeError):
        decode(("abcd🍵" * 9).encode(codec))


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(("letters", "found"), [(9, False), (10, True)])
def test_utf_16_has_ten_nuls_on_one_side_for_one_on_the_other(codec, letters, found):
    text = ("abcdefghij"[:letters] + "Ā") * 4
    assert (decode(text.encode(codec))[1] == codec) is found


def test_nothing_but_nuls_is_no_crash():
    assert decode(b"\0" * 99)[0].strip("\0") == ""


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [(JAPANESE, "iso2022_jp", "iso2022_jp_ext"), (KOREAN, "iso2022_kr", "iso2022_kr"), (CHINESE, "hz", "hz")],
)
def test_escape_sequences_are_understood(text, codec, name):
    assert decode(page(text).encode(codec)) == (page(text), name)


@pytest.mark.parametrize("text", ["/~user/ and ~{ shown ~}", "\x1b[1mbold\x1b[0m", "a ~{ b", "~}"])
def test_what_only_resembles_an_escape_sequence_is_ascii(text):
    assert decode(text.encode()) == (text, "utf-8")


@pytest.mark.parametrize("text", [POLISH, JAPANESE, "", "plain", "\N{PILE OF POO}"])
@pytest.mark.parametrize("header", [None, "text/html; charset=utf-8", "nonsense"])
def test_utf_8_is_utf_8(text, header):
    assert decode(text.encode(), header) == (text, "utf-8")


@pytest.mark.parametrize("head", ["<meta charset=iso-8859-1>", '<?xml version="1.0" encoding="koi8-r"?>'])
def test_a_declaration_that_lies_about_utf_8_is_a_warning_and_no_mojibake(head):
    text = head + page(POLISH)
    with pytest.warns(DecodeWarning, match="bytes are not; read as utf-8") as warned:
        assert decode(text.encode()) == (text, "utf-8")
    assert warned[0].filename == __file__  # where decode was called, not a line of its own


def test_ascii_declared_as_latin_1_is_no_lie():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert decode(b"<meta charset=iso-8859-1>plain")[1] == "utf-8"


@pytest.mark.parametrize(("text", "codec"), SAMPLES)
def test_the_header_is_believed(text, codec):
    assert decode(page(text).encode(codec), f'text/html; charset="{codec.upper()}"')[0] == page(text)


@pytest.mark.parametrize(("text", "codec"), SAMPLES)
@pytest.mark.parametrize(
    "form",
    [
        "<meta charset={}>",
        '<META http-equiv=Content-Type content="text/html; charset={}">',
        "<!-- <meta charset=koi8-u> --><meta charset='{}' />",
        '<meta name=description content="charset=koi8-u"><meta content="a; charset={}" http-equiv=x>',
    ],
)
def test_a_meta_element_is_believed(text, codec, form):
    text = page(text, form.format(next(label for label, known in _LABELS.items() if known == codec)))
    assert decode(text.encode(codec)) == (text, codec)


def test_an_xml_declaration_is_believed():
    text = '<?xml version="1.0" encoding="windows-1250"?>' + page("żółw")
    assert decode(text.encode("cp1250")) == (text, "cp1250")


def test_the_header_goes_before_the_meta_element():
    text = page("жук", "<meta charset=iso-8859-1>")
    assert decode(text.encode("koi8-r"), "koi8-r") == (text, "koi8-r")


def test_an_encoding_attribute_that_is_not_a_meta_element_says_nothing():
    text = '<text id="x" encoding="koi8-r"><p>caf\u00e9</p>'
    assert decode(text.encode("cp1252")) == (text, "cp1252")


def test_a_meta_element_that_says_utf_16_means_utf_8():
    text = page("żółw \ufffd", "<meta charset=utf-16>")
    with pytest.warns(DecodeWarning):
        assert decode(text.encode().replace(b"\xef\xbf\xbd", b"\xff")) == (text, "utf-8")


@pytest.mark.parametrize("label", ["rot13", "utf-7", "base64", "idna", "unicode_escape", "../x", "", "é"])
def test_what_is_not_a_label_of_the_standard_is_not_looked_up(label):
    assert codec_of(label) is None
    assert decode(f"<meta charset='{label}'>caf".encode() + b"\xe9")[0].endswith("café")


@pytest.mark.parametrize("codec", sorted({*_LABELS.values(), *GUESSABLE}))
def test_every_codec_of_the_table_exists(codec):
    assert b"plain".decode(codec, "replace")


@pytest.mark.parametrize(("text", "codec"), [*SAMPLES, (RUSSIAN, "iso8859-5")])
def test_the_detector_sees_text_without_tags(text, codec):
    hidden = "<script>" + "var latin = 'no';" * 400 + "</script><style>.a{}</style>"
    assert decode((hidden + page(text * 3)).encode(codec))[0].endswith(page(text * 3))


@pytest.mark.parametrize("text", ["© 2004 Acme", "Back ·", "It’s “new”…", "Español", "25 °C", "»"])
def test_a_lone_sign_is_western_european(text):
    assert decode(page(text).encode("cp1252")) == (page(text), "cp1252")


def test_bytes_that_cp1252_leaves_undefined_are_c1_controls():
    assert decode(b"a\x81\x8d\x8f\x90\x9db", "cp1252")[0] == "a\x81\x8d\x8f\x90\x9db"


@pytest.mark.parametrize("bad", [b"\xff", b"\xe9", b"\xed\xa0\x80", b"\xf0\x9f"])
def test_a_few_bad_bytes_leave_a_page_utf_8(bad):
    with pytest.warns(DecodeWarning, match="could not be decoded"):
        text, codec = decode(POLISH.encode() * 3 + bad + b" " + JAPANESE.encode())
    assert codec == "utf-8"
    assert "\ufffd" in text
    assert text.endswith(JAPANESE)


def test_a_few_bad_bytes_leave_a_page_shift_jis():
    with pytest.warns(DecodeWarning):
        text, codec = decode((JAPANESE * 2).encode("cp932") + b"\x81 ", "shift_jis")
    assert codec == "cp932"
    assert text.startswith(JAPANESE)


def test_a_header_that_lies_is_passed_over():
    with pytest.warns(DecodeWarning, match="declared as cp949"):
        assert decode(page(FRENCH * 3).encode("cp1252"), "euc-kr") == (page(FRENCH * 3), "cp1252")


@pytest.mark.parametrize(
    "start",
    [
        b"\x89PNG\r\n\x1a\n",
        b"%PDF-1.4\n",
        b"PK\x03\x04",
        b"\xff\xd8\xff\xe0",
        b"\x1f\x8b\x08",
        b"RIFF\0\0\0\0WEBP",
    ],
)
def test_what_is_not_text_is_refused_in_one_line(start):
    with pytest.raises(DecodeError, match=r"\Athis is [a-z].* not text: [^\n]*\Z"):
        decode(start + bytes(range(256)))


def test_unknown_binary_data_is_refused():
    with pytest.raises(DecodeError, match="binary data"):
        decode(b"\xfe\xed\xfa\xce" + bytes(range(256)) * 9)


@pytest.mark.parametrize("text", ["ID3 tags explained", "PAR1 is a postcode", "BZh", "wOFFen", "RIFF raff"])
def test_a_text_may_start_like_a_file_format(text):
    assert not_text(text.encode()) is None
    assert decode(text.encode())[0] == text


ODD = [
    *(b"<" * 5000, b"<meta" * 5000, b"<meta charset=" * 2000, b'<meta a="' * 2000, b"<!--" * 5000),
    *(
        b"<script" * 5000,
        b"&" * 9999,
        b"\x1b$B" * 999,
        b"~{" * 999,
        bytes(range(128, 256)) * 20,
        b"\xe9<a " * 999,
    ),
]


@pytest.mark.filterwarnings("ignore::stupidos.decode.DecodeWarning")
@pytest.mark.parametrize("data", ODD, ids=range(len(ODD)))
def test_odd_bytes_give_text(data):
    text, codec = decode(data + b"\xff")
    assert text
    assert text == decode(data + b"\xff", f"text/html; charset={codec}")[0]


def test_a_guess_that_most_bytes_contradict_is_replaced_by_cp1252(monkeypatch):
    monkeypatch.setattr("stupidos.decode._guessed", lambda data: "cp932")
    assert decode("été à Åland".encode("cp1252") + b"\xff\xff") == ("été à Ålandÿÿ", "cp1252")


def test_the_detector_is_not_loaded_for_utf_8():
    program = "import sys; from stupidos.decode import decode; decode(b'a'); print('chardet' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "False"


@pytest.mark.parametrize(("letters", "guess"), [(9, False), (10, True)])
def test_ten_letters_beyond_ascii_are_enough_to_guess_from(letters, guess, monkeypatch):
    asked = []
    monkeypatch.setattr("chardet.detect", lambda sample, **_: asked.append(sample) or {"encoding": "cp1250"})
    data = b"<p>" + b"a\xe9 " * letters
    assert decode(data)[1] == ("cp1250" if guess else "cp1252")
    assert len(asked) == guess


@pytest.mark.parametrize(
    ("before", "seen"), [(1 << 10, True), ((1 << 21) - 50, True), ((1 << 21) + 8, False)]
)
def test_text_beyond_ascii_is_looked_for_in_two_megabytes(before, seen):
    data = b"<i>" + b"a" * (before - 6) + b"<i>" + b"\xe9t\xe9<b>"
    assert (b"\xe9" in _sample(data[:-3] + b" " * 5000 + b"<b>")) == seen


def test_the_detector_sees_four_kilobytes():
    assert len(_sample(b"<p>" + b"\xe9" * 9000 + b"<p>")) == 4096
    assert len(_sample(b"<p>" + b"\xe9" * 9000)) == 4096
    assert _sample(b"<p>\xe9" + b"<p>a" * 3 + b"<p>\xe8<p>") == b"\xe9\n\xe8"
    pieces = b"".join(b"<p>" + b"\xe9" * 2048 for _ in range(4)) + b"<p>"
    assert len(_sample(pieces)) == 4096 + 1


@pytest.mark.parametrize(("before", "believed"), [(16_000, True), (16_384, False)])
def test_a_meta_element_is_looked_for_in_16_kilobytes(before, believed):
    data = (
        b"<script>"
        + b"x" * (before - 17)
        + b"</script>"
        + b"<meta charset=koi8-r>"
        + RUSSIAN.encode("cp1251")
    )
    assert (decode(data)[1] == "koi8-r") == believed


@pytest.mark.parametrize(("bad", "believed"), [(1, True), (2, True), (3, False)])
def test_more_than_one_bad_character_in_twenty_is_too_many(bad, believed):
    """With 40 characters beyond ASCII two may be impossible; the replacement character is one itself."""
    data = "猫".encode("cp932") * (40 - bad) + b"\x81 " * bad
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecodeWarning)
        assert (decode(data, "shift_jis")[1] == "cp932") == believed


@pytest.mark.parametrize(("good", "codec"), [(4, "utf-8"), (3, "cp1252")])
def test_four_good_characters_for_a_bad_one_are_utf_8(good, codec):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecodeWarning)
        assert decode("é ".encode() * good + b"\xe9 end")[1] == codec


def test_declared_utf_8_needs_as_many_good_characters_as_bad_ones():
    data = "é ".encode() * 2 + b"\xe9 \xe9 end"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecodeWarning)
        assert decode(data, "utf-8")[1] == "utf-8"
        assert decode(data)[1] == "cp1252"
        assert decode(data + b"\xe9 ", "utf-8")[1] == "cp1252"


@pytest.mark.parametrize(("controls", "binary"), [(5, False), (6, True)])
def test_one_control_character_in_twenty_bytes_is_not_text(controls, binary):
    data = b"\x01" * controls + b"\xe9" + b"a" * (99 - controls)
    if binary:
        with pytest.raises(DecodeError, match="binary data"):
            decode(data)
    else:
        assert decode(data)[1] == "cp1252"


def test_control_characters_are_counted_in_the_first_four_kilobytes():
    window = b"\x01" * 204 + b"\xe9" + b"a" * 3891
    assert len(window) == 4096
    assert decode(window + b"\x01" * 2000)[1] == "cp1252"


def test_controls_after_four_kilobytes_do_not_matter():
    assert decode(b"\xe9" + b"a" * 4095 + b"\x01" * 4096)[1] == "cp1252"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_a_broken_character_leaves_a_page_utf_16(codec):
    data = page("words " * 20).encode(codec) + b"\xd8\xd8"
    text, found = decode(data)
    assert found == codec
    assert text.startswith("<html>")


def test_the_warning_names_what_was_declared_and_what_was_read():
    with pytest.warns(DecodeWarning, match="declared as koi8-r, but its bytes are not; read as utf-8"):
        decode(page(POLISH, "<meta charset=koi8-r>").encode())
    with pytest.warns(DecodeWarning, match="marked as UTF-8, but some of its bytes are not"):
        decode(b"\xef\xbb\xbfa\xffb")
    with pytest.warns(DecodeWarning, match="UTF-8, but 1 of its characters could not be decoded"):
        decode((POLISH * 3).encode() + b"\xff")


@pytest.mark.parametrize(("before", "warned"), [(1000, True), (1024, False)])
def test_a_lie_about_utf_8_after_the_first_kilobyte_does_no_harm(before, warned):
    data = b"<!--" + b"x" * (before - 7) + b"-->" + b"<meta charset=koi8-r>" + POLISH.encode()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert decode(data)[1] == "utf-8"
    assert bool(caught) == warned


@pytest.mark.parametrize(("before", "warned"), [(1004, True), (1005, False)])
def test_a_declaration_is_warned_of_up_to_the_first_kilobyte(before, warned):
    data = b" " * before + b"<meta charset=koi8-r>" + POLISH.encode()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        decode(data)
    assert bool(caught) == warned


def test_the_detector_can_be_loaded_in_advance():
    program = "from stupidos.decode import *; load_detector(); import sys; print('chardet' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "True"


@pytest.mark.parametrize(("length", "wide"), [(80, True), (81, False)])
def test_one_nul_in_eighty_bytes_makes_bytes_that_are_not_utf_8_wide(length, wide):
    data = b"\0" + b"\xf3" + b"a" * (length - 2)
    assert decode(data)[1].startswith("utf-16") == wide


@pytest.mark.parametrize(("letters", "wide"), [(18, True), (17, False)])
def test_two_broken_characters_in_twenty_leave_a_text_utf_16(letters, wide):
    data = "x".encode("utf-16-le") * letters + b"\x01\xdc" * 2
    if wide:
        assert decode(data)[1] == "utf-16-le"
    else:
        with pytest.raises(DecodeError, match="binary data"):
            decode(data)


@pytest.mark.parametrize(("controls", "binary"), [(204, False), (205, True)])
def test_control_characters_of_exactly_four_kilobytes_count(controls, binary):
    data = b"\xff" + b"\x01" * controls + b"a" * (4095 - controls) + b"\x01" * 9
    if binary:
        with pytest.raises(DecodeError, match="binary data"):
            decode(data)
    else:
        assert decode(data)[1] == "cp1252"
