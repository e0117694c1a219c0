import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.contestation import Edit, EditKind
from core.judgement import DecisionRule, Judgement, JudgementStatus, Verdict
from core.opinion import RelationKind
from core.overview import Scored
from core.wording import chip, edit_sentence, judgement_chip, label_word, number, score_text, shortened, signed


@pytest.mark.parametrize(
    ("verdict", "score", "status", "text"),
    [
        (Verdict.TRUE, 0.62, JudgementStatus.OK, "✓ True 0.62"),
        (Verdict.FALSE, 0.31, JudgementStatus.OK, "✕ False 0.31"),
        (Verdict.FALSE, 0.4978, JudgementStatus.OK, "✕ False 0.498"),
        (Verdict.TRUE, 0.50004, JudgementStatus.OK, "✓ True 0.50004"),
        (Verdict.TRUE, 0.5, JudgementStatus.OK, "✓ True 0.50"),
        (Verdict.TRUE, 0.5 + 1e-12, JudgementStatus.OK, "✓ True 0.500000"),
        (Verdict.FALSE, 0.5 - 1e-12, JudgementStatus.OK, "✕ False just under 0.50"),
        (Verdict.UNCERTAIN, 0.5, JudgementStatus.ABSTAINED, "? Uncertain 0.50"),
        (None, None, JudgementStatus.NOT_CONVERGED, "! Not converged"),
        (None, None, JudgementStatus.ERROR, "! Error"),
        (None, None, JudgementStatus.OK, "– Not run"),
        (None, 0.4, JudgementStatus.OK, "0.40"),
    ],
)
def test_a_chip_has_sign_word_and_score(verdict, score, status, text):
    assert chip(verdict, score, status) == text


@pytest.mark.parametrize(
    ("score", "threshold", "text"),
    [
        (0.6962, 0.7, "0.696"),
        (0.7, 0.7, "0.70"),
        (0.7002, 0.7, "0.7002"),
        (0.4978, 0.7, "0.50"),
        (0.625, 0.625, "0.625"),
        (0.62504, 0.625, "0.63"),
        (0.6262, 0.625, "0.63"),
        (0.0004, 0.0, "0.0004"),
        (0.9996, 1.0, "0.9996"),
        (1.0, 1.0, "1.00"),
        (0.7 + 1e-12, 0.7, "0.700000"),
        (0.5 - 1e-12, 0.5, "just under 0.50"),
        (0.49999949, 0.5, "0.499999"),
        (0.625 - 1e-9, 0.625, "0.62"),
        (0.7 - 1e-9, 0.7, "just under 0.70"),
        (1.0 - 1e-9, 1.0, "just under 1.00"),
    ],
)
def test_a_score_is_written_on_its_own_side_of_the_threshold(score, threshold, text):
    assert score_text(score, threshold) == text


@given(score=st.floats(0, 1), threshold=st.floats(0, 1).map(lambda t: round(t, 3)))
def test_a_written_score_never_tells_another_verdict(score, threshold):
    assume(abs(score - threshold) > 1e-6)
    assert DecisionRule(threshold).verdict(float(score_text(score, threshold))) is DecisionRule(threshold).verdict(
        score
    )


def test_the_chip_of_a_judgement_goes_by_the_judges_own_threshold():
    judgement = Judgement("mine", 0.6962, Verdict.FALSE, settings={"threshold": 0.7})
    assert judgement_chip(judgement) == "✕ False 0.696"
    assert Scored.of(judgement).chip == "✕ False 0.696"
    assert judgement_chip(Judgement("log", 0.6962, Verdict.TRUE, settings={"threshold": "?"})) == "✓ True 0.70"


def test_an_error_is_never_shown_as_a_verdict():
    assert chip(Verdict.TRUE, 0.9, JudgementStatus.UNREADABLE) == "! Unreadable"


def test_a_change_that_rounds_to_nothing_has_no_direction():
    assert signed(0.0) == "±0.000"
    assert signed(-0.0001) == "±0.000"
    assert signed(0.05) == "+0.050"
    assert signed(-0.05) == "−0.050"
    assert signed(None) == "–"


def test_missing_numbers_are_dashes_and_not_zero():
    assert number(None) == "–"
    assert number(0.0) == "0.00"
    assert number(True) == "–"


def test_long_texts_are_cut_at_a_word():
    assert shortened("one two three", 40) == "one two three"
    assert shortened("one two three", 9) == "one two…"
    assert shortened("a" * 50, 10) == "a" * 9 + "…"
    assert shortened("two\nlines", 40) == "two lines"


def test_labels_are_words():
    assert [label_word(label) for label in (True, False, None)] == ["True", "False", "Unknown"]


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.7, 0.4), "A1-pro1: base score 0.70 → 0.40"),
        (Edit(EditKind.SET_BASE_SCORE, "A1-pro1", None, 0.4), "A1-pro1: base score – → 0.40"),
        (
            Edit(EditKind.ADD_ARGUMENT, "new1", after=0.5, text="x", relation=RelationKind.ATTACK, target="A1-pro1"),
            "new1 added: attacks A1-pro1, base score 0.50",
        ),
        (Edit(EditKind.REMOVE_ARGUMENT, "a"), "a removed"),
        (Edit(EditKind.RESTORE_ARGUMENT, "a"), "a restored"),
        (Edit(EditKind.FLIP_POLARITY, "a", "support", "attack"), "a: support → attack of the topic"),
        (Edit(EditKind.RETARGET, "a", "topic", "b"), "a: target the topic → b"),
        (Edit(EditKind.SHIFT_PROS, after=0.1), "all pros +0.10"),
        (Edit(EditKind.SHIFT_CONS, after=-0.1), "all cons −0.10"),
        (Edit(EditKind.SET_TOPIC_BASE_SCORE, before=None, after=0.3), "topic base score – → 0.30"),
    ],
)
def test_an_edit_reads_from_what_to_what(edit, sentence):
    assert edit_sentence(edit) == sentence
