import type { Block, Fate, RunDocument } from "./document";

/** On which clock a position is: cycles, or the modelled time of the asynchronous clock. */
export type Clock = "cycles" | "time";

/** A cycle in which messages moved: those from `first` to before `last`. */
export interface Cycle {
  cycle: number;
  first: number;
  last: number;
  /** When the first of them starts, and the last one ends. */
  start: number;
  end: number;
  /** Of the longest message. */
  words: number;
}

/** No processor: the memory. */
export const memory = -1;

/** A run as arrays by message, in the order of cycle, sender and port. */
export class Run {
  readonly processors: number;
  readonly count: number;
  readonly from: Int32Array;
  /** Of message i: receivers[firstReceiver[i]] to before receivers[firstReceiver[i + 1]]. */
  readonly firstReceiver: Uint32Array;
  readonly receivers: Int32Array;
  readonly port: Int32Array;
  readonly cycle: Float64Array;
  readonly words: Float64Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly phase: Uint16Array;
  readonly phases: string[] = [];
  readonly blocks: (Block[] | null)[];
  /** Slots of a memory that are read or written; empty on other machines. */
  readonly slots: (number[] | undefined)[] = [];
  /** By receivers, where a fault was planted. */
  readonly fates = new Map<number, Fate>();
  readonly cycles: Cycle[] = [];
  readonly lastEnd: number;
  private byStart: Uint32Array | null = null;
  private longest = 0;
  private ofRank: { first: Uint32Array; messages: Uint32Array } | null = null;
  private times: Float64Array | null = null;
  private criticalPath: number[] | null = null;

  constructor(readonly document: RunDocument) {
    const transfers = document.trace.transfers;
    this.processors = document.report.machine.processors;
    const count = (this.count = transfers.length);
    this.from = new Int32Array(count);
    this.firstReceiver = new Uint32Array(count + 1);
    this.port = new Int32Array(count);
    this.cycle = new Float64Array(count);
    this.words = new Float64Array(count);
    this.start = new Float64Array(count);
    this.end = new Float64Array(count);
    this.phase = new Uint16Array(count);
    this.blocks = new Array<Block[] | null>(count);
    const receivers: number[] = [];
    const phases = new Map<string, number>();
    let lastEnd = 0;
    for (let i = 0; i < count; ++i) {
      const t = transfers[i];
      this.from[i] = t.from ?? memory;
      this.firstReceiver[i] = receivers.length;
      // For a memory one for each slot.
      if (Array.isArray(t.to)) for (const to of t.to) receivers.push(to);
      else for (let slots = Math.max(1, t.slots?.length ?? 1); slots > 0; --slots) receivers.push(t.to ?? memory);
      this.port[i] = t.port ?? -1;
      this.cycle[i] = t.cycle;
      this.words[i] = t.words;
      this.start[i] = t.start;
      this.end[i] = t.end;
      this.blocks[i] = t.blocks;
      if (t.slots) this.slots[i] = t.slots;
      if (t.fate) {
        for (let receiver = this.firstReceiver[i]; receiver < receivers.length; ++receiver) {
          const fate = Array.isArray(t.fate) ? t.fate[receiver - this.firstReceiver[i]] : t.fate;
          if (fate !== "arrives") this.fates.set(receiver, fate);
        }
      }
      const name = t.phase ?? "";
      let phase = phases.get(name);
      if (phase === undefined) {
        phases.set(name, (phase = phases.size));
        this.phases.push(name);
      }
      this.phase[i] = phase;
      if (t.end > lastEnd) lastEnd = t.end;
      if (t.end - t.start > this.longest) this.longest = t.end - t.start;
      const current = this.cycles[this.cycles.length - 1];
      if (current?.cycle === t.cycle) {
        current.last = i + 1;
        current.words = Math.max(current.words, t.words);
        current.start = Math.min(current.start, t.start);
        current.end = Math.max(current.end, t.end);
      } else {
        this.cycles.push({ cycle: t.cycle, first: i, last: i + 1, start: t.start, end: t.end, words: t.words });
      }
    }
    this.firstReceiver[count] = receivers.length;
    this.receivers = Int32Array.from(receivers);
    this.lastEnd = lastEnd;
    transfers.length = 0; // the arrays have it all
  }

