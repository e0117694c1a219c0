from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.contestation import Contestation, Edit, EditKind
from core.debate import Agent, Debate, DebateProtocol, Message, Round, profile
from core.errors import Cancelled, InvalidGraph, MootError, UnknownDebate
from core.import_issue import ImportIssue, Severity
from core.judgement import Verdict
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from storage.contestation_repository import ContestationRepository
from storage.database import IN_MEMORY, Database
from storage.debate_filter import DebateFilter, DebateSort, SortColumn
from storage.debate_repository import AlreadyStored, DebateRepository, Neighbours
from storage.draft_keeper import DraftKeeper
from tests.storage.debates import HOSTILE, a_dataset, a_debate, a_long_debate

NOTHING = "no debate"


def contestation_of(debate_id):
    edit = Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.8, 0.1)
    return Contestation("", debate_id, 0, (edit,), "The score is too high.", "Ada")


def tables(database):
    with database.read() as cursor:
        names = [name for (name,) in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {name: cursor.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in names}


def test_a_debate_comes_back_as_it_was(repository):
    debates = [a_debate(), a_long_debate()]
    repository.add(a_dataset(), debates)
    assert [repository.get(debate.id) for debate in debates] == debates
    assert repository.exists("zoo")
    assert not repository.exists("ZOO")
    assert repository.count() == 2


def test_a_debate_that_is_not_stored_is_named(repository):
    with pytest.raises(UnknownDebate, match="'zoo'"):
        repository.get("zoo")


def test_the_stored_dataset_counts_what_it_holds(repository):
    stored = repository.add(a_dataset(), [a_debate(), a_long_debate()])
    assert (stored.debate_count, stored.argument_count) == (2, 5)  # 2, and 3 distinct ones in the last of 3 rounds
    assert repository.datasets() == (stored,)
    assert stored.imported_at is not None


def test_every_table_holds_what_its_rows_say(database, repository):
    repository.add(a_dataset(), [a_long_debate()])
    with database.read() as cursor:
        arguments = "SELECT round, position, id, text, author, base_score FROM argument ORDER BY round, position"
        assert cursor.execute(arguments).fetchall()[:2] == [
            (0, 0, "A1-pro0", "round 0 point 0", "A1", 0.5),
            (1, 0, "A1-pro0", "round 1 point 0", "A1", 0.5),
        ]
        judgement = cursor.execute("SELECT judge, score, verdict, status, settings FROM recorded_judgement").fetchall()
        assert judgement == [("court", 0.75, str(Verdict.TRUE), "ok", json.dumps({"seed": 1}))]
    counted = tables(database)
    assert (counted["agent"], counted["stance"], counted["argument"], counted["relation"]) == (3, 6, 6, 6)
    assert counted["message"] == 1


def test_the_list_shows_the_last_round(repository):
    repository.add(a_dataset("theirs"), [a_debate(), a_long_debate()])
    listed = repository.list().to_dict("records")
    assert [row["id"] for row in listed] == ["zoo", "long"]
    zoo, long = listed
    assert (zoo["pros"], zoo["cons"], zoo["arguments"], zoo["relations"], zoo["rounds"]) == (1, 1, 2, 3, 1)
    assert (long["pros"], long["cons"], long["arguments"], long["rounds"], long["agents"]) == (3, 0, 3, 3, 3)
    assert list(zoo["stances"]) == [0.7, 0.3]  # the posterior, or the prior where there is none
    assert (zoo["label"], zoo["dataset"], zoo["is_sample"], zoo["contestations"]) == (True, "theirs", False, 0)
    assert list(long["tags"]) == ["food", "three rounds"]
    assert (long["messages"], long["judgements"]) == (1, 1)


def test_a_taken_debate_id_gets_the_datasets_id_and_the_sources_id_stays(repository):
    first = repository.add(a_dataset("one", "a" * 64), [a_debate("same"), a_debate("other")])
    second = repository.add(a_dataset("two", "b" * 64), [a_debate("same", claim="Another claim.")])
    name = f"same@{second.id}"
    assert repository.ids() == ("same", "other", name)
    assert repository.get(name).claim == "Another claim."
    assert repository.get(name).id == name
    assert repository.list().source_id.to_list() == ["same", "other", "same"]
    assert (repository.renamed(first.id), repository.renamed(second.id)) == (0, 1)


def test_ids_that_repeat_within_a_file_are_told_apart(repository):
    stored = repository.add(a_dataset(), [a_debate(name) for name in ("a", "a", "a", "")])
    assert repository.ids() == ("a", f"a@{stored.id}", f"a@{stored.id}-2", "debate")


def test_an_id_that_looks_like_a_suffixed_one_takes_no_other_debates_place(repository):
    first = repository.add(a_dataset(), [a_debate("a")])
    again = a_dataset("small (2)")
    predicted = repository.add(again, [a_debate("b")]).id
    repository.remove_dataset(predicted)
    repository.add(a_dataset("trap", "c" * 64), [a_debate(f"a@{predicted}")])
    repository.add(again, [a_debate("a")])
    assert sorted(repository.ids()) == sorted(["a", f"a@{predicted}", f"a@{predicted}-2"])
    assert first.id != predicted


def test_a_datasets_name_is_unique_and_its_id_stable(repository):
    names = [repository.add(a_dataset("same"), [a_debate(f"d{n}")]) for n in range(3)]
    assert [one.name for one in names] == ["same", "same (2)", "same (3)"]
    assert len({one.id for one in names}) == 3
    with Database.open(IN_MEMORY) as other:
        assert DebateRepository(other).add(a_dataset("same"), [a_debate()]).id == names[0].id


def test_content_that_is_here_is_stored_once_when_wanted(repository):
    stored = repository.add(a_dataset(), [a_debate()], once=True)
    with pytest.raises(AlreadyStored) as caught:
        repository.add(a_dataset("renamed"), [a_debate()], once=True)
    assert caught.value.dataset == stored
    assert repository.dataset_with("ab" * 32) == stored
    assert repository.dataset_with("00" * 32) is None
    assert repository.count() == 1


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        (DebateFilter("ZOO"), ["zoo"]),
        (DebateFilter("near forecast"), ["zoo"]),
        (DebateFilter('"near forecast"'), []),
        (DebateFilter('"rain is"'), ["zoo"]),
        (DebateFilter("zoo honey"), []),
        (DebateFilter("HIVE"), ["long"]),
        (DebateFilter("point"), ["long"]),
        (DebateFilter("%"), []),
        (DebateFilter("_"), []),
        (DebateFilter("z_o"), []),
        (DebateFilter("  "), ["zoo", "long"]),
        (DebateFilter('"'), []),
        (DebateFilter(protocols=(DebateProtocol.MULTI_TURN_PRIVATE,)), ["long"]),
        (DebateFilter(labels=(True,)), ["zoo"]),
        (DebateFilter(labels=(False,)), []),
        (DebateFilter(labels=(None,)), ["long"]),
        (DebateFilter(labels=(None, True)), ["zoo", "long"]),
        (DebateFilter(tags=("food", "absent")), ["long"]),
        (DebateFilter(models=("right",)), ["zoo"]),
        (DebateFilter(fewest_rounds=2), ["long"]),
        (DebateFilter(most_rounds=1), ["zoo"]),
        (DebateFilter(fewest_arguments=3, most_arguments=3), ["long"]),
        (DebateFilter(ids=("long", NOTHING)), ["long"]),
        (DebateFilter(ids=()), []),
        (DebateFilter(contested=True), ["zoo"]),
        (DebateFilter(contested=False), ["long"]),
        (DebateFilter("zoo", labels=(True,), contested=True), ["zoo"]),
        (DebateFilter(datasets=(NOTHING,)), []),
    ],
)
def test_filters_narrow_the_list(database, repository, chosen, found):
    repository.add(a_dataset(), [a_debate(), a_long_debate()])
    ContestationRepository(database).save(contestation_of("zoo"))
    assert repository.list(chosen).id.to_list() == found
    assert repository.ids(chosen) == tuple(found)
    assert repository.total(chosen) == len(found)
    assert [json.loads(line)["debate_id"] for line in repository.export(chosen)] == found


