"""Moot on the command line: what the pages do, without a browser.

Exit codes: 0 done; 1 an error, with a message; 2 wrong usage; 3 at least one file was refused.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

from core.errors import DatabaseInUse, InvalidSetting, MootError

if TYPE_CHECKING:  # the modules behind the commands are loaded by the command that needs them, so that all start fast
    from core.chart_export import Render
    from core.debating.claim import Claim
    from core.runs.plan import Budget, Run
    from core.runs.progress import Progress
    from storage.debate_run_worker import DebateRunWorker
    from storage.importer import FileReport, Wish
    from storage.worker import Worker

    R = TypeVar("R", bound=Run)

ROOT = Path(__file__).resolve().parent
STDIN = "-"
FAILED, WRONG_USAGE, REFUSED = 1, 2, 3
PROGRESS_SECONDS, LOG_SECONDS = 5.0, 30.0  # between two lines about a run, on a terminal and elsewhere
LOOK_SECONDS = 1.0  # between two looks at a run that the app carries out
MOST_LISTED = 3  # issues of one kind that are printed for people

app = typer.Typer(
    help="Inspect, contest and re-judge debates between AI agents.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


auditing = typer.Typer(help="Check the audit log, or write it to a file.", no_args_is_help=True)
app.add_typer(auditing, name="audit")

testing = typer.Typer(help="Test properties of judges, as experiments say.", no_args_is_help=True)
app.add_typer(testing, name="properties")

exporting = typer.Typer(help="Write debates, or charts and tables of judges.")
app.add_typer(exporting, name="export")


Formats = Annotated[
    list[str] | None, typer.Option("--format", help="html, csv, svg, png, pdf, markdown or latex; all that can be.")
]
# Limits of a run.
MaxCalls = Annotated[
    int | None, typer.Option("--max-calls", "--budget-calls", min=0, help="Stop before more calls than this.")
]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", "--budget-tokens", min=0, help="Stop once this many tokens are used.")
]
MaxMoney = Annotated[
    float | None,
    typer.Option("--max-money", "--budget-money", min=0, help="Stop once this much is spent (see assets/prices.yaml)."),
]
MaxSeconds = Annotated[
    float | None, typer.Option("--max-seconds", "--budget-seconds", min=0, help="Stop after this time.")
]


def show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        import tomllib

        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        print(f"Moot {project['version']}")
        raise typer.Exit


@app.callback()
def common(
    context: typer.Context,
    db: Annotated[
        Path | None,
        typer.Option(
            "--db", envvar="MOOT_DB", help="The database file.", show_default="data/moot.duckdb in Moot's folder"
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Inspect, contest and re-judge debates between AI agents."""
    context.obj = db


@app.command()
def evaluate(
    file: Annotated[str, typer.Argument(help="JSON Lines, one QBAF a line; - reads standard input.")],
    semantics: Annotated[str, typer.Option(help="Which gradual semantics.")] = "df-quad",
    conservativeness: Annotated[float, typer.Option(help="kappa, 1 or more; 1 is the textbook semantics.")] = 1.0,
) -> None:
    """Print the strengths of every argument, one QBAF a line in and out."""
    from core.evaluation_lines import evaluate_lines

    try:
        for line in evaluate_lines(_lines(file), semantics, conservativeness):
            sys.stdout.write(line.rstrip("\n") + "\n")
    except InvalidSetting as error:
        _stop(str(error), WRONG_USAGE)


@app.command("import")
def import_(
    context: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            help="Debate logs of any kind Moot knows, or judgements as judge writes them; - is standard input."
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Report as JSON.")] = False,
    dataset: Annotated[str | None, typer.Option(help="What to call the dataset, instead of the file's name.")] = None,
    again: Annotated[bool, typer.Option(help="Store a file even if its content is here already.")] = False,
    mapping: Annotated[
        str | None,
        typer.Option(
            help="Read by this mapping: a name it is saved under, or a YAML or JSON file as the page writes it."
        ),
    ] = None,
    derive: Annotated[
        list[str] | None,
        typer.Option(
            help="Fill in what the log lacks by this derivation; may be given several times. See docs/format.md."
        ),
    ] = None,
) -> None:
    """Bring debate logs, and judgements on debates that are here, into the database."""
    from storage.importer import Wish

    wish = Wish(dataset, again, derivations=tuple(derive or ()))
    reports = _import(_database(context), files, wish, mapping)
    if as_json:
        print(json.dumps({"files": [report.to_json() for report in reports]}, indent=2))
    else:
        for report in reports:
            print("\n".join(_summary(report)))
    if any(report.refused for report in reports):
        raise typer.Exit(REFUSED)


