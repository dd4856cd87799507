import { hcl, interpolateInferno, interpolateYlOrRd, schemeDark2 } from "d3";
import { memory, type Run } from "./run";
import type { Colouring } from "./state";

/** The colours of canvases: the values of the style sheet's properties. */
export interface Theme {
  dark: boolean;
  /** The font of texts other than processors' numbers. */
  font: string;
  background: string;
  text: string;
  muted: string;
  line: string;
  group: string;
  node: string;
  nodeEdge: string;
  accent: string;
  alert: string;
}

export function themeNow(): Theme {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    dark: document.documentElement.dataset.theme === "dark",
    font: `${Math.round(0.8 * parseFloat(style.fontSize))}px system-ui, sans-serif`,
    background: value("background"),
    text: value("text"),
    muted: value("muted"),
    line: value("line"),
    group: value("group"),
    node: value("node"),
    nodeEdge: value("node-edge"),
    accent: value("accent"),
    alert: value("alert"),
  };
}

const mostColours = 48;

/** The colours of messages: a circle of hues over the ranks, or one for each phase. */
export class Palette {
  readonly colours: string[];

  constructor(
    private readonly run: Run,
    private readonly colouring: Colouring,
    theme: Theme,
  ) {
    if (colouring === "phase") {
      this.colours = run.phases.map((_, phase) => phaseColour(phase));
    } else {
      const count = Math.max(1, Math.min(run.processors, mostColours));
      this.colours = Array.from({ length: count }, (_, i) => hue(i / count, theme));
    }
  }

  ofRank(rank: number): number {
    if (this.run.processors <= this.colours.length) return Math.max(0, rank);
    return Math.floor((Math.max(0, rank) * this.colours.length) / this.run.processors);
  }

  /** Of data that a processor wrote into a memory, for its reader; none if the colouring does not depend on it. */
  ofSource(writer: number): number | null {
    return this.colouring === "origin" ? this.ofRank(writer) : null;
  }

  /** Of a message as a whole: that of its first block. */
  ofMessage(message: number): number {
    if (this.colouring === "phase") return this.run.phase[message];
    if (this.run.from[message] === memory) return this.ofRank(this.run.firstTo(message));
    const block = this.run.blocks[message]?.[0];
    if (this.colouring === "origin") return this.ofRank(originOf(block) ?? this.run.from[message]);
    return this.ofRank(destinationOf(block) ?? this.run.firstTo(message));
  }

  /** Of its blocks, without repeats in a row; none if they are unknown or have one colour. */
  ofBlocks(message: number, most: number): number[] | null {
    const blocks = this.run.blocks[message];
    if (this.colouring === "phase" || !blocks || blocks.length < 2) return null;
    const colours = new Set<number>();
    for (const block of blocks) {
      const rank = this.colouring === "origin" ? originOf(block) : destinationOf(block);
      colours.add(this.ofRank(rank ?? this.run.firstTo(message)));
      if (colours.size >= most) break;
    }
    return colours.size > 1 ? [...colours].sort((a, b) => a - b) : null;
  }
}

function originOf(block: number | readonly [number, number] | undefined): number | undefined {
  return typeof block === "object" ? block[0] : block;
}

/** None for a block that is for all. */
function destinationOf(block: number | readonly [number, number] | undefined): number | undefined {
  return typeof block === "object" ? block[1] : undefined;
}

/** Dark enough for a light background, and light enough for a dark one. */
const phaseColours = schemeDark2.map((colour) => {
  const { h, c, l } = hcl(colour);
  return hcl(h, c, Math.min(l, 57)).formatHex();
});

/** One of eight, repeated. */
export function phaseColour(phase: number): string {
  return phaseColours[phase % phaseColours.length];
}

function hue(part: number, theme: Theme): string {
  return hcl(25 + 360 * part, theme.dark ? 62 : 72, theme.dark ? 72 : 55).formatHex();
}

/** Of a load as a fraction of the greatest: from pale or dark to glowing. */
export function heat(part: number, theme: Theme): string {
  return theme.dark ? interpolateInferno(0.25 + 0.7 * part) : interpolateYlOrRd(0.2 + 0.8 * part);
}
