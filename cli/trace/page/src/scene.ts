import { forceCenter, forceLink, forceManyBody, forceSimulation, polygonHull } from "d3";
import type { Graph } from "./document";
import { busScene, memoryScene, omegaScene, switchScene } from "./media";
import type { Run } from "./run";

export type Point = readonly [x: number, y: number];

/** A path in the picture, for a link or a similar connection: points joined by straight lines. */
export type Way = readonly Point[];

export interface Link {
  a: number;
  b: number;
  portOfA: number;
  portOfB: number;
  way: Way;
}

/** A group, drawn behind its processors. */
export interface Group {
  label: string;
  hull: Point[];
  /** 0: the outermost. */
  depth: number;
}

/** The parts of a medium's picture other than processors. */
export interface Shape {
  kind: "bar" | "box" | "wire" | "crosspoint" | "text";
  points: Point[];
  text?: string;
}

/** A machine as it is drawn: y grows downwards, the unit is about the distance of neighbours. */
export interface Scene {
  places: Point[];
  /** Where processors receive, if that is drawn apart. */
  receiving?: Point[];
  labels: string[];
  links: Link[];
  groups: Group[];
  shapes: Shape[];
  /** Of a message with these ends; null is the memory, whose slot it is then. */
  way(from: number | null, to: number | null, slot: number): Way;
  /** Radius of a processor. */
  radius: number;
}

/** More processors are shown only as a matrix. */
export const mostDrawn = 4095;

/** None if the machine is too large to be drawn. */
export function sceneOf(run: Run): Scene | null {
  const { graph, medium, report } = run.document;
  const { processors } = run;
  if (processors > mostDrawn) return null;
  const numbers = Array.from({ length: processors }, (_, rank) => String(rank));
  switch (medium) {
    case "bus":
      return busScene(numbers);
    case "memory":
      return memoryScene(numbers, run.slots);
    case "switch":
      return switchScene(numbers);
    case "omega":
      return omegaScene(numbers);
    case null:
      return graph ? graphScene(graph, report.machine.spec, report.machine.family) : null;
  }
}

function graphScene(graph: Graph, spec: string, family: string): Scene {
  const places = family === "graph" && isCircle(graph) ? forced(graph) : graph.nodes.map(({ x, y }): Point => [x, -y]);
  const links = graph.links.map(({ source, target, source_port, target_port }) => ({
    a: source,
    b: target,
    portOfA: source_port,
    portOfB: target_port,
    way: [places[source], places[target]] as Way,
  }));
  bendAroundProcessors(links, places);
  const ways = new Map<number, Way>();
  for (const link of links) {
    ways.set(link.a * places.length + link.b, link.way);
    ways.set(link.b * places.length + link.a, [...link.way].reverse());
  }
  const labels = graph.nodes.map(({ id, label }) => label ?? String(id));
  return {
    places,
    labels,
    links,
    groups: groupsOf(labels, places, spec, family),
    shapes: [],
    way: (from, to) => ways.get(from! * places.length + to!) ?? [places[from!], places[to!]],
    radius: 0.28 * Math.min(1, leastDistance(places)),
  };
}

/** Whether all processors are on a circle: the layout of a graph whose file has no places. */
function isCircle(graph: Graph): boolean {
  if (graph.nodes.length < 4) return false;
  const distances = graph.nodes.map(({ x, y }) => Math.hypot(x, y));
  return distances.every((distance) => Math.abs(distance - distances[0]) < 1e-4 * distances[0]);
}

/** Places by springs: the same for the same graph. */
function forced(graph: Graph): Point[] {
  const nodes = graph.nodes.map(({ x, y }) => ({ x, y: -y }));
  const links = graph.links.map(({ source, target }) => ({ source, target }));
  const simulation = forceSimulation(nodes)
    .force("charge", forceManyBody().strength(-3))
    .force("link", forceLink(links).distance(1).strength(1))
    .force("center", forceCenter(0, 0))
    .stop();
  simulation.tick(nodes.length > 500 ? 120 : 400);
  return nodes.map(({ x, y }): Point => [x, y]);
}

