// The data that the command writes into the page: the documents of docs/json.md, a set for each run.

export interface Count {
  value: number;
  kind: "exact" | "at most" | string;
  formula: string;
}

/** The report of a run: "Runs" in docs/json.md. Counts of a run that failed are null. */
export interface Report {
  machine: { spec: string; family: string; processors: number; links: number; diameter: number | null };
  algorithm: { name: string; operation: string; source: string; parameters: Record<string, unknown> };
  model: Record<string, unknown> & { ports: string; beta: number; tau: number };
  counted: Record<string, number | null>;
  measures: Record<string, number>;
  predicted: Record<string, Count | null>;
  lower_bound: Record<string, number | boolean | null>;
  modelled_time: Record<string, number | string | null>;
  problems: string[] | null;
  faults: { flags: string } | null;
  status: string;
  error: Failure | null;
}

/** Why a run ended early. */
export interface Failure {
  kind: string;
  text: string;
  cycle?: number;
  rank?: number | null;
  /** Of the processor `rank`; on a medium ranks or slots. */
  ports?: number[];
  /** The waits of a deadlock. */
  waits?: Wait[] | null;
}

export interface Wait {
  rank: number;
  /** Null if any port would do, and on a medium. */
  port: number | null;
  since: number;
  neighbour: number | null;
  neighbour_ended: boolean;
  /** The cycle of the fault that ended it. */
  neighbour_failed: number | null;
}

/** Node-link JSON: "Graphs" in docs/json.md; null on a medium and for machines too large to be drawn. */
export interface Graph {
  nodes: { id: number; label?: string; x: number; y: number }[];
  links: { source: number; target: number; source_port: number; target_port: number }[];
}

/** A moving block: its origin if it is for all, otherwise origin and destination. */
export type Block = number | [origin: number, destination: number];

export type Fate = "dropped" | "delayed" | "corrupted";

export interface Transfer {
  cycle: number;
  /** Null: a memory's slots are read. */
  from: number | null;
  port: number | null;
  /** Null: a memory's slots are written. */
  to: number | number[] | null;
  slots?: number[];
  words: number;
  startups: number;
  /** Null: unknown. */
  blocks: Block[] | null;
  phase: string | null;
  /** If a fault was planted; for each receiver or slot if they differ; absent if the message arrives as sent. */
  fate?: Fate | (Fate | "arrives")[];
  start: number;
  end: number;
}

/** "Traces" in docs/json.md. */
export interface Trace {
  /** Whether blocks were divided, so that several messages carry parts of one. */
  has_parts: boolean;
  left_out: { before_from_cycle: number; of_other_ranks: number; past_max_events: number; block_lists: number };
  transfers: Transfer[];
}

/** The method as a program, and where it is in each cycle. */
export interface Code {
  lines: string[];
  /** Why it works, a sentence. */
  why: string;
  /** Cycle, number of a line from 0, and the values of its variables: "i = 2"; ascending by cycle. */
  cycles: [cycle: number, line: number, values: string][];
}

export interface RunDocument {
  report: Report;
  /** The name of a run in a demonstration. */
  name: string | null;
  /** What the method does, a sentence or two. */
  summary: string;
  /** Explanation of the method: idea, invariant, .. */
  sections: { title: string; text: string }[];
  graph: Graph | null;
  medium: "bus" | "memory" | "switch" | "omega" | null;
  code: Code | null;
  trace: Trace;
}

export interface PageDocument {
  title: string;
  runs: RunDocument[];
}

/** The content of the page's <script id="lockstep-data">: base64 of the gzipped JSON. */
export async function readDocument(text: string): Promise<PageDocument> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text()) as PageDocument;
}
