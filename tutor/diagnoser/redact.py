"""A report without what tells whose server it is of: hosts, addresses, paths, people, secrets.

The same thing gets the same placeholder everywhere in one document (``<host-1>``), so that a report still reads. What a
report is about stays: numbers, rates, fractions, versions, names of models, cards, flags and ids.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any

from tutor.diagnoser import private


class Redactor:
    """Placeholders of one document: the same thing has the same one in all its texts."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}
        self._bare: dict[str, str] = {}
        """Names of people and machines that may stand alone elsewhere, and which of the two they are."""

    # --- one text ------------------------------------------------------------------------------------------------

    def text(self, text: str) -> str:
        """A text without what it should not tell. Doing it twice changes nothing more."""
        for found in private.PLACEHOLDER.finditer(text):  # of a report that was redacted before
            kind, _, number = found[0][1:-1].rpartition("-")
            self._counts[kind] = max(self._counts.get(kind, 0), int(number))
        for found in private.USER_IN.finditer(text):
            if found["user"].lower() not in private.COMMON and len(found["user"]) > 2 and found["user"][0] != "<":
                self._bare[found["user"]] = "user"
        for pattern, put in self._steps():
            text = _outside(pattern, put, text)
        for name, kind in self._bare.items():
            whole = re.compile(rf"(?<![\w./-]){re.escape(name)}(?![\w/-]|\.\w)")
            text = _outside(whole, lambda m, kind=kind: self._name(kind, m[0]), text)  # type: ignore[misc]
        return text

    def _steps(self) -> Iterable[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]]:
        return (
            (private.SECRET, lambda m: self._name("secret", m[0])),
            (private.OPTION_SECRET, self._led("secret")),
            (private.SAID_SECRET, self._said_secret),
            (private.FILE, lambda m: f"file://{self._name('path', m['path'])}"),
            (private.URL, self._url),
            (private.MAIL, lambda m: self._name("mail", m[0])),
            (private.UNC, lambda m: self._name("path", m[0])),
            (private.WINDOWS, self._path),
            (private.HOME, self._path),
            (private.POSIX, self._path),
            (private.TOP, self._path),
            (private.CONTAINER, lambda m: self._name("container", m[0])),
            (private.AT, self._at),
            (private.V4, self._address),
            (private.V6, self._address),
            (private.NODE, self._full_name),
            (private.NAMED, self._named),
            (private.SERVED, self._led("name")),
        )

    # --- what is put in their place ------------------------------------------------------------------------------

    def _name(self, kind: str, held: str) -> str:
        """The placeholder of a thing."""
        key = kind, held
        if key not in self._names:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._names[key] = f"<{kind}-{self._counts[kind]}>"
        return self._names[key]

    def named(self, kind: str, held: str) -> str:
        """The placeholder of a thing of a known kind; people and machines are called so elsewhere too."""
        if kind in ("host", "user") and len(held) > 2 and held.lower() not in private.COMMON:
            self._bare[held] = kind
        return self._name(kind, held)

    def _led(self, kind: str) -> Callable[[re.Match[str]], str]:
        return lambda m: f"{m['lead']}{self._name(kind, m['held'])}"

    def _said_secret(self, m: re.Match[str]) -> str:
        held, lead = m["held"], m["lead"].lower()
        mixed = bool(re.search(r"\d", held) and re.search(r"[A-Z]", held)) and len(held) >= private.SHORTEST
        plain = not mixed and (not re.search(r"\d", held) or _is_number(held) or len(held) < private.TOKEN)
        if held.lower() in private.NO_NAMES or (plain and lead.lstrip().startswith(("token", "basic"))):
            return m[0]  # "token: generation": words and numbers are no secrets
        return f"{m['lead']}{self._name('secret', held)}"

    def _host(self, host: str) -> str:
        return host if host.lower() in private.KEPT_HOSTS else self._name("host", host.lower())

    def _url(self, m: re.Match[str]) -> str:
        user = f"{self._name('user', m['user'])}@" if m["user"] else ""
        host, scheme, path = m["host"], m["scheme"], m["path"] or ""
        if scheme.lower() in ("docker", "containerd", "cri-o"):
            return f"{scheme}://{self._name('container', host)}"
        bare = host.strip("[]")
        if not _is_address(bare):
            host = self._host(host)
        elif bare not in private.KEPT_ADDRESSES:
            host = self._name("ip", bare)
        if host.startswith("<") and len(path) > 1 and not private.KEPT_PATHS.fullmatch(path):
            path = self._name("path", path)
        return f"{scheme}://{user}{host}{m['port'] or ''}{path}"

    def _full_name(self, m: re.Match[str]) -> str:
        *labels, last = m[0].lower().split(".")
        told = last in ("com", "org") or len(labels) > 1 or re.search(r"[\d-]", labels[0])
        return self._host(m[0]) if told and any(re.search(r"[a-z]", one) for one in labels) else m[0]

    def _at(self, m: re.Match[str]) -> str:
        if not (re.search(r"[.\d-]", m["host"]) or m.string[m.end() : m.end() + 1] == ":"):
            return m[0]  # "package@main"
        if re.search(r"[\d-]", m["host"]) and "." not in m["host"]:
            self._bare[m["host"]] = "host"
        if m["user"] in private.COMMON:
            return f"{m['user']}@{self._host(m['host'])}"
        if len(m["user"]) > 2:
            self._bare[m["user"]] = "user"
        return f"{self._name('user', m['user'])}@{self._host(m['host'])}"

    def _address(self, m: re.Match[str]) -> str:
        bare = m[0].partition("%")[0]
        if (
            not _is_address(bare)
            or bare in private.KEPT_ADDRESSES
            or private.VERSIONED.search(m.string[max(0, m.start() - 24) : m.start()])
        ):
            return m[0]
        return self._name("ip", m[0])

    def _path(self, m: re.Match[str]) -> str:
        path = m[0]
        tail = path[len(path.rstrip(".")) :]
        path = path.rstrip(".")
        if private.KEPT_PATHS.fullmatch(path) or not re.search(r"[A-Za-z]", path) or path[1:].lower() in private.PER:
            return m[0]
        inside = private.PACKAGES.search(path)
        if inside:  # the same on every machine, and worth reading
            return f"{self._name('path', path[: inside.start()])}/{inside['inside']}{tail}"
        return f"{self._name('path', path)}{tail}"

    def _named(self, m: re.Match[str]) -> str:
        held = m["held"]
        plain = held.lower() in private.KEPT_HOSTS or held.lower() in private.NO_NAMES
        if plain or not re.search(r"[\d-]", held):
            return m[0]  # "host memory", "node failed": words
        self._bare[held] = "host"
        return f"{m['lead']}{self._host(held)}{m['tail']}"


