/** One field of a JSON object whose value is whole: a string, a number or a word. */
const FIELD = /\s*"((?:[^"\\]|\\.)*)"\s*:\s*("(?:[^"\\]|\\.)*"|[^\s"{}[\],]+(?=[\s,}]))\s*(,|\})?/y;

export interface PartialFields {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Nothing more can come. */
  readonly isWhole: boolean;
}

/** The fields at the beginning of a JSON object that is still being written, as far as their values are whole and plain. */
export function readPartialFields(json: string): PartialFields {
  const fields: Record<string, unknown> = {};
  const opening = /^\s*\{/.exec(json);
  if (!opening) return { fields, isWhole: false };
  FIELD.lastIndex = opening[0].length;
  for (let match = FIELD.exec(json); match; match = FIELD.exec(json)) {
    const [, name = '', value = '', end] = match;
    try {
      fields[name] = JSON.parse(value);
    } catch {
      return { fields, isWhole: false };
    }
    if (end === '}') return { fields, isWhole: true };
    if (end === undefined) break;
  }
  return { fields, isWhole: false };
}
