"""How the context manager may be used, and what it leaves behind: nothing."""

from __future__ import annotations

import logging
import os
import threading
import types

import pytest
import torch
from dump import check, entries
from torch._dynamo.convert_frame import _bytecode_hooks

import depyf
from depyf.capture import collect, seams
from depyf.capture.compilation import Compilation, origin_of

needs_trace = pytest.mark.skipif(seams.TRACE_LOG.find() is None, reason="before torch 2.5 there is no trace")


def compiled(backend="eager", name="f"):
    """A function that nobody has compiled yet."""
    return torch.compile(types.FunctionType(_plus_one.__code__.replace(co_name=name), globals()), backend=backend)


def _plus_one(x):
    return x + 1


def hooks():
    # Torch's own trace handler removes itself at the first record, with or without us.
    trace = logging.getLogger("torch.__trace")
    handlers = [each for each in trace.handlers if type(each).__module__.startswith("depyf")]
    callbacks = seams.COMPILE_CALLBACKS.find()
    return len(_bytecode_hooks), handlers, list(callbacks.end_callbacks) if callbacks else []


def names(directory):
    return {frame.name for frame in check(directory).frames}


def test_a_path_object_a_directory_to_be_made_and_no_hook_left(tmp_path):
    before = hooks()
    with depyf.prepare_debug(tmp_path / "new" / "dump"):
        assert hooks() != before
        compiled()(torch.ones(2))
    assert hooks() == before
    assert names(tmp_path / "new" / "dump") == {"f"}


def test_hooks_go_on_an_exception_and_the_exception_passes(tmp_path):
    before, mine = hooks(), ValueError("mine")
    with pytest.raises(ValueError, match="mine") as caught, depyf.prepare_debug(str(tmp_path)):
        raise mine
    assert caught.value is mine and hooks() == before
    assert check(tmp_path).finished


