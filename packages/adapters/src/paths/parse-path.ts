/** One step of a path: a name, a place in a list (from its end when negative), or every item of a list. */
export type Step = string | number | typeof EVERY;

export const EVERY: unique symbol = Symbol('every item');

export interface ParsedPath {
  /** `line`: the whole line, `$$`, also where `$` is one item of it. */
  readonly from: 'value' | 'line';
  readonly steps: readonly Step[];
}

export class PathError extends Error {
  override readonly name = 'PathError';
}

/** Reads `$.message.content[*].text`. */
export function parsePath(path: string): ParsedPath {
  const root = /^\$\$?/.exec(path)?.[0];
  if (root === undefined) throw new PathError(`must begin with "$", such as $.type, or be a 'literal'`);
  const steps: Step[] = [];
  STEP.lastIndex = root.length;
  while (STEP.lastIndex < path.length) {
    const at = STEP.lastIndex;
    const found = STEP.exec(path);
    if (!found)
      throw new PathError(`cannot be read from "${path.slice(at)}" on; allowed are .name, ['name'], [0] and [*]`);
    const [, name, index, quoted] = found;
    if (name !== undefined) steps.push(name);
    else if (quoted !== undefined) steps.push(quoted);
    else steps.push(index === '*' ? EVERY : Number(index));
  }
  return { from: root === '$$' ? 'line' : 'value', steps };
}

/** The text of a `'literal'`, or undefined for a path. */
export function readLiteral(text: string): string | undefined {
  return text.length >= 2 && text.startsWith("'") && text.endsWith("'") ? text.slice(1, -1) : undefined;
}

const STEP = /\.([^.[\]'"\s]+)|\[(\*|-?\d+)\]|\['([^']*)'\]/y;
