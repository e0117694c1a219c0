"""Shared handles and every key of the session and the URL; no other file names a key.

``st.cache_resource`` appears here alone: the database and the inbox live as long as the server.
"""

from __future__ import annotations

import gc
import importlib
import math
import threading
import time
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core.comparison.population import Abstention
from core.debate import Debate
from core.errors import UnknownDebate
from core.judges.many import ProfileArrays
from core.judges.semantics_judge import SemanticsJudge
from core.overview import Scored
from core.preferences import Preferences
from core.roles import Permission, Person, allowed
from core.semantics import SEMANTICS
from pages.components import identity
from storage.audit_log import AuditLog
from storage.comment_repository import CommentRepository
from storage.content_stamp import content_stamp
from storage.contestation_repository import ContestationRepository
from storage.contested_judging import ContestedJudging
from storage.database import Database
from storage.debate_desk import DebateDesk, desk_answer
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository, Facets
from storage.debate_run_repository import DebateRunRepository
from storage.debate_run_worker import DebateRunWorker
from storage.debated_sample import is_loaded
from storage.debated_sample import load_debated_sample as bring_debated_sample
from storage.draft_keeper import DraftKeeper
from storage.experiment_repository import ExperimentRepository
from storage.import_desk import ImportDesk
from storage.importer import Wish
from storage.inbox import Inbox
from storage.judge_catalogue import Candidate
from storage.judge_catalogue import candidates as find_candidates
from storage.judgement_repository import JudgementRepository
from storage.location import database_path
from storage.lock import Holder
from storage.many_judgements import judged
from storage.many_judgements import to_flip as found_to_flip
from storage.mapping_repository import MappingRepository
from storage.own_drafts import OwnDrafts
from storage.people_repository import PeopleRepository
from storage.profile_arrays import profile_arrays
from storage.prompt_files import load_prices
from storage.property_bench import Benched, benched
from storage.property_debates import debates_of, stamp_of
from storage.property_repository import PropertyRepository
from storage.property_worker import PropertyWorker
from storage.report_repository import ReportRepository
from storage.ruling_repository import RulingRepository
from storage.run_desk import RunDesk
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker
from storage.sample import load_sample as bring_sample
from storage.setting_repository import SettingRepository
from storage.statement_asking import StatementAsking
from storage.statement_drafts import StatementDrafts
from storage.statement_repository import StatementRepository

if TYPE_CHECKING:
    from core.comparison_report import Comparison
    from core.experiments.source import Source
    from core.properties.debate_set import DebateSet
    from core.properties.outcomes import Outcomes
    from core.properties.result import PropertyResult
    from storage.comparison_source import Material
    from storage.readers import ReadFile

ROOT = Path(__file__).resolve().parents[2]
ALL_DATASETS = ""
MOST_RESULTS = 400  # of property tests that are kept in memory
FLIP_SECONDS = 10.0  # for the distances of all debates; those not reached in time are left open
WARM_UP_SECONDS = 3.0  # after the start, when the first page is there
SLOW_MODULES = ("plotly.graph_objs._figure", "plotly.graph_objs._scatter", "core.comparison_report", "core.graph_map")

# Session keys
READY = "moot.ready"
DATASET = "ds"
HIDE_LABELS = "hide"
LAST_DEBATE = "moot.last_debate"
RECENT = "moot.recent"
SIGNED_IN = "moot.signed_in"  # who was noted as signed in, and in which role
KNOWN = "moot.known"  # by debate, the saved contestations that this session has had before it
COMPARED = "moot.compared"  # which judges and debates Compare judges shows, for what is added to a report
WHOLE_PAGE = "moot.whole_page"  # whether a fragment is to have the whole page drawn anew
UNKEPT = "moot.unkept"  # the contestation whose last edits are not in the database yet

# Query parameters, so that a link shows the same thing
DEBATE = "d"
ROUND = "r"
CONTESTATION = "c"
ARGUMENT = "n"
PREFERENCES = "preferences"


