"""Pages that try to run a script in the browser of whoever reads what is left of them."""

from __future__ import annotations

import warnings
from html import escape
from random import Random
from typing import TYPE_CHECKING

import pytest

from stupidos.write import Style, written

if TYPE_CHECKING:
    from stupidos.pipeline import Cleaner

# `run(N)` is what must not happen; /evil is what must not be fetched, except for /evil/image
MARKUP = (
    "<script>run(N)</script>",
    "<scr<script>ipt>run(N)</scr</script>ipt>",
    "<SCRIPT SRC=/evil/script></SCRIPT>",
    "<img src=/evil/image onerror=run(N)>",
    '<img src="/evil/image" onerror="run(N)" alt="x">',
    "<img/src=/evil/image/onerror=run(N)>",
    "<img src='/evil/image'onerror='run(N)'>",
    '<img src="x` `<script>run(N)</script>"` `>',
    '<img """><script>run(N)</script>">',
    "<img alt='><script>run(N)</script>' src=/evil/image>",
    '<img title="x" x="`><img src=x onerror=run(N)>" src="/evil/image">',
    "<svg onload=run(N)>",
    "<svg><script>run(N)</script></svg>",
    "<svg><animate onbegin=run(N) attributeName=x></svg>",
    "<svg><style><img src=x onerror=run(N)></style></svg>",
    "<svg><a xlink:href='javascript:run(N)'><text>tea</text></a></svg>",
    "<svg></p><style><a id='</style><img src=x onerror=run(N)>'>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=run(N)&gt;'>",
    "<math><mi//xlink:href='data:x,<script>run(N)</script>'>",
    "<math><annotation-xml encoding='text/html'><img src=x onerror=run(N)></annotation-xml></math>",
    "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x</math><img src=x onerror=run(N)>"
    "</annotation></semantics></math>",
    "<script type='math/tex'>x</span><img src=x onerror=run(N)></script>",
    "<span class='math'>\\(x</span><img src=x onerror=run(N)>\\)</span>",
    "<img class='latex' alt='\\frac{1}{2}&quot;&gt;&lt;img src=x onerror=run(N)&gt;' src='/evil/image'>",
    "<style>@import '/evil/style'; p { background: url(/evil/css) }</style>",
    "<p style='background: url(/evil/css); behavior: url(/evil/css)'>tea</p>",
    "<link rel=stylesheet href=/evil/style>",
    "<meta http-equiv=refresh content='0; url=/evil/refresh'>",
    "<base href='javascript:/run(N)//'>",
    "<iframe src='javascript:parent.run(N)'></iframe>",
    "<iframe srcdoc='<script>parent.run(N)</script>'></iframe>",
    "<iframe src=/evil/frame></iframe>",
    "<object data='/evil/object'></object><embed src='/evil/embed'>",
    "<form action='javascript:run(N)'><input autofocus onfocus=run(N)>"
    "<button formaction='javascript:run(N)'>tea",
    "<details open ontoggle=run(N)><summary>tea</summary>tea</details>",
    "<video autoplay onerror=run(N)><source src=/evil/video onerror=run(N)></video>"
    "<audio src=/evil/x onerror=run(N)>",
    "<body onload=run(N)>",
    "<marquee onstart=run(N)>tea</marquee>",
    "<template><img src=x onerror=run(N)></template>",
    "<noscript><p title='</noscript><img src=x onerror=run(N)>'></noscript>",
    "<xmp><img src=x onerror=run(N)></xmp><plaintext><img src=x onerror=run(N)>",
    "<textarea></textarea><img src=x onerror=run(N)></textarea>",
    "<title></title><img src=x onerror=run(N)></title>",
    "<!--><img src=x onerror=run(N)>-->",
    "<!-- --!><img src=x onerror=run(N)>-->",
    "<![CDATA[><img src=x onerror=run(N)>]]>",
    "<?xml ?><img src=x onerror=run(N)>?>",
    "<div id=x tabindex=1 onfocus=run(N) onmouseover=run(N) onanimationstart=run(N)>tea</div>",
    "<p onclick=run(N) class='\"><img src=x onerror=run(N)>'>tea</p>",
    "<table background='javascript:run(N)'><tr><td background=/evil/css><ul><li>a</ul></td></tr></table>",
    "<table><tr><th>a<th>b<tr><td><pre>&lt;img src=x onerror=run(N)&gt;</pre>"
    "<td>&lt;/td&gt;&lt;script&gt;run(N)&lt;/script&gt;</table>",
    "<pre><code class='language-x&quot;onclick=run(N) language-&lt;script&gt;run(N)&lt;/script&gt;'>tea\n"
    "&lt;script&gt;run(N)&lt;/script&gt;</code></pre>",
    "<pre>```\n&lt;script&gt;run(N)&lt;/script&gt;\n~~~~\n&lt;img src=x onerror=run(N)&gt;</pre>",
    "<code>`&lt;img src=x onerror=run(N)&gt;`` ```</code>",
    "<ol start='7\" onclick=\"run(N)'><li value='9 onclick=run(N)'>tea</ol>",
    "<div class='admonition warning\" onclick=\"run(N)'>"
    "<p class='admonition-title'>&lt;img src=x onerror=run(N)&gt;</p><p>tea</p></div>",
    "<blockquote data-callout='x\" onclick=\"run(N)'><p>tea</p></blockquote>",
    "<p>tea<sup id='r1'><a href='#f1'>1\"&gt;&lt;img src=x onerror=run(N)&gt;</a></sup></p>"
    "<div class='footnotes'><ol><li id='f1'>&lt;img src=x onerror=run(N)&gt;"
    "<a href='#r1'>^</a></li></ol></div>",
    "<p>tea<sup id='fnref:x&quot;onclick=run(N)'><a href='#fn:x&quot;onclick=run(N)'>x</a></sup></p>"
    "<section class='footnotes'><ol><li id='fn:x&quot;onclick=run(N)'><p>tea</p></li></ol></section>",
    "<picture><source srcset='javascript:run(N)'>"
    "<img src='javascript:run(N)' srcset='javascript:run(N) 2x'></picture>",
    '<img src=\'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="run(N)"/>\'>',
    "<img src='data:text/html,<script>run(N)</script>' data-src='javascript:run(N)' alt='tea'>",
    "<ruby>a<rt><img src=x onerror=run(N)></rt></ruby>",
)
TARGETS = (
    "javascript:run(N)",
    "JaVaScRiPt:run(N)",
    " \t\njavascript:run(N)",
    "java\tscript:run(N)",
    "java\nscript:run(N)",
    "java\r\nscript:run(N)",
    "java&#9;script:run(N)",
    "java&Tab;script&colon;run(N)",
    "&#106;avascript:run(N)",
    "&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;run(N)",
    "&#1;javascript:run(N)",
    "&#0;javascript:run(N)",
    "java\0script:run(N)",
    "\x01\x02javascript:run(N)",
    "\u00a0javascript:run(N)",
    "\u2028javascript:run(N)",
    "\ufeffjavascript:run(N)",
    "javascript&colon;run(N)",
    "javascript\n:run(N)",
    "javascript://%0Arun(N)",
    "javascript:/*--></title></style></textarea></script><svg/onload=run(N)>",
    "vbscript:run(N)",
    "livescript:run(N)",
    "data:text/html,<script>run(N)</script>",
    "data:text/html;base64,PHNjcmlwdD5ydW4oMSk8L3NjcmlwdD4=",
    "data:,run(N)",
    "view-source:javascript:run(N)",
    "feed:javascript:run(N)",
    'x" onclick="run(N)" x="',
    "x' onclick='run(N)",
    "x onclick=run(N)",
    "x><img src=x onerror=run(N)>",
    "x)<img src=x onerror=run(N)>",
    'x "title") [tea](javascript:run(N)',
    "<javascript:run(N)>",
    "\\javascript:run(N)",
    "//javascript:run(N)",
    "x\n\n<img src=x onerror=run(N)>",
)
LINKS = (
    '<a href="{}">tea for two</a>',
    "<a href='{}'>tea for two</a>",
    "<a href={}>tea for two</a>",
    '<a href="{}" title="&quot; onclick=&quot;run(N)">tea</a>',
    '<a title="{}" href=x>tea</a>',
    '<img src="{}" alt="tea">',
    '<img src="/evil/image" alt="{}" title="{}">',
    '<img data-src="{}" src="/evil/image">',
    '<a href="x"><img src="{}" alt="]({})"></a>',
    '<figure><img src="/evil/image"><figcaption><a href="{}">tea</a></figcaption></figure>',
    '<base href="{}"><a href="run(N)">tea</a>',
)
TEXTS = (  # shown as text by the page
    "<script>run(N)</script>",
    "<img src=x onerror=run(N)>",
    "[tea](javascript:run(N))",
    '[tea](JAVASCRIPT:run(N) "x")',
    "[tea](<javascript:run(N)>)",
    '![tea](x"onerror="run(N))',
    "![tea](javascript:run(N))",
    "<javascript:run(N)>",
    '<http://x"onclick=run(N)>',
    "[tea]: javascript:run(N)\n\n[tea]",
    "[x]\n\n[x]: <javascript:run(N)> 'x'",
    "](javascript:run(N))",
    '[a](b "c"onclick=run(N))',
    "```\n<script>run(N)</script>\n```",
    "    <script>run(N)</script>",
    "`<img src=x onerror=run(N)>",
    "\\<img src=x onerror=run(N)>",
    "\\\\<img src=x onerror=run(N)>",
    "&lt;img src=x onerror=run(N)&gt;",
    "<<img src=x onerror=run(N)>",
    "<!-- --><img src=x onerror=run(N)>",
    "<details open\nontoggle=run(N)>",
    "| a |\n| --- |\n| <img src=x onerror=run(N)> |",
    "> <img src=x onerror=run(N)>",
    "- <img src=x onerror=run(N)>",
    "# <img src=x onerror=run(N)>",
    "$<img src=x onerror=run(N)>$",
    "[^1]: <img src=x onerror=run(N)>",
    "<a href='javascript:run(N)'>tea</a>",
    "</article></body><img src=x onerror=run(N)>",
    "</title><img src=x onerror=run(N)>",
    "</code></pre><img src=x onerror=run(N)>",
)
CONTEXTS = (
    "<p>{}</p>",
    "<p>tea {} tea</p>",
    "<h2>{}</h2>",
    "<ul><li>{}</ul>",
    "<ol><li><p>{}</p></ol>",
    "<pre>{}</pre>",
    "<blockquote>{}</blockquote>",
    "<table><tr><th>a<th>b<tr><td>{}<td>c</table>",
    "<p><b>{}</b></p>",
    "<p><code>{}</code></p>",
    "<dl><dt>{}<dd>{}</dl>",
    "<figure><img src=/evil/image><figcaption>{}</figcaption></figure>",
    "<table><tr><td><ul><li>{}</ul><td><pre>{}</pre></table>",
    "<p><a href=x>{}</a></p>",
    "<title>{}</title><p>tea</p>",
    "<details><summary>{}</summary></details>",
    "<div class=note>{}</div>",
    "{}",
)
FILLING = "<p>Tea is drunk by many people all over the world every day, and it is hot.</p>"


