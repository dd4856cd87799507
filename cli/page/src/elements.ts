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

/** A number as people read it. */
export function shown(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toLocaleString("en", { maximumSignificantDigits: 6 });
}

export function counted(count: number, one: string): string {
  return `${shown(count)} ${one}${count === 1 ? "" : "s"}`;
}