@st.cache_resource(show_spinner="Opening the database", on_release=Database.close)
def database() -> Database:
    """Return the one open database of this server, with the inbox for the command line running.

    Raises:
        MootError: If it cannot be opened; the message says what to do.
    """
    opened = Database.open(database_path(), Holder.APP)
    judges = RunDesk(opened, lambda: _run_worker(id(opened), opened))
    debates = DebateDesk(opened, lambda: _debate_run_worker(id(opened), opened))
    Inbox(opened, desk_answer(judges.answer, debates)).start()
    warm_up = threading.Timer(WARM_UP_SECONDS, _load_slow_modules)
    warm_up.daemon = True
    warm_up.start()
    return opened


def _load_slow_modules() -> None:
    """Load what the first visit to some pages would have to wait for.

    All that is loaded then stays; so the garbage collector need not look at it again, which takes it 100 ms.
    """
    for name in SLOW_MODULES:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def person() -> Person:
    """Return who has the page open; whatever they do goes through the repositories in here, in their name.

    Raises:
        NotAllowed: If people have to sign in and nobody is signed in.
    """
    return identity.person()


def may(permission: Permission) -> bool:
    """Return whether who has the page open may do something; for what the page offers, not for what is done."""
    return allowed(person(), permission)


def note_sign_in() -> None:
    """Note who signed in, once in a session and again when their role has changed."""
    present = person()
    if present.signed_in and st.session_state.get(SIGNED_IN) != present:
        PeopleRepository(database()).signed_in(present)
        st.session_state[SIGNED_IN] = present


def debates() -> DebateRepository:
    """Return the debates kept in the database."""
    return DebateRepository(database(), person())


def contestations() -> ContestationRepository:
    """Return the contestations kept in the database."""
    return ContestationRepository(database(), person())


def rulings() -> RulingRepository:
    """Return the rulings kept in the database."""
    return RulingRepository(database(), person())


def reports() -> ReportRepository:
    """Return the reports kept in the database, and the one that who has the page open puts together."""
    return ReportRepository(database(), person())


def comments() -> CommentRepository:
    """Return the comments kept in the database."""
    return CommentRepository(database(), person())


def audit_log() -> AuditLog:
    """Return the log of who changed what."""
    return AuditLog(database())


def import_wish() -> Wish:
    """Return how files are imported here: in the name of who has the page open."""
    return Wish(person=person())


def mappings() -> MappingRepository:
    """Return the mappings by which files are read that no reader knows."""
    return MappingRepository(database(), person())


@st.cache_resource(on_release=ImportDesk.stop, show_spinner=False)
def _import_desk(opened: int, _database: Database) -> ImportDesk:
    return ImportDesk(_database)


def import_desk() -> ImportDesk:
    """Return what imports files; it lives as long as the database is open, whoever has a page open."""
    return _import_desk(id(database()), database())


def load_sample() -> None:
    """Bring in the sample debates."""
    bring_sample(database(), person=person())


def load_debated_sample() -> None:
    """Bring in the debates that a small model held."""
    bring_debated_sample(database(), person=person())


def has_debated_sample() -> bool:
    """Return whether those are here."""
    return is_loaded(database())


@st.cache_resource(on_release=DraftKeeper.close, show_spinner=False)
def _draft_keeper(opened: int, _database: Database) -> DraftKeeper:
    return DraftKeeper(_database)


def drafts() -> OwnDrafts:
    """Return the drafts of who has the page open, kept in the database."""
    return OwnDrafts(_draft_keeper(id(database()), database()), person())


def judgements() -> JudgementRepository:
    """Return the judges and judgements kept in the database."""
    return JudgementRepository(database(), person())


def settings() -> SettingRepository:
    """Return the settings kept in the database."""
    return SettingRepository(database(), person())


def runs() -> RunRepository:
    """Return the runs kept in the database."""
    return RunRepository(database(), person())


@st.cache_resource(on_release=RunWorker.stop, show_spinner=False)
def _run_worker(opened: int, _database: Database) -> RunWorker:
    return RunWorker(_database, load_prices())


def run_worker() -> RunWorker:
    """Return what carries out runs; it lives as long as the database is open, whoever has a page open."""
    return _run_worker(id(database()), database()).acting_for(person())


@st.cache_resource(on_release=DebateRunWorker.stop, show_spinner=False)
def _debate_run_worker(opened: int, _database: Database) -> DebateRunWorker:
    return DebateRunWorker(_database, load_prices()).judged_by(lambda: _run_worker(opened, _database))


def debate_run_worker() -> DebateRunWorker:
    """Return what holds debates; it lives as long as the database is open, whoever has a page open."""
    return _debate_run_worker(id(database()), database()).acting_for(person())


