"""`llm-tutor config [NAME [VALUE]]`: every setting with its value, default and meaning; read one; set one."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from tutor import paths, settings, settingsfile
from tutor.commands.context import Context, Refusal, Words, quoted, quoted_path, unknown
from tutor.commands.files import trouble
from tutor.commands.parser import Parser
from tutor.settings import Setting, Settings


def arguments(parser: Parser) -> None:
    """The name and the value, both optional."""
    parser.word("name", "NAME")
    parser.word("value", "VALUE", dash=True)


def run(context: Context, args: argparse.Namespace) -> int:
    """List, print or change settings."""
    _ = context.lang  # before the settings, whose troubles are told in it
    chosen = context.settings
    if args.name is None:
        return _list(context, chosen)
    name = args.name.lower()
    if name.startswith("keys."):
        return _key(context, chosen, name.removeprefix("keys."), args.value)
    if name not in settings.BY_NAME:
        raise unknown("setting", args.name, (*settings.BY_NAME, "keys.<id>"))
    setting = settings.BY_NAME[name]
    if args.value is None:
        return _show(context, chosen, setting)
    value = _parsed(setting, args.value)
    told = settings.told(setting, value, args.value)
    status = _save(context, name, told, settings.changed(chosen, {name: value}), chosen)
    if name == "exam_date" and isinstance(value, str):
        _exam_ahead(context, value)
    return status


def _exam_ahead(context: Context, day: str) -> None:
    """Say that a day which is not to come plays no role; the quiz plans by the learner's days of study."""
    from datetime import UTC, date, datetime

    from tutor.revision.days import day_of

    if day and date.fromisoformat(day) <= day_of(datetime.now(UTC)):
        context.warn(context.say("cli.config.exam_past", day=day))


def _list(context: Context, chosen: Settings) -> int:
    if context.json:
        listed = {setting.name: _record(setting, chosen) for setting in settings.SETTINGS}
        places = {"settings": str(paths.settings_file()), "progress": str(paths.database())}
        context.document({"home": str(paths.home()), **places, "values": listed, "keys": dict(chosen.keys)})
        return 0
    for setting in settings.SETTINGS:
        _describe(context, chosen, setting)
    context.line(f"keys.<id>\n  {context.say('settings.keys.help')}")
    for action, key in chosen.keys.items():
        context.line(f"  keys.{action} = {quoted(str(key))}")
    context.line(f"\n{context.say('cli.config.where', path=paths.home())}")
    return 0


def _record(setting: Setting, chosen: Settings) -> dict[str, object]:
    from content.lang import LANGS
    from content.words import say

    meaning = {lang: say(f"settings.{setting.name}.help", lang) for lang in LANGS}
    return {"value": getattr(chosen, setting.name), "default": setting.default, "meaning": meaning}


def _describe(context: Context, chosen: Settings, setting: Setting) -> None:
    value, default = settings.shown(getattr(chosen, setting.name)), settings.shown(setting.default)
    note = "" if value == default else f"   ({context.say('cli.config.default', value=default or '-')})"
    context.line(f"{setting.name} = {value}{note}\n  {context.say(f'settings.{setting.name}.help')}")


def _show(context: Context, chosen: Settings, setting: Setting) -> int:
    if context.json:
        context.document({"name": setting.name, **_record(setting, chosen), "options": setting.options()})
        return 0
    _describe(context, chosen, setting)
    if setting.name == "exam_date":
        _exam_ahead(context, chosen.exam_date)
    if setting.options():
        context.line(f"  {context.say('cli.config.options', options=', '.join(setting.options()))}")
    return 0


def _parsed(setting: Setting, text: str) -> object:
    options = setting.options()
    try:
        value = setting.parse(text)
    except ValueError:
        value = None if options else ...
    if value is ... or (options and settings.shown(value) not in options):
        if options:
            raise unknown("value", text, options, name=setting.name) from None
        if setting.parse in settings.FREE:
            raise Refusal("cli.error.value_text", name=setting.name, text=quoted(text))
        meaning = Words(f"settings.{setting.name}.help")
        raise Refusal("cli.error.value_meaning", name=setting.name, text=quoted(text), meaning=meaning)
    if value is None and text.lower() not in ("", "ask"):
        raise unknown("value", text, options, name=setting.name)
    return value


def _key(context: Context, chosen: Settings, action: str, value: str | None) -> int:
    from tutor import keychoice, keys

    if action not in keys.BY_ID:
        raise unknown("key_id", action, keys.BY_ID)
    if value is None:
        shown = ", ".join(keys.keys_of(keys.BY_ID[action], chosen.keys))
        if context.json:
            context.document({"name": f"keys.{action}", "value": shown, "default": ",".join(keys.BY_ID[action].keys)})
        else:
            context.line(f"keys.{action} = {shown}")
        return 0
    wanted = "" if value.lower() in ("", "default") else keychoice.spelled(value)
    mapped = {name: key for name, key in chosen.keys.items() if name != action} | ({action: wanted} if wanted else {})
    bad = keychoice.trouble(action, wanted) if wanted else None
    if bad is None and not keychoice.leaves_quit(mapped):
        bad = keychoice.Trouble("no_quit", wanted or value)
    if bad is not None:
        raise Refusal(f"cli.config.key.{bad.reason}", name=f"keys.{action}", text=quoted(bad.key))
    if wanted:
        _free(action, mapped)
    told = wanted or ",".join(keys.BY_ID[action].keys)
    return _save(context, f"keys.{action}", told, settings.with_key(chosen, action, wanted), chosen)


def _free(action: str, mapped: Mapping[str, str]) -> None:
    """Raise ``Refusal`` where another command of the same screen has a wanted key: one of them would be lost."""
    from tutor import keys

    for pressed, *both in keys.clashes(mapped):
        if action in both:
            other = both[1 - both.index(action)]
            raise Refusal("cli.config.key.taken", name=f"keys.{action}", pressed=keys.shown(pressed), other=other)


def _save(context: Context, name: str, value: str, changed: Settings, before: Settings) -> int:
    path = paths.settings_file()
    try:
        settingsfile.save(path, changed, before)
    except settingsfile.Spared as error:  # why it cannot be read was told when the settings were looked at
        raise Refusal("cli.config.spared", path=quoted_path(str(path), 200), name=name) from error
    except OSError as error:
        raise Refusal("cli.error.write", path=quoted_path(str(path), 200), detail=trouble(error)) from error
    context.done("cli.config.saved", name=name, value=value or "-")
    if context.json:
        context.document({"name": name, "value": value})
    return 0
