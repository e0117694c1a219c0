"""The semantics that users choose from. Adding one is adding one entry here."""

from __future__ import annotations

from core.errors import InvalidSetting
from core.semantics.aggregation import PRODUCT, SQUARED_PRODUCT, SQUARED_SUM, SUM, TOP
from core.semantics.family import BASIC, Property, SemanticsFamily
from core.semantics.fixed_point import Method
from core.semantics.gradual import Evaluation, EvaluationStatus, GradualSemantics
from core.semantics.influence import euler, hyperbolic, linear, logistic, quadratic

STRICT, DUAL, OPEN = Property.STRICTNESS, Property.DUALITY, Property.OPEN_MINDEDNESS

# Two different semantics are called "squared DF-QuAD" in the literature, so the last ones are named by their parts.
_FAMILIES = (
    SemanticsFamily(
        "df-quad",
        "DF-QuAD",
        "Every further argument closes part of the gap that is left (Rago et al., 2016).",
        PRODUCT,
        linear,
        True,
        BASIC | {DUAL, OPEN},
    ),
    SemanticsFamily(
        "qe",
        "Quadratic energy",
        "Strengths add up; a larger sum moves the base score further, small sums hardly (Potyka, 2018).",
        SUM,
        quadratic,
        True,
        BASIC | {STRICT, DUAL, OPEN},
    ),
    SemanticsFamily(
        "euler",
        "Euler-based",
        "Strengths add up in an exponent; attacks never push below the base score squared (Amgoud and Ben-Naim, 2018).",
        SUM,
        euler,
        False,
        BASIC | {STRICT},
    ),
    SemanticsFamily(
        "mlp",
        "MLP-based",
        "Every argument acts like a neuron of a network; 0 and 1 cannot be moved (Potyka, 2021).",
        SUM,
        logistic,
        False,
        BASIC | {STRICT, DUAL, OPEN},
    ),
    SemanticsFamily(
        "euler-top",
        "Euler-based, top aggregation",
        "Like Euler-based, but only the strongest argument of each side counts.",
        TOP,
        euler,
        False,
        BASIC,
    ),
    SemanticsFamily(
        "product-1max",
        "Product + 1-Max",
        "DF-QuAD's aggregation with a gentler influence, which goes at most half of the way to 0 or 1.",
        PRODUCT,
        hyperbolic,
        True,
        BASIC | {DUAL},
    ),
    SemanticsFamily(
        "squared-product-linear",
        "Squared product + linear",
        "DF-QuAD with every argument counted twice.",
        SQUARED_PRODUCT,
        linear,
        True,
        BASIC | {DUAL, OPEN},
    ),
    SemanticsFamily(
        "squared-sum-1max",
        "Squared sum + 1-Max",
        "Squared strengths add up, so that weak arguments count little.",
        SQUARED_SUM,
        hyperbolic,
        True,
        BASIC | {STRICT, DUAL, OPEN},
    ),
)

SEMANTICS: dict[str, SemanticsFamily] = {family.key: family for family in _FAMILIES}


def semantics(key: str, conservativeness: float = 1.0) -> GradualSemantics:
    """Return a semantics by key.

    Raises:
        InvalidSetting: If there is no such semantics, or it does not take this conservativeness.
    """
    if key not in SEMANTICS:
        raise InvalidSetting(f"There is no semantics {key!r}; there are {', '.join(SEMANTICS)}.")
    return SEMANTICS[key](conservativeness)


__all__ = [
    "SEMANTICS",
    "Evaluation",
    "EvaluationStatus",
    "GradualSemantics",
    "Method",
    "Property",
    "SemanticsFamily",
    "semantics",
]
