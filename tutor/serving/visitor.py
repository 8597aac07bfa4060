"""A connection whose requests cannot be read: it is answered as every other one is, and the terminal stays silent.

aiohttp's own answer names its version and Python's and repeats the parser's words, and it writes a traceback for each
such request: whoever reaches the port could fill the terminal.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from aiohttp import HttpVersion11, web

from tutor.serving.pages import HEADERS

Plain = Callable[[str, int], web.Response]
"""Makes an answer of a sentence's key and a status."""


class Visitor(web.RequestHandler):  # type: ignore[type-arg,unused-ignore]
    """One connection."""

    __slots__ = ("_plain",)

    def __init__(self, server: web.Server, plain: Plain, **options: Any) -> None:
        super().__init__(server, **options)
        self._plain = plain

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """The answer to what could not be read (400), or where a handler failed, which alone is logged; the connection
        is closed after it. Raises ``ConnectionError`` where a part of another answer has gone out.
        """
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            self.log_exception("A request failed", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError
        answer = self._plain("serve.refused.failed" if status >= 500 else "serve.refused.unread", status)
        answer.headers.update(HEADERS)
        answer.force_close()
        return answer


def in_our_version(server: web.Server) -> None:
    """What could not be read is answered in HTTP/1.1, as the rest is, and not in the HTTP/1.0 of aiohttp's stand-in for
    such a request, which has a method that no client sends.
    """
    make = server.request_factory

    def made(message: Any, *rest: Any) -> web.BaseRequest:
        return make(message._replace(version=HttpVersion11) if message.method == _UNKNOWN else message, *rest)

    server.request_factory = made


_UNKNOWN = "UNKNOWN"
