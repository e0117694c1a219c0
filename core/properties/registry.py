"""The seven properties by key, and a property out of plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import InvalidSetting
from core.properties.contestability import Contestability
from core.properties.groundedness import JudgeUnanimity, NonHallucination
from core.properties.property import Property
from core.properties.reproducibility import Determinism, PermutationIndependence
from core.properties.robustness import JudgeRobustness, ProfileRobustness

_CLASSES: tuple[type[Property], ...] = (
    Determinism,
    PermutationIndependence,
    ProfileRobustness,
    JudgeRobustness,
    NonHallucination,
    JudgeUnanimity,
    Contestability,
)
PROPERTIES: dict[str, type[Property]] = {one.key: one for one in _CLASSES}


def usual_properties() -> tuple[Property, ...]:
    """Return the seven properties as they are tested unless told otherwise, in the order of the grid."""
    return tuple(one() for one in _CLASSES)


def property_of(record: object) -> Property:
    """Return the property that ``to_json`` wrote, or that a person did: a key, or a mapping with ``property`` = a key.

    Raises:
        InvalidSetting: If there is no such property, or a value is not one it can have.
    """
    values = dict(record) if isinstance(record, Mapping) else {"property": record}
    key = values.pop("property", None)
    if not isinstance(key, str) or key not in PROPERTIES:
        raise InvalidSetting(f"There is no property {key!r}; there are {', '.join(PROPERTIES)}.")
    try:
        return PROPERTIES[key](**values)
    except InvalidSetting:
        raise
    except (TypeError, ValueError) as error:
        raise InvalidSetting(f"The property {key!r} cannot be tested with {values!r}: {error}.") from error
