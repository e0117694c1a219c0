"""The formats in which Moot gives debates back. Adding one is adding one entry here."""

from __future__ import annotations

from core.errors import InvalidSetting
from core.exporting.aif import AIF
from core.exporting.argdown import ARGDOWN
from core.exporting.argllms import ArgllmsExporter
from core.exporting.bag import BAG
from core.exporting.exporter import Exporter
from core.exporting.long_table import CSV, JSONL, PARQUET
from core.exporting.native import NativeExporter
from core.exporting.node_link import NODE_LINK

_EXPORTERS: tuple[Exporter, ...] = (
    NativeExporter(),
    CSV,
    JSONL,
    PARQUET,
    ArgllmsExporter(),
    BAG,
    AIF,
    NODE_LINK,
    ARGDOWN,
)

EXPORTERS: dict[str, Exporter] = {exporter.name: exporter for exporter in _EXPORTERS}
"""Every format by its name, the lossless one first."""


def exporter(name: str) -> Exporter:
    """Return the exporter of a format.

    Raises:
        InvalidSetting: If there is no such format.
    """
    if name not in EXPORTERS:
        raise InvalidSetting(f"There is no export format {name!r}; there are {', '.join(EXPORTERS)}.")
    return EXPORTERS[name]


__all__ = ["EXPORTERS", "exporter"]
