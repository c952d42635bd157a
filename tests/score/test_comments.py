"""Reader comments, found by what their elements are called."""

import numpy as np
import pytest

from stupidos.pipeline import Cleaner, Options
from stupidos.render import read
from stupidos.score.comments import _COMMENTS, moved

PAGE = """<div class=post><p>The lighthouse was painted again this summer, white and red.</div>
<div id="comments"><h3>2 comments</h3><ol><li class=reply>What a lovely red it is, we went.</li></ol></div>"""


@pytest.mark.parametrize(
    "attributes",
    ['class="comments"', "id=comments", 'class="post-comments list"', "class='comment-list'",
     'id="disqus_thread"',
     'class="comment depth-2"', 'class="commentlist"', 'id="comment-body"'],
)  # fmt: skip
def test_comment_sections_are_known_by_name(attributes):
    assert _COMMENTS.search(" " + attributes)


@pytest.mark.parametrize(
    "attributes", ['class="commentary"', "id=content", 'class="uncommented"', 'href="#comments"']
)
def test_other_elements_are_not(attributes):
    assert not _COMMENTS.search(" " + attributes)


@pytest.mark.parametrize(("keep", "expected"), [(True, [0, 0, 1]), (False, [0, -1, -1])])
def test_scores_of_comments_move_beyond_doubt(keep, expected):
    page = read(PAGE, "html")
    assert np.sign(moved(page, np.zeros(3), keep)).tolist() == expected


@pytest.mark.parametrize(("comments", "there"), [("keep", True), ("drop", False)])
def test_the_option_decides_over_comments(comments, there):
    text = Cleaner.load("keep-all", Options(comments=comments)).clean(PAGE)
    assert ("lovely red" in text) is there
    assert "lighthouse" in text


def test_a_page_of_many_nested_elements_is_looked_at_once():
    page = read("<div class=a>" * 3000 + "deep" + "<p>x" * 50, "html")
    assert not moved(page, np.zeros(len(page.segments)), keep=True).any()