@exporting.callback(invoke_without_command=True)
def export(
    context: typer.Context,
    dataset: Annotated[str | None, typer.Option(help="Only this dataset, by name or id.")] = None,
    debate: Annotated[list[str] | None, typer.Option(help="Only this debate; may be given several times.")] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is standard output.")] = "-",
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            help="moot-debate/1, table-csv, table-jsonl, table-parquet, argllms, bag, aif, node-link or argdown.",
        ),
    ] = "moot-debate/1",
) -> None:
    """Write debates, in the native format unless told otherwise; or, with "compare", charts and tables of judges.

    What the format cannot carry is said on standard error.
    """
    if context.invoked_subcommand is not None:
        return
    _check_output(output)
    from core.exporting import debates_of, exporter, in_words, is_binary
    from core.native import FORMAT
    from storage.comparison_choice import dataset_named
    from storage.database import Database
    from storage.debate_filter import DebateFilter
    from storage.debate_repository import DebateRepository

    try:
        chosen = exporter(format_)
    except InvalidSetting as error:
        _stop(str(error), WRONG_USAGE)
    with Database.open(_database(context)) as database:
        repository = DebateRepository(database)
        datasets = () if dataset is None else (dataset_named(database, dataset),)
        for name in debate or ():
            repository.get(name)  # says which one is not there
        wanted = DebateFilter(datasets=datasets, ids=tuple(debate) if debate else None)
        if format_ == FORMAT:
            _write(repository.export(wanted), output)
            return
        if output == STDIN and sys.stdout.isatty():
            several = len(repository.ids(wanted)) != 1
            if is_binary(chosen, several):
                name = f"debates.{chosen.suffix(several)}"
                _stop(f"{format_} is no text for a terminal; name a file, such as --output {name}.", WRONG_USAGE)
        for sentence in in_words(chosen.losses(debates_of(repository.export(wanted)))):
            print(_printable(sentence), file=sys.stderr)
        _write_pieces(chosen.write(debates_of(repository.export(wanted))), output)


@exporting.command("compare")
def export_comparison(
    context: typer.Context,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The folder to write into.")] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(help="A judge's name or id, or a preset; may be given several times. The first is the baseline."),
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="Only this dataset, by name or id.")] = None,
    pair: Annotated[
        tuple[int, int] | None, typer.Option(help="Which two of the judges, from 1, to look at more closely.")
    ] = None,
    kind: Formats = None,
    text: Annotated[str, typer.Option("--search", help="Only debates that hold these words.")] = "",
    protocol: Annotated[list[str] | None, typer.Option(help="Only debates of this protocol.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only debates with this tag.")] = None,
    hide_labels: Annotated[bool, typer.Option("--hide-labels", help="Make no use of gold labels.")] = False,
    without_abstentions: Annotated[
        bool, typer.Option("--without-abstentions", help="Leave out debates on which a judge abstains.")
    ] = False,
    published: Annotated[
        str | None, typer.Option(help="Published figures to show beside, by the beginning of the table's title.")
    ] = None,
    published_protocol: Annotated[str | None, typer.Option(help="Only those of this protocol.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List judges and presets, and stop.")] = False,
) -> None:
    """Write the charts and tables of the Compare judges page, the same files."""
    from datetime import datetime

    from core.comparison.population import Abstention
    from core.comparison_files import comparison_files
    from core.debate import DebateProtocol
    from core.repeat_report import varied
    from storage.comparison_choice import dataset_named, list_choices, picked_judges, published_rows
    from storage.comparison_source import material
    from storage.database import Database
    from storage.debate_filter import DebateFilter
    from storage.debate_repository import DebateRepository
    from storage.judgement_repository import JudgementRepository

    kinds, drawing = _kinds(kind)
    protocols = [name for name in protocol or () if name not in set(DebateProtocol)]
    if protocols:
        _stop(f"There is no protocol {protocols[0]!r}; there are {', '.join(DebateProtocol)}.", WRONG_USAGE)
    with Database.open(_database(context)) as database:
        if listed:
            print("\n".join(map(_printable, list_choices(database))))
            return
        if output is None:
            _stop("Say which folder to write into with -o.", WRONG_USAGE)
        judges = picked_judges(database, judge or ())
        chosen = None if dataset is None else dataset_named(database, dataset)
        wanted = DebateFilter(
            text=text,
            datasets=() if chosen is None else (chosen,),
            protocols=tuple(DebateProtocol(name) for name in protocol or ()),
            tags=tuple(tag or ()),
        )
        of = material(database, judges, chosen).comparison(
            DebateRepository(database).ids(wanted) if wanted.described else None,
            wanted.described,
            labels=not hide_labels,
            abstention=Abstention.LEFT_OUT if without_abstentions else Abstention.NOT_RIGHT,
            published=None if published is None else published_rows(published, published_protocol),
        )
        places = of.pair if pair is None else (pair[0] - 1, pair[1] - 1)
        if not all(0 <= place < len(judges) for place in places):
            _stop(f"The pair must be two of the judges 1 to {len(judges)}.", WRONG_USAGE)
        repository = JudgementRepository(database)
        again = [
            chart
            for place, one in enumerate(judges)
            if one.judge is None
            for varying in varied(of, place, repository.repeats_frame(one.id))
            for chart in varying.charts
        ]
        output.mkdir(parents=True, exist_ok=True)
        for name, content in comparison_files(of, places, kinds, f"{datetime.now():%Y%m%d}", drawing, again):
            _write_bytes(content, output / name)
            print(name)
    if drawing is None and kind is None:
        print("SVG, PNG and PDF were left out: they need Chromium or Chrome on this machine.", file=sys.stderr)


