from core.contestation import Edit, EditKind, contest
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind
from core.outline import outline, outline_records

S, A = RelationKind.SUPPORT, RelationKind.ATTACK


def held(*relations: tuple[str, str, RelationKind], extra: tuple[str, ...] = ()) -> OpinionProfile:
    names = dict.fromkeys([name for source, target, _ in relations for name in (source, target) if name != TOPIC])
    arguments = tuple(Argument(name, f"text of {name}", "A1", 0.5) for name in [*names, *extra])
    return OpinionProfile("claim", (), arguments, tuple(Relation(*relation) for relation in relations))


def lines(profile: OpinionProfile) -> list[tuple[int, str, str]]:
    return [(row.level, row.sign, row.argument.id) for row in outline(profile)]


def test_pros_come_before_cons_and_each_is_followed_by_what_bears_on_it():
    profile = held(("con", TOPIC, A), ("pro", TOPIC, S), ("rebuttal", "pro", A))
    assert lines(profile) == [(1, "+", "pro"), (2, "−", "rebuttal"), (1, "−", "con")]


def test_an_argument_with_two_targets_has_two_lines_and_one_subtree():
    profile = held(("a", TOPIC, S), ("b", TOPIC, A), ("c", "a", A), ("c", "b", S), ("d", "c", A))
    assert lines(profile) == [(1, "+", "a"), (2, "−", "c"), (3, "−", "d"), (1, "−", "b"), (2, "+", "c")]
    assert [row.repeated for row in outline(profile)] == [False, False, False, False, True]


def test_a_cycle_ends_at_its_first_repetition():
    profile = held(("a", TOPIC, S), ("b", "a", A), ("a", "b", A))
    assert lines(profile) == [(1, "+", "a"), (2, "−", "b"), (3, "−", "a")]


def test_arguments_that_bear_on_nothing_are_listed_too():
    assert lines(held(("a", TOPIC, S), extra=("lost",))) == [(1, "+", "a"), (0, "", "lost")]


def test_a_cycle_apart_from_the_topic_is_listed():
    profile = held(("x", "y", A), ("y", "x", A))
    assert {name for _, _, name in lines(profile)} == {"x", "y"}


def test_a_chain_of_20_000_arguments_is_listed_without_recursion():
    names = [TOPIC, *(f"a{n}" for n in range(20_000))]
    profile = held(*((names[n + 1], names[n], S) for n in range(20_000)))
    assert [row.level for row in outline(profile)] == list(range(1, 20_001))


def test_records_name_removed_changed_and_added_arguments():
    profile = held(("a", TOPIC, S), ("b", TOPIC, A), ("c", "a", A))
    contested = contest(
        profile,
        [
            Edit(EditKind.SET_BASE_SCORE, "a", 0.5, 0.9),
            Edit(EditKind.REMOVE_ARGUMENT, "b"),
            Edit(EditKind.ADD_ARGUMENT, "new1", after=0.4, text="more"),
        ],
    )
    records = outline_records(contested, {"DF-QuAD": {"a": 0.9, "b": 0.5, "c": 0.5, "new1": 0.4}}, {"a": 0.1})
    states = {record["Id"]: record["State"] for record in records}
    assert states == {"a": "changed", "c": "", "new1": "added", "b": "removed"}
    strengths = {record["Id"]: record["DF-QuAD"] for record in records}
    assert strengths["b"] is None
    assert strengths["a"] == 0.9
