"""Every format that Moot writes, it reads again, and what does not come back is what was said before."""

import json
import zipfile
from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from core.debate import Agent, Debate, DebateProtocol, Message, Round
from core.errors import InvalidSetting, NothingToExport
from core.exporting import EXPORTERS, Aspect, exporter, in_words
from core.exporting.losses import Kept, differing
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from storage.readers import read_file
from tests.core.generated_debates import debates
from tests.storage.readers.conftest import LOGS
from tests.storage.readers.reading import arguments, codes, relations, stances

FORMATS = {
    "moot-debate/1": "moot-debate/1",
    "table-csv": "table-long",
    "table-jsonl": "table-long",
    "table-parquet": "table-long",
    "argllms": "argllms",
    "bag": "bag",
    "aif": "aif",
    "node-link": "node-link",
    "argdown": "argdown",
}
SUPPORT, ATTACK = RelationKind
every_format = pytest.mark.parametrize("name", EXPORTERS)
# Debates are large, so that making a failing one smaller takes minutes and says little more.
drawn = settings(max_examples=30, phases=(Phase.explicit, Phase.reuse, Phase.generate))


def written(name, several):
    """Return the file of debates in a format."""
    return b"".join(EXPORTERS[name].write(iter(several)))


def assert_honest(name, several):
    """Write debates, read them back, and hold what differs against what was said to be lost."""
    returned = list(EXPORTERS[name].returned(several))
    said = {loss.aspect: loss.debates for loss in EXPORTERS[name].losses(several)}
    expected = [(debate, kept) for debate, kept in returned if kept is not None]
    assert said.get(Aspect.DEBATES, 0) == len(several) - len(expected)
    if not expected:
        return
    file = read_file(written(name, several), "log")
    assert (file.format, file.refused) == (FORMATS[name], False), file.why
    assert len(file.debates) == len(expected)
    found: list[Aspect] = []
    for (debate, kept), back in zip(expected, file.debates, strict=True):
        found += differing(debate, Kept(back, kept.names))
    assert {aspect: found.count(aspect) for aspect in found} == {a: n for a, n in said.items() if a != Aspect.DEBATES}


def test_every_format_has_a_reader_that_knows_it():
    assert FORMATS.keys() == EXPORTERS.keys()


@every_format
@drawn
@given(debate=debates())
def test_a_debate_comes_back_but_for_what_was_said_to_be_lost(name, debate):
    assert_honest(name, [debate])


@every_format
@drawn
@given(several=st.lists(debates(), min_size=2, max_size=4, unique_by=lambda debate: debate.id))
def test_several_debates_come_back_but_for_what_was_said_to_be_lost(name, several):
    assert_honest(name, several)


def every_log():
    found = []
    for path in sorted(LOGS.iterdir()):
        for debate in read_file(path, path.name).debates:
            found.append(pytest.param(debate, id=f"{path.name}-{debate.id}"))
    return found


@every_format
@pytest.mark.parametrize("debate", every_log())
def test_every_log_of_ours_goes_out_in_every_format_and_comes_back_but_for_what_was_said(name, debate):
    assert_honest(name, [debate])


# -- each format -----------------------------------------------------------------------------------------------------


def debate(**changes):
    """Return a debate on the ferry with a pro, and a con of that pro whose id no .bag can hold."""
    held = Round(
        0,
        (Stance("A", 0.25, 0.5),),
        (
            Argument("walk", "It spares the walk.", "A", 0.75),
            Argument("short, (very)", "- [No]: the walk is <short> #really {weight: 1}", "B", source="the map"),
            Argument("alone", "Boats are blue.", "A", 0.5),
        ),
        (Relation("walk", TOPIC, SUPPORT), Relation("short, (very)", "walk", ATTACK)),
    )
    values = {"id": "ferry", "claim": "The harbour should have a ferry.", "label": True, "rounds": (held,)}
    return Debate(**{**values, "agents": (Agent("A", model="model-a"), Agent("B")), **changes})


def back(name, one=None):
    """Return the file that a debate becomes, read again."""
    return read_file(written(name, [one or debate()]), "log")


def said(name, *several):
    """Return what is said to be lost, as sentences."""
    return list(in_words(EXPORTERS[name].losses(several or [debate()])))


def test_a_bag_says_which_name_stands_for_an_id_that_it_cannot_hold():
    lines = written("bag", [debate()]).decode().splitlines()
    assert lines[:5] == [
        "arg(ferry, 0.25)",
        "arg(walk, 0.75)",
        "arg(short_very_, 0.5)",
        "sup(walk, ferry)",
        "att(short_very_, walk)",
    ]
    stands_for = {line.split(" ")[1]: json.loads(line.split(" ", 2)[2]) for line in lines[6:]}
    assert stands_for["short_very_"] == {
        "id": "short, (very)",
        "text": "- [No]: the walk is <short> #really {weight: 1}",
    }
    assert stands_for["ferry"] == {"id": "ferry", "text": "The harbour should have a ferry."}


