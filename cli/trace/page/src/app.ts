import { Bars } from "./bars";
import { phaseColour } from "./colours";
import { counted, element, icon, shown } from "./elements";
import { MachineView } from "./machine_view";
import { Matrix } from "./matrix";
import { AboutPanel, NumbersPanel, ProcessorPanel, ProgramPanel, titleOf, WaitsPanel, type Panel } from "./panels";
import type { Clock, Run } from "./run";
import { sceneOf, type Scene } from "./scene";
import { SpaceTime } from "./space_time";
import type { Colouring, State, View } from "./state";

interface Picture {
  refresh(): void;
  draw(): void;
  zoomBy(factor: number): void;
  place?(rank: number): readonly [x: number, y: number];
}

/** Where one run is shown. */
interface Pane {
  run: Run;
  scene: Scene | null;
  body: HTMLElement;
  /** The number of messages in flight. */
  progress: HTMLElement;
  picture: Picture;
  /** Pictures already made, by view. */
  pictures: Map<string, { picture: Picture; box: HTMLElement }>;
}

const views: [view: View, name: string, key: string][] = [
  ["machine", "Machine", "m"],
  ["heat", "Heat map", "h"],
  ["space-time", "Space-time", "s"],
  ["matrix", "Matrix", "x"],
];

const help = `space  play, pause          ← →  step               Home End  start, end
+ −  faster, slower         m h s x  the views     c  the other clock
n p  next, previous processor    Esc  deselect
z Z  zoom in, zoom out      t  light or dark       ?  this help
Drag to move a picture, use the wheel to zoom, double-click to show the whole.`;

/** The whole page: pictures of the runs, a panel beside them, and the controls of the clock below. */
export class App {
  private readonly panes: Pane[];
  private readonly panels: Panel[];
  private panel: Panel;
  private readonly bars: Bars;
  private readonly stage = element("main", { class: "stage" });
  private readonly barStrip = element("div", { class: "bars", "aria-hidden": "true" });
  private readonly playButton = element("button", { type: "button", class: "play", "aria-label": "Play" });
  private readonly scrubber = element("input", { type: "range", min: "0", max: "1000", step: "any", "aria-label": "Position" });
  private readonly clockText = element("span", { class: "clock" });
  private readonly speed = element("select", { "aria-label": "Speed" });
  private readonly clock = element("select", { "aria-label": "Clock" });
  private readonly colouring = element("select", { "aria-label": "Colour" });
  private readonly viewTabs: HTMLButtonElement[] = [];
  private readonly panelTabs: HTMLButtonElement[] = [];
  private readonly panelBody = element("div", { class: "panel-body", id: "panel", role: "tabpanel", tabindex: "0" });
  private readonly help = element(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    element("pre", {}, help),
    element("button", { type: "button" }, "Close"),
  );
  private lastTime = 0;
  private nextFrame = 0;
  private readonly frameMilliseconds: number[] = [];

  constructor(
    root: HTMLElement,
    private readonly state: State,
  ) {
    document.title = state.title;
    this.panes = state.runs.map((run) => this.makePane(run));
    this.panels = [new NumbersPanel(state), new ProcessorPanel(state), new WaitsPanel(state), new AboutPanel(state)];
    if (ProgramPanel.isNeeded(state)) this.panels.splice(2, 0, new ProgramPanel(state));
    this.panel = this.panels.find((panel) => panel instanceof ProgramPanel && state.runs.length === 1) ?? this.panels[0];
    root.replaceChildren(this.header(), this.alerts(), this.stage, this.side(), this.footer(), this.help);
    this.stage.dataset.runs = String(state.runs.length);
    this.stage.append(...this.panes.map((pane) => this.paneElement(pane)));
    this.bars = new Bars(state, this.barStrip);
    this.listen();
    this.showView();
    this.showPanel();
    this.moved();
    this.expose();
  }

  private makePane(run: Run): Pane {
    const pane: Pane = {
      run,
      scene: sceneOf(run),
      body: element("div", { class: "picture", role: "img", "aria-label": titleOf(run) }),
      progress: element("p", { class: "progress" }),
      picture: { refresh() {}, draw() {}, zoomBy() {} },
      pictures: new Map(),
    };
    return pane;
  }

