"""A cluster: one process, one executor, two executors, and two of which one is killed give the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dalil.spark
import pyarrow
import pytest
from dalil.batch import BatchCheck
from pyspark.sql import SparkSession

AT = "2026-03-15T09:30:00Z"
ROWS = int(os.environ.get("DALIL_CLUSTER_ROWS", "120"))
PARTITIONS = 8
TRUE = "Employees are entitled to 15 days of annual leave. Leave requests must be submitted 2 weeks in advance."
FALSE = "Employees are entitled to 20 days of annual leave. Unused leave is lost after 3 months."


@pytest.fixture(scope="module")
def corpus() -> Path:
    return Path(os.environ["DALIL_REPOSITORY"]) / "examples" / "corpus"


def rows() -> list[dict[str, str]]:
    return [{"id": f"a-{n:06}", "answer": f"{(TRUE, FALSE)[n % 2]} Case {n} has {n} days."} for n in range(ROWS)]


def digest(made: list[dict[str, Any]]) -> str:
    assert len(made) == ROWS
    ordered = sorted(made, key=lambda row: row["id"])
    return hashlib.sha256("\n".join(json.dumps(row, sort_keys=True) for row in ordered).encode()).hexdigest()


@pytest.fixture(scope="module")
def alone(corpus: Path) -> str:
    """The digest of what one process makes, without a cluster."""
    with told("one process"):
        made = BatchCheck(at=AT, against=(str(corpus),))(pyarrow.Table.from_pylist(rows()))
    return digest(made.to_pylist())


@contextmanager
def told(name: str) -> Iterator[None]:
    """Tells how long a check took, and how much of all processors it had: that of the machine may be shared."""
    began, used = time.monotonic(), processor_seconds()
    yield
    seconds, used = time.monotonic() - began, processor_seconds() - used
    an_hour = ROWS / used * 3600
    line = f"{name}: {ROWS} answers in {seconds:.1f} s, {used:.1f} s of processors, {an_hour:,.0f} answers a core-hour"
    # Beside what pytest keeps for failures.
    print(line, file=sys.__stderr__, flush=True)
    if "DALIL_CLUSTER_FIGURES" in os.environ:
        with open(os.environ["DALIL_CLUSTER_FIGURES"], "a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def processor_seconds() -> float:
    """What this process and those that it started have used, with those that have ended."""
    ticks = 0
    # What was put into the environment of this process is seen in that of others alone.
    for process in [os.getpid(), *processes("")]:
        try:
            fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(int(one) for one in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def session(master: str, tmp_path: Path) -> SparkSession:
    builder = SparkSession.builder.master(master).appName("dalil")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.local.dir": str(tmp_path),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "16",
        "spark.executor.memory": "1g",
        "spark.task.maxFailures": "8",
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@pytest.fixture
def spark(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SparkSession]:
    running = session(request.param, tmp_path)
    yield running
    running.stop()


def checked(spark: SparkSession, corpus: Path) -> list[dict[str, Any]]:
    answers = spark.createDataFrame(rows()).repartition(PARTITIONS)
    return [row.asDict() for row in dalil.spark.check(answers, corpus=corpus, at=AT).collect()]


@pytest.mark.parametrize(
    "spark", ["local[1]", "local-cluster[1,1,1024]", "local-cluster[2,1,1024]"], indirect=True
)
def test_executors_make_the_bytes_of_one_process(spark: SparkSession, corpus: Path, alone: str) -> None:
    with told(spark.sparkContext.master):
        made = checked(spark, corpus)
    assert digest(made) == alone


@pytest.mark.parametrize("spark", ["local-cluster[2,1,1024]"], indirect=True)
def test_an_executor_that_is_killed_changes_no_byte(spark: SparkSession, corpus: Path, alone: str) -> None:
    kill = MidwayKill(spark)
    kill.start()
    made = digest(checked(spark, corpus))
    kill.over.set()
    kill.join()
    assert kill.killed is not None, "no executor was killed"
    assert not Path(f"/proc/{kill.killed}").exists()
    assert kill.lost_work, "the executor that was killed had nothing to do"
    assert made == alone


class MidwayKill(threading.Thread):
    """Kills one of two executors when some tasks of the check are done and others are running."""

    def __init__(self, spark: SparkSession) -> None:
        super().__init__(daemon=True)
        self.tracker = spark.sparkContext.statusTracker()
        self.over = threading.Event()
        self.killed: int | None = None
        self.lost_work = False
        """Whether tasks failed after that, or a stage was begun again for what was lost."""

    def run(self) -> None:
        while not self.over.wait(0.05):
            infos = [self.tracker.getStageInfo(stage) for stage in self.tracker.getActiveStageIds()]
            running = [one for one in infos if one is not None]
            if self.killed is not None:
                self.lost_work |= any(one.numFailedTasks or one.currentAttemptId for one in running)
            elif any(one.numTasks == PARTITIONS and one.numCompletedTasks and one.numActiveTasks for one in running):
                self.kill()

    def kill(self) -> None:
        found = executors()
        if workers() and len(found) == 2:
            os.kill(found[0], signal.SIGKILL)
            self.killed = found[0]


@pytest.mark.parametrize("spark", ["local[1]"], indirect=True)
def test_rows_may_bring_their_contexts(spark: SparkSession) -> None:
    given = [{"id": "one", "answer": "Leave is 15 days.", "contexts": ["Leave is 15 days."]}]
    made = dalil.spark.check(spark.createDataFrame(given), at=AT).collect()
    assert [(row["id"], row["gate"], row["supported"]) for row in made] == [("one", "pass", 1)]


def executors() -> list[int]:
    return processes("CoarseGrainedExecutorBackend")


def workers() -> list[int]:
    return processes("pyspark.daemon")


def processes(word: str) -> list[int]:
    """The processes of this test whose command has a word."""
    found: list[int] = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                command = (folder / "cmdline").read_bytes().decode(errors="replace")
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if word in command and "flock" not in command and MARK in environment:
                found.append(int(folder.name))
    return found


os.environ["DALIL_CLUSTER_TEST"] = str(os.getpid())
# Workers run the interpreter of the test, and not the first one on the path.
os.environ["PYSPARK_PYTHON"] = sys.executable
MARK = f"DALIL_CLUSTER_TEST={os.getpid()}".encode()


def test_ray_makes_the_bytes_of_one_process(corpus: Path, alone: str) -> None:
    ray = pytest.importorskip("ray")
    data = pytest.importorskip("ray.data")
    import dalil.ray

    # One processor is left to read and to collect.
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    try:
        with told("Ray"):
            made = dalil.ray.check(data.from_items(rows()), against=corpus, at=AT, batch_size=32).take_all()
    finally:
        ray.shutdown()
    assert digest(made) == alone
