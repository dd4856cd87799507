import { drawFate } from "./canvas";
import type { Palette } from "./colours";
import { memory, type Clock, type Run } from "./run";
import type { Point, Scene, Way } from "./scene";

/** Messages in flight beyond which they are drawn only as dots, and beyond which a dot has one colour. */
const mostTrails = 3000;
const mostPies = 500;

/** A path in pixels. */
interface PlacedWay {
  x: Float32Array;
  y: Float32Array;
  /** Of the piece that ends at that point. */
  length: Float32Array;
  /** Between the edges of the processors at its ends. */
  margin: number;
  usable: number;
}

/** Draws the messages of a run that are in flight. */
export class Flights {
  private readonly ways: Way[] = [];
  /** By number of a receiver: its path; -1 until it is needed. */
  private readonly wayOf: Int32Array;
  private readonly mostWords: number;
  private readonly numbers = new Map<number, number>();
  /** The paths used since the last change of scale. */
  private placed: (PlacedWay | undefined)[] = [];
  private at: (point: Point) => Point = (point) => point;
  private radius = 0;
  private beside = 0;
  private palette!: Palette;
  /** By number of a receiver. */
  private readonly colourOf: Uint8Array;
  private size = 2;
  /** Messages in flight, as numbers of receivers, with their messages and places. */
  private receivers = new Int32Array(1024);
  private messages = new Int32Array(1024);
  private parts = new Float32Array(1024);
  private xs = new Float32Array(1024);
  private ys = new Float32Array(1024);
  private count = 0;
  /** Those of one colour: order[first[colour]] to before order[first[colour + 1]]. */
  private order = new Int32Array(1024);
  private first = new Int32Array(1);

  constructor(
    private readonly run: Run,
    private readonly scene: Scene,
  ) {
    this.mostWords = run.cycles.reduce((most, cycle) => Math.max(most, cycle.words), 1);
    this.colourOf = new Uint8Array(run.receivers.length);
    this.wayOf = new Int32Array(run.receivers.length).fill(-1);
  }

  /** Number of the path to one of a message's receivers. */
  private wayNumber(message: number, receiver: number): number {
    if (this.wayOf[receiver] >= 0) return this.wayOf[receiver];
    const { run } = this;
    const [from, to] = [run.from[message], run.receivers[receiver]];
    const slot = run.slots[message]?.[receiver - run.firstReceiver[message]] ?? 0;
    const key = ((from + 1) * (run.processors + 1) + to + 1) * 16_777_216 + slot;
    let number = this.numbers.get(key);
    if (number === undefined) {
      this.numbers.set(key, (number = this.ways.length));
      this.ways.push(this.scene.way(from === memory ? null : from, to === memory ? null : to, slot));
    }
    return (this.wayOf[receiver] = number);
  }

  private placedWay(number: number): PlacedWay {
    return (this.placed[number] ??= placeWay(this.ways[number], this.at, this.radius, this.beside));
  }

  /** After a change of scale, place or colours. */
  place(at: (point: Point) => Point, radius: number, palette: Palette): void {
    this.size = Math.max(2, Math.min(11, radius * 0.55));
    // On links each direction keeps to the right.
    this.beside = this.scene.links.length > 0 ? this.size * 0.45 : 0;
    this.at = at;
    this.radius = radius;
    this.placed = [];
    if (palette === this.palette) return;
    this.palette = palette;
    const { run } = this;
    for (let i = 0; i < run.count; ++i) {
      this.colourOf.fill(palette.ofMessage(i), run.firstReceiver[i], run.firstReceiver[i + 1]);
    }
    if (run.document.medium !== "memory") return;
    run.writers().forEach((writer, receiver) => {
      if (writer !== memory) this.colourOf[receiver] = palette.ofSource(writer) ?? this.colourOf[receiver];
    });
  }

  private gather(clock: Clock, position: number, calm: boolean): void {
    this.count = 0;
    const { firstReceiver } = this.run;
    this.run.underWay(clock, position, (message, part) => {
      const eased = calm ? 0.5 : part * part * (3 - 2 * part);
      for (let receiver = firstReceiver[message]; receiver < firstReceiver[message + 1]; ++receiver) {
        if (this.count === this.receivers.length) this.grow();
        this.receivers[this.count] = receiver;
        this.messages[this.count] = message;
        this.parts[this.count++] = eased;
      }
    });
    const colours = this.palette.colours.length;
    if (this.first.length !== colours + 1) this.first = new Int32Array(colours + 1);
    this.first.fill(0);
    for (let i = 0; i < this.count; ++i) ++this.first[this.colourOf[this.receivers[i]] + 1];
    for (let colour = 0; colour < colours; ++colour) this.first[colour + 1] += this.first[colour];
    const next = this.first.slice();
    for (let i = 0; i < this.count; ++i) this.order[next[this.colourOf[this.receivers[i]]]++] = i;
  }

  private grow(): void {
    const twice = <Numbers extends Int32Array | Float32Array>(old: Numbers, grown: Numbers): Numbers => {
      grown.set(old);
      return grown;
    };
    const length = 2 * this.receivers.length;
    this.receivers = twice(this.receivers, new Int32Array(length));
    this.messages = twice(this.messages, new Int32Array(length));
    this.order = twice(this.order, new Int32Array(length));
    this.parts = twice(this.parts, new Float32Array(length));
    this.xs = twice(this.xs, new Float32Array(length));
    this.ys = twice(this.ys, new Float32Array(length));
  }

