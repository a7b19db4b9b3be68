/** By name, since each entry point of this package carries a copy of this file. */
const TEXT = Symbol.for('parley.text');

/** Keeps the text that a message was read from, for whoever passes it on: numbers beyond JavaScript's stay what they were. */
export function keepText(value: unknown, text: string): void {
  if (typeof value !== 'object' || value === null) return;
  // Between tokens a line end is white space, and within a string there is none; but on stdio it would end the frame.
  const line = /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, ' ') : text;
  Object.defineProperty(value, TEXT, { value: line });
}

/** The text that a message was read from, if it was kept. */
export function keptText(message: object): string | undefined {
  return (message as { readonly [TEXT]?: string })[TEXT];
}
