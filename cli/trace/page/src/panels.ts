import { element, counted, shown } from "./elements";
import { keyOf, nameOf, type BlockKey } from "./holdings";
import { memory, type Run } from "./run";
import type { State } from "./state";
import { waitsAt } from "./waiting";

/** One page of the side panel. */
export interface Panel {
  readonly name: string;
  readonly element: HTMLElement;
  /** After a change of position; often. */
  update(): void;
  /** After a change of the selection or the clock. */
  renew?(): void;
}

const countNames: [key: string, name: string][] = [
  ["steps", "steps"],
  ["messages", "messages"],
  ["sends", "sends"],
  ["words", "words"],
  ["longest_sum", "longest sum"],
  ["startups", "start-ups"],
  ["busiest_link_words", "busiest link"],
  ["peak_words_held", "peak words held"],
];

/** Counted beside predicted and bound, for one run or side by side. */
export class NumbersPanel implements Panel {
  readonly name = "Numbers";
  readonly element = element("div");

  constructor(state: State) {
    const single = state.runs.length === 1;
    const head = element("tr", {}, element("th", { scope: "col" }, "count"));
    state.runs.forEach((run, number) => {
      head.append(element("th", { scope: "col" }, single ? "counted" : `${number + 1}`));
      if (single) head.append(element("th", { scope: "col" }, "predicted"), element("th", { scope: "col" }, "bound"));
      else head.lastElementChild!.setAttribute("title", titleOf(run));
    });
    const body = element("tbody");
    for (const [key, name] of countNames) {
      const cells = state.runs.flatMap((run) => this.cells(run, key, single));
      if (cells.every((cell) => cell.textContent === "")) continue;
      const formula = single ? state.runs[0].document.report.predicted[key]?.formula : undefined;
      const head = element("th", { scope: "row" }, name, ...(formula ? [element("small", {}, formula)] : []));
      body.append(element("tr", { "data-count": key }, head, ...cells));
    }
    for (const clock of ["synchronous", "asynchronous"]) {
      const cells = state.runs.flatMap((run) => this.timeCells(run, clock, single));
      body.append(
        element("tr", { "data-count": clock }, element("th", { scope: "row" }, `time, ${clock}`), ...cells),
      );
    }
    this.element.append(element("table", { class: single ? "numbers" : "numbers many" }, element("thead", {}, head), body));
    if (!single) {
      const list = element("ol", { class: "runs" });
      for (const run of state.runs) list.append(element("li", {}, titleOf(run)));
      this.element.append(list);
    }
    state.runs.forEach((run, number) => {
      const { ports, duplex, multicast, beta, tau } = run.document.report.model;
      const text = `ports ${ports}, duplex ${duplex}${multicast ? ", multicast" : ""}, beta ${beta}, tau ${tau}`;
      this.element.append(element("p", { class: "model" }, single ? text : `${number + 1}: ${text}`));
      const faults = run.document.report.faults;
      if (faults) this.element.append(element("p", { class: "model" }, faults.flags));
      for (const problem of run.document.report.problems ?? []) {
        this.element.append(element("p", { class: "problem" }, problem));
      }
    });
  }

  private cells(run: Run, key: string, single: boolean): HTMLElement[] {
    const report = run.document.report;
    const value = report.counted[key];
    const predicted = report.predicted[key];
    const bound = report.lower_bound[key];
    const cell = valueCell(value);
    if (!single) {
      if (predicted) cell.title = `predicted ${shown(predicted.value)} = ${predicted.formula}`;
      return [cell];
    }
    const prediction = valueCell(predicted?.value ?? null, predicted?.kind === "at most" ? "≤ " : "");
    if (value != null && predicted && value === predicted.value) prediction.classList.add("agrees");
    return [cell, prediction, valueCell(typeof bound === "number" ? bound : null)];
  }

