"""While labels are hidden, no file and no table tells them."""

import json
from dataclasses import replace

import pytest

from core.import_issue import ImportIssue, Severity
from core.native import debate_to_line
from core.unlabelled import unlabelled_issues, unlabelled_line, unlabelled_provenance
from storage.readers import read_file
from tests.storage.debates import a_long_debate

SECRET = "the truth of it"
PROVENANCE = {
    "dataset": "claims",
    "ground_truth_label": SECRET,
    "correct": SECRET,
    "label_raw": SECRET,
    "extra": {"any": SECRET},
    "columns": {"c7": SECRET},
}


@pytest.mark.parametrize("label", [True, False, None])
def test_a_line_without_label_is_the_same_whatever_the_label(label):
    told = replace(a_long_debate(), label=label, note=SECRET if label else None, provenance=PROVENANCE)
    line = unlabelled_line(debate_to_line(told))
    assert SECRET not in line
    assert "label" not in json.loads(line)
    assert line == unlabelled_line(debate_to_line(replace(told, label=None, note=None)))


def test_a_line_without_label_is_a_debate_that_can_be_imported():
    debate = replace(a_long_debate(), label=True, provenance=PROVENANCE)
    found = read_file(unlabelled_line(debate_to_line(debate)).encode(), "hidden.jsonl")
    assert found.issues == ()
    assert list(found.debates) == [replace(debate, label=None, note=None, provenance={"dataset": "claims"})]


def test_a_provenance_keeps_what_cannot_tell():
    assert unlabelled_provenance(PROVENANCE) == {"dataset": "claims"}


def test_notes_that_quote_a_label_are_left_out():
    notes = [
        ImportIssue(Severity.WARNING, "label_disagrees", "The label is 'false' here.", field="Truth"),
        ImportIssue(Severity.WARNING, "wrong_type", "The label is a list.", field="debates[0].label"),
        ImportIssue(Severity.WARNING, "wrong_type", "The claim is a list.", field="claim"),
    ]
    assert unlabelled_issues(notes) == (notes[2],)
