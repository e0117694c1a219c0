"""Filters of debates as plain values, so that what was looked at can be looked at again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.debate import DebateProtocol
from core.errors import InvalidSetting
from storage.debate_filter import DebateFilter


def filter_to_json(chosen: DebateFilter | None) -> dict[str, Any]:
    """Return what a filter asks for beside data sets, as plain JSON values; ``filter_from_json`` reads them."""
    if chosen is None:
        return {}
    plain = {name: getattr(chosen, name) for name in _FILTER_FIELDS}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in plain.items()
        if value not in ((), "", None)
    }


def filter_from_json(record: Mapping[str, Any], dataset: str = "") -> DebateFilter:
    """Return the filter of ``filter_to_json``, on one data set if that is named.

    Raises:
        InvalidSetting: If it is none.
    """
    unknown = [name for name in record if name not in _FILTER_FIELDS]
    if unknown:
        raise InvalidSetting(f"A filter of debates has no field {unknown[0]!r}.")
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in record.items()
    }
    try:
        if "protocols" in values:
            values["protocols"] = tuple(DebateProtocol(name) for name in values["protocols"])
        return DebateFilter(datasets=(dataset,) if dataset else (), **values)
    except (TypeError, ValueError) as error:
        raise InvalidSetting(f"This is no filter of debates: {error}.") from error


_FILTER_FIELDS = (
    "text", "protocols", "labels", "tags", "models", "fewest_rounds", "most_rounds", "fewest_arguments",
    "most_arguments", "contested", "ids",
)  # fmt: skip


__all__ = ["filter_from_json", "filter_to_json"]