  private timeCells(run: Run, clock: string, single: boolean): HTMLElement[] {
    const times = run.document.report.modelled_time;
    const cell = valueCell(times[clock] as number | null);
    if (!single) return [cell];
    const predicted = clock === "synchronous" ? times["predicted"] : times["predicted_asynchronous"];
    const bound = clock === "synchronous" ? run.document.report.lower_bound["time"] : null;
    return [
      cell,
      valueCell(typeof predicted === "number" ? predicted : null),
      valueCell(typeof bound === "number" ? bound : null),
    ];
  }

  update(): void {}
}

function valueCell(value: number | null | undefined, before = ""): HTMLElement {
  if (value === null || value === undefined) return element("td");
  return element("td", { "data-value": String(value) }, before + shown(value));
}

export function titleOf(run: Run): string {
  const { algorithm, machine, model } = run.document.report;
  const title = `${algorithm.name} on ${machine.spec}`;
  return run.document.name ? `${run.document.name}: ${title}` : `${title}, ports ${model.ports}`;
}

/** The blocks of the selected processor, and its messages. */
export class ProcessorPanel implements Panel {
  readonly name = "Processor";
  readonly element = element("div");
  private readonly holds = element("p");
  private readonly history = element("ol", { class: "history" });
  private rows: { message: number; row: HTMLElement }[] = [];

  constructor(private readonly state: State) {
    this.renew();
  }

  renew(): void {
    const selection = this.state.selection;
    this.rows = [];
    if (!selection) {
      this.element.replaceChildren(
        element("p", {}, "Click a processor, or press n or p, to see its blocks and messages."),
      );
      return;
    }
    const run = this.state.runs[selection.run];
    const label = run.document.graph?.nodes[selection.rank]?.label;
    const heading = `Processor ${selection.rank}${label ? ` (${label})` : ""}`;
    const where = this.state.runs.length > 1 ? [element("p", { class: "model" }, titleOf(run))] : [];
    this.history.replaceChildren();
    const messages = run.messagesOf(selection.rank);
    const most = 500;
    for (const message of messages.subarray(0, most)) {
      const row = element("button", { type: "button" }, describe(run, message, selection.rank));
      row.addEventListener("click", () => {
        this.state.play(false);
        this.state.seek(
          this.state.clock === "cycles" ? run.cycle[message] + 0.5 : (run.start[message] + run.end[message]) / 2,
        );
      });
      this.history.append(element("li", {}, row));
      this.rows.push({ message, row });
    }
    const more = messages.length > most ? [element("p", {}, `and ${counted(messages.length - most, "message")} more`)] : [];
    this.element.replaceChildren(element("h2", {}, heading), ...where, this.holds, this.history, ...more);
    this.update();
  }

  update(): void {
    const selection = this.state.selection;
    if (!selection) return;
    const run = this.state.runs[selection.run];
    this.holds.textContent = holdsText(run, selection.rank, this.state);
    for (const { message, row } of this.rows) {
      const [start, end] =
        this.state.clock === "cycles"
          ? [run.cycle[message], run.cycle[message] + 1]
          : [run.start[message], run.end[message]];
      const now = start <= this.state.position && this.state.position < end;
      row.className = now ? "now" : end <= this.state.position ? "past" : "";
    }
  }
}

/** "4  ← 3: 2 words, blocks 1 2". */
function describe(run: Run, message: number, rank: number): string {
  const others = (list: Iterable<number>): string => [...list].map((r) => (r === memory ? "memory" : String(r))).join(" ");
  const sends = run.from[message] === rank;
  const other = sends ? `→ ${others(run.to(message).subarray(0, 8))}` : `← ${others([run.from[message]])}`;
  const blocks = run.blocks[message];
  const names = blocks?.slice(0, 8).map((block) => nameOf(keyOf(block, run.processors), run.processors)).join(" ");
  const list = blocks?.length ? `, ${blocks.length === 1 ? "block" : "blocks"} ${names}${blocks.length > 8 ? " …" : ""}` : "";
  const phase = run.phases[run.phase[message]];
  const fates = new Set([...run.to(message)].filter((to) => sends || to === rank).map((to) => run.fateAt(message, to)));
  const fate = [...fates].map((one) => (one ? `, ${one}` : "")).join("");
  return `${run.cycle[message]}  ${other}: ${counted(run.words[message], "word")}${list}${phase ? ` (${phase})` : ""}${fate}`;
}

