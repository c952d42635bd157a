"""Reader comments, found by what their elements are called."""

import re
from dataclasses import replace

import numpy as np
import pytest

from stupidos.pipeline import Cleaner, Options
from stupidos.render import read
from stupidos.score.comments import _COMMENTS, decided, without_minor_comments

PAGE = """<div class=post><p>The lighthouse was painted again this summer, white and red.</div>
<div id="comments"><h3>2 comments</h3><ol><li class=reply>What a lovely red it is, we went.</li></ol></div>"""


@pytest.mark.parametrize(
    "attributes",
    ['class="comments"', "id=comments", 'class="post-comments list"', "class='comment-list'",
     'id="disqus_thread"',
     'class="comment depth-2"', 'class="commentlist"', 'id="comment-body"'],
)  # fmt: skip
def test_comment_sections_are_known_by_name(attributes):
    assert re.search(_COMMENTS, " " + attributes)


@pytest.mark.parametrize(
    "attributes", ['class="commentary"', "id=content", 'class="uncommented"', 'href="#comments"']
)
def test_other_elements_are_not(attributes):
    assert not re.search(_COMMENTS, " " + attributes)


STATES = (
    "no-comments has-comments with-comments comments-open comments_open comments-closed comments-off "
    "comment-status-open"
).split()


@pytest.mark.parametrize("state", STATES)
def test_a_state_of_a_page_is_not_a_comment_section(state):
    assert not re.search(_COMMENTS, f' class="post {state} hentry"')
    assert re.search(_COMMENTS, f' class="{state} comments-area"')


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("wrapper", ["body", "article", "main", "div"])
@pytest.mark.parametrize("comments", ["auto", "keep", "drop"])
def test_a_wrapper_named_after_the_state_of_its_comments_is_kept(wrapper, state, comments):
    page = f'<{wrapper} class="single {state}">{PAGE}</{wrapper}>'
    text = Cleaner.load("keep-all", Options(comments=comments)).clean(page)
    assert "lighthouse" in text
    assert ("lovely red" in text) is (comments != "drop")


@pytest.mark.parametrize("wrapper", ["body", "main"])
def test_the_body_of_a_page_is_not_a_comment_section_whatever_its_name(wrapper):
    page = read(f'<{wrapper} class="comments comment-list">{PAGE}</{wrapper}>', "html")
    assert np.sign(decided(page, np.zeros(3), keep=False)).tolist() == [0, -1, -1]


@pytest.mark.parametrize(("keep", "expected"), [(True, [0, 0, 1]), (False, [0, -1, -1])])
def test_scores_of_comments_move_beyond_doubt(keep, expected):
    page = read(PAGE, "html")
    assert np.sign(decided(page, np.zeros(3), keep)).tolist() == expected


@pytest.mark.parametrize(("comments", "there"), [("keep", True), ("drop", False)])
def test_the_option_decides_over_comments(comments, there):
    text = Cleaner.load("keep-all", Options(comments=comments)).clean(PAGE)
    assert ("lovely red" in text) is there
    assert "lighthouse" in text


def test_a_page_of_many_nested_elements_is_looked_at_once():
    page = read("<div class=a>" * 3000 + "deep" + "<p>x" * 50, "html")
    assert not decided(page, np.zeros(len(page.segments)), keep=True).any()


POSTS = (
    "The kiln must cool for a whole night before anybody opens it, or the glaze will crack.",
    "We once opened ours after six hours and lost every single bowl on the upper shelf.",
    "Is there a way to tell from outside, without opening the door even by a finger?",
)
THREADS = {  # the page and a post of it
    "bbPress": (
        """<body class="topic bbpress single single-topic comments-open"><h1 class="entry-title">Kilns</h1>
        <div id="bbpress-forums"><ul id="topic-5-replies" class="forums bbp-replies"><li class="bbp-body">{}
        </ul></div>""",
        """<div class="reply type-reply"><div class="bbp-reply-content"><p>{}</p></div></div>""",
    ),
    "phpBB": (
        """<body id="phpbb" class="section-viewtopic"><h2 class="topic-title">Kilns</h2>{}""",
        """<div class="post has-profile"><div class="postbody"><div class="content">{}</div></div></div>""",
    ),
    "XenForo": (
        """<body data-template="thread_view"><h1 class="p-title-value">Kilns</h1>
        <div class="block-body js-replyNewMessageContainer">{}</div>""",
        """<article class="message message--post js-post"><article class="message-body js-selectToQuote">
        <div class="bbWrapper">{}</div></article></article>""",
    ),
    "Discourse": (
        """<body class="crawler"><div id="main-outlet" class="wrap"><h1>Kilns</h1>{}</div>""",
        """<div itemprop="comment" class="topic-body crawler-post"><div class="post"><p>{}</p></div></div>""",
    ),
    "vBulletin": (
        """<body class="vbulletin-thread"><div id="pagetitle"><h1>Kilns</h1></div>
        <div id="postlist" class="postlist restrain"><ol id="posts" class="posts">{}</ol></div>""",
        """<li class="postbitlegacy postbitim postcontainer old"><div class="postbody">
        <blockquote class="postcontent restore">{}</blockquote></div></li>""",
    ),
    "links": (
        """<body><center><table class="fatitem"><tr><td class="title">Kilns</table>
        <table class="comment-tree">{}</table></center>""",
        """<tr class="athing comtr"><td class="default"><div class="comment"><div class="commtext">{}</div>
        <div class="reply"><a>reply</a></div></div></td></tr>""",
    ),
}


