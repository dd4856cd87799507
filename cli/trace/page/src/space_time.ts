import { axisBottom, scaleLinear, select, type ScaleLinear } from "d3";
import { Canvas, drawFate, Zoom } from "./canvas";
import { heat, Palette, themeNow, type Theme } from "./colours";
import { memory, type Run } from "./run";
import type { State } from "./state";

const margin = { left: 52, right: 14, top: 10, bottom: 42 };
/** Visible messages beyond which rows show how busy they are instead of single messages. */
const mostSingle = 20_000;

/** Points of the critical path in one column of pixels: more are invisible, and slow to draw. */
const mostInColumn = 8;

/** Processors downwards, the clock to the right: a bar while a processor sends or reads, a line from send to receive. */
export class SpaceTime {
  readonly canvas = new Canvas();
  private readonly still = new Canvas();
  private readonly axis: SVGSVGElement;
  private theme!: Theme;
  private palette!: Palette;
  private x!: ScaleLinear<number, number>;
  private readonly zoom: Zoom;

  constructor(
    private readonly state: State,
    private readonly runNumber: number,
    private readonly run: Run,
    private readonly parent: HTMLElement,
  ) {
    this.axis = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.axis.classList.add("axis");
    this.axis.setAttribute("aria-hidden", "true");
    parent.append(this.canvas.element, this.axis);
    this.zoom = new Zoom(this.canvas.element, 1, 1e6, () => {
      this.drawStill();
      this.draw();
    });
    this.canvas.element.addEventListener("click", (event) => {
      const rank = Math.floor((event.offsetY - margin.top) / this.row());
      if (event.offsetX >= margin.left) state.seek(this.x.invert(event.offsetX));
      if (rank >= 0 && rank < run.processors) state.select({ run: runNumber, rank });
    });
  }

  zoomBy(factor: number): void {
    this.zoom.by(factor);
  }

  private row(): number {
    return Math.max(1e-6, (this.canvas.height - margin.top - margin.bottom) / this.run.processors);
  }

  private y(rank: number): number {
    return margin.top + (rank + 0.5) * this.row();
  }

  refresh(): void {
    this.canvas.resize(this.parent.clientWidth, this.parent.clientHeight);
    this.still.resize(this.canvas.width, this.canvas.height);
    this.axis.setAttribute("width", String(this.canvas.width));
    this.axis.setAttribute("height", String(this.canvas.height));
    this.zoom.confine(margin.left, 0, this.canvas.width - margin.right, this.canvas.height);
    this.theme = themeNow();
    this.palette = new Palette(this.run, this.state.colouring, this.theme);
    this.drawStill();
    this.draw();
  }

  private span(message: number): [start: number, end: number] {
    return this.state.clock === "cycles"
      ? [this.run.cycle[message], this.run.cycle[message] + 1]
      : [this.run.start[message], this.run.end[message]];
  }

  private drawStill(): void {
    const c = this.still.clear();
    this.x = this.zoom.transform.rescaleX(
      scaleLinear([this.state.begin(), this.state.end()], [margin.left, this.canvas.width - margin.right]),
    );
    const [from, to] = this.x.domain();
    select(this.axis)
      .attr("transform", null)
      .selectAll("g")
      .data([0])
      .join("g")
      .attr("transform", `translate(0,${this.canvas.height - margin.bottom})`)
      .call((g) => axisBottom(this.x).ticks(Math.max(2, this.canvas.width / 90))(g as never));
    this.drawRows(c);
    const seen: number[] = [];
    c.save();
    c.beginPath();
    c.rect(margin.left, 0, this.canvas.width - margin.left - margin.right, this.canvas.height - margin.bottom + 1);
    c.clip();
    for (let i = 0; i < this.run.count && seen.length <= mostSingle; ++i) {
      const [start, end] = this.span(i);
      if (end >= from && start <= to) seen.push(i);
    }
    if (seen.length > mostSingle) this.drawBusy(c);
    else this.drawMessages(c, seen);
    this.drawCritical(c);
    this.drawFates(c, seen);
    c.restore();
    this.drawLegend(c);
  }