def debate_runs() -> DebateRunRepository:
    """Return the runs of debates kept in the database."""
    return DebateRunRepository(database(), person())


def contested_judging() -> ContestedJudging:
    """Return what asks language models about contested debates."""
    return ContestedJudging(database(), load_prices(), person=person())


def statement_asking() -> StatementAsking:
    """Return what asks language models for arguments in transcripts."""
    return StatementAsking(database(), load_prices(), person=person())


def statements() -> StatementRepository:
    """Return the debates made from transcripts that are kept in the database."""
    return StatementRepository(database(), person())


def statement_drafts() -> StatementDrafts:
    """Return what who has the page open has taken from transcripts and not made a debate of yet."""
    return StatementDrafts(database(), person())


def properties() -> PropertyRepository:
    """Return the results of property tests kept in the database."""
    return PropertyRepository(database(), person())


def experiments() -> ExperimentRepository:
    """Return the experiments kept in the database."""
    return ExperimentRepository(database(), person())


@st.cache_resource(on_release=PropertyWorker.stop, show_spinner=False)
def _property_worker(opened: int, _database: Database) -> PropertyWorker:
    return PropertyWorker(_database, load_prices())


def property_worker() -> PropertyWorker:
    """Return what carries out experiments; it lives as long as the database is open, whoever has a page open."""
    return _property_worker(id(database()), database()).acting_for(person())


@st.cache_resource(max_entries=4, show_spinner="Reading the file")
def read_debates(content: bytes, name: str) -> ReadFile:
    """Return what a file holds that somebody dropped, by the readers of imports; nothing of it is stored."""
    from storage.readers import read_file  # which few pages need

    return read_file(content, name)


@st.cache_resource(max_entries=4, show_spinner="Reading the debates")
def _tested_debates(path: str, source: str, stamp: str, _source: Source) -> DebateSet:
    return debates_of(database(), _source)


def tested_debates(source: Source) -> DebateSet:
    """Return the debates that properties are tested on; kept until they change.

    Raises:
        MootError: If there is none.
    """
    return _tested_debates(str(database_path()), source.key, stamp_of(database(), source), source)


@dataclass
class PropertyBook:
    """Results for judges that judge here and now, kept for the life of the server."""

    kept: dict[tuple[str, str], PropertyResult] = field(default_factory=dict)
    baselines: dict[tuple[str, str], Outcomes] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


@st.cache_resource
def _property_book(path: str) -> PropertyBook:
    return PropertyBook()


def property_book() -> PropertyBook:
    """Return the results that this server has worked out, by question and stamp of the debates."""
    book = _property_book(str(database_path()))
    if len(book.kept) > MOST_RESULTS:  # each has its witnesses with it
        book.kept.clear()
        book.baselines.clear()
    return book


@st.cache_resource(max_entries=4, show_spinner=False)
def _bench(path: str, stamp: str, preferences: str, _known: tuple[Candidate, ...]) -> tuple[Benched, ...]:
    return benched(database(), _known)


def bench() -> tuple[Benched, ...]:
    """Return every judge whose properties can be tested; kept until judges or judgements change."""
    known = candidates()
    stamp = f"{content_stamp(database())} {[(one.id, one.name) for one in known]} {len(judgements().judges())}"
    return _bench(str(database_path()), stamp, "", known)


def begin() -> None:
    """Mark the session as started by app.py."""
    st.session_state[READY] = True


def end() -> None:
    """Mark the session as one that no page may run in."""
    st.session_state.pop(READY, None)


def ready() -> bool:
    """Return whether app.py started this session."""
    return bool(st.session_state.get(READY))


def preferences() -> Preferences:
    """Return the judge settings and display choices in force."""
    kept: Preferences | None = st.session_state.get(PREFERENCES)
    if kept is None:
        kept = Preferences.from_json(settings().get(PREFERENCES, {}))
        st.session_state[PREFERENCES] = kept
    return kept


def keep_preferences(changed: Preferences, *, for_good: bool) -> None:
    """Use other preferences from now on in this session, and for good if wanted."""
    st.session_state[PREFERENCES] = changed
    if for_good:
        settings().set(PREFERENCES, changed.to_json())


def reset_preferences() -> None:
    """Go back to the defaults, for good."""
    keep_preferences(Preferences(), for_good=True)