def test_search_takes_case_and_accents_as_equal_however_written(repository):
    repository.add(a_dataset(), [a_debate(claim="Der CAFE\u0301 an der STRASSE")])
    for text in ("café", "CAFE\u0301", "straße"):
        assert repository.total(DebateFilter(text)) == 1


def test_search_finds_signs_that_sql_and_patterns_use_literally(repository):
    repository.add(a_dataset(), [a_debate("sure", pro=HOSTILE[2]), a_debate("other")])
    for text in ("100%", "_sure_", "\\ back\\slash"):
        assert repository.ids(DebateFilter(text)) == ("sure",)


@pytest.mark.parametrize("column", list(SortColumn))
@pytest.mark.parametrize("descending", [False, True])
def test_every_order_holds_all_debates_and_pages_through_them(repository, column, descending):
    repository.add(a_dataset(), [a_debate(f"d{n}", claim=f"claim {n % 3}") for n in range(7)] + [a_long_debate()])
    sort = DebateSort(column, descending)
    everything = repository.ids(sort=sort)
    assert sorted(everything) == sorted([*(f"d{n}" for n in range(7)), "long"])
    paged = [name for offset in range(0, 8, 3) for name in repository.list(sort=sort, limit=3, offset=offset).id]
    assert tuple(paged) == everything