@exporting.command("report")
def export_report(
    context: typer.Context,
    recipe: Annotated[
        str | None, typer.Argument(help="A report's recipe, as the page hands it out; - reads standard input.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="The file to write; - is standard output.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="A report kept under this name, instead of a recipe.")] = None,
    kind: Annotated[str, typer.Option("--format", help="html, md or latex.")] = "html",
    hide_labels: Annotated[bool, typer.Option("--hide-labels", help="Neither show nor use gold labels.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the reports that are kept, and stop.")] = False,
) -> None:
    """Write a report, the same to the last bit as the page hands out."""
    from dataclasses import replace

    from core.report.report import Report
    from storage.database import Database
    from storage.report_files import KINDS, report_file
    from storage.report_repository import ReportRepository

    if kind not in KINDS:
        _stop(f"There is no report format {kind!r}; there are {', '.join(KINDS)}.", WRONG_USAGE)
    if not listed and (recipe is None) == (name is None):
        _stop("Name either a recipe's file or, with --name, a report that is kept.", WRONG_USAGE)
    _check_output(output)
    given = None if recipe is None else Report.from_recipe(_whole(recipe))
    with Database.open(_database(context)) as database:
        repository = ReportRepository(database)
        if listed:
            print(
                "\n".join(_printable(f"{one.name}: {one.person_name}, recipe {one.hash}") for one in repository.kept())
            )
            return
        report = given if given is not None else repository.get(name or "")
        if hide_labels:
            report = replace(report, labels=False)
        content = report_file(database, report, kind)
    if output is None or output == STDIN:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        _write_bytes(content, Path(output))


@app.command()
def judge(
    context: typer.Context,
    judges: Annotated[
        list[str] | None,
        typer.Option(
            "--judge", help="A YAML or JSON file that defines judges, or a preset; may be given several times."
        ),
    ] = None,
    dataset: Annotated[list[str] | None, typer.Option(help="Judge the debates of this dataset, by name or id.")] = None,
    debate: Annotated[list[str] | None, typer.Option(help="Only this debate; may be given several times.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N debates.")] = None,
    model: Annotated[str | None, typer.Option(help="The model of a preset's LLM judges.")] = None,
    endpoint: Annotated[
        str, typer.Option(help="Where a preset's LLM judges are asked: openai, local or a URL.")
    ] = "openai",
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_money: MaxMoney = None,
    max_seconds: MaxSeconds = None,
    resume: Annotated[str | None, typer.Option(help="Go on with this run instead of beginning one.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Also try again what got no reply.")] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write the judgements here, one a line; - is standard output.")
    ] = None,
    presets: Annotated[bool, typer.Option("--presets", help="List the presets and stop.")] = False,
) -> None:
    """Put debates before judges; a run that was stopped goes on with --resume and repeats no call.

    Keys come from the environment: OPENAI_API_KEY, or the variable that the judge's endpoint names. While the app has
    the database open, it carries the run out instead, with the keys of its own environment.
    """
    from core.runs.plan import Budget, RunState
    from storage.database import Database
    from storage.judge_choice import chosen_debates, chosen_judges, preset_names
    from storage.judgement_file import judgement_lines
    from storage.lock import Holder, read_note
    from storage.prompt_files import load_prices
    from storage.run_desk import begin_question
    from storage.run_repository import RunRepository
    from storage.run_worker import RunWorker

    if presets:
        print("\n".join(preset_names()))
        return
    if resume is None and not judges:
        _stop("Say who is to judge with --judge, or which run to go on with with --resume.", WRONG_USAGE)
    _check_output(output)
    prices = load_prices()
    budget = Budget(max_calls, max_tokens, max_money, max_seconds)
    path = _database(context)
    chosen = chosen_judges(judges or (), model, endpoint) if resume is None else ()
    try:
        opened = Database.open(path)
    except DatabaseInUse:
        if read_note(path).kind is not Holder.APP:
            raise
        begin = begin_question(chosen, dataset or (), debate or (), limit, budget, resume, retry_failed)
        return _judge_in_app(path, begin, output)
    with opened as database:
        worker = RunWorker(database, prices)
        try:
            if resume is None:
                wanted = chosen_debates(database, dataset or (), debate or (), limit)
                run = worker.create(chosen, wanted, budget)
            else:
                run = RunRepository(database).get(resume)
            progress = _carried_out(worker, run, budget, retry_failed, prices.currency)
        finally:
            worker.stop()
        if output is not None:
            debates = RunRepository(database).debates(run.id)
            _write(judgement_lines(database, progress.run.judges, debates), output)
    if progress.run.state is not RunState.DONE or progress.in_vain:
        raise typer.Exit(FAILED)