def test_two_ids_that_would_get_the_same_name_in_a_bag_get_two():
    held = Round(0, (), (Argument("a b", "x"), Argument("a,b", "y"), Argument("a_b", "z")),
                 tuple(Relation(name, TOPIC, SUPPORT) for name in ("a b", "a,b", "a_b")))  # fmt: skip
    assert [name for name, _, _ in arguments(back("bag", debate(rounds=(held,))).debates[0])] == [
        "a_b",
        "a_b-2",
        "a_b-3",
    ]


def test_a_bag_tells_of_missing_scores_texts_and_stances():
    assert said("bag") == [
        "Left out: gold labels; agents' names, models and roles; who put an argument forward; arguments that do not "
        "bear on the claim, directly or through others; sources of arguments.",
        "The claim's text stands in a comment only, which readers skip.",
        "Of agents' stances only their mean prior is written, as the claim's weight; it is 0.5 where there is none.",
        "Arguments' ids that hold commas, brackets or blanks change; comments say how.",
        "Arguments' texts stand in comments only, which readers skip.",
        "A missing base score is written as 0.5, since every argument must have a weight.",
    ]


def test_argdown_gives_a_text_full_of_its_own_signs_back():
    (read,) = back("argdown").debates
    assert arguments(read) == [
        ("walk", "It spares the walk.", 0.75),
        ("short, (very)", "- [No]: the walk is <short> #really {weight: 1}", None),
    ]
    assert relations(read) == ["walk +", "short, (very) -walk"]


@pytest.mark.parametrize(
    "text",
    ["/* no comment */ // nor this <!-- nor that -->", "+ plus\\- minus", "(1) one ---- (2) two", "a_b *c* __d__ \\[e]",
     "=== # heading", "@[mention] [link](https://example.org)", "* item", "}{", "1. first", "\\"],
)  # fmt: skip
def test_argdown_escapes_what_would_mean_something(text):
    held = Round(0, (), (Argument("a", text),), (Relation("a", TOPIC, SUPPORT),))
    (read,) = back("argdown", debate(rounds=(held,), claim=text, title=f'"{text}" \n')).debates
    assert (read.claim, read.title, arguments(read)) == (text, f'"{text}" \n', [("a", text, None)])


def test_the_claims_estimated_score_of_an_argllms_file_is_the_mean_prior_stance():
    (read,) = back("argllms").debates
    assert stances(read) == {"model-a, B": (0.25, None)}
    # The con halves nothing of the claim: walk becomes 0.75 - 0.75 * 0.5 = 0.375, which moves 0.5 by half of the rest.
    assert [(j.judge, j.score) for j in read.judgements] == [
        ("ArgLLMs dfquad (base)", pytest.approx(0.6875)),  # 0.5 + 0.5 * 0.375
        ("ArgLLMs dfquad (estimated)", pytest.approx(0.53125)),  # 0.25 + 0.75 * 0.375
    ]
    assert codes(back("argllms")) == []


def test_an_argllms_file_of_several_debates_is_one_file_in_their_order():
    file = read_file(written("argllms", [debate(), debate(id="other", claim="Another.")]), "log")
    assert [(d.id, d.claim) for d in file.debates] == [
        ("claim-1", "The harbour should have a ferry."),
        ("claim-2", "Another."),
    ]


def test_aif_writes_authors_as_locutions():
    nodes = json.loads(written("aif", [debate()]))
    assert [n["type"] for n in nodes["nodes"]] == ["I", "I", "I", "RA", "CA", "L", "YA", "L", "YA"]
    (read,) = back("aif").debates
    assert [(a.id, a.author) for a in read.rounds[0].arguments] == [("walk", "A"), ("short, (very)", "B")]
    assert relations(read) == ["walk +", "short, (very) -walk"]


def test_node_link_keeps_label_title_tags_authors_scores_and_sources():
    (read,) = back("node-link", debate(title="Ferry", tags=("harbour",))).debates
    assert (read.label, read.title, read.tags) == (True, "Ferry", ("harbour",))
    assert [(a.author, a.base_score, a.source) for a in read.rounds[0].arguments] == [
        ("A", 0.75, None),
        ("B", None, "the map"),
    ]


