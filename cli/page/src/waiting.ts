import { memory, type Clock, type Run } from "./run";

export interface Waiting {
  rank: number;
  awaited: number;
  /** When what it waits for arrives. */
  until: number;
}

/** Those of the processors that do nothing at that position, and next receive: from whom, and until when. */
export function waitsAt(run: Run, clock: Clock, position: number, ranks: Iterable<number>): Waiting[] {
  const waits: Waiting[] = [];
  for (const rank of ranks) {
    const messages = run.messagesOf(rank);
    let next = -1;
    let busy = false;
    const first = clock === "cycles" ? firstFrom(run, messages, Math.floor(position)) : 0;
    for (let k = first; k < messages.length; ++k) {
      const i = messages[k];
      const [start, end] = clock === "cycles" ? [run.cycle[i], run.cycle[i] + 1] : [run.start[i], run.end[i]];
      if (end <= position) continue;
      if (start <= position) {
        busy = true;
        break;
      }
      if (next < 0 || (clock === "time" && start < run.start[next])) next = i;
      if (clock === "cycles") break;
    }
    if (busy || next < 0 || run.from[next] === rank || run.from[next] === memory) continue;
    waits.push({ rank, awaited: run.from[next], until: clock === "cycles" ? run.cycle[next] + 1 : run.end[next] });
  }
  return waits;
}

/** Number of the first of the messages in that cycle or later. */
function firstFrom(run: Run, messages: Uint32Array, cycle: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.cycle[messages[middle]] < cycle) low = middle + 1;
    else high = middle;
  }
  return low;
}
