/** The length of a JSON value's text, as if no character had to be escaped: never more than the real one. */
export function leastJsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let length = 1;
  if (Array.isArray(value)) for (const item of value) length += leastJsonLength(item) + 1;
  else {
    const fields = value as Record<string, unknown>;
    for (const key of Object.keys(fields)) length += key.length + leastJsonLength(fields[key]) + 4;
  }
  return Math.max(length, 2);
}

/** A character of a text may take six in JSON (`\u0000`) and, in UTF-8, three for itself. */
export const MOST_BYTES_PER_CHARACTER = 6;
