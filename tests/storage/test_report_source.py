"""Reports out of a database: everything that an item refers to, or what is missing, and always the same bytes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.contestation import Contestation, Edit, EditKind, contest
from core.debate import profile
from core.judgement import JudgementStatus, Verdict
from core.llm.circumstances import Circumstances
from core.llm.request import ChatReply
from core.opinion import RelationKind
from core.overview import Scored
from core.preferences import Preferences
from core.properties.trial import Trial
from core.properties.witness import Witness
from core.rejudging import judgement_record
from core.report.document import Drawing, Grid, Remark, Tone
from core.report.items import ComparedJudges, FreeNote, JudgedDebate, Piece, PropertyWitness, SavedContestation
from core.report.report import Report
from storage.contestation_repository import ContestationRepository
from storage.database import Database
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.filter_record import filter_from_json, filter_to_json
from storage.judge_catalogue import candidates, presets
from storage.reply_repository import KeptReply, ReplyRepository
from storage.report_files import KINDS, report_file, report_file_name
from storage.report_source import LABELS, item_words, report_document
from storage.ruling_repository import Outcome, RulingRepository
from tests.pages.judged import NAMED, SAID, five_debates, keep
from tests.storage.debates import HOSTILE, a_dataset, a_debate

ORIGIN = "small local model, demonstration"
PREFERENCES = Preferences()
ADDED = Edit(EditKind.ADD_ARGUMENT, "R1", None, 0.7, text="The zoo is closed.", relation=RelationKind.ATTACK)
EDITS = (Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.8, 0.3), ADDED)


def saved_on(database, debate, edits=EDITS, reason="The score is too high.", **fields):
    held = profile(debate)
    judges = PREFERENCES.pinned_judges()
    before, after = (
        {judge.name: judgement_record(judge.judge(one)) for judge in judges}
        for one in (held, contest(held, edits).profile)
    )
    values = {"before": before, "after": after, "settings": PREFERENCES.judging()} | fields
    number = debate.rounds[-1].number
    return ContestationRepository(database).save(
        Contestation("", debate.id, number, tuple(edits), reason, "Ada", **values)
    )


@pytest.fixture
def filled(path):
    """Return a database of five labelled debates that a language model judged, with one contestation."""
    with Database.open(path) as database:
        DebateRepository(database).add(a_dataset("zoo set"), five_debates())
        saved_on(database, DebateRepository(database).get("one"))
    keep(path, NAMED, SAID, ORIGIN)
    with Database.open(path) as database:
        yield database


def contestation(database):
    (saved,) = ContestationRepository(database).for_debate("one")
    return saved


def judges(database):
    known = candidates(database)
    by_id = {one.id: one for one in known}
    return tuple(dict(by_id[name].settings) for name in presets(known)["LLM vs semantics"])


def sections(database, *items, **fields):
    report = Report(**fields)
    for item in items:
        report = report.with_item(item)
    return report_document(database, report, "1.2.3").sections


def of_kind(section, kind):
    return [block for block in section.blocks if isinstance(block, kind)]


def everything(section):
    return repr(section)


# --- a contestation ---------------------------------------------------------------------------------------------------


def test_a_contestation_shows_claim_verdicts_edits_map_contributions_and_settings(filled):
    saved = contestation(filled)
    (section,) = sections(filled, SavedContestation(saved.id))
    judgements = next(grid for grid in of_kind(section, Grid) if grid.title == "Judgements")
    # 0.5 + 0.5 (0.8 - 0.6) before; after: pro 0.3, cons 0.6 and 0.7 together 1 - 0.4 * 0.3 = 0.88
    assert judgements.rows[0][1:3] == ("✓ True 0.60", "✕ False 0.21")
    assert section.title == "Claim one holds."
    assert section.outcome == "✓ True 0.60 → ✕ False 0.21"
    edits = next(grid for grid in of_kind(section, Grid) if grid.title == "What was changed")
    assert [row[1] for row in edits.rows] == [
        "As recorded", "A1-pro1: base score 0.80 → 0.30", "R1 added: attacks the topic, base score 0.70",
    ]  # fmt: skip
    assert edits.rows[2][2] == "The zoo is closed."
    assert [drawing.title for drawing in of_kind(section, Drawing)] == [
        "Scores before and after", "Argument map", "Contributions",
    ]  # fmt: skip
    numbers = next(grid for grid in of_kind(section, Grid) if grid.title == "Contributions in numbers")
    assert [column.name for column in numbers.columns][-2:] == ["Removal", "Shapley value"]
    assert {judge.name for judge in section.judges} == {judge.name for judge in PREFERENCES.pinned_judges()}
    assert "score ≥ 0.50 → True" in everything(section)


def test_the_checks_say_that_the_digest_is_the_logged_one_and_that_judging_again_gives_the_same(filled):
    (section,) = sections(filled, SavedContestation(contestation(filled).id))
    by_kind = {check.what: check for check in section.checks}
    assert by_kind["Contestation"].outcome.startswith("As entry ")
    assert {check.outcome for check in section.checks if check.what == "Judged again"} == {
        "Same to the last bit as recorded."
    }
    assert len(by_kind["Debate content"].value) == 64
    assert by_kind["Data set's file"].value == "ab" * 32


def test_a_contestation_changed_behind_the_programs_back_is_found(filled):
    saved = contestation(filled)
    with filled.write() as cursor:
        cursor.execute("UPDATE contestation SET reason = 'Something else.' WHERE id = ?", [saved.id])
    (section,) = sections(filled, SavedContestation(saved.id))
    assert next(check for check in section.checks if check.what == "Contestation").outcome.startswith("CHANGED since")


def test_recorded_judgements_that_judging_again_does_not_give_are_named(filled):
    name = PREFERENCES.judge().name
    wrong = {name: {"judge": name, "score": 0.9, "verdict": "true", "status": "ok"}}
    saved = saved_on(filled, DebateRepository(filled).get("two"), before=wrong, after=wrong)
    (section,) = sections(filled, SavedContestation(saved.id))
    assert "DIFFERS from what was recorded." in {check.outcome for check in section.checks}


def test_a_ruling_that_stands_is_told(filled):
    saved = contestation(filled)
    RulingRepository(filled).rule(saved.id, Outcome.UPHELD, "The record says the same.")
    (section,) = sections(filled, SavedContestation(saved.id))
    assert "Upheld. The record says the same." in everything(section)


def test_what_a_model_said_of_the_contested_debate_stands_beside_with_its_label_and_its_breach(filled):
    more = (Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.8, 0.9),)
    saved = saved_on(filled, DebateRepository(filled).get("one"), more)
    assert "Language models" not in everything(sections(filled, SavedContestation(saved.id))[0])
    debate = DebateRepository(filled).get("one")
    contested = contest(profile(debate), more).profile
    replies = ReplyRepository(filled)
    for request in NAMED.requests(contested, Circumstances.of(debate, debate.rounds[-1].number)):
        replies.keep([KeptReply(request, ChatReply('{"score": 0.40}', "fake-model"))])
    (section,) = sections(filled, SavedContestation(saved.id))
    models = next(grid for grid in of_kind(section, Grid) if grid.title == "Language models before and after")
    assert models.rows == ((NAMED.name, "✓ True 0.90", "✕ False 0.40", "−0.500", ORIGIN),)
    assert "fell by 0.500: this breaks contestability" in everything(section)


def test_a_saved_judgement_of_a_model_keeps_its_label(filled):
    said = {NAMED.name: {"judge": NAMED.name, "score": 0.9, "verdict": "true", "status": "ok"}}
    saved = saved_on(filled, DebateRepository(filled).get("two"), before=said, after=said)
    (section,) = sections(filled, SavedContestation(saved.id))
    assert (NAMED.name, f"{ORIGIN}.") in [(remark.title, remark.text) for remark in of_kind(section, Remark)]


# --- a debate ---------------------------------------------------------------------------------------------------------


def test_a_debate_shows_every_judge_and_says_where_stored_judgements_are_from(filled):
    (section,) = sections(filled, JudgedDebate("one", None, PREFERENCES.judging()))
    judgements = next(grid for grid in of_kind(section, Grid) if grid.title == "Judgements")
    row = next(row for row in judgements.rows if row[0] == NAMED.name)
    assert row[1:] == ("✓ True 0.90", "0.900", ORIGIN)
    assert [remark.text for remark in of_kind(section, Remark) if remark.tone is Tone.ORIGIN] == [f"{ORIGIN}."]
    assert "Prompt set" in {check.what for check in section.checks}


def test_a_round_that_is_not_there_is_said_in_its_place(filled):
    (section,) = sections(filled, JudgedDebate("one", 7, PREFERENCES.judging()))
    assert section.kicker == "Missing"
    assert "has no round 7" in everything(section)


# --- judges side by side ----------------------------------------------------------------------------------------------


def test_a_chart_and_a_table_of_judges_are_made_again(filled):
    chart = ComparedJudges(judges(filled), Piece.CHART, "scores 1 and 2")
    table = ComparedJudges(judges(filled), Piece.TABLE, "summary", filter={"tags": ["one", "two", "three"]})
    drawn, shown = sections(filled, chart, table)
    assert of_kind(drawn, Drawing)[0].light.startswith("<svg")
    assert "n = 3 of 3 debates" in shown.badges
    assert ORIGIN[1:] in everything(shown)
    assert NAMED.name in everything(shown)


def test_a_table_of_many_figures_stands_on_its_side_and_verdicts_stand_with_their_scores(filled):
    summary, cases = sections(
        filled,
        ComparedJudges(judges(filled), Piece.TABLE, "summary"),
        ComparedJudges(judges(filled), Piece.TABLE, "cases", debates=("one", "two"), what="two"),
    )
    (turned,), (listed,) = of_kind(summary, Grid), of_kind(cases, Grid)
    assert turned.columns[0].name == "Judge"
    assert ("Debates", "4", "4", "4") in [row[:4] for row in turned.rows]
    assert listed.columns[0].name == "Claim"
    assert listed.rows[0][:2] == ("Claim one holds.", "✓ True 0.900")


def test_a_judge_that_has_judged_nothing_here_is_said_in_its_place(filled):
    stranger = dict(judges(filled)[0]) | {"model": "unheard-of"}
    (section,) = sections(filled, ComparedJudges((stranger,), Piece.TABLE, "summary"))
    assert "has judged nothing in this database" in everything(section)


def test_a_semantics_judge_with_settings_of_its_own_needs_no_stored_judgements(filled):
    own = dict(PREFERENCES.judge().settings()) | {"conservativeness": 3.5}
    (section,) = sections(filled, ComparedJudges((own,), Piece.TABLE, "summary"))
    assert section.kicker == "Comparison of judges"


@pytest.mark.parametrize(
    ("piece", "name", "message"),
    [(Piece.CHART, "summary", "no chart called"), (Piece.TABLE, "accuracy", "no table called"),
     (Piece.CHART, "scores 1 and 9", "no chart called")],
)  # fmt: skip
def test_a_piece_that_there_is_not_is_said_in_its_place(filled, piece, name, message):
    (section,) = sections(filled, ComparedJudges(judges(filled), piece, name))
    assert message in everything(section)


# --- hidden labels, numbered agents, missing things -------------------------------------------------------------------


def test_hidden_labels_are_nowhere(filled):
    items = (
        SavedContestation(contestation(filled).id),
        JudgedDebate("one", None, PREFERENCES.judging()),
        ComparedJudges(judges(filled), Piece.TABLE, "summary"),
        ComparedJudges(judges(filled), Piece.TABLE, "cases", debates=("one",), what="one"),
        ComparedJudges(judges(filled), Piece.CHART, "accuracy"),
        ComparedJudges(judges(filled), Piece.CHART, "agreement", filter={"labels": [True]}),
    )
    shown, hidden = (sections(filled, *items, labels=labels) for labels in (True, False))
    assert ["label: True" in section.badges for section in shown[:2]] == [True, True]
    assert "label: True" not in everything(hidden)
    assert "Accuracy" not in everything(hidden[2])
    assert "'Label'" not in everything(hidden[3])
    assert [LABELS in everything(section) for section in hidden] == [False] * 4 + [True] * 2


def test_numbered_agents_have_no_names(path):
    with Database.open(path) as database:
        DebateRepository(database).add(a_dataset(), [a_debate()])
        item = JudgedDebate("zoo", None, PREFERENCES.judging())
        (named,) = sections(database, item)
        (numbered,) = sections(database, item, anonymised=True)
    assert "(left)" in everything(named)
    assert "(left)" not in everything(numbered)
    assert "Agent 1" in everything(numbered)


def test_a_debate_that_was_removed_is_said_in_its_place_and_the_rest_stays(filled):
    saved = contestation(filled)
    items = (SavedContestation(saved.id), JudgedDebate("one", None, PREFERENCES.judging()), FreeNote("words"))
    ContestationRepository(filled).remove(saved.id, "for the test")
    repository = DebateRepository(filled)
    repository.remove_dataset(repository.datasets()[0].id)
    gone, also_gone, note = sections(filled, *items)
    assert gone.kicker == also_gone.kicker == "Missing"
    assert saved.id in everything(gone)
    assert "not in this database" in everything(also_gone)
    assert note.title == "Note"
    assert [item_words(filled, item)[0].split(":")[0] for item in items] == ["Missing", "Missing", "Note"]


def test_a_witness_shows_its_two_judgements_and_the_change_between(filled):
    judge = PREFERENCES.judge()
    before = Scored.of(judge.judge(profile(DebateRepository(filled).get("one"))))
    witness = Witness("contestability", judge.name, "one", Trial(), Trial(repeat=1), before, replace(before, score=0.1))
    (section,) = sections(filled, PropertyWitness(witness.to_json(), judge.settings()))
    assert section.badges[0] == "Contestability"
    assert "✓ True 0.60" in section.outcome
    assert "Contestability is violated" in everything(section)
    (broken,) = sections(filled, PropertyWitness({"property": "contestability"}))
    assert broken.kicker == "Missing"


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_with_a_language_models_witness_is_the_same_from_its_recipe(filled, kind):
    found = Scored(0.9, Verdict.TRUE, JudgementStatus.OK)
    witness = Witness("contestability", NAMED.name, "one", Trial(), Trial(repeat=1), found, replace(found, score=0.1))
    report = Report("Zoo", "Ada", "2026-05-01")
    for item in (PropertyWitness(witness.to_json(), NAMED.settings()), SavedContestation(contestation(filled).id)):
        report = report.with_item(item)
    assert list(NAMED.settings()) != sorted(NAMED.settings())  # so that a recipe has another order
    made = report_file(filled, report, kind)
    assert report_file(filled, Report.from_recipe(report.recipe), kind) == made
    assert b"Judges and their settings" in made
    assert b"stance prior" in made
    assert made.index(b"Judges and their settings") > made.index(b"The score is too high.")


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def whole(filled):
    report = Report("All of it", "Ada", "2026-05-01")
    for item in (
        SavedContestation(contestation(filled).id),
        JudgedDebate("two", None, PREFERENCES.judging()),
        ComparedJudges(judges(filled), Piece.CHART, "scores 1 and 2"),
        ComparedJudges(judges(filled), Piece.TABLE, "summary"),
        FreeNote("words"),
        JudgedDebate("nowhere", None, PREFERENCES.judging()),
    ):
        report = report.with_item(item, "a note")
    return report


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_recipe_and_database_give_the_same_bytes_even_after_a_restart(filled, whole, path, kind):
    first = report_file(filled, whole, kind)
    filled.close()
    with Database.open(path) as again:
        assert report_file(again, Report.from_recipe(whole.recipe), kind) == first
    for due in (b"2026", whole.hash.encode()):
        assert due in first.replace(rb"\allowbreak{}", b"")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_debates_stay_texts_in_every_format(database, text):
    DebateRepository(database).add(a_dataset(text[:50]), [a_debate(claim=text, pro=text, con=text)])
    saved = saved_on(database, DebateRepository(database).get("zoo"), (replace(ADDED, text=text, source=text),), text)
    report = Report(text[:200], text[:200]).with_item(SavedContestation(saved.id), text)
    report = report.with_item(JudgedDebate("zoo", None, PREFERENCES.judging()), text)
    page = report_file(database, report, "html").decode()
    assert "<script" not in page
    assert report_file(database, report, "md")
    assert rb"\end{document}" in report_file(database, report, "latex")


def test_files_are_named_after_title_and_date():
    report = Report("../What? <now>", date="2026-05-01")
    assert [report_file_name(report, kind) for kind in (*KINDS, "recipe")] == [
        "What-now-2026-05-01.html",
        "What-now-2026-05-01.md",
        "What-now-2026-05-01.tex",
        "What-now-2026-05-01.recipe.json",
    ]


@pytest.mark.parametrize(
    "chosen",
    [
        DebateFilter(),
        DebateFilter(text="zoo", tags=("a",), labels=(True, None), most_rounds=2, contested=False, ids=("one",)),
    ],
)
def test_a_filter_comes_back_from_plain_values(chosen):
    assert filter_from_json(filter_to_json(chosen)) == chosen
