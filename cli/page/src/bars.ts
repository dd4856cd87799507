import { Canvas } from "./canvas";
import { phaseColour, themeNow, type Theme } from "./colours";
import type { Run } from "./run";
import type { State } from "./state";

/** Over the clock, for each run: messages under way upwards, the longest of them downwards. */
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
      state.seek((event.offsetX / this.canvas.width) * state.length());
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
    const scale = bins / this.state.length();
    const fill = (from: number, to: number, count: number, longest: number): void => {
      const last = Math.min(bins - 1, Math.max(Math.floor(from * scale), Math.ceil(to * scale) - 1));
      for (let bin = Math.floor(from * scale); bin <= last; ++bin) {
        if (this.state.clock === "cycles") counts[bin] = Math.max(counts[bin], count);
        words[bin] = Math.max(words[bin], longest);
      }
    };
    if (this.state.clock === "cycles") {
      for (const { cycle, first, last, words: longest } of run.cycles) fill(cycle, cycle + 1, last - first, longest);
    } else {
      const steps = new Float64Array(bins + 1);
      for (let i = 0; i < run.count; ++i) {
        const start = Math.min(bins - 1, Math.floor(run.start[i] * scale));
        steps[start] += 1;
        steps[Math.min(bins, Math.max(start + 1, Math.ceil(run.end[i] * scale)))] -= 1;
        words[start] = Math.max(words[start], run.words[i]);
      }
      let under = 0;
      for (let bin = 0; bin < bins; ++bin) counts[bin] = under += steps[bin];
    }
    const mostCount = counts.reduce((a, b) => Math.max(a, b), 1);
    const mostWords = words.reduce((a, b) => Math.max(a, b), 1);
    const [up, down] = [height * 0.56, height * 0.28];
    const base = top + height * 0.68;
    const wide = this.state.clock === "cycles" && scale > 4;
    for (let bin = 0; bin < bins; ++bin) {
      if (wide && Math.floor((bin + 1) / scale) !== Math.floor(bin / scale)) continue; // a gap between cycles
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

  /** A line above the bars in the colours of the phases. */
  private drawPhases(c: CanvasRenderingContext2D, run: Run, top: number): void {
    if (run.phases.length < 2) return;
    const scale = this.canvas.width / this.state.length();
    for (const { cycle, first, last } of run.cycles) {
      const [from, to] =
        this.state.clock === "cycles" ? [cycle, cycle + 1] : [run.start[first], run.end[last - 1]];
      c.fillStyle = phaseColour(run.phase[first]);
      c.fillRect(from * scale, top, Math.max(1, (to - from) * scale), 4);
    }
  }

  draw(): void {
    const c = this.canvas.clear();
    this.canvas.paint(this.still);
    const x = (this.state.position / this.state.length()) * this.canvas.width;
    c.fillStyle = this.theme.text;
    c.fillRect(Math.min(this.canvas.width - 2, Math.max(0, x - 1)), 0, 2, this.canvas.height);
  }
}
