from core.import_issue import ImportIssue, IssueLog, Severity, quoted
from core.wording import several


def test_an_issue_in_json_has_what_a_report_needs():
    issue = ImportIssue(Severity.WARNING, "score_unreadable", "It is no number.", "f.csv", 3, "base_score")
    assert issue.to_json() == {
        "severity": "warning",
        "code": "score_unreadable",
        "line": 3,
        "field": "base_score",
        "message": "It is no number.",
    }


def test_a_flood_of_one_code_is_counted_and_the_others_stay():
    issues = IssueLog("f.csv", most_of_a_kind=3)
    for line in range(1, 11):
        issues.warning("odd", "Odd.", line)
    issues.error("bad", "Bad.", 11)
    assert [(issue.code, issue.line) for issue in issues.issues] == [
        ("odd", 1),
        ("odd", 2),
        ("odd", 3),
        ("bad", 11),
        ("odd", None),
    ]
    assert issues.issues[-1].message == "7 more issues of the kind 'odd' are not listed; there are 10 in all."
    assert issues.count("odd") == 10
    assert {issue.file for issue in issues.issues} == {"f.csv"}


def test_a_record_over_several_lines_gives_the_line_of_the_field():
    issues = IssueLog()
    issues.locate = {"claim": 14}.get
    issues.warning("odd", "Odd.", 10, "claim")
    issues.warning("odd", "Odd.", 10, "elsewhere")
    issues.warning("odd", "Odd.", 10)
    assert [issue.line for issue in issues.issues] == [14, 10, 10]


def test_a_quotation_is_one_short_line_whatever_it_quotes():
    deep: list[object] = []
    for _ in range(5000):
        deep = [deep]
    for value in ("a\nb\x00\x1b[31m", "x" * 10_000, b"y" * 10_000, 10**5000, deep, {"a": "\u2028"}):
        text = quoted(value)
        assert len(text) < 70
        assert len(text.splitlines()) == 1


def test_counts_read_well():
    assert [several(1, "row"), several(0, "row"), several(12_000, "row")] == ["1 row", "0 rows", "12,000 rows"]
    assert [several(count, "row is", "rows are") for count in (1, 2)] == ["1 row is", "2 rows are"]
