import type { Block } from "./document";
import { memory, type Clock, type Run } from "./run";

/** Beyond this, holdings are not followed from frame to frame. */
const mostProcessors = 256;
const mostBlockMoves = 400_000;

/** A block's origin and destination as one number; equal if it is for all. */
export type BlockKey = number;

export function keyOf(block: Block, processors: number): BlockKey {
  return typeof block === "number" ? block * processors + block : block[0] * processors + block[1];
}

export function nameOf(key: BlockKey, processors: number): string {
  const [origin, destination] = [Math.floor(key / processors), key % processors];
  return origin === destination ? String(origin) : `${origin}→${destination}`;
}

interface Event {
  time: number;
  message: number;
  arrives: boolean;
}

/** Which processor holds which blocks. A block that is for all stays with its sender, any other leaves it. */
export class Holdings {
  held: Set<BlockKey>[] = [];
  /** The most blocks that a processor ever holds. */
  most = 1;
  /** Grows with every change. */
  version = 0;
  private events: Event[] = [];
  private next = 0;
  private clock: Clock = "cycles";

  private constructor(
    private readonly run: Run,
    private readonly initial: Set<BlockKey>[],
  ) {}

  /** None if holdings are unknown, or would take too long to follow. */
  static of(run: Run): Holdings | null {
    if (run.processors > mostProcessors || run.count === 0 || run.document.medium === "memory") return null;
    if (!run.tellsBlocks()) return null;
    let moves = 0;
    const initial = Array.from({ length: run.processors }, () => new Set<BlockKey>());
    for (let i = 0; i < run.count; ++i) {
      const blocks = run.blocks[i];
      if (!blocks || blocks.length === 0 || run.from[i] === memory) return null;
      moves += blocks.length;
      if (moves > mostBlockMoves) return null;
      for (const block of blocks) initial[typeof block === "number" ? block : block[0]].add(keyOf(block, run.processors));
    }
    const holdings = new Holdings(run, initial);
    return holdings.isWhole() ? holdings : null;
  }

  /** Follows the whole run; returns whether every sender holds the blocks that leave it. */
  private isWhole(): boolean {
    this.rewind("cycles");
    this.most = Math.max(...this.held.map((blocks) => blocks.size));
    for (const event of this.events) {
      const { message, arrives } = event;
      const leaving = arrives ? [] : this.blocksOf(message).filter((key) => !this.isForAll(key));
      if (!leaving.every((key) => this.held[this.run.from[message]].has(key))) return false;
      this.apply(event);
      if (arrives) for (const to of this.run.to(message)) this.most = Math.max(this.most, this.held[to].size);
    }
    this.rewind("cycles");
    return true;
  }

  private isForAll(key: BlockKey): boolean {
    return Math.floor(key / this.run.processors) === key % this.run.processors;
  }

  private blocksOf(message: number): BlockKey[] {
    return this.run.blocks[message]!.map((block) => keyOf(block, this.run.processors));
  }

  private rewind(clock: Clock): void {
    this.clock = clock;
    this.next = 0;
    ++this.version;
    this.held = this.initial.map((blocks) => new Set(blocks));
    this.events = [];
    for (let message = 0; message < this.run.count; ++message) {
      const [start, end] =
        clock === "cycles"
          ? [this.run.cycle[message], this.run.cycle[message] + 1]
          : [this.run.start[message], this.run.end[message]];
      this.events.push({ time: start, message, arrives: false }, { time: end, message, arrives: true });
    }
    this.events.sort((a, b) => a.time - b.time || Number(b.arrives) - Number(a.arrives) || a.message - b.message);
  }

  private apply(event: Event): void {
    ++this.version;
    for (const key of this.blocksOf(event.message)) {
      if (event.arrives) {
        for (const to of this.run.to(event.message)) this.held[to].add(key);
      } else if (!this.isForAll(key)) {
        this.held[this.run.from[event.message]].delete(key);
      }
    }
  }

  /** Moves `held` to that position. */
  seek(clock: Clock, position: number): void {
    if (clock !== this.clock || (this.next > 0 && this.events[this.next - 1].time > position)) this.rewind(clock);
    while (this.next < this.events.length && this.events[this.next].time <= position) this.apply(this.events[this.next++]);
  }
}
