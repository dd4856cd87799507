#!/usr/bin/env python3
"""Makes the changes of mutations.txt to the core, one at a time, and prints which of them the tests notice.

Sources are copied to build/mutation/K/tree and built there (by the CMakeLists.txt beside this script): without
optimisation, every test file as its own program. For each mutant the random programs of quick_test.cpp run first, then
the programs that the mutant's group names, then all others, until one fails, exceeds its time, or does not
compile. A mutant that passes every program has survived; the list must give the reason.

Exit code: 0; 1 if the tests kill too few mutants of a group, or one survived without a reason; 2 if the list is not
right, or the tests fail without any mutation.
"""

import argparse
import math
import os
import pathlib
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIST = HERE / "mutations.txt"
ENOUGH = 95  # percent of each group
COPIED = ["core", "machines/include", "machines/numbers/omega.cpp", "tests/core", "tests/reference", "tests/mutation",
          *(str(header.relative_to(ROOT)) for header in ROOT.glob("tests/*.hpp"))]


class Mutation:
    """One change: the text at `start` of a file becomes another one."""

    def __init__(self, number, group, line, file, original, ordinal):
        self.number = number
        self.group = group
        self.line = line  # of the list
        self.file = file
        self.original = original
        self.ordinal = ordinal  # which of its occurrences; 0 if there is only one
        self.replacement = None
        self.reason = None  # why it survives, if it does
        self.equivalent = None  # why it is equivalent: no test could see a difference
        self.start = None

    def text(self):
        text = f"{self.file}: {self.original} -> {self.replacement or '(left out)'}"
        return re.sub(r"\s+", " ", text)

    def mutated(self, source):
        return source[:self.start] + self.replacement + source[self.start + len(self.original):]


def fail(text):
    print(f"mutate: {text}", file=sys.stderr)
    sys.exit(2)


def read_list():
    """The groups, each with the programs to run first, and the mutations. Fails with one line if the list is wrong."""
    groups, mutations = {}, []
    group = file = None
    for line, text in enumerate(LIST.read_text().splitlines(), 1):
        place = f"{LIST.name}:{line}"
        last = mutations[-1] if mutations else None
        if not text or text.startswith("//"):
            continue
        if heading := re.fullmatch(r"# (\w+):(.*)", text):
            group, file = heading[1], None
            groups[group] = heading[2].split()
            for program in groups[group]:
                if not any((ROOT / "tests" / part / f"{program}.cpp").exists() for part in ("core", "reference")):
                    fail(f"{place}: there is no test {program}")
        elif original := re.fullmatch(r"-(\d*) (.+)", text):
            if file is None or (last and last.replacement is None):
                fail(f"{place}: a mutation needs a group, a file before it, and the one before a replacement")
            mutations.append(Mutation(len(mutations) + 1, group, line, file, original[2], int(original[1] or 0)))
        elif text[0] == "+" and last and last.replacement is None:
            last.replacement = text[2:]
            if last.replacement == last.original:
                fail(f"{place}: that changes nothing")
        elif text[0] == " " and last and last.replacement is None:
            last.original += "\n" + text
        elif text[0] == " " and last:
            last.replacement += "\n" + text
        elif text[0] in "!=" and last and last.replacement is not None and text[2:]:
            setattr(last, "reason" if text[0] == "!" else "equivalent", text[2:])
        elif group and (ROOT / text).is_file():
            file = text
        else:
            fail(f"{place}: neither a group, a file, an original, a replacement, nor a reason: {text}")
    if not mutations or mutations[-1].replacement is None:
        fail(f"{LIST.name}: the last mutation is without a replacement")
    for mutation in mutations:
        find(mutation)
    return groups, mutations


def find(mutation):
    source = (ROOT / mutation.file).read_text()
    starts = [match.start() for match in re.finditer(re.escape(mutation.original), source)]
    place = f"{LIST.name}:{mutation.line}: {mutation.file} has"
    if mutation.ordinal == 0 and len(starts) != 1:
        fail(f"{place} {len(starts)} of what should be there once: {mutation.original}")
    if mutation.ordinal > len(starts):
        fail(f"{place} {len(starts)} and not {mutation.ordinal} of: {mutation.original}")
    mutation.start = starts[max(mutation.ordinal, 1) - 1]


def programs():
    """The tests' programs, the quick one first. Those of the reference model take longest."""
    core = sorted(path.stem for path in (ROOT / "tests/core").glob("*_test.cpp"))
    reference = sorted((path.stem for path in (ROOT / "tests/reference").glob("*_test.cpp")),
                       key=lambda name: (name.endswith("differential_test"), name))
    return ["quick_test"] + core + reference