def test_an_order_counts(repository):
    repository.add(a_dataset(), [a_debate("b", claim="Apples"), a_debate("a", claim="bread"), a_long_debate("c")])
    assert repository.ids(sort=DebateSort(SortColumn.CLAIM)) == ("b", "a", "c")
    assert repository.ids(sort=DebateSort(SortColumn.ID)) == ("a", "b", "c")
    assert repository.ids(sort=DebateSort(SortColumn.ROUNDS, descending=True)) == ("c", "b", "a")


def test_neighbours_follow_filter_and_order(repository):
    repository.add(a_dataset(), [a_debate(name) for name in ("b", "a", "d", "c")] + [a_long_debate()])
    by_id = DebateSort(SortColumn.ID)
    one_round = DebateFilter(most_rounds=1)
    assert repository.neighbours("b", one_round, by_id) == Neighbours("a", "c", 2, 4)
    assert repository.neighbours("a", one_round, by_id) == Neighbours(None, "b", 1, 4)
    assert repository.neighbours("d", one_round, by_id) == Neighbours("c", None, 4, 4)
    assert repository.neighbours("long", one_round, by_id) == Neighbours(None, None, None, 4)
    assert repository.neighbours("d") == Neighbours("a", "c", 3, 5)


def test_facets_count_what_there_is(repository):
    repository.add(a_dataset(), [a_debate(), a_debate("second", label=False), a_long_debate()])
    facets = repository.facets()
    assert facets.protocols == {DebateProtocol.SINGLE_TURN: 2, DebateProtocol.MULTI_TURN_PRIVATE: 1}
    assert facets.labels == {True: 1, False: 1, None: 1}
    assert facets.tags == {"food": 1, "three rounds": 1}
    assert facets.models == {"left": 3, "right": 2}
    assert (facets.most_rounds, facets.most_arguments) == (3, 3)


def test_an_empty_database_has_empty_lists(repository):
    assert repository.list().empty
    assert repository.profiles() == {}
    assert list(repository.export()) == []
    assert repository.facets().protocols == {}
    assert repository.datasets() == ()