/** The blocks that it holds at the state's position, if known: a processor sends only blocks that it holds. */
function holdsText(run: Run, rank: number, state: State): string {
  const messages = run.messagesOf(rank);
  if (messages.length === 0) return "No recorded message to or from this processor.";
  if (run.fates.size > 0) return "Its blocks are unknown: some messages did not arrive as sent.";
  if (!run.tellsBlocks()) return "Its blocks are unknown: blocks are divided, or messages are left out.";
  const held = new Set<BlockKey>();
  const isForAll = (key: BlockKey): boolean => Math.floor(key / run.processors) === key % run.processors;
  let labelled = true;
  for (const message of messages) {
    labelled &&= (run.blocks[message]?.length ?? 0) > 0;
    for (const block of run.blocks[message] ?? []) {
      const origin = typeof block === "number" ? block : block[0];
      if (run.from[message] === rank && origin === rank) held.add(keyOf(block, run.processors));
    }
  }
  if (!labelled) return "Its blocks are unknown: not all messages list their blocks.";
  for (const message of messages) {
    const [start, end] =
      state.clock === "cycles" ? [run.cycle[message], run.cycle[message] + 1] : [run.start[message], run.end[message]];
    const sends = run.from[message] === rank;
    if (sends ? start >= state.position : end > state.position) continue;
    for (const block of run.blocks[message]!) {
      const key = keyOf(block, run.processors);
      if (!sends) held.add(key);
      else if (!isForAll(key)) held.delete(key);
    }
  }
  const names = [...held].sort((a, b) => a - b);
  const list = names.slice(0, 64).map((key) => nameOf(key, run.processors)).join(" ");
  const all = names.length === 0 ? "none of the moving blocks" : `${names.length === 1 ? "block" : "blocks"} ${list}`;
  return `Holds ${all}${names.length > 64 ? ` … (${names.length})` : ""}.`;
}

/** The method's program, and the line that runs. */
export class ProgramPanel implements Panel {
  readonly name = "Program";
  readonly element = element("div");
  private readonly parts: { run: Run; lines: HTMLElement[]; values: HTMLElement; shown: number }[] = [];

  constructor(private readonly state: State) {
    for (const run of state.runs) {
      const { code, summary, report } = run.document;
      this.element.append(element("h2", {}, report.algorithm.name), element("p", {}, code?.why || sentence(summary)));
      if (!code) continue;
      const lines = code.lines.map((line) => element("li", {}, element("code", {}, line)));
      const values = element("p", { class: "values", "aria-live": "off" });
      this.element.append(values, element("ol", { class: "program" }, ...lines));
      this.parts.push({ run, lines, values, shown: -1 });
    }
    this.update();
  }

  static isNeeded(state: State): boolean {
    return state.runs.some((run) => run.document.code);
  }

  update(): void {
    for (const part of this.parts) {
      const cycle = currentCycle(part.run, this.state);
      if (cycle === part.shown) continue;
      part.shown = cycle;
      const step = part.run.document.code!.cycles.find(([of]) => of === cycle);
      part.lines.forEach((line, number) => {
        const runs = step?.[1] === number;
        line.classList.toggle("now", runs);
        if (!runs) line.removeAttribute("aria-current");
        else line.setAttribute("aria-current", "step");
        if (runs && this.state.runs.length === 1) scrollTo(line);
      });
      part.values.textContent = step ? `cycle ${cycle}: ${step[2]}` : " ";
    }
  }
}

/** Scrolls only the panel, so that the element is visible. */
function scrollTo(line: HTMLElement): void {
  const panel = line.closest(".panel-body");
  if (!panel) return;
  const [inner, outer] = [line.getBoundingClientRect(), panel.getBoundingClientRect()];
  if (inner.top < outer.top) panel.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) panel.scrollTop += inner.bottom - outer.bottom;
}

