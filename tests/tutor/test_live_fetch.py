"""Fetching a server's metrics: addresses, limits, and one sentence for whatever goes wrong, against a real socket."""

from __future__ import annotations

import socket
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.lang import LANGS
from tests.tutor import stub_server as stub
from tests.tutor.stub_server import FIRST, Reply, Stub, metrics, serving
from tutor.commands.context import Refusal
from tutor.live import address, page
from tutor.live.fetch import Fetcher, Limits, Trouble

QUICK = Limits(connect=2.0, read=0.4, whole=0.8, size=2**20)
PAGE = metrics(FIRST)


def fetch(server: Stub, path: str = "", limits: Limits = QUICK) -> page.Page:
    return Fetcher(address.read(f"{server.place}{path}"), limits)()


def refused(*script: Reply, path: str = "", limits: Limits = QUICK) -> Trouble:
    with serving(*script) as server, pytest.raises(Trouble) as caught:
        fetch(server, path, limits)
    for lang in LANGS:
        said = caught.value.text(lang)
        assert said and "{" not in said and "\n" not in said and said[-1] in ".?", said
    return caught.value


# --- addresses -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "name", "target"),
    [
        ("localhost:8000", "http://localhost:8000/metrics", "/metrics"),
        (" gpu-1 ", "http://gpu-1/metrics", "/metrics"),
        ("HTTPS://Gpu-1/", "https://gpu-1/metrics", "/metrics"),
        ("https://h:443/a b".replace(" ", "%20"), "https://h/a%20b", "/a%20b"),
        ("http://10.0.0.7:30000/x/metrics?key=s3cret#top", "http://10.0.0.7:30000/x/metrics", "/x/metrics?key=s3cret"),
        ("[::1]:8080", "http://[::1]:8080/metrics", "/metrics"),
        ("http://gpü.example:1", "http://xn--gp-yka.example:1/metrics", "/metrics"),
    ],
)
def test_addresses_as_people_write_them(written: str, name: str, target: str) -> None:
    read = address.read(written)
    assert (read.name, read.target) == (name, target)


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("ftp://h:1", "scheme"), ("file:///etc/passwd", "scheme"), ("http://me:s3cret@h:1", "user"), ("u@h:1", "user"),
        ("", "none"), ("h:0", "none"), ("h:65536", "none"), ("h:", "none"), ("h:8x", "none"), (":8000", "none"),
        ("8000", "none"), ("two words", "none"), ("http://", "none"), ("http://[::1", "none"), ("h\x00:1", "none"),
        ("mailto:me", "none"), ("-h:1", "none"), ("a..b:1", "none"), ("[::1]x:1", "none"), ("h" * 3000, "none"),
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_in_a_sentence(written: str, key: str) -> None:
    with pytest.raises(Refusal) as caught:
        address.read(written)
    assert caught.value.key == f"live.address.{key}"
    assert all("s3cret" not in caught.value.text(lang) for lang in LANGS)


@given(st.text(max_size=80) | st.text(alphabet="htps:/@[].%?#ab1 ", max_size=40))
def test_any_text_is_an_address_or_is_refused(text: str) -> None:
    try:
        read = address.read(text)
    except Refusal:
        return
    assert read.scheme in ("http", "https") and 0 < read.port < 2**16 and read.target.startswith("/")
    assert (read.host + read.target).isascii() and " " not in read.target
    again = address.read(read.name)
    assert (again.place, again.scheme) == (read.place, read.scheme)


# --- pages -----------------------------------------------------------------------------------------------------------


def test_a_page_comes_whole_and_asks_for_text_only() -> None:
    with serving(stub.page(PAGE)) as server:
        found = fetch(server)
        asked = server.asked[0].decode()
    assert found.data.decode() == PAGE and found.kind == "text/plain" and found.claims_text
    assert asked.startswith("GET /metrics HTTP/1.1\r\n") and f"Host: {server.place}\r\n" in asked
    assert "text/plain" in asked and "identity" in asked
    assert not any(word in asked.lower() for word in ("cookie", "authorization", "openmetrics"))


def test_chunks_and_a_page_that_ends_with_the_line() -> None:
    with serving(stub.chunked(PAGE)) as server:
        assert fetch(server).data.decode() == PAGE
    with serving(Reply((b"HTTP/1.0 200 OK\r\n\r\n", PAGE.encode()))) as server:
        found = fetch(server)
        assert found.data.decode() == PAGE and found.kind == ""


def test_the_query_is_sent_and_never_shown() -> None:
    with serving(stub.failing("404 Not Found")) as server:
        with pytest.raises(Trouble) as caught:
            fetch(server, "/m?key=s3cret")
        assert server.asked[0].startswith(b"GET /m?key=s3cret HTTP")
    assert "s3cret" not in caught.value.text("en")


def test_a_byte_at_a_time_gets_nobody_further() -> None:
    began = time.monotonic()
    assert refused(stub.dripping(PAGE)).why == "slow"
    assert time.monotonic() - began < 5


def test_a_page_that_stops_or_never_begins() -> None:
    assert refused(Reply((stub.page(PAGE).pieces[0][:300],), pause=1.5)).why == "silent"
    assert refused(Reply((b"",), pause=1.5)).why == "silent"
    assert refused(stub.closing_early(PAGE)).why == "broke_off"
    assert refused(stub.chunked(PAGE, whole=False)).why == "broke_off"
    assert refused(Reply((), reset=True)).why == "hung_up"


