import { Canvas, Zoom } from "./canvas";
import { heat, Palette, themeNow, type Theme } from "./colours";
import { Flights } from "./flights";
import { Holdings } from "./holdings";
import { memory, type Run } from "./run";
import type { Group, Point, Scene, Way } from "./scene";
import type { State } from "./state";
import { waitsAt } from "./waiting";

/** Processors up to which each shows what it holds. */
const mostRings = 64;
/** Between a processor's middle and the edge of its group, by the group's depth, in radii. */
const groupSpace = [2, 1.55];

/** The machine of one run and its messages; or, in the view "heat", the words over each link in the whole run. */
export class MachineView {
  readonly canvas = new Canvas();
  private readonly still = new Canvas();
  private readonly front = new Canvas();
  private readonly rings = new Canvas();
  private ringsVersion = -1;
  private theme!: Theme;
  private palette!: Palette;
  private readonly holdings: Holdings | null;
  private readonly zoom: Zoom;
  private scale = 1;
  private origin: Point = [0, 0];
  private radius = 6;
  private readonly flights: Flights;
  private loads: { from: number; to: number; slot: number; words: number }[] | null = null;

  constructor(
    private readonly state: State,
    private readonly runNumber: number,
    private readonly run: Run,
    readonly scene: Scene,
    parent: HTMLElement,
  ) {
    parent.append(this.canvas.element);
    this.holdings = Holdings.of(run);
    this.flights = new Flights(run, scene);
    const canvas = this.canvas.element;
    this.zoom = new Zoom(canvas, 0.5, 40, () => {
      this.drawStill();
      this.draw();
    });
    canvas.addEventListener("click", (event) => {
      const rank = this.rankAt(event.offsetX, event.offsetY);
      state.select(rank === null ? null : { run: runNumber, rank });
    });
    canvas.addEventListener("mousemove", (event) => {
      const rank = this.rankAt(event.offsetX, event.offsetY);
      canvas.title = rank === null ? "" : this.nameOf(rank);
      canvas.style.cursor = rank === null ? "grab" : "pointer";
    });
  }

  zoomBy(factor: number): void {
    this.zoom.by(factor);
  }

  private nameOf(rank: number): string {
    const label = this.scene.labels[rank];
    return label === String(rank) ? `processor ${rank}` : `processor ${rank} (${label})`;
  }

  private rankAt(x: number, y: number): number | null {
    const reach = Math.max(10, this.radius * 1.3);
    let best: number | null = null;
    let least = reach;
    for (const places of [this.scene.places, this.scene.receiving ?? []]) {
      places.forEach((place, rank) => {
        const [px, py] = this.at(place);
        const distance = Math.hypot(px - x, py - y);
        if (distance < least) [best, least] = [rank, distance];
      });
    }
    return best;
  }

  /** Where a processor is, in CSS pixels of the canvas. */
  place(rank: number): Point {
    return this.at(this.scene.places[rank]);
  }

  private at([x, y]: Point): Point {
    return [
      this.zoom.transform.applyX(this.origin[0] + x * this.scale),
      this.zoom.transform.applyY(this.origin[1] + y * this.scale),
    ];
  }

  /** After a change of size, theme, colouring or view. */
  refresh(): void {
    this.canvas.fit();
    this.still.resize(this.canvas.width, this.canvas.height);
    this.front.resize(this.canvas.width, this.canvas.height);
    this.rings.resize(this.canvas.width, this.canvas.height);
    this.theme = themeNow();
    this.palette = new Palette(this.run, this.state.colouring, this.theme);
    this.fitScene();
    this.drawStill();
    this.draw();
  }

