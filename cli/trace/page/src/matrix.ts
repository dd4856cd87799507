import { Canvas } from "./canvas";
import { heat, themeNow, type Theme } from "./colours";
import { memory, type Run } from "./run";
import { channels } from "./space_time";
import type { State } from "./state";

const mostCells = 512;
const margin = { left: 56, right: 16, top: 36, bottom: 44 };

/** Words from every sender (downwards) to every receiver (to the right) in the whole run; messages in flight are marked. */
export class Matrix {
  readonly canvas = new Canvas();
  private readonly cells: number;
  private readonly words: Float64Array;
  private most = 0;
  private picture: OffscreenCanvas | null = null;
  private theme!: Theme;

  constructor(
    private readonly state: State,
    private readonly runNumber: number,
    private readonly run: Run,
    private readonly parent: HTMLElement,
  ) {
    parent.append(this.canvas.element);
    this.cells = Math.min(mostCells, run.processors);
    this.words = new Float64Array(this.cells * this.cells);
    for (let i = 0; i < run.count; ++i) {
      const from = run.from[i];
      for (const to of run.to(i)) {
        if (from === memory || to === memory) continue;
        const cell = this.cellOf(from) * this.cells + this.cellOf(to);
        this.words[cell] += run.words[i];
        if (this.words[cell] > this.most) this.most = this.words[cell];
      }
    }
    this.canvas.element.addEventListener("click", (event) => {
      const rank = this.rankAt(event.offsetY);
      if (rank !== null) state.select({ run: runNumber, rank });
    });
  }

  private cellOf(rank: number): number {
    return Math.floor((rank * this.cells) / this.run.processors);
  }

  private side(): number {
    return Math.max(
      10,
      Math.min(this.canvas.width - margin.left - margin.right, this.canvas.height - margin.top - margin.bottom),
    );
  }

  private left(): number {
    return Math.max(margin.left, (this.canvas.width - this.side()) / 2);
  }

  private rankAt(y: number): number | null {
    const part = (y - margin.top) / this.side();
    return part >= 0 && part <= 1 ? Math.min(this.run.processors - 1, Math.floor(part * this.run.processors)) : null;
  }

  /** Where a processor's row begins, in CSS pixels of the canvas. */
  place(rank: number): readonly [x: number, y: number] {
    return [this.left() + this.side() / 2, margin.top + ((rank + 0.5) / this.run.processors) * this.side()];
  }

  zoomBy(): void {}

  refresh(): void {
    this.canvas.resize(this.parent.clientWidth, this.parent.clientHeight);
    this.theme = themeNow();
    const image = new ImageData(this.cells, this.cells);
    const colours = Array.from({ length: 256 }, (_, i) => channels(heat(i / 255, this.theme)));
    this.words.forEach((words, cell) => {
      if (words === 0) return;
      const [r, g, b] = colours[Math.min(255, Math.floor((255 * words) / this.most))];
      image.data.set([r, g, b, 255], 4 * cell);
    });
    this.picture = new OffscreenCanvas(this.cells, this.cells);
    this.picture.getContext("2d")!.putImageData(image, 0, 0);
    this.draw();
  }

  draw(): void {
    const c = this.canvas.clear();
    const [side, left] = [this.side(), this.left()];
    const cell = side / this.cells;
    c.imageSmoothingEnabled = false;
    c.fillStyle = this.theme.group;
    c.fillRect(left, margin.top, side, side);
    c.drawImage(this.picture!, left, margin.top, side, side);
    c.strokeStyle = this.theme.line;
    c.strokeRect(left, margin.top, side, side);
    const size = Math.max(3, cell);
    c.fillStyle = this.theme.accent;
    c.beginPath();
    this.run.underWay(this.state.clock, this.state.position, (message) => {
      const from = this.run.from[message];
      for (const to of this.run.to(message)) {
        if (from === memory || to === memory) continue;
        const x = left + (this.cellOf(to) + 0.5) * cell;
        const y = margin.top + (this.cellOf(from) + 0.5) * cell;
        c.rect(x - size / 2, y - size / 2, size, size);
      }
    });
    c.fill();
    this.drawAxes(c, left, side);
    const selection = this.state.selection;
    if (selection?.run !== this.runNumber) return;
    const [, y] = this.place(selection.rank);
    c.strokeStyle = this.theme.accent;
    c.lineWidth = 2;
    c.strokeRect(left, y - Math.max(2, cell / 2), side, Math.max(4, cell));
  }

  private drawAxes(c: CanvasRenderingContext2D, left: number, side: number): void {
    c.fillStyle = this.theme.muted;
    c.font = this.theme.font;
    const labelled = Math.min(this.run.processors, 8);
    for (let i = 0; i < labelled; ++i) {
      const rank = Math.floor((i * this.run.processors) / labelled);
      const at = ((rank + 0.5) / this.run.processors) * side;
      c.textAlign = "right";
      c.textBaseline = "middle";
      c.fillText(String(rank), left - 6, margin.top + at);
      c.textAlign = "center";
      c.textBaseline = "bottom";
      c.fillText(String(rank), left + at, margin.top - 4);
    }
    c.textAlign = "left";
    c.textBaseline = "top";
    if (this.most === 0) {
      c.fillText("no messages between processors", left, margin.top + side + 8);
      return;
    }
    const most = `at most ${this.most.toLocaleString("en")} words`;
    const each = this.cells < this.run.processors ? `; a point is ${Math.ceil(this.run.processors / this.cells)} processors` : "";
    c.fillText(`senders downwards, receivers to the right: ${most}${each}`, left, margin.top + side + 8);
  }
}
