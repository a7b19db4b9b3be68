import { EVERY, parsePath, readLiteral, type Step } from './parse-path.ts';

/** Finds a value in a line, or in one item of it; undefined where there is none. With `[*]` it is the list of all that were found. */
export type Getter = (value: unknown, line: unknown) => unknown;

/** A path as a function, so that nothing of it is parsed again for each line. A literal is a value too. */
export function compilePath(text: string): Getter {
  const literal = readLiteral(text);
  if (literal !== undefined) return () => literal;
  const { from, steps } = parsePath(text);
  const get = compileSteps(steps);
  return from === 'line' ? (_, line) => get(line) : (value) => get(value);
}

/** A path that finds one item at a time: the list, and what to look at in each item. */
export interface ItemPath {
  /** Undefined when the line itself is the only item. */
  readonly list: string | undefined;
  readonly items: (line: unknown) => readonly unknown[];
  readonly inItem: (item: unknown) => unknown;
  /** Tells paths apart that look at the same place of an item. */
  readonly inItemKey: string;
}

/** Splits a path at its last `[*]`. What is right behind it is compared by `type`, where it is an object. */
export function compileItemPath(path: string): ItemPath {
  const { steps } = parsePath(path);
  const last = steps.lastIndexOf(EVERY);
  if (last < 0) {
    const inItem = compileSteps(steps);
    return { list: undefined, items: (line) => [line], inItem, inItemKey: path };
  }
  const getList = compileSteps(steps.slice(0, last + 1));
  const rest = steps.slice(last + 1);
  const inItem = rest.length > 0 ? compileSteps(rest) : typeOrValue;
  const list = path.slice(0, path.lastIndexOf('[*]') + 3);
  return {
    list,
    items: (line) => getList(line) as readonly unknown[],
    inItem,
    inItemKey: rest.length > 0 ? path.slice(list.length) : '[*]',
  };
}

export function compileSteps(steps: readonly Step[]): (value: unknown) => unknown {
  const every = steps.indexOf(EVERY);
  if (every >= 0) return compileEvery(compileSteps(steps.slice(0, every)), compileSteps(steps.slice(every + 1)));
  const [first, second, third, ...rest] = (steps as readonly (string | number)[]).map(compileStep);
  if (!first) return (value) => value;
  if (!second) return first;
  if (!third) return (value) => second(first(value));
  if (rest.length === 0) return (value) => third(second(first(value)));
  return (value) => rest.reduce((found, next) => next(found), third(second(first(value))));
}

function compileEvery(
  getList: (value: unknown) => unknown,
  getRest: (value: unknown) => unknown,
): (value: unknown) => readonly unknown[] {
  return (value) => {
    const list = getList(value);
    if (!Array.isArray(list)) return NONE;
    return list.flatMap((item) => getRest(item) ?? []);
  };
}

const NONE: readonly unknown[] = [];

function compileStep(name: string | number): (value: unknown) => unknown {
  if (typeof name === 'number') return (value) => (Array.isArray(value) ? value.at(name) : undefined);
  // What JSON has made inherits from nobody but `Object`: only for its few names must be asked whose a value is.
  if (name in Object.prototype)
    return (value) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined);
  return (value) => (isObject(value) ? value[name] : undefined);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const getType = compileStep('type');

function typeOrValue(item: unknown): unknown {
  return typeof item === 'object' ? getType(item) : item;
}
