"""Home, Browse, Debate, Data and Settings, run by Streamlit's AppTest."""

import json
from dataclasses import replace

import pytest

from core.debate import profile
from core.native import debates_to_native
from core.score_text import Scale
from pages.components import state
from pages.components.text import plain
from storage import file_look
from storage.importer import Wish
from storage.judgement_file import content_hash
from storage.mapping_file import NamedMapping, mapping_text
from storage.readers import PathMapping, StatementPaths
from tests.pages.conftest import HOSTILE, two_rounds, zoo

BROWSE, DEBATE, DATA, SETTINGS = "explore/browse", "explore/debate", "records/data", "records/settings"


def by_label(elements, label):
    return next(element for element in elements if element.label == label)


def frame_with(page, column):
    return next(frame.value for frame in page.dataframe if column in frame.value.columns)


def words(page):
    return " ".join(element.value for kind in ("markdown", "caption", "text", "info") for element in page.get(kind))


# --- Home -------------------------------------------------------------------------------------------------------------


def test_an_empty_home_says_what_to_do_and_loads_the_sample(open_page):
    page = open_page()
    assert by_label(page.button, "Import my own")
    by_label(page.button, "Load sample debates").click().run()
    assert int(page.metric[0].value) >= 30


def test_home_begins_with_the_debate_to_start_with(open_page):
    page = open_page("explore/home", zoo())
    assert "Start here" in words(page)
    assert {metric.label: metric.value for metric in page.metric}["Debates"] == "1"


def test_home_lists_what_is_worth_a_look_with_the_reason(open_page):
    page = open_page("explore/home", zoo(), two_rounds())
    assert set(frame_with(page, "Reason")["Id"]) == {"zoo", "rounds"}


# --- Browse -----------------------------------------------------------------------------------------------------------


def test_browse_lists_every_debate_with_both_judges(open_page):
    page = open_page(BROWSE, zoo(), two_rounds())
    frame = frame_with(page, "Stances")
    assert list(frame.columns[:5]) == ["Claim", "Stances", "Judge A", "Judge B", "Gap"]
    assert "✓ True 0.60" in set(frame["Judge A"])


def test_words_in_an_argument_find_its_debate(open_page):
    page = open_page(BROWSE, zoo(), two_rounds())
    by_label(page.text_input, "Search").set_value("QUEUE").run()
    assert list(frame_with(page, "Stances")["Id"]) == ["rounds"]


def test_a_search_that_finds_nothing_says_which_filters_are_on(open_page):
    page = open_page(BROWSE, zoo())
    by_label(page.text_input, "Search").set_value("100%_nothing").run()
    assert "No debate matches" in words(page)
    by_label(page.button, "Remove").click().run()
    assert list(frame_with(page, "Stances")["Id"]) == ["zoo"]


def test_hidden_labels_are_nowhere_on_browse(open_page):
    page = open_page(BROWSE, zoo())
    assert "Label" in frame_with(page, "Stances").columns
    by_label(page.toggle, "Hide gold labels").set_value(True).run()
    assert "Label" not in frame_with(page, "Stances").columns
    assert not any(pills.label == "Label" for pills in page.get("button_group"))


def test_a_database_without_debates_is_explained(open_page):
    for name in (BROWSE, DEBATE, "judge/contest"):
        assert "There are no debates yet" in words(open_page(name))


# --- Debate -----------------------------------------------------------------------------------------------------------


def test_the_debate_page_lists_every_argument_beside_the_map(open_page):
    frame = frame_with(open_page(DEBATE, zoo(), d="zoo"), "Bears on")
    assert list(frame["Id"]) == ["A1-pro1", "A2-con1"]
    assert list(frame["DF-QuAD"]) == [0.8, 0.6]
    # The score is 0.60; without the pro it would be 0.20, without the con 0.90.
    assert list(frame["Contribution"].round(12)) == [0.4, -0.3]


def test_the_map_receives_the_debates_texts_as_data(open_page):
    page = open_page(DEBATE, zoo("hostile", HOSTILE, HOSTILE), d="hostile")
    assert any(text.value == HOSTILE for text in page.text)
    assert not any("<script>" in element.value for element in page.markdown)


def test_recorded_judgements_and_votes_stand_beside_the_semantics(open_page):
    page = open_page(DEBATE, zoo(), d="zoo", tab="Judges")
    frame = frame_with(page, "Judge").set_index("Judge")
    assert frame.loc["DF-QuAD", "Verdict"] == "✓ True 0.60"
    assert frame.loc["Mean stance", "Verdict"] == "✓ True 0.50"
    assert "Rain is likely." in words(page)
    assert "some model: ✕ False 0.40" in words(page)


