from core.contestation import Edit, EditKind
from core.history import History


def moved(name: str, before: float, after: float) -> Edit:
    return Edit(EditKind.SET_BASE_SCORE, name, before, after)


def test_undo_then_redo_gives_the_same_edits():
    history = History().push(moved("a", 0.5, 0.6)).push(moved("b", 0.2, 0.9))
    assert history.undo().edits == (moved("a", 0.5, 0.6),)
    assert history.undo().redo() == history
    assert history.undo().undo().redo().redo() == history


def test_undo_and_redo_of_nothing_change_nothing():
    assert History().undo() == History()
    assert History().redo() == History()


def test_a_new_edit_forgets_what_was_undone():
    history = History().push(moved("a", 0.5, 0.6)).undo().push(moved("b", 0.2, 0.3))
    assert history == History((moved("b", 0.2, 0.3),))


def test_moving_the_same_base_score_again_is_one_edit_from_the_first_value():
    history = History().push(moved("a", 0.5, 0.6)).push(moved("a", 0.6, 0.9))
    assert history.edits == (moved("a", 0.5, 0.9),)


def test_moving_a_base_score_back_leaves_no_edit():
    assert History().push(moved("a", 0.5, 0.6)).push(moved("a", 0.6, 0.5)).edits == ()


def test_a_move_to_where_it_is_is_no_edit():
    assert History().push(moved("a", 0.5, 0.5)).edits == ()


def test_moves_of_different_arguments_stay_apart():
    history = History().push(moved("a", 0.5, 0.6)).push(moved("b", 0.1, 0.2)).push(moved("a", 0.6, 0.7))
    assert [edit.argument for edit in history.edits] == ["a", "b", "a"]


def test_an_edit_in_the_middle_can_be_taken_out():
    history = History().push(moved("a", 0.5, 0.6)).push(moved("b", 0.1, 0.2))
    assert history.without(0).edits == (moved("b", 0.1, 0.2),)
