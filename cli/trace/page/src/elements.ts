/** An element with attributes and children; text is text, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** An icon of 16 by 16 units, drawn by a path. */
export function icon(path: string): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("aria-hidden", "true");
  picture.classList.add("icon");
  const shape = document.createElementNS(namespace, "path");
  shape.setAttribute("d", path);
  picture.append(shape);
  return picture;
}

/** A number formatted for reading. */
export function shown(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { maximumSignificantDigits: 6 });
}

export function counted(count: number, one: string): string {
  return `${shown(count)} ${one}${count === 1 ? "" : "s"}`;
}