@pytest.mark.parametrize("software", THREADS)
@pytest.mark.parametrize("comments", ["auto", "keep", "drop"])
def test_the_posts_of_a_thread_are_not_blog_comments(software, comments):
    thread, post = THREADS[software]
    rules = "" if software == "links" else "<p>Be kind, stay on the topic and search before you ask.</p>" * 9
    page = "<html>" + thread.format("".join(map(post.format, POSTS))) + rules
    text = Cleaner.load("keep-all", Options(comments=comments)).clean(page)
    assert [post for post in POSTS if post not in text] == []


def test_the_comments_below_an_article_are_dropped_however_many_they_are():
    article = "<p>" + "The kiln was lit at noon and nobody slept until the cones had bent. " * 5
    comments = "".join(f"<li class=comment><p>{post}" for post in POSTS * 20)
    page = f"<main class=has-comments>{article}<ol class=comment-list>{comments}</ol></main>"
    text = Cleaner.load("keep-all", Options(comments="drop")).clean(page)
    assert "nobody slept" in text
    assert not [post for post in POSTS if post in text]


def blog(sentences: int) -> str:
    """An article of so many sentences with four sentences of comments."""
    return f"""<article><h1>Tides</h1><p>{"The sea came in. " * sentences}</article>
        <div class=comments-area><p>{"Yes, it did so. " * 4}</div>"""


@pytest.mark.parametrize(("sentences", "comments_stay"), [(9, False), (2, True)])
def test_by_default_comments_go_where_most_text_is_outside(sentences, comments_stay):
    page = read(blog(sentences), "html")
    scores = without_minor_comments(page, np.ones(3))
    assert (scores > 0).tolist() == [True, True, comments_stay]


ADDRESSES = (
    "https://lemmy.example/post/21018364",
    "https://example.org/discussion/39620/tides-again",
    "https://forums.example.org/tides/1234-how-high",
    "https://example.org/r/tides/comments/nsx1/how_high/",
    "//example.org/questions/77/how-high",
    "https://example.org/t/how-high/1234",
)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("tag", ['<link rel="canonical" href="{}">', '<meta property="og:url" content="{}">'])
def test_the_replies_of_a_thread_stay_however_long_its_first_post_is(address, tag):
    page = read(tag.format(address) + blog(9), "html")
    assert (without_minor_comments(page, np.ones(3)) > 0).all()


@pytest.mark.parametrize("body", ['class="single-page comments-page"', "class='question-page unified'"])
def test_the_body_says_that_a_page_is_a_thread(body):
    page = read(f"<body {body}>" + blog(9), "html")
    assert (without_minor_comments(page, np.ones(3)) > 0).all()


NO_THREADS = (
    "https://example.org/news/topics/tides",
    "https://example.org/post/21018364/tides",
    "https://example.org/2024/forum-of-the-sea/",
    "https://example.org/comments/policy",
    "https://example.org/questions/",
    "https://example.org/about?from=https://forums.example.org/",
)


@pytest.mark.parametrize("address", NO_THREADS)
def test_other_addresses_do_not(address):
    page = read(f'<link href="{address}" rel="canonical">' + blog(9), "html")
    assert (without_minor_comments(page, np.ones(3)) > 0).tolist() == [True, True, False]


def test_a_link_to_a_thread_does_not_make_one():
    links = '<link rel="next" href="//forums.example.org/"><meta name="x" content="//forum.example.org/">'
    page = read(links + blog(9), "html")
    assert not (without_minor_comments(page, np.ones(3)) > 0).all()


CHAPTERS = (
    '<section id="lines">{}<section id="comments">{}</section></section>',
    '<div class="section" id="lines">{}<div class="section" id="comments">{}</div></div>',
    '<section id="lines">{}<section id="blanks-and-comments">{}</section></section>',
)


@pytest.mark.parametrize("chapters", CHAPTERS)
@pytest.mark.parametrize("keep", [False, None])
def test_a_chapter_about_comments_in_a_manual_is_not_a_comment_section(chapters, keep):
    page = read(chapters.format(f"<p>{POSTS[0] * 9}", f"<p>{POSTS[1]}"), "html")
    scores = np.ones(2)
    scores = without_minor_comments(page, scores) if keep is None else decided(page, scores, keep)
    assert (scores > 0).all()


def test_a_section_of_comments_in_an_article_is_one():
    page = read(f"<article id=a><p>{POSTS[0] * 9}<section id=comments><p>{POSTS[1]}", "html")
    assert (without_minor_comments(page, np.ones(2)) > 0).tolist() == [True, False]


def test_text_that_the_model_drops_does_not_outweigh_comments():
    page = read(blog(9), "html")
    scores = np.array([1.0, -1.0, 1.0])
    assert (without_minor_comments(page, scores) == scores).all()


def test_the_default_model_drops_named_comments_below_an_article_and_others_leave_them():
    page = blog(40)
    assert "it did so" not in Cleaner.load("web").clean(page)
    assert "it did so" in Cleaner.load("keep-all").clean(page)


def test_the_convention_of_discussions_keeps_named_comments():
    page = blog(40)
    options = Options(convention="discussion")
    assert "it did so" in Cleaner.load("web", options).clean(page)
    assert "it did so" not in Cleaner.load("web", replace(options, comments="drop")).clean(page)


def test_the_convention_of_articles_drops_named_comments_however_long_they_are():
    page = blog(40) + f"<div class=comments-area><p>{'Yes, it did so, and I was there. ' * 90}</div>"
    assert "it did so" in Cleaner.load("web").clean(page)
    options = Options(convention="article")
    text = Cleaner.load("web", options).clean(page)
    assert "The sea came in" in text
    assert "it did so" not in text
    assert "it did so" in Cleaner.load("web", replace(options, comments="keep")).clean(page)