class Tree:
    """A copy of the sources and its build."""

    def __init__(self, name):
        self.directory = ROOT / "build" / "mutation" / name
        self.tree = self.directory / "tree"
        self.build = self.directory / "build"

    def copy(self):
        """Copies only changed files, so that a later run compiles no more than these."""
        wanted = {path.relative_to(ROOT) for name in COPIED
                  for path in ([ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"))
                  if path.is_file() and "__pycache__" not in path.parts}
        for path in list(self.tree.rglob("*")):
            if path.is_file() and path.relative_to(self.tree) not in wanted:
                path.unlink()
        for path in wanted:
            self.write(path, (ROOT / path).read_bytes())

    def write(self, path, content):
        target = self.tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != content:
            target.write_bytes(content)

    def configure(self):
        linker = ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"] if shutil.which("ld.lld") else []
        compiler = os.environ.get("CXX", "g++")
        cache = self.build / "CMakeCache.txt"
        if cache.exists() and not re.search(rf"CXX_COMPILER:.*[/=]{re.escape(compiler)}$", cache.read_text(), re.M):
            shutil.rmtree(self.build)  # built by another compiler
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.tree / "tests/mutation", "-B", self.build,
                        f"-DTREE={self.tree}", f"-DCMAKE_CXX_COMPILER={compiler}"] + linker,
                       check=True, stdout=subprocess.DEVNULL)

    def make(self, program):
        """Whether it compiles."""
        with open(self.directory / "build.log", "w") as log:
            made = subprocess.run(["cmake", "--build", self.build, "--parallel", "1", "--target", program], stdout=log,
                                  stderr=subprocess.STDOUT, check=False)
        return made.returncode == 0

    def run(self, program, limit):
        """How it ends: passed, failed or, after `limit` seconds of a processor, with no end."""
        with open(self.directory / "run.log", "w") as log:
            # A program that computes forever uses up its processor seconds on a busy host, too. One that sleeps forever
            # does not and needs a timeout.
            seconds = math.ceil(limit)
            process = subprocess.Popen([self.build / "bin" / program, "--gtest_brief=1", "--gtest_fail_fast"],
                                       cwd=self.directory, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
            try:
                status = process.wait(4 * seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return "no end"
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            return "no end"
        return "passed" if status == 0 else "failed"

    def prepare(self):
        self.copy()
        self.configure()

    def make_original(self, program):
        if not self.make(program):
            fail(f"{program} does not compile without a mutation; see {self.directory / 'build.log'}")


class Workshop:
    """Where one mutant at a time is built and tried.

    Mutants of public headers have a separate tree: in the other one the users of these headers stay compiled.
    """

    def __init__(self, number, options):
        self.sources = Tree(f"{number}")
        self.headers = Tree(f"{number}-headers")
        self.options = options
        self.seconds = {}  # by program, without a mutation

    def prepare(self, names):
        self.sources.prepare()
        self.headers.prepare()
        self.headers.make_original("quick_in_one_test")
        for program in names:
            start = time.monotonic()
            self.sources.make_original(program)
            built = time.monotonic()
            outcome = self.sources.run(program, 1800)
            self.seconds[program] = time.monotonic() - built
            if outcome != "passed":
                fail(f"{program} without a mutation: {outcome}; see {self.sources.directory / 'run.log'}")
            say(f"without a mutation: {program} built in {built - start:.0f} s, "
                f"passed in {self.seconds[program]:.1f} s")
        self.seconds["quick_in_one_test"] = self.seconds["quick_test"]

    def limit(self, program):
        return self.options.patience * (self.seconds[program] + 2)

    def try_out(self, mutation, first, names):
        """The outcome and the program that decided it."""
        is_public = mutation.file.startswith("core/include")
        tree = self.headers if is_public else self.sources
        quick = "quick_in_one_test" if is_public else "quick_test"
        order = [quick] + [name for name in first if name in names]
        order += [name for name in names[1:] if name not in first]
        original = (ROOT / mutation.file).read_text()
        tree.write(mutation.file, mutation.mutated(original).encode())
        try:
            for program in order:
                if not tree.make(program):
                    if "error:" not in (tree.directory / "build.log").read_text():
                        fail(f"the build of {program} broke off; see {tree.directory / 'build.log'}")
                    return "not compiled", program
                outcome = tree.run(program, self.limit(program))
                if outcome != "passed":
                    return "killed" if outcome == "failed" else "killed, no end", program
            return "survived", ""
        finally:
            tree.write(mutation.file, original.encode())


OUTPUT = threading.Lock()


def say(text):
    with OUTPUT:
        print(text, flush=True)


def run_all(workshops, mutations, groups, names, seconds):
    """The outcomes, in order of completion; only some if the time is too short."""
    waiting = queue.SimpleQueue()
    for mutation in mutations:
        waiting.put(mutation)
    end = time.monotonic() + seconds
    outcomes, broken = {}, []

    def work(workshop):
        try:
            while not broken and time.monotonic() < end:
                try:
                    mutation = waiting.get_nowait()
                except queue.Empty:
                    return
                start = time.monotonic()
                outcome, program = workshop.try_out(mutation, groups[mutation.group], names)
                outcomes[mutation] = outcome
                by = f" ({program})" if program else ""
                say(f"{mutation.number:3} {mutation.group:9} {outcome}{by}, {time.monotonic() - start:.0f} s: "
                    f"{mutation.text()}")
        except BaseException as error:  # also ends the other threads
            broken.append(error)

    threads = [threading.Thread(target=work, args=(workshop,)) for workshop in workshops]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if broken:
        raise broken[0]
    return outcomes


def sum_up(outcomes, groups):
    """Prints the table and the survivors; returns whether all is well."""
    is_well = True
    say("\ngroup      mutants  killed  survived  not compiled  percent")
    for group in groups:
        of_group = [outcome for mutation, outcome in outcomes.items() if mutation.group == group]
        if not of_group:
            continue
        killed = sum(outcome.startswith("killed") for outcome in of_group)
        survived = of_group.count("survived")
        percent = 100 * killed / max(1, killed + survived)
        is_well = is_well and percent >= ENOUGH
        say(f"{group:10} {killed + survived:7} {killed:7} {survived:9} {of_group.count('not compiled'):13} "
            f"{percent:8.1f}")
    for mutation, outcome in sorted(outcomes.items(), key=lambda entry: entry[0].number):
        if outcome == "survived":
            say(f"survived: {LIST.name}:{mutation.line}: {mutation.text()}\n  {mutation.reason or mutation.equivalent or 'without a reason'}")
            is_well = is_well and bool(mutation.reason or mutation.equivalent)
        elif outcome == "not compiled":
            say(f"not compiled: {LIST.name}:{mutation.line}: {mutation.text()}")
        elif mutation.reason is not None:
            say(f"killed, though the list has a reason why not: {LIST.name}:{mutation.line}: {mutation.text()}")
    return is_well


def main():
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="GROUP", help="the mutations of one group")
    parser.add_argument("--numbers", metavar="N,N..", help="the mutations with these numbers, see --list")
    parser.add_argument("--list", action="store_true", help="print the mutations and run nothing")
    parser.add_argument("--check", action="store_true", help="check that all originals are where the list states")
    parser.add_argument("--equivalent", action="store_true",
                        help="run only those that the list marks as equivalent")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="mutants at a time, each in its own copy")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="seed of their order (default 1)")
    parser.add_argument("--seconds", metavar="N", type=float, default=float("inf"),
                        help="start no mutant after N seconds; those of public headers come last")
    parser.add_argument("--without", metavar="TEST,TEST..", default="", help="leave out these tests")
    parser.add_argument("--patience", metavar="N", type=float, default=5,
                        help="a test has no end after N times (its seconds without a mutation, plus two) of a "
                             "processor, or four times as long asleep (default 5)")
    options = parser.parse_args()
    groups, mutations = read_list()
    if options.only is not None and options.only not in groups:
        fail(f"there is no group {options.only}: there are {', '.join(groups)}")
    counted = [mutation for mutation in mutations if mutation.equivalent is None]
    if options.check:
        print(f"{len(counted)} mutations and {len(mutations) - len(counted)} equivalent ones fit the sources")
        return 0
    chosen = [mutation for mutation in mutations if (mutation.equivalent is not None) == options.equivalent]
    if options.numbers:
        numbers = {int(number) for number in options.numbers.split(",")}
        chosen = [mutation for mutation in mutations if mutation.number in numbers]
    if options.only:
        chosen = [mutation for mutation in chosen if mutation.group == options.only]
    if options.list:
        for mutation in chosen:
            print(f"{mutation.number:3} {mutation.group:9} {mutation.text()}")
        return 0
    random.Random(options.seed).shuffle(chosen)
    # Public headers last, as they take longest. Among a hundred mutants those of one file run together: between them
    # only that file is compiled.
    place = {mutation: index // 100 for index, mutation in enumerate(chosen)}
    chosen.sort(key=lambda mutation: (mutation.file.startswith("core/include"), place[mutation], mutation.file))
    names = [name for name in programs() if name not in options.without.split(",")]
    workshops = [Workshop(number, options) for number in range(max(1, options.jobs))]
    for workshop in workshops:
        workshop.prepare(names)
    start = time.monotonic()
    outcomes = run_all(workshops, chosen, groups, names, options.seconds)
    is_well = sum_up(outcomes, groups)
    say(f"{len(outcomes)} mutants of {len(chosen)}, seed {options.seed}, in {time.monotonic() - start:.0f} s")
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
