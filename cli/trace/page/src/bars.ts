import { Canvas } from "./canvas";
import { phaseColour, themeNow, type Theme } from "./colours";
import type { Run } from "./run";
import type { State } from "./state";

/** Over the clock, for each run: messages in flight upwards, the longest of them downwards. */
export class Bars {
  readonly canvas = new Canvas();
  private readonly still = new Canvas();
  private theme!: Theme;

  constructor(
    private readonly state: State,
    private readonly parent: HTMLElement,
  ) {
    parent.append(this.canvas.element);
    const seek = (event: PointerEvent): void => {
      state.play(false);
      state.seekPart(event.offsetX / this.canvas.width);
    };
    this.canvas.element.addEventListener("pointerdown", (event) => {
      this.canvas.element.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.element.addEventListener("pointermove", (event) => {
      if (event.buttons) seek(event);
    });
  }

  refresh(): void {
    this.canvas.resize(this.parent.clientWidth, this.parent.clientHeight);
    this.still.resize(this.canvas.width, this.canvas.height);
    this.theme = themeNow();
    const c = this.still.clear();
    const height = this.canvas.height / this.state.runs.length;
    this.state.runs.forEach((run, number) => this.drawRun(c, run, number * height, height));
    this.draw();
  }

  private drawRun(c: CanvasRenderingContext2D, run: Run, top: number, height: number): void {
    const bins = Math.max(1, Math.floor(this.canvas.width));
    const counts = new Float64Array(bins);
    const words = new Float64Array(bins);
    const begin = this.state.begin();
    const scale = bins / (this.state.end() - begin);
    const binOf = (position: number): number => Math.min(bins - 1, Math.max(0, Math.floor((position - begin) * scale)));
    if (this.state.clock === "cycles") {
      for (const { cycle, first, last, words: longest } of run.cycles) {
        const end = Math.max(binOf(cycle), Math.ceil((cycle + 1 - begin) * scale) - 1);
        for (let bin = binOf(cycle); bin <= Math.min(bins - 1, end); ++bin) {
          counts[bin] = Math.max(counts[bin], last - first);
          words[bin] = Math.max(words[bin], longest);
        }
      }
    } else {
      this.sweep(run, binOf, counts, words);
    }
    const mostCount = counts.reduce((a, b) => Math.max(a, b), 1);
    const mostWords = words.reduce((a, b) => Math.max(a, b), 1);
    const [up, down] = [height * 0.56, height * 0.28];
    const base = top + height * 0.68;
    const wide = this.state.clock === "cycles" && scale > 4;
    for (let bin = 0; bin < bins; ++bin) {
      if (wide && Math.floor(begin + (bin + 1) / scale) !== Math.floor(begin + bin / scale)) continue; // a gap between cycles
      c.fillStyle = this.theme.accent;
      c.fillRect(bin, base - (up * counts[bin]) / mostCount, 1.05, (up * counts[bin]) / mostCount);
      c.fillStyle = this.theme.muted;
      c.fillRect(bin, base + 1, 1.05, (down * words[bin]) / mostWords);
    }
    c.strokeStyle = this.theme.line;
    c.beginPath();
    c.moveTo(0, base + 0.5);
    c.lineTo(this.canvas.width, base + 0.5);
    c.stroke();
    this.drawPhases(c, run, top);
  }

  /** The most messages in flight at once in each bin, and the longest that starts there. */
  private sweep(run: Run, binOf: (position: number) => number, counts: Float64Array, words: Float64Array): void {
    const ends = run.end.slice().sort();
    let [under, ended, bin] = [0, 0, 0];
    const reach = (time: number): void => {
      for (const to = binOf(time); bin < to; ) counts[++bin] = under;
    };
    for (const message of run.orderByStart()) {
      for (; ended < ends.length && ends[ended] <= run.start[message]; ++ended, --under) reach(ends[ended]);
      reach(run.start[message]);
      counts[bin] = Math.max(counts[bin], ++under);
      words[bin] = Math.max(words[bin], run.words[message]);
    }
    for (; ended < ends.length; ++ended, --under) reach(ends[ended]);
  }

  /** A line above the bars in the colours of the phases. */
  private drawPhases(c: CanvasRenderingContext2D, run: Run, top: number): void {
    if (run.phases.length < 2) return;
    const begin = this.state.begin();
    const scale = this.canvas.width / (this.state.end() - begin);
    for (const { cycle, first, start, end } of run.cycles) {
      const [from, to] = this.state.clock === "cycles" ? [cycle, cycle + 1] : [start, end];
      c.fillStyle = phaseColour(run.phase[first]);
      c.fillRect((from - begin) * scale, top, Math.max(1, (to - from) * scale), 4);
    }
  }

  draw(): void {
    const c = this.canvas.clear();
    this.canvas.paint(this.still);
    const x = this.state.part() * this.canvas.width;
    c.fillStyle = this.theme.text;
    c.fillRect(Math.min(this.canvas.width - 2, Math.max(0, x - 1)), 0, 2, this.canvas.height);
  }
}