@app.command("run")
def run_debates(
    context: typer.Context,
    claims: Annotated[
        str | None,
        typer.Argument(
            help="A file of claims: one a line, or CSV, JSON or JSON Lines with claim, label, id; - is standard input."
        ),
    ] = None,
    claims_of: Annotated[
        str | None, typer.Option("--claims-of", help="Debate the claims of this dataset instead, by name or id.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N claims.")] = None,
    protocol: Annotated[
        str, typer.Option(help="single-turn, multi-turn-private or multi-turn-shared.")
    ] = "single-turn",
    agent: Annotated[
        list[str] | None,
        typer.Option(
            help="name=A1,model=...,endpoint=... with temperature=, seed=, max_tokens= and, last, persona=; "
            "or a YAML or JSON file of agents; may be given several times."
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Of a multi-turn debate.")] = 3,
    order: Annotated[str, typer.Option(help="Of turns in a shared debate: fixed, rotated or shuffled.")] = "rotated",
    seed: Annotated[int, typer.Option(help="Of the shuffled order.")] = 0,
    stances: Annotated[str, typer.Option(help="Which stances agents are asked for: none, prior or post.")] = "post",
    most_arguments: Annotated[
        int, typer.Option("--most-arguments", min=1, help="Pros, and cons, in one reply of a multi-turn debate.")
    ] = 5,
    prompts: Annotated[
        str, typer.Option(help="standard, or the name of a folder beside assets/prompts/debate.")
    ] = "standard",
    dataset: Annotated[str, typer.Option(help="What to call the dataset with the debates.")] = "",
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_money: MaxMoney = None,
    max_seconds: MaxSeconds = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            help="Who judges the debates once they are complete: a file that defines judges, or a preset; "
            "may be given several times.",
        ),
    ] = None,
    judge_model: Annotated[str | None, typer.Option(help="The model of a preset's LLM judges.")] = None,
    judge_endpoint: Annotated[
        str, typer.Option(help="Where a preset's LLM judges are asked: openai, local or a URL.")
    ] = "openai",
    judge_max_calls: Annotated[
        int | None, typer.Option(min=0, help="Of the judging, which is a run of its own.")
    ] = None,
    judge_max_money: Annotated[float | None, typer.Option(min=0, help="Of the judging.")] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with this run instead of beginning one.")] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Also go on with debates that stopped for want of a reply.")
    ] = False,
    replay: Annotated[
        bool, typer.Option("--replay", help="Hold the debates of --resume again from stored replies; nobody is asked.")
    ] = False,
    estimate_only: Annotated[bool, typer.Option("--estimate", help="Say what the run would take, and stop.")] = False,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="Write the debates here, one a line; - is standard output.")
    ] = None,
) -> None:
    """Hold debates between models on claims, and store them as a dataset; --resume goes on and repeats no call.

    Keys come from the environment: OPENAI_API_KEY, or the variable that an agent's endpoint names. Labels go into the
    stored debates and to no model. While the app has the database open, it holds the debates instead, with the keys of
    its own environment.
    """
    from core.debate import DebateProtocol
    from core.debating.plan import PROTOCOLS, DebatePlan, StanceUse, TurnOrder
    from core.debating.run import estimate_line
    from core.roles import OPERATOR
    from core.runs.plan import Budget, RunState
    from storage.agent_choice import chosen_agents
    from storage.claim_source import claims_in_dataset, claims_in_file, claims_in_text
    from storage.database import Database
    from storage.debate_desk import About, about_run, resume_question, run_question
    from storage.debate_filter import DebateFilter
    from storage.debate_prompt_files import load_debate_prompts
    from storage.debate_repository import DebateRepository
    from storage.debate_run_repository import DebateRunRepository
    from storage.debate_run_worker import DebateRunWorker
    from storage.judge_choice import chosen_judges
    from storage.judging_afterwards import afterwards, judging_of
    from storage.lock import Holder, read_note
    from storage.prompt_files import load_prices
    from storage.run_worker import RunWorker

    for what, given, known in (
        ("protocol", protocol, PROTOCOLS),
        ("order", order, TurnOrder),
        ("use of stances", stances, StanceUse),
    ):
        if given not in tuple(known):
            _stop(f"There is no {what} {given!r}; there are {', '.join(known)}.", WRONG_USAGE)
    if replay and resume is None:
        _stop("Say with --resume which run to replay.", WRONG_USAGE)
    if resume is None and (claims is None) == (claims_of is None):
        _stop("Name either a file of claims or, with --claims-of, a dataset; or a run with --resume.", WRONG_USAGE)
    if resume is None and not agent:
        _stop("Say who is to debate with --agent, once for each agent.", WRONG_USAGE)
    _check_output(output)
    prices = load_prices()
    budget = Budget(max_calls, max_tokens, max_money, max_seconds)
    judging = Budget(judge_max_calls, None, judge_max_money)
    path = _database(context)
    judges = chosen_judges(judge, judge_model, judge_endpoint) if judge else ()
    listed: tuple[Claim, ...] = ()
    if resume is None:
        plan = DebatePlan(
            DebateProtocol(protocol),
            chosen_agents(agent or ()),
            load_debate_prompts(prompts),
            rounds,
            TurnOrder(order),
            seed,
            StanceUse(stances),
            most_arguments,
        )
        listed = (
            () if claims is None else claims_in_text(_whole(STDIN)) if claims == STDIN else claims_in_file(Path(claims))
        )
    try:
        opened = Database.open(path)
    except DatabaseInUse:
        if read_note(path).kind is not Holder.APP:
            raise
        if replay:
            return _replay_in_app(path, about_run(About.REPLAY, str(resume)), output)
        asked = (
            resume_question(resume, budget, retry_failed)
            if resume is not None
            else run_question(
                plan,
                listed if claims_of is None else claims_of,
                limit,
                dataset=dataset,
                budget=budget,
                judges=judges,
                judging=judging,
                estimate=estimate_only,
            )
        )
        return _debate_in_app(path, asked, output)
    with opened as database:
        worker = DebateRunWorker(database, prices)
        judge_worker = RunWorker(database, prices)
        try:
            if replay:
                _replay(worker, str(resume), output)
                return
            if resume is None:
                wanted = listed if claims_of is None else claims_in_dataset(database, claims_of)
                wanted = wanted[:limit]
                print(_printable(estimate_line(worker.estimate(plan, wanted), prices.currency)), file=sys.stderr)
                if estimate_only:
                    return
                then = afterwards(database, judges, judging, OPERATOR) if judges else None
                run = worker.create(plan, wanted, budget, dataset, then)
            else:
                run = DebateRunRepository(database).get(resume)
            progress = _carried_out(worker, run, budget, retry_failed, prices.currency)
            complete = progress.run.state is RunState.DONE and not progress.in_vain
            wished = DebateRunRepository(database).afterwards(run.id)
            if complete and wished.judges:
                judged = judging_of(database, judge_worker, run, wished)
                ending = _carried_out(judge_worker, judged, wished.budget, False, prices.currency)
                complete = ending.run.state is RunState.DONE and not ending.in_vain
        finally:
            worker.stop()
            judge_worker.stop()
        there = worker.dataset(run.id)
        if output is not None:
            repository = DebateRepository(database)
            _write(() if there is None else repository.export(DebateFilter(datasets=(there,))), output)
    if not complete:
        raise typer.Exit(FAILED)


