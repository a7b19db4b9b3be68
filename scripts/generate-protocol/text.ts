/** Small helpers for printing TypeScript. */

export function quote(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Names as a message lists them, in a literal: `'"a", "b"'`. */
export function quoteList(values: readonly (string | number)[]): string {
  return quote(values.map((value) => JSON.stringify(value)).join(', '));
}

/** A property name as it stands in an object type or literal. */
export function propertyKey(name: string): string {
  return isIdentifier(name) ? name : quote(name);
}

/** Access to a property of a variable. */
export function access(variable: string, name: string): string {
  return isIdentifier(name) ? `${variable}.${name}` : `${variable}[${quote(name)}]`;
}

/** A JSON value as a TypeScript literal. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => `${propertyKey(key)}: ${literal(each)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}
