"""table.py BUILD LINES BRANCHES DIRECTORY...: how much of the sources in each directory the tests of a build reach.

Run in the root of the repository; BUILD is a build with --coverage whose tests have run. Prints a table for each
directory: every file that is not fully reached, with the lines that nothing has run and the lines of which a branch
was not taken, then the sum. Exits with 3 and one line if in a directory less than LINES per cent of the lines or
BRANCHES per cent of the branches were reached.

Reads gcov's JSON, in which every branch is marked if it is that of an exception. gcov's text, from which gcovr 5.2
reads, lacks the mark for code that never ran in one of many object files, so that a call in a header counts as a
branch not taken.

* A line or a branch is reached if any object file has run it, so any instantiation of a template suffices. Those
  for which the compiler made another number of branches, by `if constexpr` or constants, count separately.
* Branches of exceptions are left out, and with each the other way out of the same call, which is no decision.
* On a line that ran, a decision that never came up is left out. Either only an exception leads to it: to destroy what is
  half made, or made by one way of a conditional expression. Or another decision of the line has led past it; that
  one counts, as a branch not taken.
* A line of only brackets is the end of a block, which destroys its objects. Such lines count if they ran, and
  their branches do not: those that did not run destroy objects after an exception.
* In coroutines the lines with `co_await` and `co_return` and those where they begin and end have branches of the
  compiler's own: for the frame, and for the suspensions. On the lines that co_await or co_return something they are
  left out, together with any decisions of these lines.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
from typing import Any

Arcs = list[dict[str, Any]]
suspends = re.compile(r"\bco_(await|return)\b")
brackets = re.compile(r"[\s(){};]*")


def without_exceptions(arcs: Arcs) -> Arcs:
    """The branches that are decisions."""
    left_out = set()
    for index, arc in enumerate(arcs):
        if not arc["throw"]:
            continue
        left_out.add(index)
        for other in (index - 1, index + 1):
            if 0 <= other < len(arcs) and other not in left_out and arcs[other]["fallthrough"]:
                left_out.add(other)
                break
    return [arc for index, arc in enumerate(arcs) if index not in left_out]


def without_unreached(counts: list[int], falls_through: tuple[bool, ...]) -> list[int]:
    """The counts without two-way decisions, one way of which falls through, that were never reached."""
    left = []
    index = 0
    while index < len(counts):
        is_pair = index + 1 < len(counts) and falls_through[index] != falls_through[index + 1]
        ways = counts[index : index + (2 if is_pair else 1)]
        if not is_pair or any(ways):
            left += ways
        index += len(ways)
    return left


def instantiations(arcs: Arcs, count: int) -> list[Arcs]:
    """gcov lists the instantiations of a template one after the other: splits them if they are alike."""

    def kinds(some: Arcs) -> list[tuple[bool, bool]]:
        return [(arc["fallthrough"], arc["throw"]) for arc in some]

    if count < 2 or len(arcs) % count != 0:
        return [arcs]
    each = len(arcs) // count
    parts = [arcs[begin : begin + each] for begin in range(0, len(arcs), each)]
    return parts if all(kinds(part) == kinds(parts[0]) for part in parts) else [arcs]


class File:
    """The reached parts of one source file."""

    def __init__(self, path: pathlib.Path) -> None:
        self.source = path.read_text(encoding="utf-8").split("\n")
        self.lines: collections.Counter[int] = collections.Counter()
        self.branches: dict[int, dict[Any, list[int]]] = collections.defaultdict(dict)

    def add(self, found: dict[str, Any]) -> None:
        functions = collections.Counter(
            (one["start_line"], one["start_column"], one["end_line"]) for one in found["functions"]
        )
        for line in found["lines"]:
            number = line["line_number"]
            source = self.source[number - 1]
            if line["count"] == 0 and brackets.fullmatch(source):
                continue
            self.lines[number] += line["count"]
            if not line["branches"] or suspends.search(source) or brackets.fullmatch(source):
                continue
            # gcov states some functions as shorter than they are.
            before = [one for one in functions if one[0] <= number]
            function = max((one for one in before if number <= one[2]), default=max(before, default=None))
            for arcs in instantiations(line["branches"], functions[function]):
                decisions = without_exceptions(arcs)
                falls_through = tuple(arc["fallthrough"] for arc in decisions)
                known = self.branches[number].setdefault((function, falls_through), [0] * len(decisions))
                for index, arc in enumerate(decisions):
                    known[index] += arc["count"]

    def branches_of(self, number: int) -> list[int]:
        all_counts = []
        for (_, falls_through), counts in self.branches.get(number, {}).items():
            all_counts += without_unreached(counts, falls_through) if self.lines[number] else counts
        return all_counts


def read(build: pathlib.Path, root: pathlib.Path, directories: list[str]) -> dict[str, File]:
    """The files of the directories by path, from all object files with code of them."""
    notes = sorted(str(path) for path in build.rglob("*.gcno"))
    files: dict[str, File] = {}
    for begin in range(0, len(notes), 16):
        command = ["gcov", "--json-format", "--stdout", "--branch-probabilities", *notes[begin : begin + 16]]
        output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=build).stdout
        for text in output.splitlines():
            for found in json.loads(text)["files"]:
                path = pathlib.Path(found["file"])
                if not path.is_relative_to(root):
                    continue
                name = path.relative_to(root).as_posix()
                if name.split("/")[0] in directories:
                    files.setdefault(name, File(path)).add(found)
    return files


class Tally:
    """How many there are, and how many of them were reached."""

    def __init__(self) -> None:
        self.total = 0
        self.reached = 0

    def add(self, counts: list[int]) -> None:
        self.total += len(counts)
        self.reached += sum(count > 0 for count in counts)

    def per_cent(self) -> float:
        return 100 * self.reached / self.total if self.total else 100

    def text(self) -> str:
        # Rounded down: a file that is not fully reached never shows 100.0.
        return f"{self.reached:5d} of {self.total:5d} {int(self.per_cent() * 10) / 10:5.1f} %"


def ranges(numbers: list[int]) -> str:
    """[1, 2, 3, 7] as "1-3, 7"; "-" if there are none."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts) or "-"