  /** Finds the messages in flight and draws the paths behind them; `drawHeads` draws the messages on top. */
  drawTrails(c: CanvasRenderingContext2D, clock: Clock, position: number, calm: boolean): void {
    this.gather(clock, position, calm);
    const withTrails = this.count <= mostTrails;
    c.globalAlpha = 0.55;
    c.lineCap = "round";
    for (let colour = 0; colour + 1 < this.first.length; ++colour) {
      c.strokeStyle = this.palette.colours[colour];
      for (let k = this.first[colour]; k < this.first[colour + 1]; ++k) {
        const i = this.order[k];
        if (withTrails) {
          c.lineWidth = this.size * (0.25 + 0.55 * this.share(i));
          c.beginPath();
        }
        this.follow(i, withTrails ? c : null);
        if (withTrails) c.stroke();
      }
    }
    c.globalAlpha = 1;
    c.lineCap = "butt";
  }

  /** The square root of a message's length relative to the longest. */
  private share(i: number): number {
    return Math.sqrt(this.run.words[this.messages[i]] / this.mostWords);
  }

  /** Records how far the i-th has come; draws its path up to there. */
  private follow(i: number, c: CanvasRenderingContext2D | null): void {
    const { x, y, length, margin, usable } = this.placedWay(this.wayNumber(this.messages[i], this.receivers[i]));
    let left = margin + this.parts[i] * usable;
    c?.moveTo(x[0], y[0]);
    let point = 1;
    while (point < x.length - 1 && left > length[point]) {
      c?.lineTo(x[point], y[point]);
      left -= length[point++];
    }
    const t = length[point] > 0 ? Math.min(1, left / length[point]) : 1;
    this.xs[i] = x[point - 1] + t * (x[point] - x[point - 1]);
    this.ys[i] = y[point - 1] + t * (y[point] - y[point - 1]);
    c?.lineTo(this.xs[i], this.ys[i]);
  }

  drawHeads(c: CanvasRenderingContext2D, edge: string): void {
    const small = this.size < 4;
    c.strokeStyle = edge;
    c.lineWidth = 1;
    for (let colour = 0; colour + 1 < this.first.length; ++colour) {
      if (this.first[colour] === this.first[colour + 1]) continue;
      c.fillStyle = this.palette.colours[colour];
      c.beginPath();
      for (let k = this.first[colour]; k < this.first[colour + 1]; ++k) {
        const i = this.order[k];
        const size = this.size * (0.5 + 0.5 * this.share(i));
        if (small) {
          c.rect(this.xs[i] - size / 2, this.ys[i] - size / 2, size, size);
        } else {
          c.moveTo(this.xs[i] + size, this.ys[i]);
          c.arc(this.xs[i], this.ys[i], size, 0, 2 * Math.PI);
        }
      }
      c.fill();
      if (small || this.count > mostPies) continue;
      c.stroke();
      for (let k = this.first[colour]; k < this.first[colour + 1]; ++k) this.drawPie(c, this.order[k]);
    }
  }

  /** A cross over a dropped message, a ring around a delayed or corrupted one. */
  drawFates(c: CanvasRenderingContext2D, colour: string): void {
    if (this.run.fates.size === 0) return;
    c.strokeStyle = colour;
    c.lineWidth = 2.5;
    const size = Math.max(4, this.size);
    c.beginPath();
    for (let i = 0; i < this.count; ++i) {
      const fate = this.run.fates.get(this.receivers[i]);
      if (fate) drawFate(c, fate, this.xs[i], this.ys[i], size + 2);
    }
    c.stroke();
  }

  /** The colours of all blocks of a message. */
  private drawPie(c: CanvasRenderingContext2D, i: number): void {
    const colours = this.palette.ofBlocks(this.messages[i], 12);
    if (!colours) return;
    const size = this.size * (0.5 + 0.5 * this.share(i));
    const angle = (2 * Math.PI) / colours.length;
    colours.forEach((colour, k) => {
      c.fillStyle = this.palette.colours[colour];
      c.beginPath();
      c.moveTo(this.xs[i], this.ys[i]);
      c.arc(this.xs[i], this.ys[i], size, -Math.PI / 2 + k * angle, -Math.PI / 2 + (k + 1) * angle);
      c.fill();
    });
  }
}

function placeWay(way: Way, at: (point: Point) => Point, radius: number, beside: number): PlacedWay {
  const points = way.map(at);
  const [x, y, length] = [0, 1, 2].map(() => new Float32Array(points.length));
  let total = 0;
  points.forEach(([px, py], i) => {
    const [ax, ay] = points[Math.max(0, i - 1)];
    const [bx, by] = points[Math.min(points.length - 1, i + 1)];
    const across = Math.hypot(bx - ax, by - ay) || 1;
    x[i] = px - ((by - ay) / across) * beside;
    y[i] = py + ((bx - ax) / across) * beside;
    length[i] = i > 0 ? Math.hypot(x[i] - x[i - 1], y[i] - y[i - 1]) : 0;
    total += length[i];
  });
  const margin = Math.min(radius, total * 0.3);
  return { x, y, length, margin, usable: total - 2 * margin };
}
