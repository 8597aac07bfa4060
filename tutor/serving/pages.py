"""The two pages: who are you, and the terminal; in both languages at once, for nobody is known yet.

Every text from outside goes through `html.escape`. A page may load what lies beside it and talk to its own server, and
may not be shown inside another page.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from pathlib import Path
from string import Template
from urllib.parse import quote

import textual_serve
from aiohttp import web

from content.lang import LANGS, Lang
from content.words import say
from tutor.serving.limits import MESSAGE
from tutor.serving.names import LONGEST, Learner

WEB = Path(__file__).with_name("web")
_THEIRS = Path(str(textual_serve.__file__)).parent / "static"
FILES: Mapping[str, tuple[Path, str]] = {
    "textual.js": (_THEIRS / "js" / "textual.js", "text/javascript"),
    "xterm.css": (_THEIRS / "css" / "xterm.css", "text/css"),
    "mono.ttf": (_THEIRS / "fonts" / "RobotoMono-VariableFont_wght.ttf", "font/ttf"),
    "page.js": (WEB / "page.js", "text/javascript"),
    "page.css": (WEB / "page.css", "text/css"),
}
"""All files that are served, by name: no path of a request is ever looked up on the disk."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' "
        "data:; connect-src 'self' ws: wss:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Server": "llm-tutor",
}
ENDS = ("ended", "full", "idle", "leaving", "too_much", "no_room", "no_start", "lost")
"""Why a session is over, as `page.js` tells them apart; their words are `serve.end.<name>`."""


class Pages:
    """Pages with the languages in the order of who serves."""

    def __init__(self, first: Lang, idle: float) -> None:
        self._langs = (first, *(lang for lang in LANGS if lang != first))
        self._idle = f"{idle / 60:g}"
        self._enter = Template((WEB / "enter.html").read_text("utf-8"))
        self._learn = Template((WEB / "learn.html").read_text("utf-8"))

    def both(self, key: str, **params: object) -> str:
        """A sentence in both languages, as HTML."""
        return "".join(f'<span lang="{lang}">{html.escape(say(key, lang, **params))}</span>' for lang in self._langs)

    def enter(self, status: int = 200, why: str = "", typed: str = "") -> web.Response:
        """Who are you? With what was wrong with the name that was typed."""
        trouble = f'<p class="trouble" role="alert">{self.both(f"serve.name.{why}", most=LONGEST)}</p>' if why else ""
        page = self._enter.substitute(
            lang=self._langs[0],
            about=self.both("serve.page.about"),
            name=self.both("serve.page.name"),
            own=self.both("serve.page.own"),
            open=self.both("serve.page.open"),
            trouble=trouble,
            typed=html.escape(typed[: 4 * LONGEST], quote=True),
            most=LONGEST,
        )
        return _page(page, status)

    def learn(self, who: Learner) -> web.Response:
        """The terminal of one learner."""
        ends = "".join(
            f'<p data-end="{name}" hidden>{self.both(f"serve.end.{name}", minutes=self._idle, kib=MESSAGE // 1024)}</p>'
            for name in ENDS
        )
        page = self._learn.substitute(
            lang=self._langs[0],
            name=html.escape(who.name, quote=True),
            socket=html.escape(f"/ws/{quote(who.name, safe='')}", quote=True),
            starting=self.both("serve.page.starting", name=who.name),
            ends=ends,
            again=self.both("serve.page.again"),
            other=self.both("serve.page.other"),
        )
        return _page(page)

    def plain(self, key: str, status: int) -> web.Response:
        """A sentence in both languages, for who cannot be shown a page."""
        lines = "".join(f"{say(key, lang)}\n" for lang in self._langs)
        return web.Response(text=lines, status=status)


def _page(text: str, status: int = 200) -> web.Response:
    return web.Response(text=text, status=status, content_type="text/html")