@pytest.mark.parametrize("name", ["table-csv", "table-jsonl", "table-parquet"])
def test_a_table_keeps_rounds_stances_models_and_several_targets(name):
    ends = ((TOPIC, SUPPORT), (TOPIC, ATTACK), ("walk", ATTACK))
    later = Round(
        1,
        (Stance("B", None, 1.0),),
        (Argument("walk", "It does.", "A", 1.0),),
        tuple(Relation("walk", *end) for end in ends),
    )
    one = debate(rounds=(*debate().rounds, later, Round(7)), protocol=DebateProtocol.MULTI_TURN_PRIVATE)
    (read,) = back(name, one).debates
    assert [(r.number, r.stances, len(r.arguments), len(r.relations)) for r in read.rounds] == [
        (0, (Stance("A", 0.25, 0.5),), 3, 2),
        (1, (Stance("B", None, 1.0),), 1, 3),
        (7, (), 0, 0),
    ]
    assert {a.id: a.model for a in read.agents} == {"A": "model-a", "B": None}
    assert len(said(name, one)) == (name == "table-csv")  # a text that begins with a sign gets an apostrophe


def test_a_csv_tells_that_formulas_get_an_apostrophe():
    one = debate(claim="=1+1")
    assert back("table-csv", one).debates[0].claim == "'=1+1"
    assert "Claims get an apostrophe in front where a spreadsheet would take them for a formula." in said(
        "table-csv", one
    )
    assert back("table-jsonl", one).debates[0].claim == "=1+1"


def test_a_cell_that_looks_like_another_format_does_not_change_what_a_table_is():
    text = "[A]: a\n  + [B]: b\n\n1. Thesis\n1.1. Pro: x\narg(a, 0.5)\narg(b, 0.5)\natt(a, b)"
    file = back("table-csv", debate(claim=text))
    assert (file.format, file.debates[0].claim) == ("table-long", text)


@pytest.mark.parametrize("name", ["aif", "node-link", "argdown", "bag"])
def test_several_debates_are_files_of_an_archive_the_same_on_any_day(name):
    several = [debate(), debate(id="ferry?"), debate(id="Ferry"), debate(id="talk", rounds=())]
    data = written(name, several)
    names = zipfile.ZipFile(BytesIO(data)).namelist()
    suffix = EXPORTERS[name].suffix(several=False)
    assert names[:3] == [f"ferry.{suffix}", f"ferry-2.{suffix}", f"Ferry-3.{suffix}"]
    assert written(name, several) == data
    assert EXPORTERS[name].suffix(several=True) == "zip"
    if name != "bag":
        assert len(names) == 3
        assert "Left out of 1 of 4 debates: debates without an argument that bears on the claim." in said(
            name, *several
        )


@pytest.mark.parametrize("name", ["aif", "node-link", "argdown"])
def test_a_talk_without_arguments_is_refused_by_formats_of_arguments(name):
    talk = debate(rounds=(), transcript=(Message("A", "Hello."),))
    for several in ([talk], [talk, talk]):
        with pytest.raises(NothingToExport, match="no argument in them bears on the claim"):
            written(name, several)


def test_what_a_debate_does_not_have_is_not_said_to_be_lost():
    plain = Debate("d", "C.", protocol=DebateProtocol.OTHER, rounds=(
        Round(0, (), (Argument("a", "A."),), (Relation("a", TOPIC, SUPPORT),)),))  # fmt: skip
    for name in ("moot-debate/1", "table-csv", "table-jsonl", "table-parquet", "aif", "node-link", "argdown"):
        assert said(name, plain) == []


def test_an_unknown_format_is_refused_with_those_that_there_are():
    with pytest.raises(InvalidSetting, match="no export format 'pdf'; there are moot-debate/1, table-csv"):
        exporter("pdf")


def test_aif_gives_attacks_on_relations_relations_without_a_sign_and_rephrasings_back(log):
    first = replace(log("aif.json").debates[0], id="ferry")
    kept = {"undercuts": first.provenance["undercuts"], "rephrases": [{"text": "A ferry, please.", "of": "ferry"}]}
    one = replace(first, provenance={**kept, "unsigned": [["13", "2"], ["gone", "2"], 7]})
    (read,) = back("aif", one).debates
    assert sorted(map(str, read.provenance["undercuts"])) == sorted(map(str, kept["undercuts"]))
    assert read.provenance["unsigned"] == [["13", "2"]]
    assert read.provenance["rephrases"] == kept["rephrases"]
    whole = replace(first, provenance={**kept, "unsigned": [["13", "2"]]})
    assert Aspect.ASIDE not in {loss.aspect for loss in EXPORTERS["aif"].losses([whole])}
    assert Aspect.ASIDE in {loss.aspect for loss in EXPORTERS["node-link"].losses([whole])}


@pytest.mark.parametrize(
    "aside", [{"undercuts": 5}, {"undercuts": [1, {"source": "walk"}]}, {"unsigned": "x"}, {"rephrases": [{}]}]
)
@every_format
def test_odd_things_in_a_provenance_do_no_harm(name, aside):
    assert_honest(name, [debate(provenance=aside)])