def test_by_hand_later_and_again(tmp_path):
    block = depyf.prepare_debug(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    for _ in range(2):
        block.__enter__()
        compiled()(torch.ones(2))
        block.__exit__(None, None, None)
        assert names(tmp_path) == {"f"}
    with pytest.raises(RuntimeError, match="without having been entered"):
        block.__exit__(None, None, None)


def test_nested_on_one_directory_is_one_record(tmp_path):
    with depyf.prepare_debug(tmp_path):
        compiled()(torch.ones(2))
        with depyf.prepare_debug(tmp_path):
            compiled()(torch.ones(2))
        assert check(tmp_path).finished is None
        compiled()(torch.ones(2))
    assert len(check(tmp_path).frames) == 3


def test_nested_on_two_directories_writes_to_both(tmp_path):
    with depyf.prepare_debug(tmp_path / "outer"):
        compiled()(torch.ones(2))
        with depyf.prepare_debug(tmp_path / "inner"):
            compiled()(torch.ones(2))
    assert len(check(tmp_path / "outer").frames) == 2
    inner = check(tmp_path / "inner").frames  # what the outer block compiled before is there as well
    assert [[entry.earlier for entry in frame.entries] for frame in inner] == [[False], [True]]


def test_threads(tmp_path):
    errors = []

    def work(directory):
        try:
            with depyf.prepare_debug(directory):
                compiled()(torch.ones(2))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(tmp_path / str(number % 2),)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    for number in range(2):
        assert not check(tmp_path / str(number)).failures


def test_the_first_published_form_writes_that_function_only(tmp_path):
    def helper(x):
        torch._dynamo.graph_break()
        return x * 2

    @torch.compile(backend="eager")
    def wanted(x):
        torch._dynamo.graph_break()
        return x + 1

    other = torch.compile(helper, backend="eager")
    with depyf.prepare_debug(wanted, tmp_path):
        wanted(torch.ones(2))
        other(torch.ones(2))
    session = check(tmp_path)
    assert {origin_of(frame.name) or frame.name for frame in session.frames} == {"wanted"}
    assert len(session.frames) == 2


def test_the_first_published_form_takes_a_module(tmp_path):
    class Mine(torch.nn.Linear):
        def forward(self, x):
            return super().forward(x) + 1

    for module, name in ((Mine(2, 2), "forward"), (torch.nn.Linear(2, 2), "forward")):
        function = torch.compile(module, backend="eager")
        with depyf.prepare_debug(function, tmp_path):
            function(torch.ones(2))
            compiled()(torch.ones(2))
        assert names(tmp_path) == {name}


@pytest.mark.parametrize("arguments", [(None,), (3,), (len, True)])
def test_arguments_that_are_no_directory(arguments):
    with pytest.raises(TypeError, match="must be"):
        depyf.prepare_debug(*arguments)


def test_a_file_in_place_of_the_directory(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(NotADirectoryError, match="this is a file"), depyf.prepare_debug(tmp_path / "file"):
        pass
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user whom permissions stop")
def test_a_directory_that_cannot_be_written_to(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError), depyf.prepare_debug(tmp_path):
        pass


def test_a_directory_that_goes_away_while_running(tmp_path):
    with depyf.prepare_debug(tmp_path / "dump"):
        compiled()(torch.ones(2))
        for path in (tmp_path / "dump").iterdir():
            path.unlink()
        (tmp_path / "dump").rmdir()
        assert compiled()(torch.ones(2)).tolist() == [2, 2]
    session = check_lost(tmp_path / "dump")
    assert any("removed while the program ran" in failure.what for failure in session.failures)


def check_lost(directory):
    from depyf.record.schema import from_json

    session = from_json((directory / "depyf.json").read_text())
    assert {path.name for path in directory.iterdir()} == set(session.files)
    return session


def test_a_disk_that_fills_up(tmp_path, monkeypatch):
    from depyf.record import directory

    def full(draft, target, content):
        raise OSError(28, "No space left on device")

    with depyf.prepare_debug(tmp_path):
        write = directory._write_through
        monkeypatch.setattr(directory, "_write_through", full)
        assert compiled()(torch.ones(2)).tolist() == [2, 2]
        monkeypatch.setattr(directory, "_write_through", write)
        compiled()(torch.ones(2))
    session = check(tmp_path)
    assert any("No space left" in failure.what for failure in session.failures)
    assert "No space left" in (tmp_path / "index.md").read_text()


@needs_trace
@pytest.mark.parametrize("broken", ["transformed", "received", "ended"])
def test_a_failing_hook_is_shown_and_stops_nobody(broken, tmp_path, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError(broken)

    monkeypatch.setattr(collect.Capture, broken, fail)
    before = hooks()
    with depyf.prepare_debug(tmp_path):
        assert compiled("aot_eager")(torch.ones(2, requires_grad=True)).tolist() == [2, 2]
    assert hooks() == before
    assert any(f"ZeroDivisionError: {broken}" in failure.what for failure in check(tmp_path).failures)


@pytest.mark.parametrize("seam", [seam for seam in seams.SEAMS if seam.watches], ids=lambda seam: seam.name)
def test_a_missing_seam_is_said_and_the_rest_still_works(seam, tmp_path, monkeypatch):
    find = seams.Seam.find
    monkeypatch.setattr(seams.Seam, "find", lambda self: None if self is seam else find(self))
    with depyf.prepare_debug(tmp_path):
        function = torch.compile(lambda x: (x + 1, torch._dynamo.graph_break(), x + 2), backend="aot_eager")
        assert function(torch.ones(2))[2].tolist() == [3, 3]
    session = check(tmp_path)
    said = f"This torch has no {seam.name}: {seam.without}."
    assert said in session.missing and said in (tmp_path / "index.md").read_text()
    assert session.frames or (seam is seams.BYTECODE_HOOK and seams.TRACE_LOG.find() is None)
    assert not session.failures


def test_foreign_files_stay_and_the_previous_run_goes(tmp_path):
    (tmp_path / "index.md").write_text("mine")
    (tmp_path / "full_code_for_f_0.py").write_text("mine = 1")
    with depyf.prepare_debug(tmp_path):
        compiled()(torch.ones(2))
        compiled()(torch.ones(2))
    present = {each.name for each in tmp_path.iterdir()}
    assert {"full_code_for_f_1.py", "full_code_for_f_2.py", "depyf_index.md"} <= present
    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path):
        compiled()(torch.ones(2))
    present = {each.name for each in tmp_path.iterdir()}
    assert "full_code_for_f_1.py" in present and "full_code_for_f_2.py" not in present
    assert (tmp_path / "index.md").read_text() == "mine"
    assert (tmp_path / "full_code_for_f_0.py").read_text() == "mine = 1"


def test_a_record_of_somebody_else_is_not_replaced(tmp_path):
    (tmp_path / "depyf.json").write_text("{}")
    with pytest.raises(FileExistsError), depyf.prepare_debug(tmp_path):
        pass
    with pytest.raises(FileExistsError), depyf.prepare_debug(tmp_path):  # the lock is free again
        pass
    assert (tmp_path / "depyf.json").read_text() == "{}"


def test_ranks_have_directories_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "8")
    monkeypatch.setenv("RANK", "3")
    with depyf.prepare_debug(tmp_path):
        compiled()(torch.ones(2))
    with depyf.prepare_debug(tmp_path / "rank_3_dp_1"):
        compiled()(torch.ones(2))
    assert check(tmp_path / "rank_3").rank == 3
    assert check(tmp_path / "rank_3_dp_1").rank == 3


def test_names_that_no_file_can_have(tmp_path):
    odd = {"x" * 300, "größe", "<lambda>"}
    with depyf.prepare_debug(tmp_path):
        for name in odd:
            compiled(name=name)(torch.ones(2))
    assert names(tmp_path) == odd


def test_functions_that_differ_in_case_only_have_different_numbers(tmp_path):
    with depyf.prepare_debug(tmp_path):
        for name in "fF":
            compiled(name=name)(torch.ones(2))
    present = [each.name.lower() for each in tmp_path.iterdir()]
    assert len(present) == len(set(present))


def breaks_in_a_loop(x):
    for _ in range(2):
        x = x + 1
        torch._dynamo.graph_break()
    return x


@needs_trace
def test_outcomes_of_what_was_not_compiled(tmp_path):
    def refuse(graph, inputs):
        raise RuntimeError("no such luck")

    with depyf.prepare_debug(tmp_path):
        with pytest.raises(Exception, match="no such luck"):
            torch.compile(lambda x: x + 1, backend=refuse)(torch.ones(2))
        torch.compile(breaks_in_a_loop, backend="eager")(torch.ones(2))
    listed = list(entries(check(tmp_path)).values())
    assert [entry.outcome for entry in listed][:2] == ["failed", "skipped"]
    assert "no such luck" in listed[0].reason and "graph_break" in listed[1].reason
    assert listed[0].graph.stages[0].file == "__compiled_fn_failed_0_0.Captured_Graph.0.py"


@needs_trace
def test_graphs_outside_of_compilations_on_request(tmp_path):
    def emit():
        torch._logging.trace_structured("aot_joint_graph", payload_fn=lambda: "class G: ...", expect_trace_id=False)

    for clean in (True, False):
        with depyf.prepare_debug(tmp_path, clean_wild_fx_code=clean):
            emit()
        assert (tmp_path / "__wild_fx.Joint_graph.0.py").exists() is not clean
        assert ("1 graph of torch.export" in (tmp_path / "index.md").read_text()) is clean


def test_a_resume_function_with_free_variables_is_shown_in_place(tmp_path):
    def outer(n):
        @torch.compile(backend="eager")
        def inner(x):
            torch._dynamo.graph_break()
            return x + n

        return inner

    with depyf.prepare_debug(tmp_path):
        outer(3)(torch.ones(2))
    session = check(tmp_path)
    resume = next(frame for frame in session.frames if frame.resumes is not None)
    assert session.frame(resume.resumes).name == "inner"
    assert len(list(tmp_path.glob("full_code_for_*.py"))) == 1


def test_nonlocal_names_get_a_function_around_them(tmp_path):
    n = 0

    @torch.compile(backend="eager")
    def counts(x):
        nonlocal n
        n += 1
        torch._dynamo.graph_break()
        n += 2
        return x + n

    with depyf.prepare_debug(tmp_path):
        counts(torch.ones(2))
    assert n == 3
    listed = list(entries(check(tmp_path)).values())
    assert len(listed) == 2 and all("nonlocal n" in str(entry.transformed_source) for entry in listed)


def test_a_forked_child_writes_nothing(tmp_path):
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    with depyf.prepare_debug(tmp_path):
        before = (tmp_path / "depyf.json").read_text()
        child = os.fork()
        if child == 0:
            compiled()(torch.ones(2))
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert (tmp_path / "depyf.json").read_text() == before


def test_a_framework_prints_a_graph_under_its_own_name(tmp_path):
    from torch._dynamo import utils

    def backend(graph, inputs):
        from torch._dynamo.utils import lazy_format_graph_code

        text = lazy_format_graph_code("after my pass <1>", graph)
        assert "def forward" in str(text)
        return graph.forward

    original = utils.lazy_format_graph_code
    for inner in (tmp_path / "inner", tmp_path / "outer"):  # also twice on one directory
        with depyf.prepare_debug(tmp_path / "outer"), depyf.prepare_debug(inner):
            torch.compile(lambda x: x + 1, backend=backend)(torch.ones(2))
            torch._dynamo.reset()
        assert utils.lazy_format_graph_code is original
        assert seams.GRAPH_PRINTER.find() is original
        for directory in {inner, tmp_path / "outer"}:
            session = check(directory)
            assert len(list(directory.glob("__compiled_fn_*.after_my_pass_*.0.py"))) == 1
            assert not session.failures


def test_nothing_is_logged_or_printed(tmp_path, capfd, caplog):
    with caplog.at_level(logging.INFO), depyf.prepare_debug(tmp_path):
        compiled()(torch.ones(2))
    assert capfd.readouterr() == ("", "")
    assert [record for record in caplog.records if record.name.startswith("depyf")] == []


def test_a_fence_lets_the_users_interrupt_pass(tmp_path, monkeypatch):
    def interrupt(self, *_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Compilation, "take_transformed", interrupt)
    with pytest.raises(KeyboardInterrupt), depyf.prepare_debug(tmp_path):
        compiled()(torch.ones(2))
    check(tmp_path)
