#!/usr/bin/env bash
# Two processes of one thread against one process of two threads, on this host: a table in Markdown for
# tests/bench/processes.md. The commands alternate, REPETITIONS (3) times; each runs 21 times, or 3 times if a run takes
# seconds, and gives the median; the table has the medians of these. Needs a build with the benchmarks (`./dev bench
# --tiny`) and Open MPI.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
repetitions=${REPETITIONS:-3}
command=build/release/bin/lockstep_bench_command
report=$(mktemp)
trap 'rm -f "$report"' EXIT

# field NAME: a number of the report.
field() { grep -o "\"$1\": *[0-9.e+-]*" "$report" | head -n 1 | sed 's/.*: *//'; }

median() { sort -g | sed -n "$(((repetitions + 1) / 2))p"; }

# row NAME RUNS MACHINE ALGORITHM [ARGUMENTS]
row() {
  local name=$1 runs=$2 machine=$3 algorithm=$4 one=() two=() waits=() run
  shift 4
  run=(run --machine "$machine" --algorithm "$algorithm" "$@" --quiet --repeat "$runs" --json "$report")
  for ((time = 0; time < repetitions; ++time)); do
    "$command" "${run[@]}" --threads 2
    one+=("$(field run_s)")
    mpirun --allow-run-as-root --oversubscribe -n 2 "$command" "${run[@]}" --threads 1
    two+=("$(field run_s)")
    waits+=("$(field wait_share)")
  done
  local messages bytes cycles
  messages=$(sed -n '/"mpi"/,$p' "$report" | grep -o '"messages": *[0-9]*' | sed 's/.*: *//')
  bytes=$(sed -n '/"mpi"/,$p' "$report" | grep -o '"bytes": *[0-9]*' | sed 's/.*: *//')
  cycles=$(field steps)
  awk -v name="$name" -v one="$(printf '%s\n' "${one[@]}" | median)" \
    -v two="$(printf '%s\n' "${two[@]}" | median)" -v waits="$(printf '%s\n' "${waits[@]}" | median)" \
    -v messages="$messages" -v bytes="$bytes" -v cycles="$cycles" 'BEGIN {
      printf "| %s | %.3g | %.3g | %.3g | %.3g | %.3g | %.0f%% |\n", name, one, two, one / two, messages / cycles,
        bytes / cycles, 100 * waits }'
}

cat <<TEXT
| run | one process, s | two processes, s | ratio | messages a step | bytes a step | waiting |
|---|---|---|---|---|---|---|
TEXT
row "kernel E, n = 16" 21 hypercube:16 bench/exchange
row "kernel E, n = 20" 3 hypercube:20 bench/exchange
row "alltoall/product on torus:16x16x16" 3 torus:16x16x16 alltoall/product
row "broadcast/sbt of 64 KiB, n = 14" 21 hypercube:14 broadcast/sbt --words 8192
row "a token: send/store-and-forward, ring:65536" 21 ring:65536 send/store-and-forward