  private drawLegend(c: CanvasRenderingContext2D): void {
    const y = this.canvas.height - 8;
    c.fillStyle = this.theme.muted;
    c.font = this.theme.font;
    c.textBaseline = "middle";
    c.textAlign = "right";
    const right = this.canvas.width - margin.right;
    c.fillText(this.state.clock === "cycles" ? "cycle" : "modelled time", right, y);
    c.textAlign = "left";
    c.fillText("processor", 6, y);
    if (this.run.critical().length === 0) return;
    const left = margin.left + 40;
    c.fillText("critical path: the messages that determined the end", left + 30, y);
    c.strokeStyle = this.theme.text;
    c.lineWidth = 3;
    c.beginPath();
    c.moveTo(left, y);
    c.lineTo(left + 24, y);
    c.stroke();
  }

  private drawRows(c: CanvasRenderingContext2D): void {
    const row = this.row();
    c.font = this.theme.font;
    c.textAlign = "right";
    c.textBaseline = "middle";
    c.fillStyle = this.theme.muted;
    c.strokeStyle = this.theme.line;
    c.lineWidth = 0.5;
    const every = Math.max(1, Math.ceil(14 / row));
    c.beginPath();
    for (let rank = 0; rank < this.run.processors; rank += every) {
      c.fillText(String(rank), margin.left - 8, this.y(rank));
      c.moveTo(margin.left, this.y(rank));
      c.lineTo(this.canvas.width - margin.right, this.y(rank));
    }
    c.stroke();
  }

  private drawMessages(c: CanvasRenderingContext2D, messages: readonly number[]): void {
    const height = Math.min(14, 0.55 * this.row());
    for (const i of messages) {
      const [start, end] = this.span(i);
      const [x0, x1] = [this.x(start), this.x(end)];
      const colour = this.palette.colours[this.palette.ofMessage(i)];
      c.strokeStyle = c.fillStyle = colour;
      const from = this.run.from[i];
      const busy = from === memory ? this.run.firstTo(i) : from; // a memory is read by its reader
      if (height >= 1.5) c.fillRect(x0, this.y(busy) - height / 2, Math.max(1, x1 - x0 - 1), height);
      c.lineWidth = messages.length > 4000 ? 0.5 : 1.25;
      c.globalAlpha = messages.length > 4000 ? 0.5 : 0.9;
      c.beginPath();
      for (const to of this.run.to(i)) {
        if (from === memory || to === memory) continue;
        c.moveTo(x0, this.y(from));
        c.lineTo(x1, this.y(to));
      }
      c.stroke();
      c.globalAlpha = 1;
      for (const to of this.run.to(i)) {
        if (to === memory || x1 - x0 < 5 || this.run.fateAt(i, to)) continue;
        c.beginPath();
        c.arc(x1, this.y(to), Math.min(3.5, this.row() * 0.2), 0, 2 * Math.PI);
        c.fill();
      }
    }
  }

  /** The arrivals of messages that did not arrive as sent. */
  private drawFates(c: CanvasRenderingContext2D, messages: readonly number[]): void {
    const size = Math.max(3, Math.min(7, this.row() * 0.3));
    c.strokeStyle = this.theme.alert;
    c.lineWidth = 2.5;
    c.beginPath();
    for (const i of messages) {
      for (const to of this.run.to(i)) {
        const fate = this.run.fateAt(i, to);
        if (fate && to !== memory) drawFate(c, fate, this.x(this.span(i)[1]), this.y(to), size);
      }
    }
    c.stroke();
  }

