"""Images that are no part of the text: of buttons, of those who write, of what stands beside it; smileys."""

from __future__ import annotations

import pytest

from stupidos.render import read
from stupidos.structure import tree_of
from stupidos.write.markdown import markdown


def written(html: str) -> str:
    page = read(html, "html")
    return markdown(tree_of(page, [1] * len(page.segments), "https://example.org/a"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "image",
    [
        '<img src="/copy.svg" title="Copy pods/tea.yaml to clipboard">',
        '<img src="/copy.svg" alt="copy to clipboard">',
        '<img src="/data/avatars/m/1/12.jpg" alt="Jane">',
        '<img src="https://secure.gravatar.com/avatar/0bc83cb571cd1c50?s=48">',
        '<img src="/user_avatar/forum.example.org/jane/48/1.png">',
        '<img src="/t33/profile/photo-653890.png" alt="Jane">',
        '<img class="img avatar-48" src="/jane.jpg">',
        '<img src="/lazy-load/images/1x1.trans.gif">',
        '<img src="/assets/empty.png">',
    ],
)
def test_images_of_buttons_and_writers_are_left_out(image: str) -> None:
    assert written(f"<p>Hot {image} tea.</p>{image}<p>Cold.</p>") == "Hot tea.\n\nCold.\n"


@pytest.mark.parametrize("source", ["/wiki/avatar/aang.jpg", "/avatar.jpg", "/empty-cups.png", "/copy.png"])
def test_images_with_such_names_are_kept(source: str) -> None:
    assert f"![cup](https://example.org{source})" in written(f"<p>Hot <img src={source} alt=cup> tea.</p>")


@pytest.mark.parametrize(
    ("image", "text"),
    [
        ('<img class="smilie" src="/s.png" alt=":)" title="Smile">', ":)"),
        ('<img class="wp-smiley" src="/s.png" alt="🙂">', "🙂"),
        ('<img class="emoji" src="/t.svg" alt="🎉">', "🎉"),
        ('<img class="emoji" src="/t.svg" alt=":tea:">', "![:tea:](https://example.org/t.svg)"),
    ],
)
def test_a_smiley_is_what_it_stands_for(image: str, text: str) -> None:
    assert written(f"<p>Hot tea {image}</p>") == f"Hot tea {text}\n"


def test_a_picture_of_emoji_is_an_image() -> None:
    image = '<img class="emoji-chart" src="/e.png" alt="All the emoji of the last year, counted">'
    assert written(f"<p>Look: {image}</p>").startswith("Look: ![All the emoji")


def test_images_in_an_aside_above_the_text_are_left_out() -> None:
    banner = "<aside><div><a href=https://shop.example><img src=/banner.gif></a></div></aside>"
    lead = "<div><img src=/lead.jpg></div>"
    page = read(f"<p>Menu</p><main><div>{banner}</div>{lead}<h1>Tea</h1><p>Hot.</p></main>", "html")
    tree = tree_of(page, [0, 1, 1], "https://example.org/a")
    assert markdown(tree) == "![](https://example.org/lead.jpg)\n\n# Tea\n\nHot.\n"  # type: ignore[arg-type]


LAZY = '<img src="data:image/gif;base64,R0lGODlhAQABAA" data-src="/cup.jpg" alt="Cup">'
PLAIN = '<img src="/cup.jpg" alt="Cup">'
CUP = "![Cup](https://example.org/cup.jpg)"


@pytest.mark.parametrize(
    "images",
    [
        f"<div>{LAZY}<noscript>{PLAIN}</noscript></div>",
        f"<div><noscript>{PLAIN}</noscript>{LAZY}</div>",
        f"<div><picture><source srcset='/cup.jpg'>{LAZY}</picture>"
        "<noscript><img src=/c.jpg alt=Cup></noscript></div>",
    ],
)
def test_an_image_for_browsers_without_scripts_is_shown_once(images: str) -> None:
    assert written(f"<p>Hot.</p>{images}<p>Cold.</p>") == f"Hot.\n\n{CUP}\n\nCold.\n"


def test_images_that_follow_each_other_are_all_shown() -> None:
    other = "<noscript><img src=/pot.jpg alt=Pot></noscript>"
    assert written(f"<p>Hot.</p><div>{PLAIN}{PLAIN}{other}</div><p>Cold.</p>").count("![") == 3


@pytest.mark.parametrize("inside", ["", f"<noscript>{PLAIN}</noscript>"])
def test_images_of_amp_pages(inside: str) -> None:
    image = f'<amp-img src="/cup.jpg" alt="Cup" width=600 height=400 layout=responsive>{inside}</amp-img>'
    assert written(f"<p>Hot.</p>{image}<p>Cold.</p>") == f"Hot.\n\n{CUP}\n\nCold.\n"
    assert written(f"<ul><li>Hot {image}<li>tea.</ul>") == f"- Hot {CUP}\n- tea.\n"