def test_the_rounds_show_who_held_what(open_page):
    page = open_page(DEBATE, two_rounds(), d="rounds", tab="Rounds", part="What was held")
    assert [heading.value for heading in page.header] == ["Round 0", "Round 1", "Comments (0)"]
    assert "The queue is long.  [–]" in words(page)
    by_label(page.text_input, "Find in this debate").set_value("queue").run()
    assert "It may rain." not in words(page)


def test_anonymised_debaters_have_no_names(open_page):
    page = open_page(SETTINGS, zoo())
    by_label(page.toggle, "Show debaters as Agent 1, Agent 2, …").set_value(True).run()
    by_label(page.button, "Save settings").click().run()
    frame = frame_with(open_page(DEBATE, d="zoo"), "Bears on")
    assert list(frame["By"]) == ["Agent 1", "Agent 2"]


def test_anonymised_debaters_have_no_names_on_any_tab(open_page):
    page = open_page(SETTINGS, two_rounds())
    by_label(page.toggle, "Show debaters as Agent 1, Agent 2, …").set_value(True).run()
    by_label(page.button, "Save settings").click().run()
    trajectory = frame_with(open_page(DEBATE, d="rounds", tab="Rounds"), "series")
    assert {"Agent 1", "Agent 2"} < set(trajectory["series"])
    assert "a-model" not in words(open_page(DEBATE, d="rounds", tab="Provenance"))
    rounds = open_page(DEBATE, d="rounds", tab="Rounds", part="What was held")
    assert "Agent 1" in words(rounds)
    assert "a\\-model" not in words(rounds)


def test_a_page_without_a_chosen_debate_says_what_it_is_for(open_page):
    open_page("explore/home", zoo())
    for name, title in ((DEBATE, "Debate"), ("judge/contest", "Contest")):
        page = open_page(name)
        assert [heading.value for heading in page.title] == [title]
        assert "Which" in words(page)


# --- Settings ---------------------------------------------------------------------------------------------------------


def test_settings_hold_in_the_next_session(open_page):
    page = open_page(SETTINGS, zoo())
    by_label(page.number_input, "Threshold").set_value(0.7).run()
    by_label(page.button, "Save settings").click().run()
    again = open_page("explore/home")
    assert "score ≥ 0.70 → True" in words(again)
    by_label(open_page(SETTINGS).button, "Back to the defaults").click().run()
    assert "score ≥ 0.50 → True" in words(open_page("explore/home"))


# --- Data -------------------------------------------------------------------------------------------------------------

GOOD = b"""debate_id,claim,label,agent,polarity,argument,base_score
d1,Water boils at 100 degrees at sea level.,true,A1,pro,Thermometers were calibrated by it.,0.9
d1,Water boils at 100 degrees at sea level.,true,A2,con,Pressure changes the boiling point.,high
"""


def upload(page, name, data):
    page.get("file_uploader")[0].set_value([(name, data, "text/csv")]).run()
    return page


def test_a_table_is_previewed_with_its_problems_before_anything_is_stored(open_page):
    page = upload(open_page(DATA, zoo()), "table.csv", GOOD)
    assert "1 debate, 2 arguments" in words(page)
    kinds = frame_with(page, "Severity")
    assert list(kinds[kinds["Kind"] == "score unreadable"]["Count"]) == [1]
    by_label(page.selectbox, "All of one kind").select("score_unreadable").run()
    bad = frame_with(page, "Field").iloc[0]
    assert (bad["Line"], bad["Field"]) == (3, "base_score")
    assert "high" in bad["Message"]
    assert sum("; imported " in text.value for text in page.text) == 1  # the set that was there before


def test_an_imported_file_is_listed_and_recognised_when_it_comes_again(open_page):
    page = upload(open_page(DATA, zoo()), "table.csv", GOOD)
    next(b for b in page.button if b.label.startswith("Import 1 debate")).click().run()
    again = upload(open_page(DATA), "renamed.csv", GOOD)
    assert any("already here" in info.value for info in again.info)
    assert next(b for b in again.button if b.label.startswith("Import 1 debate")).disabled


def test_a_file_too_large_to_be_looked_at_whole_is_recognised_as_well(open_page, monkeypatch):
    monkeypatch.setattr(file_look, "WHOLE", 100)
    page = upload(open_page(DATA, zoo()), "table.csv", GOOD)
    next(b for b in page.button if b.label == "Import all of it").click().run()
    again = upload(open_page(DATA), "renamed.csv", GOOD)
    assert any("already here" in info.value for info in again.info)
    assert next(b for b in again.button if b.label == "Import all of it").disabled
    other = upload(open_page(DATA), "other.csv", GOOD.replace(b"0.9", b"0.8"))
    assert not any("already here" in info.value for info in other.info)