  private fitScene(): void {
    const points = [...this.scene.places, ...(this.scene.receiving ?? []), ...this.scene.shapes.flatMap((s) => s.points)];
    for (const link of this.scene.links) if (link.way.length > 2) points.push(...link.way);
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const [x, y] of points) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    const margin = 0.3 + this.scene.radius * (this.scene.groups.length ? groupSpace[0] + 1 : 1.6);
    const width = right - left + 2 * margin;
    const height = bottom - top + 2 * margin;
    this.scale = Math.min(this.canvas.width / width, this.canvas.height / height, 130);
    this.origin = [
      this.canvas.width / 2 - ((left + right) / 2) * this.scale,
      this.canvas.height / 2 - ((top + bottom) / 2) * this.scale,
    ];
  }

  private drawStill(): void {
    const c = this.still.clear();
    this.ringsVersion = -1;
    this.radius = Math.min(26, Math.max(1.2, this.scene.radius * this.scale * this.zoom.transform.k));
    for (const group of this.scene.groups) this.drawGroup(c, group);
    this.drawShapes(c);
    if (this.state.view === "heat") {
      this.drawLoads(c);
    } else {
      c.strokeStyle = this.theme.line;
      c.lineWidth = this.scene.links.length > 2000 ? 0.5 : 1.25;
      c.globalAlpha = this.scene.links.length > 4000 ? 0.35 : 1;
      c.beginPath();
      for (const link of this.scene.links) this.trace(c, link.way);
      c.stroke();
      c.globalAlpha = 1;
    }
    this.drawProcessors(this.front.clear());
    this.flights.place((point) => this.at(point), this.radius, this.palette);
  }

  private trace(c: CanvasRenderingContext2D, way: Way): void {
    way.forEach((point, i) => {
      const [x, y] = this.at(point);
      if (i === 0) c.moveTo(x, y);
      else c.lineTo(x, y);
    });
  }

  private drawGroup(c: CanvasRenderingContext2D, group: Group): void {
    const space = groupSpace[group.depth] * this.scene.radius * this.scale * this.zoom.transform.k;
    c.beginPath();
    this.trace(c, group.hull);
    c.closePath();
    c.lineJoin = "round";
    // The outline of the hull blown up by `space`: a thick line under a thinner one.
    c.strokeStyle = this.theme.line;
    c.lineWidth = 2 * space + 1.5;
    c.stroke();
    c.strokeStyle = this.theme.group;
    c.fillStyle = this.theme.group;
    c.lineWidth = 2 * space;
    c.stroke();
    c.fill();
    if (group.depth > 0 || space < 12) return;
    const top = group.hull.reduce((best, point) => (point[1] < best[1] ? point : best));
    const [x, y] = this.at(top);
    const middle = group.hull.reduce((sum, point) => sum + this.at(point)[0], 0) / group.hull.length;
    c.fillStyle = this.theme.muted;
    c.font = this.theme.font;
    c.textAlign = "center";
    c.fillText(group.label, group.hull.length > 2 ? middle : x, y - this.radius - 4);
  }

  private drawShapes(c: CanvasRenderingContext2D): void {
    c.font = this.theme.font;
    c.textAlign = "center";
    c.textBaseline = "middle";
    for (const { kind, points, text } of this.scene.shapes) {
      const [x0, y0] = this.at(points[0]);
      const [x1, y1] = this.at(points[points.length - 1]);
      c.strokeStyle = this.theme.line;
      c.lineWidth = 1.25;
      if (kind === "bar") {
        c.lineWidth = 8;
        c.lineCap = "round";
        c.beginPath();
        c.moveTo(x0, y0);
        c.lineTo(x1, y1);
        c.stroke();
        c.lineCap = "butt";
      } else if (kind === "wire") {
        c.beginPath();
        this.trace(c, points);
        c.stroke();
      } else if (kind === "box") {
        c.fillStyle = this.theme.group;
        c.beginPath();
        c.rect(x0, y0, x1 - x0, y1 - y0);
        c.fill();
        c.stroke();
        if (text && x1 - x0 > 8 * text.length) {
          c.fillStyle = this.theme.muted;
          c.fillText(text, (x0 + x1) / 2, (y0 + y1) / 2);
        }
      } else if (kind === "crosspoint") {
        const size = Math.min(3, 0.08 * this.scale * this.zoom.transform.k);
        c.fillStyle = this.theme.line;
        c.fillRect(x0 - size, y0 - size, 2 * size, 2 * size);
      } else if (text) {
        c.fillStyle = this.theme.muted;
        c.fillText(text, x0, y0);
      }
    }
  }

  private drawProcessors(c: CanvasRenderingContext2D): void {
    const numbered = this.radius >= 7;
    c.fillStyle = this.theme.node;
    c.strokeStyle = this.theme.nodeEdge;
    c.lineWidth = this.radius > 4 ? 1.5 : 0.75;
    c.font = `600 ${Math.round(Math.min(15, Math.max(9, this.radius * 0.95)))}px system-ui, sans-serif`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    for (const places of [this.scene.places, this.scene.receiving ?? []]) {
      c.fillStyle = this.theme.node;
      c.beginPath();
      for (const place of places) {
        const [x, y] = this.at(place);
        c.moveTo(x + this.radius, y);
        c.arc(x, y, this.radius, 0, 2 * Math.PI);
      }
      c.fill();
      c.stroke();
      if (!numbered) this.numberBeside(c, places);
      if (!numbered) continue;
      c.fillStyle = this.theme.text;
      places.forEach((place, rank) => {
        const [x, y] = this.at(place);
        c.fillText(String(rank), x, y + 0.5);
      });
    }
  }

  /** For processors in a row or column that are too small for their numbers. */
  private numberBeside(c: CanvasRenderingContext2D, places: readonly Point[]): void {
    const room = this.scale * this.zoom.transform.k;
    if (!(this.scene.receiving || this.run.document.medium === "memory") || room < 9) return;
    c.fillStyle = this.theme.muted;
    places.forEach((place, rank) => {
      const [x, y] = this.at(place);
      const isColumn = places.length < 2 || places[0][0] === places[1][0];
      const outwards = places === this.scene.places ? -1 : 1;
      if (isColumn) c.fillText(String(rank), x + outwards * (this.radius + 9), y + 0.5);
      else c.fillText(String(rank), x, y + this.radius + 8);
    });
  }

  /** Words that went from one processor to another over the whole run, ascending. */
  private loadsOfRun(): { from: number; to: number; slot: number; words: number }[] {
    if (this.loads) return this.loads;
    const sums = new Map<number, { from: number; to: number; slot: number; words: number }>();
    for (let i = 0; i < this.run.count; ++i) {
      const from = this.run.from[i];
      const slots = this.run.slots[i];
      for (const [k, to] of this.run.to(i).entries()) {
        const slot = slots?.[k] ?? 0;
        const key = ((from + 1) * (this.run.processors + 1) + to + 1) * 16_777_216 + slot;
        const sum = sums.get(key);
        if (sum) sum.words += this.run.words[i];
        else sums.set(key, { from, to, slot, words: this.run.words[i] });
      }
    }
    return (this.loads = [...sums.values()].sort((a, b) => a.words - b.words));
  }

  private wayOf(from: number, to: number, slot: number): Way {
    return this.scene.way(from === memory ? null : from, to === memory ? null : to, slot);
  }

  private drawLoads(c: CanvasRenderingContext2D): void {
    const loads = this.loadsOfRun();
    const most = loads.length ? loads[loads.length - 1].words : 1;
    const width = Math.min(7, Math.max(1.2, this.radius * 0.3));
    c.strokeStyle = this.theme.line;
    c.lineWidth = 0.75;
    c.beginPath();
    for (const link of this.scene.links) this.trace(c, link.way);
    c.stroke();
    for (const { from, to, slot, words } of loads) {
      const way = this.wayOf(from, to, slot);
      c.strokeStyle = c.fillStyle = heat(words / most, this.theme);
      c.lineWidth = width;
      c.beginPath();
      if (this.run.document.medium === "switch" && this.scene.receiving) {
        const [x, y] = this.at(way[1]); // of a crossbar only crosspoints are not shared
        c.arc(x, y, Math.max(3, this.radius * 0.8), 0, 2 * Math.PI);
        c.fill();
      } else {
        this.trace(c, this.besideWay(way, 0.6 * width));
        c.stroke();
      }
    }
    this.drawLegend(c, most);
  }

  /** A straight link's path shifted to its right, so that both directions are visible. */
  private besideWay(way: Way, pixels: number): Way {
    if (this.scene.links.length === 0 || way.length !== 2) return way;
    const [a, b] = way;
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const by = pixels / (this.scale * this.zoom.transform.k * length);
    const [dx, dy] = [-(b[1] - a[1]) * by, (b[0] - a[0]) * by];
    return [
      [a[0] + dx, a[1] + dy],
      [b[0] + dx, b[1] + dy],
    ];
  }

  private drawLegend(c: CanvasRenderingContext2D, most: number): void {
    const [width, height, x, y] = [140, 10, 12, this.canvas.height - 34];
    for (let i = 0; i < width; ++i) {
      c.fillStyle = heat(i / width, this.theme);
      c.fillRect(x + i, y, 1.5, height);
    }
    c.fillStyle = this.theme.muted;
    c.font = this.theme.font;
    c.textBaseline = "top";
    c.textAlign = "left";
    c.fillText("0", x, y + height + 3);
    c.textAlign = "right";
    c.fillText(`${most.toLocaleString("en")} words`, x + width, y + height + 3);
  }

  draw(): void {
    const c = this.canvas.clear();
    this.canvas.paint(this.still);
    this.drawFailedLinks(c);
    if (this.state.view === "heat") {
      this.canvas.paint(this.front);
    } else {
      this.flights.drawTrails(c, this.state.clock, this.state.position, this.state.calm.matches);
      this.canvas.paint(this.front);
      this.drawRings();
      this.flights.drawHeads(c, this.theme.background);
      this.flights.drawFates(c, this.theme.alert);
    }
    this.drawSelection(c);
    this.drawFailedProcessors(c);
  }

  /** Around each processor the colours of the blocks that it holds. */
  private drawRings(): void {
    if (!this.holdings || this.run.processors > mostRings || this.radius < 9) return;
    this.holdings.seek(this.state.clock, this.state.position);
    if (this.holdings.version !== this.ringsVersion) {
      this.ringsVersion = this.holdings.version;
      const c = this.rings.clear();
      const width = Math.max(3, this.radius * 0.28);
      c.lineWidth = width;
      const places = this.scene.receiving ?? this.scene.places;
      const slices = Math.max(1, this.holdings.most);
      places.forEach((place, rank) => {
        const [x, y] = this.at(place);
        const blocks = [...this.holdings!.held[rank]].sort((a, b) => a - b);
        const slice = (2 * Math.PI) / slices;
        const gap = slices > 1 && slices <= 24 ? 0.06 : 0;
        blocks.forEach((key, i) => {
          const index =
            this.state.colouring === "destination" ? key % this.run.processors : Math.floor(key / this.run.processors);
          c.strokeStyle =
            this.state.colouring === "phase" ? this.theme.accent : this.palette.colours[this.palette.ofRank(index)];
          const start = -Math.PI / 2 + i * slice;
          c.beginPath();
          c.arc(x, y, this.radius + width / 2 - 1, start + gap / 2, start + slice - gap / 2);
          c.stroke();
        });
      });
    }
    this.canvas.paint(this.rings);
  }

  private drawSelection(c: CanvasRenderingContext2D): void {
    const selection = this.state.selection;
    if (this.state.showsWaits && this.run.processors <= mostRings) {
      this.drawWaits(c, Array.from({ length: this.run.processors }, (_, rank) => rank));
    }
    if (selection?.run !== this.runNumber || !this.scene.places[selection.rank]) return;
    c.strokeStyle = this.theme.accent;
    c.lineWidth = 3;
    for (const place of [this.scene.places[selection.rank], this.scene.receiving?.[selection.rank]]) {
      if (!place) continue;
      const [x, y] = this.at(place);
      c.beginPath();
      c.arc(x, y, this.radius + Math.max(5, this.radius * 0.45), 0, 2 * Math.PI);
      c.stroke();
    }
    if (!this.state.showsWaits) this.drawWaits(c, [selection.rank]);
  }

  private drawWaits(c: CanvasRenderingContext2D, ranks: number[]): void {
    for (const { rank, awaited } of waitsAt(this.run, this.state.clock, this.state.position, ranks)) {
      this.drawArrow(c, rank, awaited, this.theme.accent, true);
    }
  }

  /** From each waiting processor to the one that it waits for. */
  private drawArrow(c: CanvasRenderingContext2D, from: number, to: number, colour: string, dashed: boolean): void {
    const [a, b] = [this.scene.places[from], this.scene.places[to]];
    if (!a || !b || from === to) return;
    const [[x0, y0], [x1, y1]] = [this.at(a), this.at(b)];
    const angle = Math.atan2(y1 - y0, x1 - x0);
    const gap = this.radius + 7;
    const [sx, sy] = [x0 + gap * Math.cos(angle), y0 + gap * Math.sin(angle)];
    const [ex, ey] = [x1 - gap * Math.cos(angle), y1 - gap * Math.sin(angle)];
    c.strokeStyle = c.fillStyle = colour;
    c.lineWidth = 2;
    c.setLineDash(dashed ? [6, 4] : []);
    c.beginPath();
    c.moveTo(sx, sy);
    c.lineTo(ex, ey);
    c.stroke();
    c.setLineDash([]);
    c.beginPath();
    c.moveTo(ex, ey);
    c.lineTo(ex - 9 * Math.cos(angle - 0.45), ey - 9 * Math.sin(angle - 0.45));
    c.lineTo(ex - 9 * Math.cos(angle + 0.45), ey - 9 * Math.sin(angle + 0.45));
    c.fill();
  }

  /** The links at the ports that the error names. */
  private drawFailedLinks(c: CanvasRenderingContext2D): void {
    const error = this.run.document.report.error;
    if (!error?.ports?.length) return;
    c.strokeStyle = this.theme.alert;
    c.lineWidth = Math.max(3, this.radius * 0.25);
    for (const { a, b, portOfA, portOfB, way } of this.scene.links) {
      const fails = (rank: number, port: number): boolean =>
        rank === error.rank && error.ports!.includes(port);
      if (!fails(a, portOfA) && !fails(b, portOfB)) continue;
      c.beginPath();
      this.trace(c, way);
      c.stroke();
    }
  }

  /** The processors that the error names, and the waits of a deadlock. */
  private drawFailedProcessors(c: CanvasRenderingContext2D): void {
    const error = this.run.document.report.error;
    if (!error) return;
    const ranks = new Set<number>();
    if (typeof error.rank === "number") ranks.add(error.rank);
    const medium = this.run.document.medium;
    if (medium && medium !== "memory") for (const rank of error.ports ?? []) ranks.add(rank);
    c.strokeStyle = this.theme.alert;
    for (const wait of error.waits ?? []) {
      ranks.add(wait.rank);
      if (wait.neighbour !== null) this.drawArrow(c, wait.rank, wait.neighbour, this.theme.alert, wait.neighbour_ended);
    }
    for (const rank of ranks) {
      if (!this.scene.places[rank]) continue;
      const [x, y] = this.at(this.scene.places[rank]);
      c.lineWidth = Math.max(3, this.radius * 0.25);
      c.beginPath();
      c.arc(x, y, this.radius + 3, 0, 2 * Math.PI);
      c.stroke();
    }
  }
}