  private paneElement({ run, progress, body }: Pane): HTMLElement {
    const title = this.state.runs.length > 1 ? [element("h2", { title: titleOf(run) }, shortTitleOf(run))] : [];
    return element("section", { class: "pane" }, ...title, progress, ...phaseLegend(run), body);
  }

  private header(): HTMLElement {
    const tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "View" });
    for (const [view, name, key] of views) {
      const tab = element("button", { type: "button", role: "tab", title: `${name} (${key})` }, name);
      tab.addEventListener("click", () => this.state.setView(view));
      this.viewTabs.push(tab);
      tabs.append(tab);
    }
    const theme = element("button", { type: "button", "aria-label": "Light or dark", title: "Light or dark (t)" }, "◐");
    theme.addEventListener("click", () => this.switchTheme());
    const keys = element("button", { type: "button", "aria-label": "Keys", title: "Keys (?)" }, "?");
    keys.addEventListener("click", () => this.help.showModal());
    return element("header", { class: "top" }, element("h1", { title: this.state.title }, this.state.title), tabs, theme, keys);
  }

  /** Why runs ended early, and what was left out of them. */
  private alerts(): HTMLElement {
    const lines = element("div", { class: "alerts" });
    for (const run of this.state.runs) {
      const before = this.state.runs.length > 1 ? `${titleOf(run)}: ` : "";
      const error = run.document.report.error;
      if (error) lines.append(element("p", { class: "alert", role: "alert" }, before + error.text));
      const missing = leftOutText(run);
      if (missing) lines.append(element("p", { class: "notice" }, `${before}left out: ${missing}`));
    }
    return lines;
  }

  private side(): HTMLElement {
    const tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "Panel" });
    for (const panel of this.panels) {
      const tab = element(
        "button",
        { type: "button", role: "tab", id: `tab-${panel.name}`, "aria-controls": "panel" },
        panel.name,
      );
      tab.addEventListener("click", () => {
        this.panel = panel;
        this.showPanel();
      });
      this.panelTabs.push(tab);
      tabs.append(tab);
    }
    return element("aside", { class: "side" }, tabs, this.panelBody);
  }

  private footer(): HTMLElement {
    const button = (name: string, sign: Node, action: () => void): HTMLElement => {
      const made = element("button", { type: "button", "aria-label": name, title: name }, sign);
      made.addEventListener("click", action);
      return made;
    };
    this.playButton.addEventListener("click", () => this.state.play(!this.state.playing));
    this.scrubber.addEventListener("input", () => {
      this.state.play(false);
      this.state.seekPart(Number(this.scrubber.value) / 1000);
    });
    for (const speed of this.state.speeds) this.speed.append(element("option", { value: String(speed) }, `${speed}×`));
    this.speed.value = String(this.state.speed);
    this.speed.addEventListener("change", () => this.state.setSpeed(Number(this.speed.value)));
    this.clock.append(element("option", { value: "cycles" }, "cycles"), element("option", { value: "time" }, "modelled time"));
    this.clock.addEventListener("change", () => this.state.setClock(this.clock.value as Clock));
    for (const by of ["origin", "destination", "phase"]) {
      this.colouring.append(element("option", { value: by }, `colour by ${by}`));
    }
    this.colouring.addEventListener("change", () => this.state.setColouring(this.colouring.value as Colouring));
    return element(
      "footer",
      { class: "controls" },
      this.barStrip,
      this.scrubber,
      element(
        "div",
        { class: "buttons" },
        button("To the start", icon("M3 2v12M13 2 6 8l7 6z"), () => this.jump(this.state.begin())),
        button("Step back", icon("M11 2 4 8l7 6z"), () => this.state.step(-1)),
        this.playButton,
        button("Step forward", icon("M5 2l7 6-7 6z"), () => this.state.step(1)),
        button("To the end", icon("M13 2v12M3 2l7 6-7 6z"), () => this.jump(this.state.end())),
        this.clockText,
        element("span", { class: "space" }),
        this.speed,
        this.clock,
        this.colouring,
      ),
    );
  }

  private jump(position: number): void {
    this.state.play(false);
    this.state.seek(position);
  }

  private switchTheme(): void {
    const { dataset } = document.documentElement;
    dataset.theme = dataset.theme === "dark" ? "light" : "dark";
    this.refresh();
  }

  private listen(): void {
    this.state.changed.on("position", () => this.moved());
    this.state.changed.on("look", () => {
      this.clock.value = this.state.clock;
      this.colouring.value = this.state.colouring;
      this.showView();
      this.panel.renew?.();
    });
    this.state.changed.on("selection", () => {
      for (const panel of this.panels) if (panel instanceof ProcessorPanel) panel.renew();
      if (this.state.selection && this.panel instanceof ProcessorPanel === false) {
        this.panel = this.panels.find((panel) => panel instanceof ProcessorPanel)!;
        this.showPanel();
      }
      for (const { picture } of this.panes) picture.draw();
    });
    this.state.changed.on("speed", () => (this.speed.value = String(this.state.speed)));
    this.state.changed.on("playing", () => {
      this.playButton.replaceChildren(icon(this.state.playing ? "M5 2v12M11 2v12" : "M4 1l10 7-10 7z"));
      this.playButton.setAttribute("aria-label", this.state.playing ? "Pause" : "Play");
      cancelAnimationFrame(this.nextFrame);
      if (!this.state.playing) return;
      this.lastTime = performance.now();
      this.nextFrame = requestAnimationFrame((time) => this.frame(time));
    });
    this.state.changed.call("playing");
    document.addEventListener("keydown", (event) => this.key(event));
    const resizes = new ResizeObserver(() => this.refresh());
    for (const { body } of this.panes) resizes.observe(body);
    resizes.observe(this.barStrip);
    this.barStrip.style.setProperty("--runs", String(this.state.runs.length));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.refresh());
    this.help.addEventListener("click", () => this.help.close());
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || this.help.open) return;
    const target = event.target as HTMLElement;
    const isControl = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
    const action = this.keys()[event.key];
    if (!action || (isControl && event.key !== "Escape")) return;
    if (event.key === " " && target instanceof HTMLButtonElement) return; // it is the button's
    event.preventDefault();
    action();
  }

  private keys(): Record<string, () => void> {
    const state = this.state;
    const speed = (by: 1 | -1): void => {
      const next = state.speeds[state.speeds.indexOf(state.speed) + by];
      if (next) state.setSpeed(next);
    };
    const zoom = (factor: number): void => this.panes.forEach(({ picture }) => picture.zoomBy(factor));
    const keys: Record<string, () => void> = {
      " ": () => state.play(!state.playing),
      ArrowRight: () => state.step(1),
      ArrowLeft: () => state.step(-1),
      Home: () => this.jump(state.begin()),
      End: () => this.jump(state.end()),
      "+": () => speed(1),
      "=": () => speed(1),
      "-": () => speed(-1),
      c: () => state.setClock(state.clock === "cycles" ? "time" : "cycles"),
      n: () => this.selectNext(1),
      p: () => this.selectNext(-1),
      z: () => zoom(1.25),
      Z: () => zoom(0.8),
      t: () => this.switchTheme(),
      Escape: () => state.select(null),
      "?": () => this.help.showModal(),
    };
    for (const [view, , key] of views) keys[key] = () => state.setView(view);
    return keys;
  }

  private selectNext(by: 1 | -1): void {
    const { run, rank } = this.state.selection ?? { run: 0, rank: by > 0 ? -1 : 0 };
    const processors = this.state.runs[run].processors;
    if (processors > 0) this.state.select({ run, rank: (rank + by + processors) % processors });
  }

  private showView(): void {
    views.forEach(([view], i) => {
      this.viewTabs[i].setAttribute("aria-selected", String(view === this.state.view));
    });
    this.panes.forEach((pane, number) => {
      const { picture, box } = this.pictureOf(pane, number);
      pane.picture = picture;
      pane.body.replaceChildren(box);
    });
    this.refresh();
  }

  private pictureOf(pane: Pane, number: number): { picture: Picture; box: HTMLElement } {
    const { view } = this.state;
    const drawsMachine = (view === "machine" || view === "heat") && pane.scene;
    const kind = drawsMachine ? "machine" : view === "space-time" ? view : "matrix";
    const made = pane.pictures.get(kind);
    if (made) return made;
    const box = element("div", { class: "box" });
    const picture = drawsMachine
      ? new MachineView(this.state, number, pane.run, drawsMachine, box)
      : new (kind === "space-time" ? SpaceTime : Matrix)(this.state, number, pane.run, box);
    pane.pictures.set(kind, { picture, box });
    return { picture, box };
  }

  private showPanel(): void {
    this.panels.forEach((panel, i) => this.panelTabs[i].setAttribute("aria-selected", String(panel === this.panel)));
    this.state.showsWaits = this.panel instanceof WaitsPanel;
    this.panel.update();
    this.panelBody.setAttribute("aria-labelledby", `tab-${this.panel.name}`);
    this.panelBody.replaceChildren(this.panel.element);
    for (const { picture } of this.panes) picture.draw();
  }

  private refresh(): void {
    for (const { picture } of this.panes) picture.refresh();
    this.bars.refresh();
  }

  private frame(time: number): void {
    if (!this.state.playing) return;
    const seconds = Math.min(0.1, Math.max(0, time - this.lastTime) / 1000);
    this.lastTime = time;
    const begin = performance.now();
    const next = this.state.position + seconds * this.state.rate();
    this.state.seek(next);
    this.frameMilliseconds.push(performance.now() - begin);
    if (this.frameMilliseconds.length > 600) this.frameMilliseconds.shift();
    if (next >= this.state.end()) this.state.play(false);
    else this.nextFrame = requestAnimationFrame((later) => this.frame(later));
  }

  private moved(): void {
    const { position, clock } = this.state;
    for (const pane of this.panes) {
      pane.picture.draw();
      setText(pane.progress, progressOf(pane.run, clock, position));
      pane.progress.title = pane.progress.textContent;
    }
    this.bars.draw();
    this.scrubber.value = String(1000 * this.state.part());
    const end = Math.max(...this.state.runs.map((run) => run.length(clock)));
    const now =
      clock === "cycles"
        ? `cycle ${Math.min(Math.floor(position), end)} of ${end}`
        : `time ${shown(position)} of ${shown(end)}`;
    setText(this.clockText, now);
    this.scrubber.setAttribute("aria-valuetext", now);
    this.panel.update();
  }

  /** For the tests of the page. */
  private expose(): void {
    Object.assign(window, {
      lockstep: {
        state: () => ({
          position: this.state.position,
          clock: this.state.clock,
          playing: this.state.playing,
          selected: this.state.selection,
          view: this.state.view,
          frameMilliseconds: [...this.frameMilliseconds],
        }),
        seek: (position: number) => this.jump(position),
        place: (run: number, rank: number) => {
          const { body, picture } = this.panes[run];
          const { left, top } = body.getBoundingClientRect();
          const [x, y] = picture.place?.(rank) ?? [0, 0];
          return { x: left + x, y: top + y };
        },
      },
    });
  }
}