function leastDistance(places: readonly Point[]): number {
  // Neighbours in the order of x are close in x: only those can be closer than what was found.
  const order = [...places].sort((p, q) => p[0] - q[0]);
  let least = Infinity;
  for (let i = 0; i < order.length; ++i) {
    for (let j = i + 1; j < order.length && order[j][0] - order[i][0] < least; ++j) {
      least = Math.min(least, Math.hypot(order[j][0] - order[i][0], order[j][1] - order[i][1]));
    }
  }
  return Number.isFinite(least) && least > 0 ? least : 1;
}

/** Links that would run through other processors are bent around them. */
function bendAroundProcessors(links: Link[], places: readonly Point[]): void {
  const clearance = 0.3 * leastDistance(places);
  const cell = 2 * clearance;
  const grid = new Map<string, Point[]>();
  const key = (x: number, y: number): string => `${Math.round(x / cell)},${Math.round(y / cell)}`;
  for (const place of places) {
    const k = key(place[0], place[1]);
    grid.set(k, [...(grid.get(k) ?? []), place]);
  }
  const isFree = (way: Way, a: Point, b: Point): boolean => {
    for (let s = 1; s < way.length; ++s) {
      const [p, q] = [way[s - 1], way[s]];
      const parts = Math.max(1, Math.ceil(Math.hypot(q[0] - p[0], q[1] - p[1]) / cell));
      for (let i = 0; i <= parts; ++i) {
        const x = p[0] + ((q[0] - p[0]) * i) / parts;
        const y = p[1] + ((q[1] - p[1]) * i) / parts;
        for (let dx = -1; dx <= 1; ++dx) {
          for (let dy = -1; dy <= 1; ++dy) {
            for (const place of grid.get(key(x + dx * cell, y + dy * cell)) ?? []) {
              if (place !== a && place !== b && distanceToSegment(place, p, q) < clearance) return false;
            }
          }
        }
      }
    }
    return true;
  };
  if (links.length > 20_000) return;
  for (const link of links) {
    const [a, b] = [places[link.a], places[link.b]];
    if (isFree(link.way, a, b)) continue;
    const bends = [0.12, -0.12, 0.2, -0.2, 0.3, -0.3];
    link.way = bends.map((bend) => bent(a, b, bend)).find((way) => isFree(way, a, b)) ?? bent(a, b, 0.16);
  }
}

/** An arc whose middle is displaced from the straight line by that fraction of its length. */
function bent(a: Point, b: Point, bend: number): Way {
  const control: Point = [
    (a[0] + b[0]) / 2 - 2 * bend * (b[1] - a[1]),
    (a[1] + b[1]) / 2 + 2 * bend * (b[0] - a[0]),
  ];
  return Array.from({ length: 13 }, (_, i): Point => {
    const t = i / 12;
    const along = (k: 0 | 1): number => (1 - t) ** 2 * a[k] + 2 * t * (1 - t) * control[k] + t ** 2 * b[k];
    return [along(0), along(1)];
  });
}

function distanceToSegment(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy;
  const t = square ? Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square)) : 0;
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}

/** Building blocks and subblocks of rh, cycles of ccc, processors of star and pancake with the same last symbol. */
function groupsOf(labels: readonly string[], places: readonly Point[], spec: string, family: string): Group[] {
  switch (family) {
    case "rh": {
      // "01.10": the address of the block, then that within it, whose first N bits of K name the subblock.
      const [k, n] = /:(\d+),(\d+)/.exec(spec)!.slice(1).map(Number);
      const blocks = hulls(labels, places, (label) => label.split(".")[0], 0);
      if (k === n || n === 0) return blocks;
      return [...blocks, ...hulls(labels, places, (label) => label.slice(0, label.indexOf(".") + 1 + n), 1)];
    }
    case "ccc":
      return hulls(labels, places, (label) => label.split(".")[0], 0);
    case "star":
    case "pancake":
      return labels.length > 6 ? hulls(labels, places, (label) => label.slice(-1), 0) : [];
    default:
      return [];
  }
}

function hulls(labels: readonly string[], places: readonly Point[], name: (label: string) => string, depth: number): Group[] {
  const members = new Map<string, Point[]>();
  labels.forEach((label, rank) => {
    const key = name(label);
    members.set(key, [...(members.get(key) ?? []), places[rank]]);
  });
  return [...members].map(([label, points]) => ({
    label,
    depth,
    hull: (points.length > 2 && polygonHull(points.map(([x, y]): [number, number] => [x, y]))) || points,
  }));
}
