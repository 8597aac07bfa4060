"""A headless Chromium, driven over the DevTools protocol: what the browser test needs and no more."""

from __future__ import annotations

import asyncio
import base64
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp

NAMES = ("chromium", "chromium-browser", "google-chrome")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)
SECONDS = 30.0
"""Longest wait for anything."""

SPY = """
Object.defineProperty(Object.prototype, "terminal", {
  configurable: true,
  set(value) {
    window.xterm ??= value;
    Object.defineProperty(this, "terminal", { value, writable: true, configurable: true });
  },
});
"""
"""Keeps the terminal of the page where a test can reach it: the page's program shows it to nobody."""
SCREEN = """
(() => {
  const buffer = window.xterm?.buffer?.active;
  if (!buffer) return "";
  return Array.from({ length: xterm.rows }, (_, row) => buffer.getLine(row)?.translateToString(true) ?? "").join("\\n");
})()
"""
KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "ArrowDown": (40, ""), "ArrowRight": (39, ""), "Tab": (9, "")}
"""Keys by name: their code in Windows, which the protocol asks for, and what they type."""


class Page:
    """One tab."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self.troubles: list[str] = []
        """What the page's program threw, and what its policy refused."""

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the protocol; what it answers."""
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        while True:
            heard = await self._socket.receive_json(timeout=SECONDS)
            if heard.get("method") == "Runtime.exceptionThrown":
                self.troubles.append(str(heard["params"]["exceptionDetails"]))
            elif heard.get("method") == "Log.entryAdded" and heard["params"]["entry"]["level"] == "error":
                self.troubles.append(heard["params"]["entry"]["text"])
            elif heard.get("id") == self._number:
                assert "error" not in heard, heard
                return dict(heard["result"])

    async def run(self, program: str) -> Any:
        """The value of a piece of JavaScript."""
        found = await self.ask("Runtime.evaluate", expression=program, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    async def open(self, address: str) -> None:
        """Go to a page."""
        await self.ask("Page.navigate", url=address)

    async def text(self) -> str:
        """The page's text, as a reader sees it."""
        return str(await self.run("document.body ? document.body.innerText : ''"))

    async def screen(self) -> str:
        """The terminal's text."""
        return str(await self.run(SCREEN))

    async def until(self, wanted: str | Callable[[str], bool], *, page: bool = False) -> str:
        """Wait for words in the terminal, or on the page; what stands there then."""
        shown = ""
        for _ in range(int(SECONDS / 0.1)):
            shown = await (self.text() if page else self.screen())
            if wanted in " ".join(shown.split()) if isinstance(wanted, str) else wanted(shown):
                return shown
            await asyncio.sleep(0.1)
        raise AssertionError(f"not seen: {wanted!r}\n{shown}\n{self.troubles}")

    async def type(self, text: str) -> None:
        """Type letters."""
        for letter in text:
            await self.ask("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter, unmodifiedText=letter)
            await self.ask("Input.dispatchKeyEvent", type="keyUp", key=letter)

    async def press(self, *names: str) -> None:
        """Press keys by name."""
        for name in names:
            code, text = KEYS[name]
            about = {"key": name, "code": name, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code}
            kind = "keyDown" if text else "rawKeyDown"
            await self.ask("Input.dispatchKeyEvent", type=kind, **about, **({"text": text} if text else {}))
            await self.ask("Input.dispatchKeyEvent", type="keyUp", **about)

    async def alt(self, letter: str) -> None:
        """Press a letter with alt."""
        code = ord(letter.upper())
        about = {"key": letter, "code": f"Key{letter.upper()}", "windowsVirtualKeyCode": code, "modifiers": 1}
        await self.ask("Input.dispatchKeyEvent", type="rawKeyDown", **about)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", **about)

    async def picture(self, file: Path) -> None:
        """Draw the page into a PNG file."""
        file.write_bytes(base64.b64decode((await self.ask("Page.captureScreenshot", format="png"))["data"]))


@asynccontextmanager
async def browser(folder: Path, size: tuple[int, int] = (1024, 640)) -> AsyncIterator[Page]:
    """A browser with one tab, all it keeps in ``folder``; it never outlives the block."""
    assert PROGRAM is not None
    command = [
        PROGRAM, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--remote-debugging-port=0",
        "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-extensions",
        "--enable-unsafe-swiftshader", f"--user-data-dir={folder}", f"--window-size={size[0]},{size[1]}", "about:blank",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        async with aiohttp.ClientSession() as session:
            address = await _tab(session, folder / "DevToolsActivePort", process)
            async with session.ws_connect(address, max_msg_size=2**26) as socket:
                page = Page(socket)
                for domain in ("Page", "Runtime", "Log"):
                    await page.ask(f"{domain}.enable")
                await page.ask("Page.addScriptToEvaluateOnNewDocument", source=SPY)
                await page.ask("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                               deviceScaleFactor=1, mobile=False)  # fmt: skip
                yield page
                with suppress(Exception):
                    await page.ask("Browser.close")
    finally:
        with suppress(subprocess.TimeoutExpired):
            process.wait(3)
        process.kill()
        process.wait(10)


async def _tab(session: aiohttp.ClientSession, told: Path, process: subprocess.Popen[bytes]) -> str:
    """Where the tab's websocket is, as soon as the browser tells it."""
    for _ in range(int(SECONDS / 0.05)):
        if told.exists() and (lines := told.read_text().split()):
            async with session.get(f"http://127.0.0.1:{lines[0]}/json/list") as answer:
                tabs = [one for one in await answer.json() if one["type"] == "page"]
            if tabs:
                return str(tabs[0]["webSocketDebuggerUrl"])
        assert process.poll() is None, "Chromium ended"
        await asyncio.sleep(0.05)
    raise AssertionError("Chromium does not answer")
