import { dispatch } from "d3";
import type { PageDocument } from "./document";
import { Run, type Clock } from "./run";

export type View = "machine" | "heat" | "space-time" | "matrix";
export type Colouring = "origin" | "destination" | "phase";
export interface Selection {
  run: number;
  rank: number;
}

/** What the page shows, and the position; everything else is drawn from it. */
export class State {
  readonly title: string;
  readonly runs: Run[];
  readonly changed = dispatch("position", "look", "selection", "playing", "speed");
  position = 0;
  playing = false;
  clock: Clock = "cycles";
  speed: number;
  /** The choices. */
  readonly speeds: number[] = [];
  view: View = "machine";
  colouring: Colouring = "origin";
  selection: Selection | null = null;
  /** Whether pictures show all waiting processors. */
  showsWaits = false;
  /** Messages jump, nothing glides. */
  readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(document: PageDocument) {
    this.title = document.title;
    this.runs = document.runs.map((run) => new Run(run));
    this.position = this.begin();
    // Half a cycle per second, or the speed that shows the whole in a minute.
    this.speed = 0.5;
    while ((this.end() - this.begin()) / this.speed > 60) this.speed *= 2;
    for (let speed = 0.125; speed <= Math.max(1024, 2 * this.speed); speed *= 2) this.speeds.push(speed);
  }

  /** The begin of the part of the clock with something to show .. */
  begin(): number {
    return Math.min(...this.runs.map((run) => run.begin(this.clock)));
  }

  /** .. and its end, which is later. */
  end(): number {
    const last = Math.max(...this.runs.map((run) => run.length(this.clock)));
    return last > this.begin() ? last : this.begin() + 1;
  }

  /** The position as a fraction of the whole. */
  part(): number {
    return (this.position - this.begin()) / (this.end() - this.begin());
  }

  seekPart(part: number): void {
    this.seek(this.begin() + part * (this.end() - this.begin()));
  }

  /** Units of the clock per second. */
  rate(): number {
    if (this.clock === "cycles") return this.speed;
    const cycles = Math.max(1, ...this.runs.map((run) => run.length("cycles") - run.begin("cycles")));
    return (this.speed * (this.end() - this.begin())) / cycles;
  }

  seek(position: number): void {
    this.position = Math.min(Math.max(position, this.begin()), this.end());
    this.changed.call("position");
  }

  /** To the middle of the next cycle, or between the next two events; the start and the end are separate stops. */
  step(direction: 1 | -1): void {
    this.play(false);
    const stop = this.clock === "cycles" ? cycleStop : this.timeStop();
    this.seek(stop(this.position, direction, this.begin(), this.end()));
  }

  private timeStop(): Stop {
    const times = this.runs.map((run) => run.eventTimes());
    return (position, direction, begin, end) => {
      const before = (limit: number): number => Math.max(begin, ...times.map((all) => lastBelow(all, limit)));
      const after = (limit: number): number => Math.min(end, ...times.map((all) => firstAbove(all, limit)));
      if (direction > 0) {
        const next = position === begin ? begin : after(position);
        return next >= end ? end : (next + after(next)) / 2;
      }
      const previous = position === end ? end : before(position);
      return previous <= begin ? begin : (previous + before(previous)) / 2;
    };
  }

  play(on: boolean): void {
    if (on && this.position >= this.end()) this.position = this.begin();
    this.playing = on;
    this.changed.call("playing");
  }

  select(selection: Selection | null): void {
    this.selection = selection;
    this.changed.call("selection");
  }

  /** To the same part of the same cycle of the first run. */
  setClock(clock: Clock): void {
    if (clock === this.clock) return;
    const run = this.runs[0];
    let position: number;
    if (clock === "time") {
      const cycle = run.cycles[run.cycleIndex(Math.floor(this.position))];
      const part = cycle ? Math.max(0, this.position - cycle.cycle) : 0;
      position = cycle ? cycle.start + part * (cycle.end - cycle.start) : this.runs[0].length("time");
    } else {
      const sent = run.sentBy("time", this.position);
      const index = sent > 0 ? run.cycleIndex(run.cycle[run.orderByStart()[sent - 1]]) : -1;
      const cycle = run.cycles[index];
      const part = cycle ? Math.min(1, (this.position - cycle.start) / (cycle.end - cycle.start || 1)) : 0;
      position = cycle ? cycle.cycle + part : run.begin("cycles");
    }
    this.clock = clock;
    this.position = Math.min(Math.max(position, this.begin()), this.end());
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
    this.changed.call("speed");
  }
}

/** Where the next step in a direction leads, between the begin and the end of a clock. */
type Stop = (position: number, direction: 1 | -1, begin: number, end: number) => number;

const cycleStop: Stop = (position, direction, begin, end) => {
  if (direction > 0) {
    const next = position === begin ? begin + 0.5 : Math.floor(position) + 1.5;
    return next > end ? end : next;
  }
  const previous = position === end ? end - 0.5 : Math.floor(position) - 0.5;
  return Math.max(begin, previous);
};

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