  /** For every pixel of every row, the fraction of time in which its processors send. */
  private drawBusy(c: CanvasRenderingContext2D): void {
    const width = Math.max(1, Math.ceil(this.canvas.width - margin.left - margin.right));
    const rows = Math.max(1, Math.min(this.run.processors, Math.ceil(this.canvas.height - margin.top - margin.bottom)));
    const busy = new Float32Array(width * rows);
    for (let i = 0; i < this.run.count; ++i) {
      const rank = this.run.from[i] === memory ? this.run.firstTo(i) : this.run.from[i];
      const row = Math.floor((rank * rows) / this.run.processors);
      const [start, end] = this.span(i);
      const [x0, x1] = [this.x(start) - margin.left, this.x(end) - margin.left];
      const last = Math.min(width - 1, Math.floor(x1));
      for (let x = Math.max(0, Math.floor(x0)); x <= last; ++x) {
        busy[row * width + x] += Math.min(x1, x + 1) - Math.max(x0, x);
      }
    }
    let most = 1e-9;
    for (const value of busy) if (value > most) most = value;
    const image = new ImageData(width, rows);
    const colours = Array.from({ length: 256 }, (_, i) => channels(heat(i / 255, this.theme)));
    for (let i = 0; i < busy.length; ++i) {
      if (busy[i] <= 0) continue;
      const [r, g, b] = colours[Math.min(255, Math.floor((255 * busy[i]) / most))];
      image.data.set([r, g, b, 255], 4 * i);
    }
    const picture = new OffscreenCanvas(width, rows);
    picture.getContext("2d")!.putImageData(image, 0, 0);
    c.imageSmoothingEnabled = false;
    c.drawImage(picture, margin.left, margin.top, width, this.canvas.height - margin.top - margin.bottom);
  }

  /** The critical path from the end back to the start. */
  private drawCritical(c: CanvasRenderingContext2D): void {
    const path = this.run.critical();
    c.lineJoin = "round";
    c.beginPath();
    let column = NaN;
    let points = 0;
    const lead = (time: number, rank: number): void => {
      const x = this.x(time);
      points = Math.round(x) === column ? points + 1 : 0;
      column = Math.round(x);
      if (points < mostInColumn) c.lineTo(x, this.y(rank));
    };
    path.forEach((i, k) => {
      const [start, end] = this.span(i);
      const [from, to] = [this.run.from[i], this.nextEnd(path, k)];
      const first = from === memory ? to : from;
      lead(start, first);
      lead(end, to === memory ? first : to);
    });
    c.strokeStyle = this.theme.background;
    c.lineWidth = 7;
    c.stroke();
    c.strokeStyle = this.theme.text;
    c.lineWidth = 3;
    c.stroke();
  }

  /** The receiver through which the path continues. */
  private nextEnd(path: readonly number[], k: number): number {
    const receivers = this.run.to(path[k]);
    const next = k + 1 < path.length ? this.run.from[path[k + 1]] : memory;
    return receivers.includes(next) ? next : receivers[0];
  }

  draw(): void {
    const c = this.canvas.clear();
    this.canvas.paint(this.still);
    const selection = this.state.selection;
    if (selection?.run === this.runNumber) {
      c.fillStyle = this.theme.accent;
      c.globalAlpha = 0.14;
      const height = Math.max(2, this.row());
      c.fillRect(margin.left, this.y(selection.rank) - height / 2, this.canvas.width - margin.left - margin.right, height);
      c.globalAlpha = 1;
    }
    const x = this.x(this.state.position);
    if (x < margin.left - 1 || x > this.canvas.width - margin.right + 1) return;
    c.strokeStyle = this.theme.text;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x, margin.top - 6);
    c.lineTo(x, this.canvas.height - margin.bottom);
    c.stroke();
  }
}

/** Red, green and blue of "rgb(1, 2, 3)" or "#010203". */
export function channels(colour: string): [number, number, number] {
  if (colour.startsWith("#")) {
    const value = parseInt(colour.slice(1), 16);
    return [value >> 16, (value >> 8) & 255, value & 255];
  }
  const [r, g, b] = colour.match(/[\d.]+/g)!.map(Number);
  return [r, g, b];
}