@testing.command("run")
def run_properties(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="An experiment in YAML, or the name of one that comes with Moot.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The folder to write tables and charts into.")
    ] = None,
    kind: Formats = None,
    dataset: Annotated[str | None, typer.Option(help="On this dataset, by name or id, instead of the file's.")] = None,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_money: MaxMoney = None,
    max_seconds: MaxSeconds = None,
    yes: Annotated[bool, typer.Option("--yes", help="Make the calls without asking first.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Also test what is tested already.")] = False,
    hide_labels: Annotated[bool, typer.Option("--hide-labels", help="Make no use of gold labels.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Test properties of judges as an experiment says; what it takes is printed before any call is made.

    Results and replies are stored, so that an experiment which was stopped goes on where it was.
    """
    from dataclasses import replace

    from core.properties.tables import grid
    from core.property_words import note_lines
    from core.runs.plan import Budget, RunState
    from core.runs.progress import cost_text, effort_line
    from core.wording import several
    from storage.database import Database
    from storage.experiment_files import load_experiment, preset_names, preset_text
    from storage.experiment_report import by_debates, experiment_files
    from storage.prompt_files import load_prices
    from storage.property_estimate import estimate_experiment
    from storage.property_testing import ExperimentRun, Step

    kinds, drawing = _kinds(kind)
    if file in preset_names():
        from core.experiments import experiment_of

        experiment = experiment_of(preset_text(file))
    else:
        experiment = load_experiment(Path(file))
    if dataset is not None:
        experiment = replace(experiment, dataset=dataset)
    prices = load_prices()
    with Database.open(_database(context)) as database:
        found = estimate_experiment(database, experiment, prices)
        takes = effort_line(found.calls, found.tokens, found.cost, prices.currency) if found.calls else "no call"
        to_do = f"{several(found.cases, 'test')} to do, {found.stored:,} done already"
        print(_printable(f"{experiment.name}: {to_do}; {takes}"), file=sys.stderr)
        if found.calls and max_calls != 0 and not yes:
            if not sys.stdin.isatty():
                _stop("Say --yes to make these calls, or --max-calls 0 to make none.", WRONG_USAGE)
            typer.confirm("Make these calls?", abort=True, err=True)
        last = [0.0]

        def tell(step: Step) -> None:
            now = time.monotonic()
            if step.now and now - last[0] > _pause():
                last[0] = now
                judged = f", {step.judged:,} of {step.of:,} judgements" if step.of else ""
                line = f"{step.done:,} of {step.total:,} tests: {_printable(step.now)}{judged}"
                print(line, file=sys.stderr, flush=True)

        budget = Budget(max_calls, max_tokens, max_money, max_seconds)
        run = ExperimentRun(database, experiment, prices=prices, budget=budget, watch=tell, again=again)
        try:
            ended = run.carry_out()
        except KeyboardInterrupt:
            run.cancel()
            _stop("Stopped; what was found is stored.", FAILED)
        if as_json:
            listed = [{"source": one.source.to_json(), **one.result.to_json()} for one in ended.results]
            print(json.dumps(_without_right(listed) if hide_labels else listed, indent=2))
        else:
            for words, part in by_debates(ended.results):
                print(f"{_printable(words)}:")
                results = [one.result for one in part]
                for line in (*grid(results).T.to_string().splitlines(), *note_lines(results)):
                    print(_printable(line))
        spent = run.step.spent
        if spent.calls:
            print(f"{several(spent.calls, 'call')}, {cost_text(spent, prices.currency)}", file=sys.stderr)
        if output is not None:
            output.mkdir(parents=True, exist_ok=True)
            for name, content in experiment_files(database, experiment, ended.results, kinds, not hide_labels, drawing):
                _write_bytes(content, output / name)
                print(name, file=sys.stderr)
    if ended.state is not RunState.DONE:
        print(_printable(f"{ended.state.value}: {ended.reason}"), file=sys.stderr)
        if max_calls != 0:
            raise typer.Exit(FAILED)


@testing.command("list")
def list_experiments() -> None:
    """List the experiments that come with Moot."""
    from storage.experiment_files import preset_names

    for name, title in preset_names().items():
        print(f"{name}: {title}")


@auditing.command("verify")
def verify_audit(
    context: typer.Context,
    head: Annotated[
        str | None, typer.Option(help="A head that you noted, such as 214:9f3c...; the log must still hold that entry.")
    ] = None,
    file: Annotated[
        str | None, typer.Option(help="Check a log that was exported whole, without its database; - is standard input.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Report as JSON.")] = False,
) -> None:
    """Work out every hash of the audit log again, and compare what is stored with what the log vouches for.

    Exit code 0: the log is intact; 1: it is not, and the first line says where it breaks.
    """
    from core.audit import Head
    from storage.audit_log import AuditLog, check_exported
    from storage.database import Database

    noted = None if head is None else Head.from_text(head)
    if file is not None:
        check = check_exported(_lines(file), noted)
    else:
        path = _database(context)
        if not path.exists():
            _stop(f"There is no database {path.name!r} to check.", WRONG_USAGE)
        with Database.open(path) as database:
            check = AuditLog(database).check(noted)
    if as_json:
        found = {"intact": check.intact, "head": check.head.text}
        print(json.dumps({**found, "problems": check.problems, "remarks": check.remarks}, indent=2))
    else:
        for line in (*check.problems, check.sentence, *(f"Note: {remark}" for remark in check.remarks)):
            print(_printable(line))
    if not check.intact:
        raise typer.Exit(FAILED)


@auditing.command("export")
def export_audit(
    context: typer.Context,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is standard output.")] = "-",
    kind: Annotated[str, typer.Option("--format", help="jsonl, which verify --file reads, or csv.")] = "jsonl",
    action: Annotated[list[str] | None, typer.Option(help="Only this action; may be given several times.")] = None,
    person: Annotated[list[str] | None, typer.Option(help="Only what this person did, by id.")] = None,
    text: Annotated[str, typer.Option("--search", help="Only entries with these words or this id.")] = "",
) -> None:
    """Write the entries of the audit log, oldest first."""
    from core.audit import Action
    from core.export import table_bytes
    from storage.audit_log import AuditFilter, AuditLog
    from storage.database import Database

    if kind not in ("jsonl", "csv"):
        _stop(f"There is no format {kind!r}; there are jsonl and csv.", WRONG_USAGE)
    unknown = [name for name in action or () if name not in set(Action)]
    if unknown:
        _stop(f"There is no action {unknown[0]!r}; there are {', '.join(Action)}.", WRONG_USAGE)
    _check_output(output)
    wanted = AuditFilter(tuple(action or ()), tuple(person or ()), text)
    with Database.open(_database(context)) as database:
        log = AuditLog(database)
        if kind == "jsonl":
            _write(log.export(wanted), output)
            return
        table = table_bytes(log.frame(wanted), "csv")
    if output == STDIN:
        sys.stdout.buffer.write(table)
        sys.stdout.buffer.flush()
    else:
        _write_bytes(table, Path(output))


@app.command()
def sample(
    context: typer.Context,
    debated: Annotated[
        bool, typer.Option("--debated", help="Instead, debates that a small language model held: a demonstration.")
    ] = False,
) -> None:
    """Load the hand-written sample debates."""
    print(_load_sample(_database(context), debated))


@app.command()
def serve(
    context: typer.Context,
    port: Annotated[int, typer.Option(help="Where the app listens.", min=1, max=65535)] = 8501,
    with_sample: Annotated[bool, typer.Option("--sample", help="Load the sample debates first.")] = False,
) -> None:
    """Start the app in a browser."""
    path = _database(context)
    if with_sample:
        print(_load_sample(path), flush=True)
    else:
        from storage.database import Database

        Database.open(path).close()  # trouble is told here and now rather than on every page
    os.environ["MOOT_DB"] = str(path)
    os.chdir(ROOT)  # where Streamlit looks for .streamlit/config.toml
    sys.argv = ["streamlit", "run", str(ROOT / "app.py"), "--server.port", str(port)]
    import streamlit.web.cli

    sys.exit(streamlit.web.cli.main())


def main() -> None:
    """Run a command; whatever goes wrong is one readable line, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except MootError as error:
        _quit(str(error))
    except BrokenPipeError:
        # Whoever read the output has seen enough. Python would complain when it flushes the rest at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except OSError as error:
        _quit(f"{Path(error.filename).name + ': ' if error.filename else ''}{error.strerror or error}")
    except Exception as error:
        if os.environ.get("MOOT_DEBUG"):
            raise
        _quit(f"Moot met an error of its own: {error!r}. Set MOOT_DEBUG=1 to see where.")


def _quit(message: str) -> NoReturn:
    print(f"moot: {message}", file=sys.stderr)
    sys.exit(FAILED)


def _stop(message: str, code: int) -> NoReturn:
    print(f"moot: {message}", file=sys.stderr)
    raise typer.Exit(code)


def _database(context: typer.Context) -> Path:
    from storage.location import database_path

    given: Path | None = context.obj
    return (given or database_path()).absolute()


def _lines(file: str) -> Iterator[str]:
    """Return a file's lines, or standard input's; bytes that are not UTF-8 are replaced, so that a line is refused."""
    if file == STDIN:
        yield from (line.decode("utf-8", "replace") for line in sys.stdin.buffer)
        return
    try:
        with open(file, encoding="utf-8-sig", errors="replace", newline="\n") as lines:
            yield from lines
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        _stop(f"{file} cannot be read: {reason}.", WRONG_USAGE)


def _whole(file: str) -> str:
    """Return the text of a file, or of standard input."""
    try:
        content = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
        return content.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        _stop(f"{file} cannot be read: {reason}.", WRONG_USAGE)


def _import(path: Path, files: list[str], wish: Wish, mapping: str | None) -> list[FileReport]:
    from dataclasses import replace

    from storage.database import Database
    from storage.importer import import_file
    from storage.lock import Holder, read_note
    from storage.mapping_repository import mapping_named
    from storage.readers.derivations import derivations_named

    derivations_named(wish.derivations)

    sources: list[Path | bytes] = [sys.stdin.buffer.read() if file == STDIN else Path(file) for file in files]
    names = ["standard input" if file == STDIN else file for file in files]
    try:
        with Database.open(path) as database:
            if mapping is not None:
                named = mapping_named(database, mapping)
                wish = replace(wish, mapping=named.mapping, mapping_name=named.name)
            return [import_file(database, source, name, wish) for source, name in zip(sources, names, strict=True)]
    except DatabaseInUse:
        if read_note(path).kind is not Holder.APP:
            raise
    return _hand_over(path, sources, names, wish, mapping)


def _hand_over(
    path: Path, sources: list[Path | bytes], names: list[str], wish: Wish, mapping: str | None
) -> list[FileReport]:
    from dataclasses import replace

    from storage.importer import unreadable
    from storage.inbox import HandedFile, hand_over
    from storage.mapping_file import load_mapping

    if mapping is not None and Path(mapping).is_file():  # a name is looked up by the app, which has the database
        named = load_mapping(Path(mapping))
        wish, mapping = replace(wish, mapping=named.mapping, mapping_name=named.name), None

    reports = {
        place: report
        for place, (source, name) in enumerate(zip(sources, names, strict=True))
        if isinstance(source, Path) and (report := unreadable(source, name)) is not None
    }
    handed = [
        HandedFile(name, source)
        for place, (source, name) in enumerate(zip(sources, names, strict=True))
        if place not in reports
    ]
    if handed:
        print("The app is open; it imports the files.", file=sys.stderr)
    answers = iter(hand_over(path, handed, wish, mapping) if handed else ())
    return [reports[place] if place in reports else next(answers) for place in range(len(sources))]


def _kinds(wanted: list[str] | None) -> tuple[list[str], Render | None]:
    """Return which formats to write, and what draws pictures; without a browser that is None, and they are left out."""
    from core.comparison_files import EVERY_KIND
    from storage.chart_images import browser_path, draw

    unknown = [name for name in wanted or () if name not in EVERY_KIND]
    if unknown:
        _stop(f"There is no format {unknown[0]!r}; there are {', '.join(EVERY_KIND)}.", WRONG_USAGE)
    if browser_path() is not None:
        return wanted or list(EVERY_KIND), draw
    return wanted or [name for name in EVERY_KIND if name not in ("svg", "png", "pdf")], None


def _carried_out(worker: Worker[R], run: R, budget: Budget, retry_failed: bool, currency: str) -> Progress[R]:
    """Carry a run out to its end, or until Ctrl-C cancels it; tell how far it is meanwhile, and how it ended."""
    from core.runs.progress import begun_line, progress_line, report_lines

    print(_printable(begun_line(run)), file=sys.stderr)
    worker.start(run.id, budget, retry_failed)
    try:
        _follow(lambda seconds: worker.wait(run.id, seconds), lambda: progress_line(worker.progress(run.id), currency))
    except KeyboardInterrupt:
        worker.cancel(run.id)
        worker.wait(run.id)
    progress = worker.progress(run.id)
    for line in report_lines(progress, currency):
        print(_printable(line), file=sys.stderr)
    return progress


def _follow(ended: Callable[[float], bool], line: Callable[[], str]) -> None:
    """Tell now and then how far something is, until it has ended, which a function waits for no longer than a time."""
    while not ended(_pause()):
        print(_printable(line()), file=sys.stderr, flush=True)


def _pause() -> float:
    """Return how many seconds lie between two lines about a run."""
    return PROGRESS_SECONDS if sys.stderr.isatty() else LOG_SECONDS


def _judge_in_app(path: Path, begin: dict[str, Any], output: str | None) -> None:
    """Have the app carry a run out, tell how far it is until it ends, and write its judgements if wanted."""
    from storage.inbox import ask
    from storage.run_desk import About, question

    print("The app is open; it carries the run out, with the keys of its own environment.", file=sys.stderr)
    begun = ask(path, begin)
    run = str(begun["run"])
    print(_printable(str(begun["line"])), file=sys.stderr, flush=True)
    look = _followed_in_app(path, run, question(About.LOOK, run), "Data")
    if output is not None:
        _write(ask(path, question(About.WRITE, run))["lines"], output)
    if not look["done"]:
        raise typer.Exit(FAILED)


def _followed_in_app(path: Path, run: str, question: dict[str, Any], page: str) -> dict[str, Any]:
    """Tell how far a run is that the app carries out, until it ends, and how it ended; return the last look at it.

    Args:
        path: The database.
        run: Which.
        question: What asks for a look at it.
        page: Where in the app it can be looked at.
    """
    from storage.inbox import ask

    look = ask(path, question)

    def ended(seconds: float) -> bool:
        nonlocal look
        until = time.monotonic() + seconds
        while not look["ended"] and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
            look = ask(path, question)
        return bool(look["ended"])

    try:
        _follow(ended, lambda: str(look["line"]))
    except KeyboardInterrupt:
        print(f"Run {run} goes on in the app; look at it, or cancel it, on the {page} page.", file=sys.stderr)
        raise typer.Exit(FAILED) from None
    for line in look["report"]:
        print(_printable(str(line)), file=sys.stderr)
    return look


def _debate_in_app(path: Path, asked: dict[str, Any], output: str | None) -> None:
    """Have the app hold debates, tell how far they are until they end, and write them if wanted."""
    from storage.debate_desk import About, about_run
    from storage.inbox import ask

    print("The app is open; it holds the debates, with the keys of its own environment.", file=sys.stderr)
    begun = ask(path, asked)
    for line in begun["lines"]:
        print(_printable(str(line)), file=sys.stderr, flush=True)
    if "run" not in begun:  # only what it would take was asked
        return
    run = str(begun["run"])
    look = _followed_in_app(path, run, about_run(About.LOOK, run), "Run debates")
    if output is not None:
        _write(ask(path, about_run(About.WRITE, run))["lines"], output)
    if not look["done"]:
        raise typer.Exit(FAILED)


def _replay_in_app(path: Path, asked: dict[str, Any], output: str | None) -> None:
    """Have the app hold a run's debates again from what is stored, and say whether they are the same."""
    from storage.inbox import ask

    told = ask(path, asked)
    if output is not None:
        _write(told["lines"], output)
    _tell_replay(str(told["sentence"]), told["differing"])


def _replay(worker: DebateRunWorker, run: str, output: str | None) -> None:
    """Hold a run's debates again from what is stored, write them if wanted, and say whether they are the same."""
    from core.debating.replaying import HeldAgain, replay_report

    held: list[HeldAgain] = []

    def lines() -> Iterator[str]:
        for one in worker.replay(run):
            held.append(one.held_again.brief)
            yield one.record

    if output is None:
        for _ in lines():
            pass
    else:
        _write(lines(), output)
    found = replay_report(held)
    _tell_replay(found.sentence, found.lines(MOST_LISTED))


def _tell_replay(sentence: str, differing: Sequence[object]) -> None:
    print(_printable(sentence), file=sys.stderr)
    for line in differing:
        print(_printable(f"  {line}"), file=sys.stderr)
    if differing:
        raise typer.Exit(FAILED)


def _load_sample(path: Path, debated: bool = False) -> str:
    from storage.database import Database
    from storage.debated_sample import load_debated_sample
    from storage.sample import load_sample

    with Database.open(path) as database:
        loaded = load_debated_sample(database) if debated else load_sample(database)
    new = sum(one.debates for one in loaded if not one.already_here)
    there = sum(one.debates for one in loaded if one.already_here)
    return f"Sample debates: {new} loaded, {there} already here."


def _summary(report: FileReport) -> list[str]:
    """Return what a person wants to know of one file: the outcome, then the problems, kind by kind."""
    from core.wording import several
    from storage.importer import JUDGEMENTS

    held = f"{several(report.debates, 'debate')}, {several(report.arguments, 'argument')}"
    outcome = f"{held} ({report.format})"
    if report.refused:
        outcome = "refused, nothing was stored"
    elif report.format == JUDGEMENTS:
        outcome = f"{several(report.judgements, 'judgement')} ({report.format})"
    lines = [f"{report.file}: {outcome}"]
    for (severity, code), count in Counter((i.severity.value, i.code) for i in report.issues).items():
        lines.append(f"  {severity} {code}{f', {count} times' if count > 1 else ''}")
        alike = [issue for issue in report.issues if (issue.severity.value, issue.code) == (severity, code)]
        for issue in alike[:MOST_LISTED]:
            line = None if issue.line is None else f"line {issue.line}"
            place = ", ".join(part for part in (line, issue.field) if part)
            lines.append(f"    {f'{place}: ' if place else ''}{issue.message}")
        if count > MOST_LISTED:
            lines.append(f"    and {count - MOST_LISTED} more; --json lists them all")
    return [_printable(line) for line in lines]


def _without_right(value: Any) -> Any:
    """Return plain values without what rests on gold labels."""
    if isinstance(value, dict):
        return {key: _without_right(inner) for key, inner in value.items() if key not in ("right", "right_before")}
    return [_without_right(inner) for inner in value] if isinstance(value, list) else value


def _printable(text: str) -> str:
    """Return a text without what a terminal would obey; messages may quote a debate."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def _check_output(output: str | None) -> None:
    """Stop before any work is done for a file that could not be written."""
    if output is None or output == STDIN:
        return
    target = Path(output)
    if not target.name or target.is_dir():
        _stop(f"{output!r} is no file to write to; name a file.", WRONG_USAGE)
    if not target.parent.is_dir():
        _stop(f"There is no folder {str(target.parent)!r} to write {target.name} into; make it first.", WRONG_USAGE)
    if not os.access(target.parent, os.W_OK):
        _stop(f"The folder {str(target.parent)!r} may not be written to by this user; choose another.", WRONG_USAGE)


def _write(lines: Iterable[str], output: str) -> None:
    _write_pieces((line.encode() + b"\n" for line in lines), output)


def _write_pieces(pieces: Iterable[bytes], output: str) -> None:
    if output == STDIN:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    _write_bytes(pieces, Path(output))


def _write_bytes(content: bytes | Iterable[bytes], target: Path) -> None:
    part = target.with_name(f".{target.name}.part")
    try:
        with part.open("wb") as file:
            file.writelines([content] if isinstance(content, bytes) else content)
        part.replace(target)  # so that a file that is there is a whole one
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(target)) from error  # not the name that it had meanwhile
    except BaseException:
        part.unlink(missing_ok=True)
        raise


if __name__ == "__main__":
    main()
