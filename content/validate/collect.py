"""A builder that goes on after a complaint, so that every complaint is heard and not only the first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

from content.build import Builder, Drawer
from content.entries import Table
from content.files import ContentError
from content.lang import Text
from content.schema import Carry, Given, Option, Part, Value

_T = TypeVar("_T")
_NOTHING = Text("", "")


class Collector(Builder):
    """As :class:`Builder`; what cannot be built is noted in ``found`` and left empty."""

    def __init__(self, file: str, *where: str, found: list[ContentError]) -> None:
        super().__init__(file, *where)
        self.found = found

    def inside(self, place: str) -> Collector:
        """A builder one step further in, with the same list of complaints."""
        return Collector(self.file, *self.where, place, found=self.found)

    def _try(self, make: Callable[[], _T], instead: _T) -> _T:
        try:
            return make()
        except ContentError as error:
            self.found.append(error)
            return instead

    def string(self, table: Table, key: str) -> str:
        """A text without languages, or nothing."""
        return self._try(lambda: Builder.string(self, table, key), "")

    def strings(self, table: Table, key: str) -> tuple[str, ...]:
        """A list of such texts, or none."""
        return self._try(lambda: Builder.strings(self, table, key), ())

    def items(self, table: Table, key: str) -> tuple[Any, ...]:
        """A list, or an empty one."""
        return self._try(lambda: Builder.items(self, table, key), ())

    def text(self, table: Table, key: str) -> Text:
        """A text in both languages, or nothing in both."""
        return self._try(lambda: Builder.text(self, table, key), _NOTHING)

    def both(self, table: Table, key: str = "") -> Text:
        """As :meth:`text`, of the table itself."""
        return self._try(lambda: Builder.both(self, table, key), _NOTHING)

    def tables(self, table: Table, key: str, *, needed: bool = False) -> tuple[Table, ...]:
        """A list of tables, or none."""
        return self._try(lambda: Builder.tables(self, table, key, needed=needed), ())

    def mapping(self, table: Table, key: str) -> Table:
        """A table inside a table, or an empty one."""
        return self._try(lambda: Builder.mapping(self, table, key), {})

    def count(self, table: Table, key: str) -> int:
        """A whole number from 1, or 0."""
        return self._try(lambda: Builder.count(self, table, key), 0)

    def heading(self, table: Table) -> tuple[str, Text, Text]:
        """What a track is, or nothing: of a table that is none, nothing inside is missed."""
        if isinstance(table.get("track"), Mapping):
            return Builder.heading(self, table)
        return self._try(lambda: Builder(self.file, *self.where).heading(table), ("", _NOTHING, _NOTHING))

    def plain_id(self, table: Table) -> str:
        """An id that names a file, or nothing."""
        return self._try(lambda: Builder(self.file, *self.where).plain_id(table), "")

    def given(self, table: Table, base: Given | None = None) -> Given:
        """The given values that are numbers."""
        return self._try(lambda: Builder.given(self, table, base), dict(base or {}))

    def value(self, table: Any, base: Given) -> Value:
        """A computed number, or one without a formula."""
        return self._try(lambda: Builder.value(self, table, base), Value("", "", None, base))

    def digits(self, table: Table) -> int | Literal["all"] | None:
        """The digits, or the readable default."""
        return self._try(lambda: Builder.digits(self, table), None)

    def hints(self, table: Table, key: str = "hints") -> tuple[Text, ...]:
        """The hint ladder, or none."""
        return self._try(lambda: Builder.hints(self, table, key), ())

    def options(self, table: Any) -> tuple[Option, ...]:
        """An option set, or none."""
        return self._try(lambda: Builder.options(self, table), ())

    def _set(self, sets: Mapping[str, tuple[Option, ...]], name: Any) -> tuple[Option, ...]:
        return self._try(lambda: Builder._set(self, sets, name), ())

    def _carry(self, table: Table, sources: Mapping[str, Given]) -> Carry | None:
        return self._try(lambda: Builder._carry(self, table, sources), None)

    def part(
        self,
        exercise: str,
        given: Given,
        sets: Mapping[str, tuple[Option, ...]],
        table: Table,
        draw: Drawer | None = None,
    ) -> Part:
        """A part; one of no known kind has kind ``""`` and is checked no further."""
        if "kind" not in table:
            self.found.append(self.error("missing-key", "kind", key="kind"))
        try:
            return super().part(exercise, given, sets, {"kind": "", **table}, draw)
        except ContentError as error:
            if "kind" in table:
                self.found.append(error)
            return Part(f"{exercise}/{table.get('id', '')}", "", _NOTHING, None, (), _NOTHING, (), False, {})