def test_issues_are_kept_with_their_dataset(repository):
    issues = [
        ImportIssue(Severity.WARNING, "score_range", "1.4 is out of range.", "small.jsonl", 3, "rounds[0]"),
        ImportIssue(Severity.INFO, "note", "Whole \ud800 file"),
    ]
    stored = repository.add(a_dataset(), [a_debate()], issues)
    listed = repository.issues(stored.id)
    assert listed.message.to_list() == ["1.4 is out of range.", "Whole \ufffd file"]
    assert listed.severity.to_list() == ["warning", "info"]
    assert listed.line.to_list()[0] == 3
    assert listed.line.isna().to_list() == [False, True]
    assert listed.field.isna().to_list() == [False, True]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_every_column_comes_back_unchanged(database, repository, text):
    one = Round(
        0,
        (Stance(text, 0.5, 0.5),),
        (Argument(text, text, text, 0.5, text, text, text, False, text),),
        (Relation(text, TOPIC, RelationKind.SUPPORT), Relation(text, text + "2", RelationKind.ATTACK)),
    )
    debate = Debate(
        text,
        text,
        claim_id=text,
        title=text,
        agents=(Agent(text, text, text, text, text),),
        rounds=(one,),
        transcript=(Message(text, text, 0, text, text),),
        tags=(text,),
        note=text,
        provenance={text: text},
    )
    stored = repository.add(a_dataset(text, note=text), [debate])
    assert repository.get(text) == debate
    assert repository.profiles() == {text: profile(debate)}
    assert repository.list(DebateFilter(tags=(text,), models=(text,), ids=(text,))).claim.to_list() == [text]
    assert repository.datasets()[0].name == text
    assert repository.neighbours(text).position == 1
    assert list(repository.export()) != []
    repository.remove_dataset(stored.id)
    left = {name for name, rows in tables(database).items() if rows}
    assert left == {"schema_version", "audit"}  # the log tells that it was there


def test_what_no_column_can_hold_is_replaced_alike_everywhere(repository):
    repository.add(a_dataset("nul\0 \udc80"), [a_debate("i\0d\ud800", claim="c\0l\ud800", pro="p\0r\ud800")])
    (name,) = repository.ids()
    assert name == "i\ufffdd\ufffd"
    debate = repository.get(name)
    assert repository.get("i\0d\ud800") == debate  # the id as the source has it finds it too
    assert debate.claim == "c\ufffdl\ufffd"
    assert debate.rounds[0].arguments[0].text == "p\ufffdr\ufffd"
    assert repository.profiles() == {name: profile(debate)}
    assert repository.list().claim.to_list() == ["c\ufffdl\ufffd"]


scores = st.none() | st.floats(0, 1)
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=6)


@st.composite
def debates(draw):
    agents = draw(st.lists(names, max_size=3, unique=True))
    rounds = []
    for number in range(draw(st.integers(0, 3))):
        ids = draw(st.lists(names.filter(lambda name: name != TOPIC), max_size=4, unique=True))
        relations = [
            Relation(source, target, draw(st.sampled_from(RelationKind)))
            for source in ids
            for target in draw(st.lists(st.sampled_from([TOPIC, *ids]), max_size=2, unique=True))
            if source != target
        ]
        # The order in which the native format lists them: what an argument supports, then what it attacks.
        relations.sort(key=lambda r: (ids.index(r.source), r.kind is RelationKind.ATTACK))
        arguments = [Argument(i, draw(names), draw(st.sampled_from([None, *agents])), draw(scores)) for i in ids]
        stances = [Stance(a, draw(scores), draw(scores)) for a in agents if draw(st.booleans())]
        rounds.append(Round(number, tuple(stances), tuple(arguments), tuple(relations)))
    return Debate(
        "d",
        draw(names.filter(str.strip)),
        protocol=draw(st.sampled_from(DebateProtocol)),
        agents=tuple(Agent(a) for a in agents),
        rounds=tuple(rounds),
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(debates(), min_size=1, max_size=3))
def test_bulk_profiles_equal_those_of_the_debates_one_by_one(generated):
    with Database.open(IN_MEMORY) as database:
        repository = DebateRepository(database)
        repository.add(a_dataset(), generated)
        one_by_one = {name: profile(repository.get(name)) for name in repository.ids()}
        assert repository.profiles() == one_by_one


def test_profiles_of_some_debates_leave_the_others_out(repository):
    repository.add(a_dataset(), [a_debate(f"d{n}") for n in range(5)])
    assert set(repository.profiles(["d1", "d3", NOTHING])) == {"d1", "d3"}
    assert repository.profiles([]) == {}