def test_a_file_that_turns_out_to_be_here_says_that_before_all_else(open_page):
    data = debates_to_native([zoo("one")]) + b"{no JSON\n" * 5
    open_page(DATA, zoo())
    desk = state.import_desk()
    for _ in range(2):
        desk.wait(desk.start(data, "log.jsonl", Wish()), 60.0)
    told = [text.value for text in open_page(DATA).text]
    assert any("already" in text for text in told)
    assert not any("JSON" in text and "already" in text for text in told)


LINES = b"""{"id": 1, "thesis": "Bees can count.", "turns": [{"who": "ann", "side": "pro", "says": "To four."}]}
{"id": 2, "thesis": "Ants can swim.", "turns": [{"who": "bo", "side": "con", "says": "They only float."}]}
"""


def test_records_that_no_reader_knows_are_read_by_paths_with_a_preview_before_and_a_saved_mapping_after(open_page):
    page = upload(open_page(DATA, zoo()), "turns.jsonl", LINES)
    assert any("Nothing of this file" in error.value for error in page.error)
    by_label(page.toggle, "Say which path means what").set_value(True).run()
    assert "2 debates, 2 arguments" in words(page)
    assert list(frame_with(page, "First argument")["Relations"]) == [1, 1]
    by_label(page.selectbox, "Agent").select("").run()
    assert list(frame_with(page, "First argument")["Agents"]) == [0, 0]
    by_label(page.text_input, "Save this mapping as").set_value("turn logs").run()
    by_label(page.button, "Save mapping").click().run()
    next(b for b in page.button if b.label.startswith("Import 2 debates")).click().run()
    assert any("Imported: 2 debates" in told.value for told in page.success)
    again = upload(open_page(DATA), "more.jsonl", LINES.replace(b"Bees", b"Wasps"))
    by_label(again.button, "Use it").click().run()
    assert "2 debates, 2 arguments" in words(again)


def test_no_value_of_a_file_is_shown_among_its_paths_while_labels_are_hidden(open_page):
    shown = {}
    for hidden in (True, False):
        page = open_page(DATA, *([zoo()] if hidden else []))
        by_label(page.toggle, "Hide gold labels").set_value(hidden).run()
        upload(page, "turns.jsonl", LINES)
        by_label(page.toggle, "Say which path means what").set_value(True).run()
        shown[hidden] = any("Bees" in option for option in by_label(page.selectbox, "Claim").options)
    assert shown == {True: False, False: True}


def test_what_a_scale_means_is_asked_where_the_numbers_do_not_tell(open_page):
    scores = b"debate_id,claim,agent,polarity,argument,base_score\n" + b"".join(
        b"d,Claims need reasons.,A1,pro,Reason %d.,%d\n" % (n, n) for n in (1, 2, 3, 4, 5)
    )
    page = upload(open_page(DATA, zoo()), "scores.csv", scores)
    assert list(frame_with(page, "First argument")["Without base score"]) == [5]
    by_label(page.selectbox, f"Scale of {plain('base_score')}").select(Scale.FIVE).run()
    assert list(frame_with(page, "First argument")["Without base score"]) == [0]


def test_taking_one_scale_of_a_mapping_back_leaves_the_others(open_page):
    lines = b"".join(
        b'{"thesis": "Bees can count.", "prior": %d, "says": "To %d.", "sure": %d}\n' % (n, n, n) for n in range(1, 6)
    )
    mapping = PathMapping("thesis", (StatementPaths("says", score="sure", prior="prior"),))
    mapping = mapping.scaled({"sure": Scale.FIVE, "prior": Scale.FIVE})
    page = upload(open_page(DATA, zoo()), "sure.jsonl", lines)
    written = by_label(page.text_area, "Or a mapping's file, YAML or JSON, as text")
    written.set_value(mapping_text(NamedMapping("of five", mapping))).run()
    by_label(page.button, "Use this text").click().run()
    by_label(page.selectbox, f"Scale of {plain('prior')}").select_index(0).run()
    _, _, file = str(by_label(page.selectbox, f"Scale of {plain('sure')}").key).split("|", 2)
    assert page.session_state[f"mapping|{file}"].scales == {"sure": Scale.FIVE}


def test_what_can_be_derived_is_offered_and_nothing_is_derived_unasked(open_page):
    graph = (
        b'{"nodes": [{"id": "c", "claim": "C is so."}, {"id": "a", "claim": "A says so."}], '
        b'"links": [{"source": "a", "target": "c"}]}'
    )
    page = upload(open_page(DATA, zoo()), "map.json", graph)
    assert list(frame_with(page, "First argument")["Relations"]) == [0]
    by_label(page.checkbox, "Graphs: a relation without a sign counts as support").check().run()
    assert list(frame_with(page, "First argument")["Relations"]) == [1]


