import { DIALECT_LOSSES, type DialectLoss, type DialectName } from '@parley/dialects';
import { v1 } from '@parley/protocol';
import { type Border, type Json, openBorder } from './border.ts';

/** Two sides that speak a dialect with each other, each canonical towards its own program. */
export interface Pair {
  readonly client: Border;
  readonly agent: Border;
}

export function openPair(dialect: DialectName): Pair {
  const open = (): Border => {
    const border = openBorder(dialect, { findSession: () => ({ cwd: '/found' }) });
    border.state.clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
    border.state.agentCapabilities = { mcpCapabilities: { http: true, sse: true } };
    return border;
  };
  return { client: open(), agent: open() };
}

/** Carries a request across, or gives undefined where the dialect refuses it. */
export function carryRequest(from: Border, to: Border, message: Json): Json | undefined {
  const [foreign] = from.write(message);
  return foreign === undefined ? undefined : (to.read(wire(foreign)).at(-1) as Json);
}

/** Carries a result across, asking its own side where the dialect wants two answers in one. */
export function carryResult(from: Border, to: Border, message: Json): Json[] {
  return writeResult(from, message).flatMap((foreign) => to.read(wire(foreign)) as Json[]);
}

export function writeResult(from: Border, message: Json): Json[] {
  const [own] = [...from.state.ownRequests.keys()];
  if (own !== undefined) throw new Error('an earlier question is still open');
  const written = from.write(message) as Json[];
  const [question] = [...from.state.ownRequests.keys()];
  if (question === undefined) return written;
  return from.write({ jsonrpc: '2.0', id: question, result: { output: 'said', truncated: false } }) as Json[];
}

/** As it comes from a wire; frozen, for nobody may change a message. */
export function wire<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_name, part) => Object.freeze(part));
}

/** What a value means: validated, so that defaults are filled in, and without what is listed as lost. */
export function meaning(dialect: DialectName, method: string, part: DialectLoss['part'], value: unknown): unknown {
  const parsed = part === 'result' ? v1.parseResult(method as never, value) : v1.parseParams(method as never, value);
  const plain = tidy(wire(parsed)) as Json;
  const losses = DIALECT_LOSSES.filter(
    (loss) => loss.dialects.includes(dialect) && loss.method === method && loss.part === part,
  );
  return losses.reduce((rest, loss) => applyLoss(rest, loss), plain);
}

function applyLoss(value: Json, { fields, isOrder }: DialectLoss): Json {
  if (!fields) return {};
  return isOrder ? (sortNamed(value) as Json) : drop(value, fields);
}

/** Puts lists of named things into one order. */
function sortNamed(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sortNamed).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, item]) => [name, sortNamed(item)])
      .toSorted(),
  );
}

/** Whether the dialect has no word for an update at all. */
export function isLostUpdate(dialect: DialectName, update: Json): boolean {
  return DIALECT_LOSSES.some(
    ({ dialects, part, fields, updates }) =>
      part === 'update' && !fields && dialects.includes(dialect) && updates?.includes(String(update.sessionUpdate)),
  );
}

export function drop(value: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Optional fields that are null mean what absent ones mean; what was kept beside is not part of the meaning. */
function tidy(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => tidy(item));
  if (typeof value !== 'object' || value === null || name === 'rawInput' || name === 'rawOutput') return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  const tidied = entries.map(([key, item]) => [key, key === '_meta' ? withoutDialect(item) : tidy(item, key)]);
  return Object.fromEntries(tidied.filter(([key, item]) => key !== '_meta' || Object.keys(item as object).length > 0));
}

export function withoutDialect(meta: unknown): unknown {
  return typeof meta === 'object' && meta !== null ? drop(meta as Json, ['dialect']) : meta;
}

/** The same message without anything that we sent along, and without an empty `_meta`. */
export function withoutKeptFacts<T>(message: T): T {
  return strip(wire(message)) as T;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, item]) => {
    if (name !== '_meta') return [[name, strip(item)]];
    const rest = withoutDialect(item ?? {}) as Json;
    return Object.keys(rest).length === 0 ? [] : [[name, rest]];
  });
  return Object.fromEntries(entries);
}
