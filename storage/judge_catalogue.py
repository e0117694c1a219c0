"""Which judges can be put side by side: those that judge at once, and those whose judgements are stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.judgement import DecisionRule
from core.judges.framing import Setting, StanceVariant
from core.judges.many import LocalJudge
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import Family, family_of, judge_id, judge_of
from core.judges.semantics_judge import SemanticsJudge
from core.judges.votes import MajorityVote, MeanStance
from core.judges.weighted_vote import WeightedVote
from core.preferences import Preferences
from core.semantics import SEMANTICS
from storage.database import Database
from storage.judgement_repository import JudgementRepository, StoredJudge
from storage.prompt_files import find_prompts

MOST_PICKED = 6
PUBLISHED_SEMANTICS = ("df-quad", "qe")
RECORDED_FAMILY = {"human": Family.HUMAN, "llm": Family.LLM, "semantics": Family.SEMANTICS, "vote": Family.VOTE}
_LOCAL = (Family.SEMANTICS, Family.VOTE)


@dataclass(frozen=True)
class Candidate:
    """A judge that can be picked.

    Attributes:
        id: Its id; stable, as it comes from the settings.
        name: What to call it; no other candidate has the name.
        family: How it is grouped.
        judge: What judges here and now, or whose judgements came with the debates; None where only stored
            judgements are looked at.
        settings: Plain values.
        judged: How many judgements are stored; 0 for a judge that judges here and now.
        origin: What is to be said wherever its judgements are shown; empty for nothing.
        pinned: Whether it stands first.
    """

    id: str
    name: str
    family: str
    judge: LocalJudge | RecordedJudge | None
    settings: Mapping[str, Any] = field(compare=False, hash=False)
    judged: int = 0
    origin: str = ""
    pinned: bool = False

    @property
    def local(self) -> LocalJudge | None:
        """Return the judge, if it judges here and now."""
        return None if isinstance(self.judge, RecordedJudge) else self.judge


def candidates(database: Database, preferences: Preferences | None = None) -> tuple[Candidate, ...]:
    """Return every judge that can be picked: pinned ones, semantics, votes, language models, recorded ones.

    Args:
        database: Where judges and judgements are.
        preferences: Add the semantics and votes under these settings; those of the published rule are always there.
    """
    repository = JudgementRepository(database)
    stored = repository.judges()
    origins = _origins(database)
    found: dict[str, Candidate] = {}
    for judge in local_judges(preferences):
        found[judge_id(judge)] = _candidate(judge)
    for recorded, count in recorded_judges(database):
        found[judge_id(recorded)] = _candidate(recorded, count)
    for one in stored:
        earlier = found.get(one.id)
        if earlier is not None:
            found[one.id] = replace(earlier, name=one.title or earlier.name, pinned=one.pinned)
        elif one.family in _LOCAL:
            found[one.id] = _stored_local(one)
        elif one.judgement_count:
            found[one.id] = Candidate(
                one.id,
                one.shown,
                one.family.value,
                None,
                one.settings,
                one.judgement_count,
                origins.get(one.id, ""),
                one.pinned,
            )
    order = {family.value: place for place, family in enumerate(Family)}
    return tuple(sorted(_distinct(found.values()), key=lambda one: (not one.pinned, order[one.family])))


def local_judges(preferences: Preferences | None = None) -> tuple[LocalJudge, ...]:
    """Return every semantics in each setting and stance variant, and the votes; first those of the preferences."""
    kept = preferences or Preferences()
    keys = tuple(dict.fromkeys([*kept.semantics, *SEMANTICS]))
    judges: dict[LocalJudge, None] = {}
    for chosen in dict.fromkeys([kept, replace(Preferences(), semantics=kept.semantics)]):
        for key in keys:
            base = chosen.judge(key)
            judges |= {
                replace(base, setting=setting, variant=variant): None
                for setting in Setting
                for variant in StanceVariant
            }
    for rule in dict.fromkeys([kept.rule, DecisionRule()]):
        judges |= {MajorityVote(rule): None, MeanStance(rule): None, WeightedVote(rule=rule): None}
    return tuple(judges)


def recorded_judges(database: Database) -> tuple[tuple[RecordedJudge, int], ...]:
    """Return the judges whose judgements came with the debates, each with how many there are."""
    with database.read() as cursor:
        rows = cursor.execute(
            "SELECT judge, kind, count(DISTINCT debate) AS n FROM recorded_judgement "
            "WHERE trim(judge) <> '' GROUP BY ALL ORDER BY n DESC, judge, kind"
        ).fetchall()
    return tuple((RecordedJudge(judge, kind), count) for judge, kind, count in rows)


def presets(
    known: Sequence[Candidate], preferences: Preferences | None = None, most: int = MOST_PICKED
) -> dict[str, tuple[str, ...]]:
    """Return named groups of candidates by their ids, the most telling first; a group needs at least two judges.

    "Best" is the published choice, not the highest accuracy here: prior stances, combined QBAFs. So no preset tells
    anything about the labels.
    """
    kept = preferences or Preferences()
    here = {one.id for one in known}
    models = [one for one in known if one.family == Family.LLM and one.settings.get("kind") == "llm" and one.judged]
    # The model with the most judgements, as the plainest judge of those made with it.
    base = max(models, key=lambda one: (one.judged, _plainness(one.settings)), default=None)
    best = [
        replace(kept.judge(key), setting=Setting.COMBINED, variant=StanceVariant.PRIOR) for key in PUBLISHED_SEMANTICS
    ]
    semantics = [judge_id(judge) for judge in best]
    variants = [judge_id(replace(best[0], variant=variant)) for variant in StanceVariant]
    recorded = [one.id for one in known if isinstance(one.judge, RecordedJudge)]
    groups = {
        "Pinned": [one.id for one in known if one.pinned],
        "LLM vs semantics": [*(_alike(models, base, stance="prior") or [one.id for one in models[:1]]), *semantics],
        "All semantics": [judge.id for judge in known if _same_setting(judge, kept)],
        "All LLM variants": _alike(models, base),
        "Named vs anonymised": _alike(models, base, stance="prior"),
        "No, prior and posterior stance": _alike(models, base, naming="named") or variants,
        "Separate vs combined": [judge_id(replace(judge, setting=setting)) for judge in best for setting in Setting],
        "Votes vs semantics": [
            *semantics,
            *(
                judge_id(vote)
                for vote in (MajorityVote(kept.rule), MeanStance(kept.rule), WeightedVote(rule=kept.rule))
            ),
        ],
        "As recorded vs semantics": [*recorded[: MOST_PICKED - len(semantics)], *semantics],
    }
    needed = {"LLM vs semantics": base, "As recorded vs semantics": recorded}
    return {
        name: tuple(dict.fromkeys(one for one in ids if one in here))[:most]
        for name, ids in groups.items()
        if len(here.intersection(ids)) > 1 and needed.get(name, True)
    }


def _alike(models: Sequence[Candidate], base: Candidate | None, **fixed: str) -> list[str]:
    """Return the LLM judges that differ from one in naming and stance alone, some of which may be fixed."""
    if base is None:
        return []
    free = {"naming", "stance", "prompt_hash"}
    wanted = {key: value for key, value in base.settings.items() if key not in free} | fixed
    found = [one for one in models if all(one.settings.get(key) == value for key, value in wanted.items())]
    return [one.id for one in sorted(found, key=lambda one: one.settings.get("naming") != "named")]


def _plainness(settings: Mapping[str, Any]) -> tuple[bool, ...]:
    """Return which ordinary choices a judge has made; the more, the more telling it is in a comparison."""
    return (
        settings.get("evidence") == "debate",
        settings.get("order") is None,
        settings.get("example") is None,
        settings.get("score_mode") == "printed",
        settings.get("stance") == "prior",
        settings.get("naming") == "named",
    )


def _same_setting(one: Candidate, kept: Preferences) -> bool:
    return isinstance(one.judge, SemanticsJudge) and one.judge == kept.judge(one.judge.semantics)


def _candidate(judge: LocalJudge | RecordedJudge, judged: int = 0) -> Candidate:
    family = family_of(judge)
    if isinstance(judge, RecordedJudge):
        family = RECORDED_FAMILY.get(judge.kind, Family.RECORDED)
    return Candidate(judge_id(judge), judge.name, family.value, judge, judge.settings(), judged)


def _stored_local(one: StoredJudge) -> Candidate:
    judge = judge_of(one.settings, find_prompts)
    local = judge if isinstance(judge, LocalJudge) else None
    return Candidate(one.id, one.shown, one.family.value, local, one.settings, one.judgement_count, "", one.pinned)


def _origins(database: Database) -> dict[str, str]:
    with database.read() as cursor:
        rows = cursor.execute(
            "SELECT judge_id, string_agg(DISTINCT origin, '; ' ORDER BY origin) FROM judgement "
            "WHERE origin <> '' GROUP BY judge_id"
        ).fetchall()
    return dict(rows)


def _distinct(listed: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates with names that differ: people may call two judges the same."""
    found = list(listed)
    counts = Counter(one.name for one in found)
    return [one if counts[one.name] == 1 else replace(one, name=f"{one.name} ({one.id[:6]})") for one in found]


__all__ = ["MOST_PICKED", "Candidate", "candidates", "local_judges", "presets", "recorded_judges"]
