import { isDeepStrictEqual } from 'node:util';
import {
  isChunk,
  isRecord,
  kindOf,
  REDACTED,
  summarize,
  type TracedMessage,
  updateVariant,
} from '@parley/session/traces';

/** A message that should come. */
export interface Expected {
  readonly message: TracedMessage;
  readonly key: string;
  /** For people. */
  readonly says: string;
}

export type ComparisonVerdict = 'same' | 'pass over' | { readonly got: string };

/** Compares what comes with what came then, and translates what the other side names anew. */
export interface Comparison {
  /** A message of ours, as the trace has it. */
  sent(message: TracedMessage): void;
  /** The message as it must be said now. */
  translate(message: TracedMessage): TracedMessage;
  /** Undefined for a message that need not come. */
  expect(message: TracedMessage): Expected | undefined;
  compare(expected: Expected, got: TracedMessage): ComparisonVerdict;
}

/** Updates that come when they come, and say nothing about the conversation. */
const AMBIENT: ReadonlySet<string> = new Set([
  'available_commands_update',
  'usage_update',
  'session_info_update',
  'config_option_update',
  'current_mode_update',
]);

export function createComparison({ isExact }: { readonly isExact: boolean }): Comparison {
  /** The methods of open requests by id: ours as the trace has them, theirs as they come. */
  const asked = new Map<string, string>();
  /** Ids of the other side's requests, from then to now. */
  const ids = new Map<string, unknown>();
  /** Session ids, from then to now. */
  const sessions = new Map<string, string>();
  /** The kind of chunk that came last: more of it may follow, in whatever pieces. */
  let lastChunk: string | undefined;
  /** Kinds of chunks that were expected last: the trace may have it in more pieces. */
  let lastExpected: string | undefined;

  const keyOf = (message: TracedMessage): string => {
    const kind = kindOf(message);
    if (kind === 'request' || kind === 'notification') {
      return [kind, message.method, updateVariant(message), stateOf(message)]
        .filter((part) => part !== undefined)
        .join(' ');
    }
    const method = asked.get(JSON.stringify(message.id)) ?? 'unknown request';
    const { error, result } = message;
    const ending =
      kind === 'error'
        ? `error ${isRecord(error) ? error.code : ''}`
        : isRecord(result)
          ? (result.stopReason ?? 'result')
          : 'result';
    return `answer to ${method}: ${ending}`;
  };
  const describe = (message: TracedMessage): string => `${keyOf(message)} ${summarize(message)}`.trim();
  const isPassedOver = (message: TracedMessage): boolean => !isExact && AMBIENT.has(updateVariant(message) ?? '');

  return {
    sent(message) {
      if (kindOf(message) === 'request') asked.set(JSON.stringify(message.id), String(message.method));
      lastExpected = undefined;
    },
    translate(message) {
      const isAnswer = !('method' in message);
      const id = isAnswer ? (ids.get(JSON.stringify(message.id)) ?? message.id) : message.id;
      const translated = replaceTexts(message, sessions) as TracedMessage;
      return 'id' in message ? { ...translated, id } : translated;
    },
    expect(message) {
      if (isPassedOver(message)) return undefined;
      const key = keyOf(message);
      if (!isExact && isChunk(updateVariant(message)) && key === lastExpected) return undefined;
      lastExpected = key;
      return { message, key, says: describe(message) };
    },
    compare(expected, got) {
      if (isPassedOver(got)) return 'pass over';
      const key = keyOf(got);
      if (!isExact && key === lastChunk && key !== expected.key) return 'pass over';
      if (key !== expected.key) return { got: describe(got) };
      lastChunk = isChunk(updateVariant(got)) ? key : undefined;
      if (kindOf(got) === 'request') ids.set(JSON.stringify(expected.message.id), got.id);
      learnSession(expected.message, got, sessions);
      if (!isExact) return 'same';
      const then = replaceTexts({ ...expected.message, id: 0 }, sessions);
      return isAlike(then, { ...got, id: 0 }) ? 'same' : { got: JSON.stringify(got) };
    },
  };
}

/** The state that a session is said to be in, with what ended its turn: in version 2 that is the end of a turn. */
function stateOf({ params }: TracedMessage): string | undefined {
  const update = isRecord(params) && isRecord(params.update) ? params.update : {};
  if (update.sessionUpdate !== 'state_update') return undefined;
  return [update.state, update.stopReason].filter((part) => typeof part === 'string').join(' ');
}

/** A session that the agent names anew is the one it named then. */
function learnSession(then: TracedMessage, now: TracedMessage, sessions: Map<string, string>): void {
  const before = isRecord(then.result) ? then.result.sessionId : undefined;
  const after = isRecord(now.result) ? now.result.sessionId : undefined;
  if (typeof before === 'string' && typeof after === 'string') sessions.set(before, after);
}

function replaceTexts(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, texts));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, replaceTexts(field, texts)]));
}

/** What was taken out of the trace fits everything. */
function isAlike(then: unknown, now: unknown): boolean {
  if (typeof then === 'string' && then.includes(REDACTED)) return true;
  if (Array.isArray(then))
    return Array.isArray(now) && then.length === now.length && then.every((item, index) => isAlike(item, now[index]));
  if (!isRecord(then)) return isDeepStrictEqual(then, now);
  if (!isRecord(now)) return false;
  const names = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...names].every((name) => isAlike(then[name], now[name]));
}
