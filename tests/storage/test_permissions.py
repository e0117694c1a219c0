"""Every way to change what is stored, called directly, by people who may and people who may not."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.contestation import Contestation, Edit, EditKind
from core.debate import Message
from core.errors import MootError, NotAllowed
from core.judgement import Judgement, JudgementStatus
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import RelationKind
from core.roles import LOCAL_USER
from core.runs.plan import Budget, RunState
from core.statements.taken import TakenArgument
from storage.audit_log import AuditLog
from storage.comment_repository import CommentRepository, Remarked
from storage.contestation_repository import ContestationRepository, SavedMeanwhile
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.draft_keeper import DraftKeeper
from storage.importer import Wish, import_file
from storage.judgement_file import load_judgements
from storage.judgement_repository import FoundJudgement, JudgementRepository, KeptJudgement
from storage.own_drafts import OwnDrafts
from storage.people_repository import PeopleRepository
from storage.ruling_repository import Outcome, RulingRepository
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker
from storage.sample import load_sample
from storage.setting_repository import SettingRepository
from storage.statement_drafts import StatementDrafts
from storage.statement_repository import StatementRepository
from tests.storage.debates import a_dataset, a_debate
from tests.storage.people import ADMIN, OTHER, REVIEWER, VIEWER

ROOT = Path(__file__).resolve().parents[2]
EDIT = Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.8, 0.3)
CHALLENGE = Contestation("", "zoo", 0, (EDIT,), "The score is too high.", "Somebody else", role="admin")
JUDGE = SemanticsJudge("df-quad")
SAID = Judgement("judge", 0.5, None, JudgementStatus.OK, {}, "", {"kind": "semantics"})
FOUND = FoundJudgement("j", "d", "zoo", SAID, (), "", "", (), 0, None, None, None, 0.0)
TAKEN = TakenArgument("S1", "It is near.", (1,), RelationKind.SUPPORT)
REASON = "It names a private person."


@pytest.fixture
def world(database):
    """Return ids of what there is: a data set, a contestation, a comment, a judge, a run."""
    talk = a_debate(transcript=(Message("A1", "It is near.", 0),))
    dataset = DebateRepository(database).add(a_dataset(), [talk])
    judge = JudgementRepository(database).define(JUDGE)
    return {
        "database": database,
        "dataset": dataset.id,
        "contestation": ContestationRepository(database).save(CHALLENGE).id,
        "comment": CommentRepository(database).add("zoo", Remarked.DEBATE, "", "A remark.").id,
        "judge": judge,
        "run": RunRepository(database).create("run", [judge], ["zoo"], [], Budget()).id,
    }


REVIEWERS = {
    "save": lambda w, p: ContestationRepository(w["database"], p).save(CHALLENGE),
    "fork": lambda w, p: ContestationRepository(w["database"], p).save(
        Contestation("", "zoo", 0, (EDIT,), "Forked.", "x", parent=w["contestation"])
    ),
    "draft": lambda w, p: OwnDrafts(DraftKeeper(w["database"]), p).save("zoo#round 0", 0, (EDIT,)),
    "comment": lambda w, p: CommentRepository(w["database"], p).add("zoo", Remarked.ARGUMENT, "A1-pro1", "So?"),
    "import": lambda w, p: DebateRepository(w["database"], p).add(a_dataset("new", "cd" * 32), [a_debate("new")]),
    "take statements": lambda w, p: StatementRepository(w["database"], p).save("zoo", [TAKEN]),
    "statement draft": lambda w, p: StatementDrafts(w["database"], p).keep("zoo", [TAKEN]),
    "sample": lambda w, p: load_sample(w["database"], person=p),
    "import judgements": lambda w, p: JudgementRepository(w["database"], p).keep_found([FOUND]),
    "judgement file": lambda w, p: load_judgements(w["database"], [], "x", p),
    "keep judgements": lambda w, p: JudgementRepository(w["database"], p).keep([KeptJudgement("j", "d", "zoo", SAID)]),
    "define": lambda w, p: JudgementRepository(w["database"], p).define(SemanticsJudge("qe"), "Mine", pinned=True),
    "create run": lambda w, p: RunRepository(w["database"], p).create("r", [w["judge"]], ["zoo"], [], Budget()),
    "plan run": lambda w, p: RunWorker(w["database"], person=p).create([JUDGE], ["zoo"]),
    "start run": lambda w, p: started(w, p),
    "cancel run": lambda w, p: RunWorker(w["database"]).acting_for(p).cancel(w["run"]),
    "run state": lambda w, p: RunRepository(w["database"], p).set_state(w["run"], RunState.CANCELLED),
    "run limits": lambda w, p: RunRepository(w["database"], p).set_budget(w["run"], Budget(calls=3)),
    "retry": lambda w, p: RunRepository(w["database"], p).open_failed(w["run"]),
}
ADMINS = {
    "rule": lambda w, p: RulingRepository(w["database"], p).rule(w["contestation"], Outcome.UPHELD, REASON),
    "remove": lambda w, p: ContestationRepository(w["database"], p).remove(w["contestation"], REASON),
    "remove data set": lambda w, p: DebateRepository(w["database"], p).remove_dataset(w["dataset"], True),
    "remove run": lambda w, p: RunRepository(w["database"], p).remove(w["run"]),
    "forget judge": lambda w, p: JudgementRepository(w["database"], p).forget_judge(w["judge"]),
    "set": lambda w, p: SettingRepository(w["database"], p).set("threshold", 0.7),
    "unset": lambda w, p: SettingRepository(w["database"], p).remove("threshold"),
    "withdraw another's comment": lambda w, p: CommentRepository(w["database"], p).withdraw(w["comment"], REASON),
}
READS = {"open failed", "judgement file", "retry", "unset"}  # change nothing here, so there is nothing to log


def started(world, person):
    worker = RunWorker(world["database"], person=person)
    worker.start(world["run"])
    worker.wait(world["run"])
    worker.stop()


def everything(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    with database.read() as cursor:
        names = [name for (name,) in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {name: cursor.execute(f"SELECT * FROM {name}").fetchall() for name in names}


@pytest.mark.parametrize("way", [*REVIEWERS, *ADMINS])
def test_a_viewer_changes_nothing_by_any_way(world, way):
    before = everything(world["database"])
    with pytest.raises(NotAllowed):
        (REVIEWERS | ADMINS)[way](world, VIEWER)
    assert everything(world["database"]) == before


@pytest.mark.parametrize("way", ADMINS)
def test_a_reviewer_does_nothing_that_is_for_admins(world, way):
    before = everything(world["database"])
    with pytest.raises(NotAllowed):
        ADMINS[way](world, REVIEWER)
    assert everything(world["database"]) == before


@pytest.mark.parametrize("way", REVIEWERS)
def test_a_reviewer_may_and_the_log_names_them(world, way):
    log = AuditLog(world["database"])
    count = log.head().count
    REVIEWERS[way](world, REVIEWER)
    told = [entry for entry in log.entries() if entry.sequence > count]
    assert log.check().intact
    if way not in {
        *READS,
        "draft",
        "statement draft",
        "keep judgements",
    }:  # drafts are nobody else's business; runs log themselves
        assert told
        assert {entry.person for entry in told} <= {REVIEWER.id, "moot"}
        assert {entry.role for entry in told if entry.person == REVIEWER.id} == {"reviewer"}


@pytest.mark.parametrize("way", ADMINS)
def test_an_admin_may_and_the_log_names_them(world, way):
    log = AuditLog(world["database"])
    count = log.head().count
    ADMINS[way](world, ADMIN)
    told = [entry for entry in log.entries() if entry.sequence > count]
    assert log.check().intact
    assert {entry.person for entry in told} == (set() if way in READS else {ADMIN.id})


def test_a_file_that_a_viewer_brings_is_refused_with_the_reason(database):
    report = import_file(database, b"claim,text\nA,B\n", "x.csv", Wish(person=VIEWER))
    assert report.refused
    assert DebateRepository(database).count() == 0


def test_author_and_role_of_what_signed_in_people_save_are_their_own(world):
    saved = ContestationRepository(world["database"], REVIEWER).save(CHALLENGE)
    assert (saved.author, saved.role) == ("Ria <ria@example.org>", "reviewer")


def test_runs_are_logged_from_their_start_to_their_end_with_who_did_it(world):
    started(world, REVIEWER)
    log = AuditLog(world["database"]).about("run", world["run"])
    assert [(entry.action, entry.person) for entry in log] == [
        ("run created", "command line"),
        ("run started", REVIEWER.id),
        ("run ended", REVIEWER.id),
    ]
    assert [entry.after for entry in log[1:]] == ['"running"', '"done"']


def test_a_run_that_the_program_left_behind_is_logged_as_its_own_doing(world):
    RunRepository(world["database"]).set_state(world["run"], RunState.RUNNING)
    RunWorker(world["database"]).stop()
    last = AuditLog(world["database"]).about("run", world["run"])[-1]
    assert (last.action, last.person, last.after) == ("run ended", "moot", '"interrupted"')


# --- rulings ----------------------------------------------------------------------------------------------------------


def test_a_ruling_is_replaced_by_a_later_one_and_withdrawn_with_a_reason(world):
    rulings = RulingRepository(world["database"], ADMIN)
    name = world["contestation"]
    rulings.rule(name, Outcome.UPHELD, "The record bears it out.")
    assert rulings.standing([name])[name].outcome is Outcome.UPHELD
    rulings.rule(name, Outcome.OVERTURNED, "On second thoughts it does not.")
    assert rulings.standing([name])[name].outcome is Outcome.OVERTURNED
    rulings.rule(name, Outcome.WITHDRAWN, "Neither was for me to say.")
    assert rulings.standing([name]) == {}
    assert [ruling.outcome for ruling in rulings.all_on(name)] == ["upheld", "overturned", "withdrawn"]
    changes = [(e.before, e.after) for e in AuditLog(world["database"]).about("contestation", name)[1:]]
    assert changes == [("null", '"upheld"'), ('"upheld"', '"overturned"'), ('"overturned"', '"withdrawn"')]


def test_what_cannot_be_ruled_is_refused(world):
    rulings = RulingRepository(world["database"], ADMIN)
    with pytest.raises(MootError, match="No contestation"):
        rulings.rule("gone", Outcome.UPHELD, REASON)
    with pytest.raises(MootError, match="needs a reason"):
        rulings.rule(world["contestation"], Outcome.UPHELD, " too short ")
    with pytest.raises(MootError, match="no ruling"):
        rulings.rule(world["contestation"], Outcome.WITHDRAWN, REASON)
    rulings.rule(world["contestation"], Outcome.UPHELD, REASON)
    with pytest.raises(MootError, match="upheld already"):
        rulings.rule(world["contestation"], Outcome.UPHELD, REASON)
    assert len(rulings.all_on(world["contestation"])) == 1


# --- many people ------------------------------------------------------------------------------------------------------


def test_who_saves_without_having_seen_anothers_contestation_is_told_and_nothing_is_stored(world):
    mine = ContestationRepository(world["database"], REVIEWER)
    seen = [one.id for one in mine.for_debate("zoo")]
    theirs = ContestationRepository(world["database"], OTHER).save(CHALLENGE)
    with pytest.raises(SavedMeanwhile) as told:
        mine.save(CHALLENGE, seen)
    assert told.value.others == (theirs,)
    assert mine.count() == 2
    assert mine.save(CHALLENGE, [*seen, theirs.id]).author == "Ria <ria@example.org>"


def test_what_one_saved_oneself_elsewhere_is_asked_about_in_the_same_way(world):
    mine = ContestationRepository(world["database"], REVIEWER)
    seen = [one.id for one in mine.for_debate("zoo")]
    first = mine.save(CHALLENGE, seen)
    with pytest.raises(SavedMeanwhile, match="A contestation was saved meanwhile") as told:
        mine.save(replace(CHALLENGE, reason="From another tab."), seen)
    assert told.value.others == (first,)
    assert mine.count() == 2


def test_who_does_not_sign_in_has_a_name_of_choice_and_the_true_role(world):
    saved = ContestationRepository(world["database"], LOCAL_USER).save(
        replace(CHALLENGE, author="Rita", role="reviewer")
    )
    assert (saved.author, saved.role) == ("Rita", "admin")
    (entry,) = AuditLog(world["database"]).about("contestation", saved.id)
    assert entry.role == saved.role


def test_contestations_seen_and_the_one_forked_from_are_no_news(world):
    mine = ContestationRepository(world["database"], REVIEWER)
    first = mine.save(CHALLENGE, [world["contestation"]])
    theirs = ContestationRepository(world["database"], OTHER).save(CHALLENGE)
    fork = Contestation("", "zoo", 0, (EDIT,), "A fork of theirs.", "", parent=theirs.id)
    assert mine.save(fork, [world["contestation"], first.id]).parent == theirs.id
    assert first.id != fork.id


def test_a_contestation_that_was_forked_from_stays(world):
    contestations = ContestationRepository(world["database"], ADMIN)
    fork = contestations.save(Contestation("", "zoo", 0, (EDIT,), "A fork.", "", parent=world["contestation"]))
    with pytest.raises(MootError, match=fork.id):
        contestations.remove(world["contestation"], REASON)
    contestations.remove(fork.id, REASON)
    contestations.remove(world["contestation"], REASON)
    assert contestations.count() == 0
    with pytest.raises(MootError, match="No contestation"):
        contestations.remove(fork.id, REASON)


def test_nobody_reaches_anothers_drafts(database):
    keeper = DraftKeeper(database)
    mine, theirs = OwnDrafts(keeper, REVIEWER), OwnDrafts(keeper, OTHER)
    mine.save("zoo#round 0", 0, (EDIT,))
    assert theirs.draft("zoo#round 0") is None
    assert theirs.all() == ()
    assert not theirs.drop("zoo#round 0")
    assert [draft.edits for draft in mine.all()] == [(EDIT,)]
    keeper.close()


# --- comments ---------------------------------------------------------------------------------------------------------


def test_a_comment_keeps_its_author_place_and_time(world):
    comments = CommentRepository(world["database"], REVIEWER)
    written = comments.add("zoo", Remarked.ARGUMENT, "A1-pro1", "  Is it? ")
    assert comments.on("zoo", Remarked.ARGUMENT, "A1-pro1") == (written,)
    assert (written.text, written.person, written.name) == ("Is it?", REVIEWER.id, "Ria <ria@example.org>")
    assert [one.text for one in comments.of_debate("zoo")] == ["A remark.", "Is it?"]


def test_a_withdrawn_comment_keeps_its_place_and_shows_no_text(world):
    comments = CommentRepository(world["database"], REVIEWER)
    written = comments.add("zoo", Remarked.JUDGEMENT, "DF-QuAD", "Unkind words.")
    with pytest.raises(NotAllowed, match=r"Only Ria <ria@example.org> and admins"):
        CommentRepository(world["database"], OTHER).withdraw(written.id)
    with pytest.raises(MootError, match="Say why"):
        CommentRepository(world["database"], ADMIN).withdraw(written.id)
    gone = comments.withdraw(written.id)
    assert (gone.text, gone.withdrawn_by) == ("", "Ria <ria@example.org>")
    assert comments.on("zoo", Remarked.JUDGEMENT, "DF-QuAD") == (gone,)
    with pytest.raises(MootError, match="withdrawn already"):
        comments.withdraw(written.id)
    assert AuditLog(world["database"]).check().intact


def test_comments_that_cannot_be_are_refused(world):
    comments = CommentRepository(world["database"], REVIEWER)
    for text, said in (("  ", "needs a text"), ("x" * 5001, "at most 5,000"), ("So?", "'gone'")):
        with pytest.raises(MootError, match=said):
            comments.add("gone", Remarked.DEBATE, "", text)
    with pytest.raises(MootError, match="no comment"):
        comments.withdraw("gone")


def test_a_changed_comment_is_found(world):
    with world["database"].write() as cursor:
        cursor.execute("UPDATE comment SET text = 'Something else.'")
    assert "Comment" in AuditLog(world["database"]).check().problems[0]


def test_a_change_of_somebodys_role_is_logged_once(database):
    people = PeopleRepository(database)
    assert [people.signed_in(person) for person in (REVIEWER, REVIEWER, VIEWER)] == [True, False, True]
    assert people.role(REVIEWER.id) == "reviewer"
    assert people.role("nobody") is None
    assert [entry.after for entry in AuditLog(database).entries(limit=2)] == ['"viewer"', '"reviewer"']


# --- no way around ----------------------------------------------------------------------------------------------------


def test_pages_get_what_stores_from_one_place_that_knows_who_acts():
    """A repository made elsewhere would act as the command line, who may do everything."""
    makers = {"RunWorker", "DraftKeeper", "bring_sample", "write_bulk"}
    wrong = []
    for path in sorted((ROOT / "pages").rglob("*.py")):
        if path.name == "state.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                name = called.rsplit(".", 1)[-1]
                stores = name.endswith("Repository") or name in makers or called.endswith("database().write")
                nameless = name == "import_read_file" and not any(given.arg == "wish" for given in node.keywords)
                if stores or nameless:
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} calls {called}")
    assert wrong == []


def test_state_names_who_acts_wherever_something_is_stored():
    source = (ROOT / "pages" / "components" / "state.py").read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("Repository"):
            assert node.func.id == "PeopleRepository" or "person()" in ast.unparse(node), ast.unparse(node)
