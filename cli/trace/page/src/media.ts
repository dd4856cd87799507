import type { Point, Scene, Shape, Way } from "./scene";

// Machines whose processors share a medium. Rows of processors are no longer than 32.

const longestRow = 32;

function rows(count: number): { columns: number; rows: number } {
  const columns = Math.min(count, longestRow);
  return { columns, rows: Math.ceil(count / columns) };
}

/** Processors on both sides of a bar, or in several rows above it. */
export function busScene(labels: string[]): Scene {
  const count = labels.length;
  const half = count > 8 ? Math.ceil(count / 2) : count;
  const { columns, rows: above } = rows(half);
  const places = labels.map((_, rank): Point => {
    const index = rank % half;
    const row = Math.floor(index / columns);
    const y = 1.2 + columns / 16 + (above - 1 - row);
    return [index % columns, rank < half ? -y : y];
  });
  const shapes: Shape[] = [{ kind: "bar", points: [[-0.6, 0], [columns - 0.4, 0]], text: "bus" }];
  for (const [x, y] of places) shapes.push({ kind: "wire", points: [[x, y], [x, 0]] });
  return {
    places,
    labels,
    links: [],
    groups: [],
    shapes,
    way: (from, to) => [places[from!], [places[from!][0], 0], [places[to!][0], 0], places[to!]],
    radius: 0.3,
  };
}

/** Processors above the slots in use. */
export function memoryScene(labels: string[], slotsOfMessages: readonly (number[] | undefined)[]): Scene {
  const { columns, rows: above } = rows(labels.length);
  const places = labels.map((_, rank): Point => [rank % columns, -1.2 - columns / 8 - (above - 1 - Math.floor(rank / columns))]);
  const used = new Set<number>();
  for (const slots of slotsOfMessages) slots?.forEach((slot) => used.add(slot));
  const slots = [...used].sort((a, b) => a - b);
  const wide = Math.max(columns, Math.ceil(Math.sqrt(2 * slots.length)));
  const cell = (columns + 0.2) / wide;
  const placeOf = new Map<number, Point>();
  const shapes: Shape[] = [];
  const tall = Math.max(cell, columns / 10);
  const height = Math.max(1, Math.ceil(slots.length / wide)) * tall;
  shapes.push({ kind: "bar", points: [[-0.6, 0.05], [columns - 0.4, 0.05]], text: "memory" });
  slots.forEach((slot, index) => {
    const x = -0.6 + (index % wide) * cell;
    const y = 0.2 + Math.floor(index / wide) * tall;
    placeOf.set(slot, [x + cell / 2, y + tall / 2]);
    shapes.push({ kind: "box", points: [[x, y], [x + cell, y + tall]], text: String(slot) });
  });
  const middle: Point = [(columns - 1) / 2, height / 2];
  return {
    places,
    labels,
    links: [],
    groups: [],
    shapes,
    way: (from, to, slot) => {
      const cellOfSlot = placeOf.get(slot) ?? middle;
      if (from === null) return [cellOfSlot, places[to!]];
      return to === null ? [places[from], cellOfSlot] : [places[from], middle, places[to]];
    },
    radius: 0.3,
  };
}

/** A crossbar: senders to the left, receivers below, a crosspoint for every two; a circle if there are too many. */
export function switchScene(labels: string[]): Scene {
  const count = labels.length;
  if (count > 64) return wheelScene(labels);
  const places = labels.map((_, rank): Point => [-1, rank]);
  const receiving = labels.map((_, rank): Point => [rank, count]);
  const shapes: Shape[] = [];
  for (let rank = 0; rank < count; ++rank) {
    shapes.push({ kind: "wire", points: [[-1, rank], [count - 1, rank]] });
    shapes.push({ kind: "wire", points: [[rank, 0], [rank, count]] });
  }
  if (count <= 32) {
    for (let i = 0; i < count * count; ++i) {
      shapes.push({ kind: "crosspoint", points: [[i % count, Math.floor(i / count)]] });
    }
  }
  shapes.push({ kind: "text", points: [[-1, -0.75]], text: "send" });
  shapes.push({ kind: "text", points: [[(count - 1) / 2, count + 1.5]], text: "receive" });
  return {
    places,
    receiving,
    labels,
    links: [],
    groups: [],
    shapes,
    way: (from, to) => [places[from!], [to!, from!], receiving[to!]],
    radius: 0.3,
  };
}

function wheelScene(labels: string[]): Scene {
  const count = labels.length;
  const radius = count / (2 * Math.PI);
  const places = labels.map((_, rank): Point => {
    const angle = (2 * Math.PI * rank) / count;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
  const side = radius / 4;
  return {
    places,
    labels,
    links: [],
    groups: [],
    shapes: [{ kind: "box", points: [[-side, -side], [side, side]], text: "switch" }],
    way: (from, to) => [places[from!], [0, 0], places[to!]],
    radius: 0.3,
  };
}

/** Stages of elements of two inputs and two outputs, a perfect shuffle before each. */
export function omegaScene(labels: string[]): Scene {
  const count = labels.length;
  const stages = Math.round(Math.log2(count));
  const distance = Math.max(2, count / 6);
  const left = (stage: number): number => (stage + 1) * distance - 0.35;
  const right = (stage: number): number => (stage + 1) * distance + 0.35;
  const shuffled = (line: number): number => (stages ? ((line << 1) | (line >> (stages - 1))) & (count - 1) : line);
  const places = labels.map((_, rank): Point => [0, rank]);
  const receiving = labels.map((_, rank): Point => [(stages + 1) * distance, rank]);
  const shapes: Shape[] = [];
  for (let stage = 0; stage < stages; ++stage) {
    for (let line = 0; line < count; ++line) {
      const x = stage === 0 ? 0 : right(stage - 1);
      shapes.push({ kind: "wire", points: [[x, line], [left(stage), shuffled(line)]] });
      if (line % 2 === 0) shapes.push({ kind: "box", points: [[left(stage), line - 0.25], [right(stage), line + 1.25]] });
    }
  }
  for (let line = 0; line < count; ++line) {
    shapes.push({ kind: "wire", points: [[stages ? right(stages - 1) : 0, line], [(stages + 1) * distance, line]] });
  }
  shapes.push({ kind: "text", points: [[0, -0.9]], text: "send" });
  shapes.push({ kind: "text", points: [[(stages + 1) * distance, -0.9]], text: "receive" });
  const way = (from: number, to: number): Way => {
    const points: Point[] = [places[from]];
    let line = from;
    for (let stage = 0; stage < stages; ++stage) {
      line = shuffled(line);
      points.push([left(stage), line]);
      line = (line & ~1) | ((to >> (stages - 1 - stage)) & 1); // the element's output is the next bit of the destination
      points.push([right(stage), line]);
    }
    points.push(receiving[to]);
    return points;
  };
  return { places, receiving, labels, links: [], groups: [], shapes, way: (from, to) => way(from!, to!), radius: 0.3 };
}