function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** "12 messages past --max-events"; empty if nothing is left out. */
function leftOutText(run: Run): string {
  const { before_from_cycle, of_other_ranks, past_max_events, block_lists } = run.document.trace.left_out;
  const parts: [number: number, of: string][] = [
    [before_from_cycle, "before --from-cycle"],
    [of_other_ranks, "between other ranks"],
    [past_max_events, "past --max-events"],
  ];
  const texts = parts.filter(([number]) => number > 0).map(([number, of]) => `${counted(number, "message")} ${of}`);
  if (block_lists) texts.push(`the blocks of ${counted(block_lists, "message")}`);
  return texts.join(", ");
}

/** "adea on hypercube:4, ports one". */
function shortTitleOf(run: Run): string {
  const { algorithm } = run.document.report;
  return titleOf(run).replace(`${algorithm.operation}/`, "");
}

/** The colours of the phases, if there are several. */
function phaseLegend(run: Run): HTMLElement[] {
  if (run.phases.length < 2) return [];
  const entries = run.phases.map((phase, number) => {
    const swatch = element("span", { class: "swatch" });
    swatch.style.background = phaseColour(number);
    return element("li", {}, swatch, phase || "unnamed");
  });
  return [element("ul", { class: "phases", "aria-label": "Phases" }, ...entries)];
}

/** "3 in flight, 17 of 56 sent, phase up": of messages. */
function progressOf(run: Run, clock: Clock, position: number): string {
  let now = 0;
  let phase = 0;
  run.underWay(clock, position, (message) => {
    ++now;
    phase = run.phase[message];
  });
  const sent = `${shown(run.sentBy(clock, position))} of ${shown(run.count)}${run.leftOut() ? " kept" : ""} sent`;
  return `${shown(now)} in flight, ${sent}${now && run.phases[phase] ? `, phase ${run.phases[phase]}` : ""}`;
}
