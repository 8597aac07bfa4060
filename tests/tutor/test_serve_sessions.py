"""`llm-tutor serve` from outside, as a process: who gets in, whose progress is whose, what ends a session."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from pathlib import Path

import aiohttp
import pytest

from tests.serving import Server, join, open_exercise, serving

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


async def status(session: aiohttp.ClientSession, server: Server, path: str, **headers: str) -> tuple[int, str]:
    async with session.get(f"{server.url}{path}", headers=headers, allow_redirects=False) as answer:
        return answer.status, await answer.text()


@linux
async def test_learners_apart_tabs_together_and_a_full_house(tmp_path: Path) -> None:
    with serving(tmp_path, "--learners", "3") as server:
        async with aiohttp.ClientSession() as session:
            asha, tab, ravi = [await join(session, server, name) for name in ("Asha", "asha", "Ravi%20K.")]
            await asyncio.gather(*map(open_exercise, (asha, tab, ravi)))
            late = await join(session, server, "Late")  # waits a moment for a seat
            await asha.type("1.07 GB\r")
            await asha.until("Right: 1.07 GB")
            await tab.type("2.14 GB\r")
            await tab.until("attempts 2")
            await ravi.type("9.87")
            await ravi.until("9.87")
            assert await late.over() == 4001
            assert len(server.apps()) == 3
            assert server.process.poll() is None
            server.process.send_signal(signal.SIGINT)
            assert [await one.over() for one in (asha, tab, ravi)] == [4003, 4003, 4003]
        assert server.process.wait(20) == 0
        assert server.apps() == []
        assert sorted(server.attempts("Asha")) == [("1.07 GB", "correct"), ("2.14 GB", "incorrect")]
        assert server.attempts("Ravi K.") == []
        assert server.drafts("Ravi K.") == ["9.87"]
        assert not server.folder("Late").exists()


@linux
async def test_the_door_and_the_limits(tmp_path: Path) -> None:
    with serving(tmp_path, "--idle", "0.03") as server:
        assert server.told["open"] is False and server.told["idle_minutes"] == pytest.approx(0.03)
        async with aiohttp.ClientSession() as session:
            assert (await status(session, server, "/", Host="rebound.example"))[0] == 403
            assert (await status(session, server, "/learn/Asha", Host="rebound.example:80"))[0] == 403
            assert (await status(session, server, "/", Host="localhost:1"))[0] == 200
            code, page = await status(session, server, "/?name=%3Cscript%3Ealert(1)%3C/script%3E")
            assert code == 400 and "<script>alert" not in page and "&lt;script&gt;" in page
            assert "A name has letters and digits" in page and "Naam mein letters" in page
            for path in ("/files/..%2F..%2Fsite.py", "/files/learn.html", "/static/", "/download/x", "/etc/passwd"):
                assert (await status(session, server, path))[0] == 404, path
            for origin in ("http://evil.example", "http://localhost:1", "null", ""):
                address = f"{server.url}/ws/Asha".replace("http:", "ws:")
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await session.ws_connect(address, headers={"Origin": origin} if origin else {})
                assert refused.value.status == 403
            assert not (tmp_path / "learners").exists()

            idle, large = await join(session, server, "Idle"), await join(session, server, "Large")
            await large.type("x" * 2**18)
            assert await large.over() == 1009
            assert await idle.over() == 4002


@linux
async def test_a_server_that_is_killed_takes_its_apps_along_and_their_drafts_stay(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        async with aiohttp.ClientSession() as session:
            left = await join(session, server, "Left")
            await open_exercise(left)
            await left.type("4.56")
            await left.until("4.56")
            server.end(signal.SIGKILL)
            until = time.monotonic() + 20
            while server.apps() and time.monotonic() < until:
                await asyncio.sleep(0.05)
        assert server.apps() == []
        assert server.drafts("Left") == ["4.56"]