  /** The fate of the copy of a message for a rank, or for the memory; undefined: it arrives. */
  fateAt(message: number, rank: number): Fate | undefined {
    for (let receiver = this.firstReceiver[message]; receiver < this.firstReceiver[message + 1]; ++receiver) {
      if (this.receivers[receiver] === rank && this.fates.has(receiver)) return this.fates.get(receiver);
    }
    return undefined;
  }

  /** Messages that are not in the trace. */
  leftOut(): number {
    const { before_from_cycle, of_other_ranks, past_max_events } = this.document.trace.left_out;
    return before_from_cycle + of_other_ranks + past_max_events;
  }

  /** Whether it is known which whole blocks every message carries. */
  tellsBlocks(): boolean {
    const { has_parts, left_out } = this.document.trace;
    return !has_parts && this.leftOut() === 0 && left_out.block_lists === 0 && this.fates.size === 0;
  }

  /** The begin of the recorded part on that clock. */
  begin(clock: Clock): number {
    if (!this.document.trace.left_out.before_from_cycle || this.cycles.length === 0) return 0;
    return clock === "cycles" ? this.cycles[0].cycle : this.start[this.orderByStart()[0]];
  }

  /** The end of the run on that clock. */
  length(clock: Clock): number {
    if (clock === "time") {
      // Copies and arithmetic may come after the last message.
      const whole = this.leftOut() ? 0 : Number(this.document.report.modelled_time["asynchronous"] ?? 0);
      return Math.max(this.lastEnd, whole);
    }
    const error = this.document.report.error;
    const last = this.cycles.length ? this.cycles[this.cycles.length - 1].cycle + 1 : 0;
    return error?.cycle !== undefined && error.cycle < 2 * last + 16 ? Math.max(last, error.cycle + 1) : last;
  }

  to(message: number): Int32Array {
    return this.receivers.subarray(this.firstReceiver[message], this.firstReceiver[message + 1]);
  }

  /** The first of its receivers: on links the only one. */
  firstTo(message: number): number {
    return this.receivers[this.firstReceiver[message]];
  }

  /** By number of a receiver, for a read of a memory: the last writer of that slot. */
  writers(): Int32Array {
    const writers = new Int32Array(this.receivers.length).fill(memory);
    const ofSlot = new Map<number, number>();
    for (let i = 0; i < this.count; ++i) {
      this.slots[i]?.forEach((slot, k) => {
        if (this.from[i] === memory) writers[this.firstReceiver[i] + k] = ofSlot.get(slot) ?? memory;
        else ofSlot.set(slot, this.from[i]);
      });
    }
    return writers;
  }

  /** Number in `cycles` of the first whose cycle is at least that. */
  cycleIndex(cycle: number): number {
    let low = 0;
    let high = this.cycles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.cycles[middle].cycle < cycle) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Calls visit with each message in flight at that position, and the part of its path that it has covered. */
  underWay(clock: Clock, position: number, visit: (message: number, part: number) => void): void {
    if (clock === "cycles") {
      const cycle = Math.floor(position);
      const found = this.cycles[this.cycleIndex(cycle)];
      if (found?.cycle !== cycle || position === cycle) return; // between two cycles nothing is in flight
      for (let i = found.first; i < found.last; ++i) visit(i, position - cycle);
      return;
    }
    const order = this.orderByStart();
    for (let k = this.firstStartingFrom(position - this.longest); k < order.length; ++k) {
      const i = order[k];
      const start = this.start[i];
      if (start >= position) break;
      const end = this.end[i];
      if (end > position) visit(i, (position - start) / (end - start));
    }
  }

  /** How many messages have been sent by then. */
  sentBy(clock: Clock, position: number): number {
    if (clock === "time") return this.firstStartingFrom(position);
    const index = this.cycleIndex(Math.ceil(position));
    return index < this.cycles.length ? this.cycles[index].first : this.count;
  }

  /** Messages in the order of their start. */
  orderByStart(): Uint32Array {
    if (!this.byStart) {
      this.byStart = Uint32Array.from({ length: this.count }, (_, i) => i);
      const start = this.start;
      let sorted = true;
      for (let i = 1; i < this.count && sorted; ++i) sorted = start[i - 1] <= start[i];
      if (!sorted) this.byStart.sort((a, b) => start[a] - start[b] || a - b);
    }
    return this.byStart;
  }

