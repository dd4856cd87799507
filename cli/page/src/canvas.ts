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