def print_table(directory: str, files: dict[str, File]) -> tuple[Tally, Tally]:
    """Returns the lines and the branches of the directory."""
    print(f"{directory:54} {'lines':>22} {'branches':>22}  lines not run; lines with a branch not taken")
    all_lines, all_branches, full = Tally(), Tally(), 0
    for name, file in sorted(files.items()):
        lines, branches = Tally(), Tally()
        not_run, not_taken = [], []
        for number, count in sorted(file.lines.items()):
            counts = file.branches_of(number)
            for tally in (lines, all_lines):
                tally.add([count])
            for tally in (branches, all_branches):
                tally.add(counts)
            if count == 0:
                not_run.append(number)
            elif 0 in counts:
                not_taken.append(number)
        if not_run or not_taken:
            name = name.removeprefix(directory + "/")
            print(f"  {name:52} {lines.text()} {branches.text()}  {ranges(not_run)}; {ranges(not_taken)}")
        else:
            full += 1
    print(f"{f'{directory}, {full} of {len(files)} files fully':54} {all_lines.text()} {all_branches.text()}\n")
    return all_lines, all_branches


def main() -> None:
    build, least_lines, least_branches, *directories = sys.argv[1:]
    files = read(pathlib.Path(build).resolve(), pathlib.Path.cwd(), directories)
    too_few = []
    for directory in directories:
        own = {name: file for name, file in files.items() if name.startswith(directory + "/")}
        lines, branches = print_table(directory, own)
        for what, tally, least in (("lines", lines, least_lines), ("branches", branches, least_branches)):
            if tally.per_cent() < float(least) or not own:
                too_few.append(f"{tally.per_cent():.2f} % of the {what} of {directory}, not {least} %")
    if too_few:
        print(f"coverage: the tests reach {'; '.join(too_few)}", file=sys.stderr)
        sys.exit(3)


if __name__ == "__main__":
    main()