def _outside(pattern: re.Pattern[str], put: Callable[[re.Match[str]], str], text: str) -> str:
    """Put placeholders where a pattern is found, except inside of other placeholders."""
    return pattern.sub(lambda m: m[0] if private.PLACEHOLDER.search(m[0]) else put(m), text)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return "." in text or text.count(":") > 1


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


# --- documents -------------------------------------------------------------------------------------------------------


def text(text: str, redactor: Redactor | None = None) -> str:
    """A text without what it should not tell."""
    used = redactor or Redactor()
    used.text(text)  # who and where is known before the text is changed
    return used.text(text)


def document(found: Any, redactor: Redactor | None = None) -> Any:
    """A JSON document of the same shape: its texts are redacted, keys, numbers and switches stay."""
    used = redactor or Redactor()
    _walked(found, used)  # who and where is known before the first text is changed
    return _walked(found, used)


def _held(name: object, value: Any, used: Redactor) -> Any:
    """A value under its key, which may say what it is: a host's name is no more than a word by itself."""
    kind = private.KEYS.get(str(name).lower().lstrip("-").replace("-", "_"))
    if kind is not None and isinstance(value, str) and value and not private.PLACEHOLDER.search(value):
        told = used.text(value)  # an address, somebody at a machine
        public = value.lower() in private.KEPT_HOSTS or value in private.KEPT_ADDRESSES
        return told if told != value or public else used.named(kind, value)
    return _walked(value, used)


def _walked(found: Any, used: Redactor) -> Any:
    if isinstance(found, str):
        return used.text(found)
    if isinstance(found, dict):
        return {name: _held(name, value, used) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [_walked(value, used) for value in found]
    return found