def version() -> str:
    """Return Moot's version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def compared_judges() -> tuple[SemanticsJudge, SemanticsJudge]:
    """Return the two judges that lists compare: the first two of those shown first."""
    kept = preferences()
    others = [key for key in (*kept.semantics[1:], *SEMANTICS) if key != kept.semantics[0]]
    return kept.judge(), kept.judge(others[0])


def labels_hidden() -> bool:
    """Return whether gold labels must not be shown."""
    return bool(st.session_state.get(HIDE_LABELS))


def chosen_dataset() -> str | None:
    """Return the data set chosen in the sidebar; None for all."""
    return st.session_state.get(DATASET) or None


def still_offered(key: str, options: Iterable[str]) -> bool:
    """Return whether a choice that is bound to the URL stands: what was chosen is an option, or the URL is to say.

    False also where nothing was chosen yet, so that the caller can choose.
    """
    if key in st.session_state:
        return st.session_state[key] in set(options)
    return key in st.query_params


def selected_debate_id() -> str | None:
    """Return the debate of the link, or the one looked at last; the URL follows."""
    named = st.query_params.get(DEBATE)
    chosen = named or st.session_state.get(LAST_DEBATE)
    if chosen is None:
        return None
    if chosen != named:
        st.query_params[DEBATE] = chosen
    st.session_state[LAST_DEBATE] = chosen
    recent: list[str] = st.session_state.setdefault(RECENT, [])
    if not recent or recent[0] != chosen:
        st.session_state[RECENT] = [chosen, *(name for name in recent if name != chosen)][:5]
    return str(chosen)


def forget_debate() -> None:
    """Forget the debate looked at last, when it is not there any more."""
    gone = st.session_state.pop(LAST_DEBATE, None)
    st.session_state[RECENT] = [name for name in st.session_state.get(RECENT, []) if name != gone]
    for name in (DEBATE, CONTESTATION):
        st.query_params.pop(name, None)


def recent_debate_ids() -> list[str]:
    """Return the debates looked at last in this session, newest first."""
    return list(st.session_state.get(RECENT, []))


def debate_or_none(debate_id: str) -> Debate | None:
    """Return a debate, or None where the database has none of that id."""
    try:
        return debates().get(debate_id)
    except UnknownDebate:
        return None


def link(debate_id: str, contestation: str | None = None) -> dict[str, str]:
    """Return the query parameters of a link to a debate, or to a contestation of it."""
    return {DEBATE: debate_id} if contestation is None else {DEBATE: debate_id, CONTESTATION: contestation}


def show_contestation(debate_id: str, contestation: str) -> None:
    """Make the address that of a saved contestation."""
    st.query_params.from_dict(link(debate_id, contestation))


def open_drafts() -> int:
    """Return how many debates have edits that are not saved."""
    return sum(1 for draft in drafts().all() if draft.edits)


def own_name() -> str:
    """Return what is offered as the author's name of what is saved here; who signed in can give no other."""
    return person().shown if person().signed_in else preferences().reviewer or person().shown


def remember_reviewer(name: str) -> None:
    """Offer this name at the next save; for good where one local user has Moot alone."""
    keep_preferences(replace(preferences(), reviewer=name), for_good=False)
    if person().signed_in:
        return
    stored = Preferences.from_json(settings().get(PREFERENCES, {}))
    settings().set(PREFERENCES, replace(stored, reviewer=name).to_json())


def known_contestations(debate_id: str, present: Iterable[str]) -> set[str]:
    """Return the debate's saved contestations that were there when this session first opened it, and those seen since.

    Args:
        debate_id: Which debate.
        present: The ids of those that are there now.
    """
    known: dict[str, set[str]] = st.session_state.setdefault(KNOWN, {})
    return known.setdefault(debate_id, set(present))


