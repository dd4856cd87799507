import { select, zoom, zoomIdentity, type ZoomBehavior, type ZoomTransform } from "d3";
import type { Fate } from "./document";

/** A canvas that fills its parent, measured in CSS pixels. */
export class Canvas {
  readonly element = document.createElement("canvas");
  readonly context: CanvasRenderingContext2D;
  width = 0;
  height = 0;
  private ratio = 1;

  constructor() {
    this.context = this.element.getContext("2d")!;
  }

  /** Fits it to the parent's size; true if that has changed. */
  fit(): boolean {
    const parent = this.element.parentElement;
    if (!parent) return false;
    return this.resize(parent.clientWidth, parent.clientHeight);
  }

  resize(width: number, height: number): boolean {
    const ratio = Math.min(2, devicePixelRatio || 1);
    if (width === this.width && height === this.height && ratio === this.ratio) return false;
    [this.width, this.height, this.ratio] = [width, height, ratio];
    this.element.width = Math.max(1, Math.round(width * ratio));
    this.element.height = Math.max(1, Math.round(height * ratio));
    this.element.style.width = `${width}px`;
    this.element.style.height = `${height}px`;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return true;
  }

  clear(): CanvasRenderingContext2D {
    this.context.clearRect(0, 0, this.width, this.height);
    return this.context;
  }

  /** Paints another of the same size over this one. */
  paint(other: Canvas): void {
    this.context.drawImage(other.element, 0, 0, this.width, this.height);
  }
}

/** Moves and zooms a canvas, by mouse, wheel and touch; a double click shows the whole. */
export class Zoom {
  transform: ZoomTransform = zoomIdentity;
  private readonly behavior: ZoomBehavior<HTMLCanvasElement, unknown>;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    least: number,
    most: number,
    changed: () => void,
  ) {
    this.behavior = zoom<HTMLCanvasElement, unknown>()
      .scaleExtent([least, most])
      .on("zoom", (event: { transform: ZoomTransform }) => {
        this.transform = event.transform;
        changed();
      });
    const target = select(canvas);
    target.call(this.behavior).on("dblclick.zoom", () => target.call(this.behavior.transform, zoomIdentity));
  }

  by(factor: number): void {
    select(this.canvas).call(this.behavior.scaleBy, factor);
  }

  /** Clips to this part of the canvas. */
  confine(left: number, top: number, right: number, bottom: number): void {
    const extent: [[number, number], [number, number]] = [
      [left, top],
      [right, bottom],
    ];
    this.behavior.extent(extent).translateExtent(extent);
  }
}

/** Adds a cross for a dropped message, and a ring for a delayed or corrupted one, to the path. */
export function drawFate(c: CanvasRenderingContext2D, fate: Fate, x: number, y: number, size: number): void {
  if (fate !== "dropped") {
    c.moveTo(x + size, y);
    c.arc(x, y, size, 0, 2 * Math.PI);
    return;
  }
  c.moveTo(x - size, y - size);
  c.lineTo(x + size, y + size);
  c.moveTo(x - size, y + size);
  c.lineTo(x + size, y - size);
}