def test_a_page_too_large_is_not_read_to_its_end() -> None:
    assert refused(stub.huge(40)).why == "huge"
    assert refused(stub.page("x" * (2**20 + 1))).why == "huge"
    with serving(stub.huge(40)) as server:
        with pytest.raises(Trouble):
            fetch(server)
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("body", "kind", "why"),
    [
        (b"<!doctype html><title>x</title>", "text/plain", "lies"),
        (b"\x89PNG\r\n\x1a\n\0\0", stub.TEXT, "lies"),
        (b"\x1f\x8b\x08\0\0\0", stub.TEXT, "lies"),
        (bytes(range(256)) * 4, stub.TEXT, "lies"),
        (b"<html><body>login</body></html>", "text/html", "looks"),
        (b"\x89PNG\r\n\x1a\n", "image/png", "looks"),
        (b'[{"iter": 1}]', "application/json", "json"),
        (b'{"detail": "no"}', stub.TEXT, "json"),
        (b"just words", "image/png", "type"),
        (b" \n ", stub.TEXT, "empty"),
    ],
)
def test_what_is_no_page_of_metrics_is_told_by_its_looks(body: bytes, kind: str, why: str) -> None:
    assert refused(stub.page(body, kind)).why == why


def test_metrics_are_read_whatever_they_are_called() -> None:
    with serving(stub.page(PAGE, "application/octet-stream")) as server:
        found = fetch(server)
    assert page.looks(found.data) == "metrics" and not found.claims_text


# --- redirects -------------------------------------------------------------------------------------------------------


def test_one_redirect_within_the_server_is_followed() -> None:
    with serving(stub.moved("/metrics/"), stub.page(PAGE)) as server:
        assert fetch(server).data.decode() == PAGE
        assert server.asked[1].startswith(b"GET /metrics/ HTTP")


def test_no_second_one_and_none_elsewhere() -> None:
    assert refused(stub.moved("/a")).why == "redirect_again"
    with serving(stub.page(PAGE)) as other:
        trouble = refused(stub.moved(f"http://{other.place}/metrics"))
        assert trouble.why == "redirect_away" and other.place in trouble.text("en") and not other.asked
    assert refused(stub.moved("https://example.com/metrics")).why == "redirect_away"
    assert refused(stub.moved("file:///etc/passwd")).why == "redirect_odd"


def test_a_redirect_never_leaves_tls() -> None:
    secure, plain = address.read("https://h:8443"), address.read("http://h:8443")
    assert plain.may_lead_to(secure) and not secure.may_lead_to(plain)
    assert address.read("http://h").may_lead_to(address.read("https://h"))
    assert not address.read("http://h:8000").may_lead_to(address.read("https://h"))


# --- statuses, lines -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["400", "401", "403", "404", "405", "407", "429", "500", "501", "502", "503", "504"])
def test_statuses_have_a_sentence_of_their_own(status: str) -> None:
    trouble = refused(stub.failing(f"{status} Some Reason"))
    assert trouble.why == f"status_{status}" and status in trouble.text("en")


def test_any_other_status_is_named() -> None:
    assert "418 (I'm a teapot)" in refused(stub.failing("418 I'm a teapot")).text("en")
    assert refused(Reply((b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",))).why == "status"


def test_what_is_no_http_and_nobody_there() -> None:
    assert refused(Reply((b"SSH-2.0-OpenSSH_9\r\n\r\n",))).why == "not_http"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(Trouble) as caught:
        Fetcher(address.read(f"127.0.0.1:{port}"), QUICK)()
    assert caught.value.why == "refused" and str(port) in caught.value.text("en")


def test_tls_with_a_server_that_has_none() -> None:
    with serving(Reply((b"HTTP/1.1 400 Bad Request\r\n\r\n",))) as server:
        server.script = [Reply((b"HTTP/1.1 400 Bad Request\r\n\r\n",))]
        with pytest.raises(Trouble) as caught:
            Fetcher(address.read(f"https://{server.place}"), QUICK)()
    assert caught.value.why in ("tls", "silent", "hung_up")


def test_a_name_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(Trouble) as caught:
        Fetcher(address.read("nowhere.invalid:1"), QUICK)()
    assert caught.value.why == "no_host" and "nowhere.invalid" in caught.value.text("hi-Latn")


def test_a_look_up_that_hangs_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: over.wait(20))
    with pytest.raises(Trouble) as caught:
        Fetcher(address.read("slow.invalid:1"), Limits(connect=0.2, whole=0.3))()
    over.set()
    assert caught.value.why == "no_host"


def test_proxies_of_the_environment_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(stub.failing("502 Bad Gateway")) as proxy, serving(stub.page(PAGE)) as server:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://{proxy.place}")
        assert fetch(server).data.decode() == PAGE and not proxy.asked


def test_a_request_is_broken_off_from_another_thread() -> None:
    with serving(Reply((b"HTTP/1.1 200 OK\r\n",), pause=30)) as server:
        fetcher = Fetcher(address.read(server.place), Limits(read=20, whole=20))
        timer = threading.Timer(0.1, fetcher.end)
        timer.start()
        began = time.monotonic()
        with pytest.raises(Trouble):
            fetcher()
        assert time.monotonic() - began < 10
        with pytest.raises(Trouble):
            fetcher()
        server.script = [stub.page(PAGE)]
        fetcher.begin()
        assert fetcher().data.decode() == PAGE