@dataclass
class ScoreBook:
    """Judgements of stored debates, kept for the life of the server; only what is new is judged."""

    kept: dict[str, dict[str, Scored]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def scores(self, judge: SemanticsJudge, ids: Iterable[str]) -> dict[str, Scored]:
        """Return one judge's judgement of each debate's last round, by debate id."""
        wanted = list(ids)
        with self.lock:
            known = self.kept.setdefault(judge.name, {})
            new = [name for name in wanted if name not in known]
            if new:
                known.update(judged(database(), judge, new if known else None))
            return {name: known[name] for name in wanted if name in known}


@dataclass
class FlipBook:
    """How far verdicts are from flipping, kept for the life of the server; only what is new is worked out."""

    kept: dict[SemanticsJudge, dict[str, float]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def distances(self, judge: SemanticsJudge, ids: Iterable[str]) -> list[float]:
        """Return one distance for each debate, in order; NaN where it is not known, or was not found in time."""
        wanted = list(ids)
        with self.lock:
            known = self.kept.setdefault(judge, {})
            new = [name for name in wanted if name not in known]
            if new:
                end = time.monotonic() + FLIP_SECONDS
                known.update(found_to_flip(database(), judge, new, lambda: time.monotonic() > end))
            return [known.get(name, math.nan) for name in wanted]


@st.cache_resource
def _flip_book(path: str) -> FlipBook:
    return FlipBook()


def to_flip(judge: SemanticsJudge, ids: Iterable[str]) -> list[float]:
    """Return how far a judge's verdict on each debate's last round is from flipping; see ``FlipBook``."""
    return _flip_book(str(database_path())).distances(judge, ids)


@st.cache_resource
def _score_book(path: str) -> ScoreBook:
    return ScoreBook()


def scores(judge: SemanticsJudge, ids: Iterable[str]) -> dict[str, Scored]:
    """Return one judge's judgement of each debate's last round, by debate id."""
    return _score_book(str(database_path())).scores(judge, ids)


def candidates() -> tuple[Candidate, ...]:
    """Return every judge that can be put beside others."""
    return find_candidates(database(), preferences())


@st.cache_resource(max_entries=4, show_spinner=False)
def _arrays(path: str, dataset: str | None, stamp: str) -> ProfileArrays:
    return profile_arrays(database(), debates().ids(DebateFilter(datasets=(dataset,))) if dataset else None)


@st.cache_resource(max_entries=8, show_spinner="Judging")
def _material(
    path: str, judges: tuple[tuple[str, str], ...], dataset: str | None, stamp: str, _picked: tuple[Candidate, ...]
) -> Material:
    from storage.comparison_source import material  # statistics take half a second to load

    local = any(judge.local is not None for judge in _picked)
    return material(database(), _picked, dataset, _arrays(path, dataset, stamp) if local else None)


@st.cache_resource(max_entries=16, show_spinner=False)
def _comparison(
    path: str,
    judges: tuple[tuple[str, str], ...],
    dataset: str | None,
    stamp: str,
    wanted: str,
    words: str,
    labels: bool,
    abstention: str,
    published: str,
    _picked: tuple[Candidate, ...],
    _wanted: DebateFilter | None,
    _published: pd.DataFrame | None,
) -> Comparison:
    return _material(path, judges, dataset, stamp, _picked).comparison(
        None if _wanted is None else debates().ids(_wanted),
        words,
        labels=labels,
        abstention=Abstention(abstention),
        published=_published,
    )


def comparison(
    picked: tuple[Candidate, ...],
    wanted: DebateFilter | None,
    words: str,
    abstention: Abstention,
    published: pd.DataFrame | None,
) -> Comparison:
    """Return the picked judges side by side on the chosen data set; kept until data sets or judgements change.

    Args:
        picked: At least one; the first is the baseline.
        wanted: Only these debates; None for all.
        words: The same in words.
        abstention: What an abstention does.
        published: Published figures to show beside one's own.
    """
    return _comparison(
        str(database_path()),
        tuple((judge.id, judge.name) for judge in picked),
        chosen_dataset(),
        content_stamp(database()),
        repr(wanted),
        words,
        not labels_hidden(),
        abstention.value,
        "" if published is None else "; ".join(published["Source"] + published["Judge"]),
        picked,
        wanted,
        published,
    )


@st.cache_resource(max_entries=4, show_spinner=False)
def _facets(path: str, stamp: str) -> Facets:
    return debates().facets()


def facets() -> Facets:
    """Return what debates can be filtered by; kept until data sets change."""
    return _facets(str(database_path()), content_stamp(database()))


def forget_scores() -> None:
    """Drop kept judgements, after debates were removed: their ids may come back with other contents."""
    _score_book(str(database_path())).kept.clear()
    _flip_book(str(database_path())).kept.clear()
