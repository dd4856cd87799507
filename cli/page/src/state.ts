import { dispatch } from "d3";
import type { PageDocument } from "./document";
import { Run, type Clock } from "./run";

export type View = "machine" | "heat" | "space-time" | "matrix";
export type Colouring = "origin" | "destination" | "phase";
export interface Selection {
  run: number;
  rank: number;
}

export const speeds = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** What the page shows, and when; everything else is drawn from it. */
export class State {
  readonly title: string;
  readonly runs: Run[];
  readonly changed = dispatch("position", "look", "selection", "playing");
  position = 0;
  playing = false;
  clock: Clock = "cycles";
  speed: number;
  view: View = "machine";
  colouring: Colouring = "origin";
  selection: Selection | null = null;
  /** Whether pictures show all who wait. */
  showsWaits = false;
  /** Messages jump, nothing glides. */
  readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(document: PageDocument) {
    this.title = document.title;
    this.runs = document.runs.map((run) => new Run(run));
    // What was left out at the start has nothing to show.
    if (this.runs.every((run) => run.document.trace.left_out.before_from_cycle > 0)) {
      this.position = Math.min(...this.runs.map((run) => run.cycles[0]?.cycle ?? 0));
    }
    // Half a cycle a second, or what shows the whole in a minute.
    this.speed = speeds.find((speed) => speed >= 0.5 && this.length() / speed <= 60) ?? speeds[speeds.length - 1];
  }

  length(): number {
    const longest = Math.max(...this.runs.map((run) => run.length(this.clock)));
    return longest > 0 ? longest : 1;
  }

  /** Units of the clock a second. */
  rate(): number {
    if (this.clock === "cycles") return this.speed;
    const cycles = Math.max(1, ...this.runs.map((run) => run.length("cycles")));
    return (this.speed * this.length()) / cycles;
  }

  seek(position: number): void {
    this.position = Math.min(Math.max(position, 0), this.length());
    this.changed.call("position");
  }

  /** To the middle of the next cycle, or between the next two events; the start and the end are stops of their own. */
  step(direction: 1 | -1): void {
    this.play(false);
    const stops = this.clock === "cycles" ? cycleStops : this.timeStops();
    this.seek(stops(this.position, direction, this.length()));
  }

  private timeStops(): (position: number, direction: 1 | -1, length: number) => number {
    const times = this.runs.map((run) => run.eventTimes());
    return (position, direction, length) => {
      // The events around where the step leads.
      const before = (limit: number): number => Math.max(0, ...times.map((all) => lastBelow(all, limit)));
      const after = (limit: number): number => Math.min(length, ...times.map((all) => firstAbove(all, limit)));
      if (direction > 0) {
        const next = position === 0 ? 0 : after(position);
        return next >= length ? length : (next + after(next)) / 2;
      }
      const previous = position === length ? length : before(position);
      return previous <= 0 ? 0 : (previous + before(previous)) / 2;
    };
  }

  play(on: boolean): void {
    if (on && this.position >= this.length()) this.position = 0;
    this.playing = on;
    this.changed.call("playing");
  }

  select(selection: Selection | null): void {
    this.selection = selection;
    this.changed.call("selection");
  }

  setClock(clock: Clock): void {
    const part = this.position / this.length();
    this.clock = clock;
    this.position = part * this.length();
    this.changed.call("look");
    this.changed.call("position");
  }

  setView(view: View): void {
    this.view = view;
    this.changed.call("look");
  }

  setColouring(colouring: Colouring): void {
    this.colouring = colouring;
    this.changed.call("look");
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.changed.call("playing");
  }
}

function cycleStops(position: number, direction: 1 | -1, length: number): number {
  if (direction > 0) {
    const next = position === 0 ? 0.5 : Math.floor(position) + 1.5;
    return next > length ? length : next;
  }
  const previous = position === length ? length - 0.5 : Math.floor(position) - 0.5;
  return Math.max(0, previous);
}

/** The greatest below the limit; 0 if none is. */
function lastBelow(ascending: Float64Array, limit: number): number {
  const index = lowerBound(ascending, limit);
  return index > 0 ? ascending[index - 1] : 0;
}

/** The least above the limit; infinity if none is. */
function firstAbove(ascending: Float64Array, limit: number): number {
  let index = lowerBound(ascending, limit);
  while (index < ascending.length && ascending[index] <= limit) ++index;
  return index < ascending.length ? ascending[index] : Infinity;
}

function lowerBound(ascending: Float64Array, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