  private firstStartingFrom(time: number): number {
    const order = this.orderByStart();
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start[order[middle]] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Messages that a processor sends or receives, in their order. */
  messagesOf(rank: number): Uint32Array {
    if (!this.ofRank) {
      const first = new Uint32Array(this.processors + 1);
      const each = (visit: (rank: number, message: number) => void): void => {
        for (let i = 0; i < this.count; ++i) {
          const from = this.from[i];
          if (from !== memory) visit(from, i);
          let before = from;
          for (const to of this.to(i)) {
            if (to !== memory && to !== before) visit(to, i);
            before = to;
          }
        }
      };
      each((r) => ++first[r + 1]);
      for (let r = 0; r < this.processors; ++r) first[r + 1] += first[r];
      const next = first.slice();
      const messages = new Uint32Array(first[this.processors]);
      each((r, i) => (messages[next[r]++] = i));
      this.ofRank = { first, messages };
    }
    return this.ofRank.messages.subarray(this.ofRank.first[rank], this.ofRank.first[rank + 1]);
  }

  /** All starts and ends, ascending, none twice. */
  eventTimes(): Float64Array {
    if (!this.times) {
      const all = new Float64Array(2 * this.count);
      all.set(this.start);
      all.set(this.end, this.count);
      all.sort();
      this.times = all.filter((time, i) => i === 0 || time > all[i - 1] + tolerance(time));
    }
    return this.times;
  }

  /** Messages from the last that arrives back to the start, each the one for which the next waited; in their order.
   * None if messages are left out. */
  critical(): number[] {
    if (this.criticalPath) return this.criticalPath;
    const path: number[] = [];
    let current = this.leftOut() ? -1 : this.lastToEnd(0, this.count);
    while (current >= 0) {
      path.push(current);
      current = this.predecessor(current);
    }
    return (this.criticalPath = path.reverse());
  }

  private lastToEnd(first: number, last: number): number {
    let best = -1;
    for (let i = first; i < last; ++i) if (best < 0 || this.end[i] > this.end[best]) best = i;
    return best;
  }

  /** The message that ended last before that one could start; -1 if there is none. */
  private predecessor(message: number): number {
    const { medium } = this.document;
    if (medium === "bus" || medium === "memory") {
      const before = this.cycles[this.cycleIndex(this.cycle[message]) - 1]; // a medium waits for all earlier cycles
      return before ? this.lastToEnd(before.first, before.last) : -1;
    }
    const from = this.from[message];
    let best = -1;
    const look = (rank: number, counts: (other: number) => boolean): void => {
      const messages = this.messagesOf(rank);
      const last = firstFromCycle(this, messages, this.cycle[message]) - 1;
      for (let k = last; k >= Math.max(0, last - mostLookedBack); --k) {
        const other = messages[k];
        if (!counts(other) || this.end[other] > this.start[message] + tolerance(this.start[message])) continue;
        if (best < 0 || this.end[other] > this.end[best] + tolerance(this.end[best])) best = other;
      }
    };
    // Messages to the sender come first: among those that ended at the same time, one of these may be the data.
    look(from, (other) => this.from[other] !== from && this.fateAt(other, from) !== "dropped");
    if (["all", "ring"].includes(this.document.report.model.ports)) {
      look(from, (other) => this.from[other] === from && this.port[other] === this.port[message]); // that link's clock
      return best;
    }
    look(from, (other) => this.from[other] === from);
    for (const to of this.to(message)) look(to, (other) => this.from[other] !== to);
    return best;
  }
}

/** How many messages of a processor are searched for the one for which another waited. */
const mostLookedBack = 64;

/** The rounding error of a clock that adds up. */
function tolerance(time: number): number {
  return 1e-9 * Math.max(1e-9, Math.abs(time));
}

/** Number of the first of a processor's messages that is in that cycle or later. */
export function firstFromCycle(run: Run, messages: Uint32Array, cycle: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.cycle[messages[middle]] < cycle) low = middle + 1;
    else high = middle;
  }
  return low;
}