def test_a_file_on_the_server_is_read_by_its_path(open_page, tmp_path):
    (tmp_path / "server.csv").write_bytes(GOOD)
    page = open_page(DATA, zoo())
    by_label(page.text_input, "Path on the server").set_value(str(tmp_path / "server.csv")).run()
    assert "1 debate, 2 arguments" in words(page)
    by_label(page.text_input, "Path on the server").set_value(str(tmp_path / "nothing")).run()
    assert any("nothing to read at this path" in error.value for error in page.error)


def test_a_file_that_is_nothing_is_refused_with_a_reason(open_page):
    page = upload(open_page(DATA, zoo()), "picture.csv", b"\x89PNG\r\n\x1a\n")
    assert any("Nothing of this file" in error.value for error in page.error)


def test_a_data_set_can_be_removed(open_page):
    page = open_page(DATA, zoo())
    by_label(page.button, "Remove").click().run()
    confirm = [button for button in page.button if button.label == "Remove"][-1]
    confirm.click().run()
    assert "Nothing is here yet" in words(open_page(DATA))


@pytest.mark.parametrize("page", [BROWSE, DEBATE, DATA, SETTINGS, "judge/contest"])
def test_every_page_names_the_rule_in_force(open_page, page):
    assert "Decision rule: score ≥ 0.50 → True" in words(open_page(page, zoo(), d="zoo"))


def test_browse_says_how_far_each_verdict_is_from_flipping_and_sorts_by_it(open_page):
    lopsided = zoo("lopsided", claim="The zoo has animals.")
    only_pro = replace(
        lopsided.rounds[0],
        arguments=lopsided.rounds[0].arguments[:1],
        relations=lopsided.rounds[0].relations[:1],
    )
    page = open_page(BROWSE, replace(lopsided, rounds=(only_pro,)), zoo(), two_rounds())
    by_label(page.selectbox, "Order").set_value("flip").run()
    flips = frame_with(page, "To flip").set_index("Id")["To flip"]
    assert flips["zoo"] == "0.200"  # the pro from 0.8 to just below 0.6, or the con to just above 0.8
    assert flips["lopsided"] == "no single change"  # with the pro at 0 the score is 0.5, still True
    assert flips.index[-1] == "lopsided"


# --- Hidden labels ----------------------------------------------------------------------------------------------------


def test_no_page_or_file_tells_a_hidden_label(open_page):
    told = replace(zoo(), provenance={"extra": {"label": "SUPPORTED"}, "dataset": "claims"}, note="It is true.")
    page = open_page(DEBATE, told, d="zoo", hide="true")
    assert "It is true." not in words(page)
    assert "SUPPORTED" not in str(page.get("table")) + words(page)
    offered = {button.proto.label for button in page.get("download_button")}
    assert "Debate as JSON, no label" in offered
    assert "Debate as JSON" not in offered


# --- Downloads and reasons --------------------------------------------------------------------------------------------


def test_the_map_is_offered_as_a_page_and_as_a_picture(open_page):
    offered = {button.proto.label for button in open_page(DEBATE, zoo(), d="zoo").get("download_button")}
    assert {"Map as HTML", "Map as SVG"} <= offered


def test_the_reason_of_every_judge_is_there_in_full(open_page):
    long = zoo(text="The animals are fun. " * 100)
    page = open_page(DEBATE, long, d="zoo", tab="Judges")
    frame = frame_with(page, "What it is")
    reasons = [text.value for text in page.text if text.value.startswith("Score ")]
    assert len(reasons) >= len(frame) - 2  # the votes say it in their own words


def test_judgements_are_previewed_with_what_is_left_out_and_stored_on_demand(open_page):
    judged = {"format": "moot-judgement/1", "judge": "r", "debate_id": "zoo", "status": "ok", "score": 0.9}
    lines = [
        {"format": "moot-judge/1", "judge": "r", "settings": {"kind": "human", "judge": HOSTILE}},
        judged | {"content": content_hash(profile(zoo())), "verdict": "true"},
        judged | {"content": content_hash(profile(zoo())), "verdict": "perhaps"},
    ]
    page = upload(open_page(DATA, zoo()), "said.jsonl", "\n".join(map(json.dumps, lines)).encode())
    assert "1 judgement" in words(page)
    problem = frame_with(page, "Severity").iloc[0]
    assert (problem["Line"], problem["Field"]) == (3, "verdict")
    by_label(page.button, "Import 1 judgement").click().run()
    assert any("Imported: 1 judgement" in told.value for told in page.success)