def hostile_page(seed: int) -> str:
    """A page with a few attacks, each calling run(seed); always the same for a seed."""
    random = Random(seed)
    parts = [attack(random) for _ in range(random.randint(1, 4))]
    body = FILLING.join(["", *parts, ""]).replace("N", str(seed))
    language = random.choice(('"en"', "'en\" onclick=\"run(N)'", "en")).replace("N", str(seed))
    return f"<html lang={language}><body><main><h1>All about tea</h1>{body}</main>"


def cleaned(cleaner: Cleaner, page: str, style: Style) -> str:
    """What is left of a page."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return written(cleaner.extract(page), style)


def rendered(text: str) -> str:
    """Markdown as a careless reader shows it: with the HTML inside it."""
    markdown_it = pytest.importorskip("markdown_it")
    parser = markdown_it.MarkdownIt("commonmark", {"html": True})
    return str(parser.enable(["table", "strikethrough"]).render(text))


def attack(random: Random) -> str:
    kind = random.randint(0, 3)
    if kind == 0:
        inner = changed(random, random.choice(MARKUP))
    elif kind == 1:
        inner = random.choice(LINKS).replace("{}", random.choice(TARGETS))
    elif kind == 2:
        inner = escape(random.choice(TEXTS), quote=random.random() < 0.5)
    else:
        inner = escape(escape(random.choice(TEXTS)))
    context = random.choice(CONTEXTS) if kind else random.choice((*CONTEXTS, "{}", "{}"))
    return context.replace("{}", inner)


def changed(random: Random, markup: str) -> str:
    """Markup with small damage that browsers forgive."""
    how = random.randint(0, 6)
    at = random.randrange(len(markup))
    if how == 0:
        return markup.replace("<", "<" + random.choice(("\0", "/", " ", "<")), 1)
    if how == 1:
        return "".join(
            one.upper() if one not in "N" and random.random() < 0.3 else one for one in markup
        ).replace("RUN", "run")
    if how == 2:
        return markup.replace(" ", random.choice(("\t", "\n", "\f", "/", "  ", " x=' ")), 1)
    if how == 3:
        return markup[:at] + random.choice(("\0", "\n", '"', "'", "<", ">", "&")) + markup[at:]
    if how == 4:
        return markup.rstrip(">")
    return markup
