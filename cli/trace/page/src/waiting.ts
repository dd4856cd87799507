import { firstFromCycle, memory, type Clock, type Run } from "./run";

export interface Waiting {
  rank: number;
  awaited: number;
  /** When the awaited message arrives. */
  until: number;
}

/** The processors that are idle at that position and receive next: from which, and until when. */
export function waitsAt(run: Run, clock: Clock, position: number, ranks: Iterable<number>): Waiting[] {
  const spanOf = (message: number): [start: number, end: number] =>
    clock === "cycles"
      ? [run.cycle[message], run.cycle[message] + 1]
      : [run.start[message], run.end[message]];
  const waits: Waiting[] = [];
  for (const rank of ranks) {
    const messages = run.messagesOf(rank);
    let next = Infinity;
    let awaited = -1; // a message
    let busy = false;
    for (let k = clock === "cycles" ? firstFromCycle(run, messages, Math.floor(position)) : 0; k < messages.length; ++k) {
      const message = messages[k];
      const [start, end] = spanOf(message);
      if (end <= position) continue;
      busy ||= start < position;
      if (busy || (clock === "cycles" && start > next)) break;
      const comesIn = run.from[message] !== rank && run.from[message] !== memory;
      if (start < next) {
        next = start;
        awaited = comesIn ? message : -1;
      } else if (start === next && awaited < 0 && comesIn) {
        awaited = message;
      }
    }
    if (!busy && awaited >= 0) waits.push({ rank, awaited: run.from[awaited], until: spanOf(awaited)[1] });
  }
  return waits;
}