def test_exporting_one_dataset_gives_the_records_as_they_came(repository):
    repository.add(a_dataset("one", "a" * 64), [a_debate("same")])
    second = repository.add(a_dataset("two", "b" * 64), [a_debate("same"), a_long_debate()])
    (line, _) = repository.export(DebateFilter(datasets=(second.id,)))
    assert json.loads(line)["debate_id"] == "same"
    everything = [json.loads(line)["debate_id"] for line in repository.export()]
    assert everything == ["same", f"same@{second.id}", "long"]


def test_progress_is_told_and_ends_with_all(repository, monkeypatch):
    monkeypatch.setattr("storage.debate_repository.CHUNK", 3)
    told = []
    repository.add(a_dataset(), [a_debate(f"d{n}") for n in range(7)], progress=lambda *step: told.append(step))
    assert told == [(3, 7), (6, 7), (7, 7)]
    assert repository.ids() == tuple(f"d{n}" for n in range(7))


def test_a_cancelled_import_leaves_nothing(database, repository, monkeypatch):
    monkeypatch.setattr("storage.debate_repository.CHUNK", 3)
    answers = iter([False, True])
    with pytest.raises(Cancelled):
        repository.add(a_dataset(), [a_debate(f"d{n}") for n in range(7)], cancelled=lambda: next(answers))
    counted = tables(database)
    counted.pop("schema_version")
    assert counted.pop("audit") == 1  # that the log was begun
    assert set(counted.values()) == {0}


def test_a_debate_that_is_no_profile_leaves_nothing_of_its_file(database, repository):
    broken = a_debate("broken")
    twice = replace(broken.rounds[0], arguments=broken.rounds[0].arguments * 2)
    with pytest.raises(InvalidGraph, match="twice"):
        repository.add(a_dataset(), [a_debate(), replace(broken, rounds=(twice,))])
    assert repository.count() == 0
    assert repository.datasets() == ()


def test_removing_a_dataset_takes_everything_of_it_and_nothing_else(database, repository):
    repository.add(a_dataset("kept", "a" * 64), [a_long_debate()])
    before = tables(database)
    gone = repository.add(a_dataset("gone", "b" * 64), [a_debate()], [ImportIssue(Severity.INFO, "a", "b")])
    drafts = DraftKeeper(database)
    drafts.save("Ada", "zoo", 0, ())
    drafts.save("Ada", "zoo#fork", 0, ())
    drafts.close()
    repository.remove_dataset(gone.id)
    assert tables(database) == before | {"audit": before["audit"] + 2}  # that it came, and that it went
    with pytest.raises(MootError, match="no dataset"):
        repository.remove_dataset(gone.id)


def test_a_contested_dataset_goes_only_with_its_contestations(database, repository):
    stored = repository.add(a_dataset(), [a_debate()])
    contestations = ContestationRepository(database)
    contestations.save(contestation_of("zoo"))
    with pytest.raises(MootError, match="1 contestations were saved"):
        repository.remove_dataset(stored.id)
    assert repository.count() == 1
    repository.remove_dataset(stored.id, with_contestations=True)
    assert (repository.count(), contestations.count()) == (0, 0)


def test_a_save_does_not_wait_for_an_import(database, repository):
    repository.add(a_dataset(), [a_debate()])
    contestations = ContestationRepository(database)
    during_import = []
    repository.add(
        a_dataset("second", "b" * 64),
        [a_debate(f"d{n}") for n in range(5)],
        progress=lambda *_: during_import.append(contestations.save(contestation_of("zoo"))),
    )
    assert len(during_import) == 1
    assert contestations.count() == 1
    assert repository.count() == 6


def test_many_threads_read_and_write_at_once(path):
    with Database.open(path) as database:
        repository = DebateRepository(database)
        contestations = ContestationRepository(database)
        repository.add(a_dataset(), [a_debate()])
        errors = []

        def work(number):
            try:
                for turn in range(5):
                    contestations.save(replace(contestation_of("zoo"), author=f"thread {number}, turn {turn}"))
                    assert repository.get("zoo") == a_debate()
                    assert repository.list().id.to_list() == ["zoo"]
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert contestations.count() == 100
        authors = {contestation.author for contestation in contestations.for_debate("zoo")}
        assert authors == {f"thread {number}, turn {turn}" for number in range(20) for turn in range(5)}