/** The cycle at the state's position; on the asynchronous clock that of the last message that has started. -1 before. */
function currentCycle(run: Run, state: State): number {
  if (state.clock === "cycles") return Number.isInteger(state.position) ? -1 : Math.floor(state.position);
  const sent = run.sentBy("time", state.position);
  return sent === 0 ? -1 : run.cycle[run.orderByStart()[sent - 1]];
}

export function sentence(text: string): string {
  return text ? text[0].toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".") : "";
}

/** The waits at this position, and those of a deadlock. */
export class WaitsPanel implements Panel {
  readonly name = "Waits";
  readonly element = element("div");
  private drawn = "";

  constructor(private readonly state: State) {}

  update(): void {
    const stamp = `${this.state.clock} ${this.state.playing ? Math.floor(performance.now() / 250) : this.state.position}`;
    if (stamp === this.drawn) return;
    this.drawn = stamp;
    this.element.replaceChildren();
    this.state.runs.forEach((run) => {
      if (this.state.runs.length > 1) this.element.append(element("h2", {}, titleOf(run)));
      const waits = run.document.report.error?.waits;
      if (waits?.length) {
        this.element.append(element("p", { class: "problem" }, "Deadlock:"));
        const list = element("ul");
        const unnamed = run.document.medium === "memory" ? "the memory" : "any processor";
        for (const { rank, neighbour, port, neighbour_ended, neighbour_failed } of waits) {
          const any = port === null && run.document.medium === null;
          const named = neighbour === null ? unnamed : String(neighbour);
          const whom = any && neighbour !== null ? `any processor, such as ${named}` : named;
          const where = port === null ? "" : ` on port ${port}`;
          const ended = neighbour_ended ? ", which has ended" : "";
          const why = neighbour_failed === null ? ended : `, which failed in cycle ${neighbour_failed}`;
          list.append(element("li", {}, `${rank} waits for ${whom}${where}${why}`));
        }
        this.element.append(list);
      }
      const most = 4096;
      const ranks = Array.from({ length: Math.min(run.processors, most) }, (_, rank) => rank);
      const now = waitsAt(run, this.state.clock, this.state.position, ranks);
      this.element.append(element("p", {}, `${counted(now.length, "processor")} ${now.length === 1 ? "waits" : "wait"} for a message now.`));
      const list = element("ul", { class: "waits" });
      for (const { rank, awaited, until } of now.slice(0, 200)) {
        const select = element("button", { type: "button" }, `${rank} for ${awaited}, until ${shown(until)}`);
        select.addEventListener("click", () => this.state.select({ run: this.state.runs.indexOf(run), rank }));
        list.append(element("li", {}, select));
      }
      this.element.append(list);
    });
  }

  renew(): void {
    this.drawn = "";
    this.update();
  }
}

/** Text between backquotes is code. */
function withCode(text: string): (HTMLElement | string)[] {
  return text.split("`").map((part, i) => (i % 2 ? element("code", {}, part) : part));
}

/** What the method does, its source and its parameters. */
export class AboutPanel implements Panel {
  readonly name = "About";
  readonly element = element("div");

  constructor(state: State) {
    for (const run of state.runs) {
      const { algorithm, machine } = run.document.report;
      const facts = element("dl");
      const add = (term: string, text: string): void =>
        facts.append(
          element("dt", {}, term),
          element("dd", {}, ...(text.includes("\n") ? [element("pre", {}, text)] : withCode(text))),
        );
      for (const { title, text } of run.document.sections) add(title, text);
      add("operation", algorithm.operation);
      add("machine", `${machine.spec}: ${counted(machine.processors, "processor")}, ${counted(machine.links, "link")}`);
      if (machine.diameter !== null) add("diameter", shown(machine.diameter));
      const parameters = Object.entries(algorithm.parameters ?? {}).map(([name, value]) => `${name} ${String(value)}`);
      if (parameters.length) add("parameters", parameters.join(", "));
      if (run.phases.some((phase) => phase)) add("phases", run.phases.filter((phase) => phase).join(", "));
      this.element.append(element("h2", {}, titleOf(run)), element("p", {}, sentence(run.document.summary)), facts);
    }
  }

  update(): void {}
}
