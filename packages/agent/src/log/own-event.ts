import { ParleyError } from '@parley/jsonrpc';
import { cloneJson, leastJsonLength, MOST_BYTES_PER_CHARACTER } from '@parley/jsonrpc/internal';
import { checkOutgoing, checkRules, type SessionUpdate, ValidationError, validators } from '@parley/protocol';
import { eventToV1, knownToolKind, type SessionEvent, type UnknownEvent, unstableEventFromV1 } from '@parley/session';

/** The lists that events have; one that is no list would break everybody who reads the event later. */
const LISTS = ['content', 'locations', 'entries', 'commands', 'options', 'summary'] as const;

/** Events whose content is one block, and no list. */
const SINGLE: ReadonlySet<SessionEvent['type']> = new Set([
  'message_chunk',
  'thought_chunk',
  'compaction_chunk',
  'tool_call_chunk',
] as const);

/** All that happens in a session; the compiler says when one is missing. */
const TYPES: Readonly<Record<SessionEvent['type'], true>> = {
  message_chunk: true,
  whole_message: true,
  thought_chunk: true,
  whole_thought: true,
  tool_call: true,
  tool_call_chunk: true,
  plan: true,
  commands: true,
  mode: true,
  config: true,
  info: true,
  usage: true,
  notice: true,
  compaction: true,
  compaction_chunk: true,
  state: true,
  terminal: true,
  terminal_output: true,
  subagent: true,
  session_message: true,
  unknown: true,
};

export interface OwnOptions {
  readonly maxBytes: number;
  /** Content types of its own that the agent has declared. */
  readonly customContent: ReadonlySet<string>;
  /** Whether events come from another agent: they are nobody's to change any more, and are passed on as they came. */
  readonly isRelay: boolean;
}

/**
 * A copy of an event, so that later changes to the author's object do not change it. An event that could not be written or
 * shown is refused here, where its author gets the error, and not later, when others wait for it.
 */
export function ownEvent<Event extends SessionEvent>(event: Event, options: OwnOptions): Event {
  const { maxBytes, customContent, isRelay } = options;
  requireType(event);
  const copy = isRelay ? event : copyOf(event);
  if (!isRelay) requireLists(copy);
  if (!isRelay) requireWords(copy);
  if (!isRelay) requireValid(copy, customContent);
  const length = leastJsonLength(copy);
  if (length * MOST_BYTES_PER_CHARACTER > maxBytes && byteLength(copy) > maxBytes) {
    throw invalidUpdate(event, `it is larger than ${maxBytes} bytes; tell it in pieces, or keep it elsewhere`);
  }
  return copy;
}

/** Authors without a compiler may send anything, most often an update as it is on the wire. */
function requireType(event: SessionEvent): void {
  if (typeof event.type === 'string' && Object.hasOwn(TYPES, event.type)) return;
  const { type, sessionUpdate } = event as { readonly type?: unknown; readonly sessionUpdate?: unknown };
  const what =
    typeof sessionUpdate === 'string'
      ? `it is an update of the protocol (sessionUpdate "${sessionUpdate}"), and an event of a session is expected`
      : `its type is ${type === undefined ? 'missing' : JSON.stringify(type)}`;
  const next = 'use turn.say(), turn.toolCall() and their kin, or an event such as { type: "message_chunk", ... }';
  throw new ParleyError('invalid_update', `An update was refused: ${what}; ${next}.`);
}

function copyOf<Event extends SessionEvent>(event: Event): Event {
  try {
    return cloneJson(event) as Event;
  } catch (cause) {
    const why = cause instanceof RangeError ? 'it holds itself, or is nested too deep' : String(cause);
    throw invalidUpdate(event, `it cannot be written as JSON (${why})`, cause);
  }
}

function requireLists(event: SessionEvent): void {
  const fields = event as Partial<Record<(typeof LISTS)[number], unknown>>;
  if (SINGLE.has(event.type)) {
    if (typeof fields.content !== 'object' || fields.content === null)
      throw invalidUpdate(event, 'its content must be a content block');
    return;
  }
  for (const name of LISTS) {
    if (fields[name] !== undefined && !Array.isArray(fields[name]))
      throw invalidUpdate(event, `its ${name} must be a list`);
  }
  const needed = event.type === 'plan' ? 'entries' : event.type === 'commands' ? 'commands' : undefined;
  if (needed && fields[needed] === undefined) throw invalidUpdate(event, `its ${needed} must be a list`);
}

const CALL_STATUSES = ['pending', 'in_progress', 'paused', 'completed', 'failed', 'cancelled'];
const STEP_STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'];
const PRIORITIES = ['high', 'medium', 'low'];

/** Refuses a word that no version of the protocol has. One's own begin with `_`. */
function requireWords(event: SessionEvent): void {
  const requireWord = (path: string, word: string | undefined, isKnown: (word: string) => boolean): void => {
    if (word === undefined || (typeof word === 'string' && (isKnown(word) || word.startsWith('_')))) return;
    throw invalidUpdate(event, `${path}: expected a word of the protocol, got ${JSON.stringify(word)}`);
  };
  if (event.type === 'tool_call') {
    requireWord('kind', event.kind, (kind) => knownToolKind(kind) === kind);
    requireWord('status', event.status, (status) => CALL_STATUSES.includes(status));
  } else if (event.type === 'plan') {
    for (const [index, { priority, status }] of event.entries.entries()) {
      requireWord(`entries[${index}]: priority`, priority, (word) => PRIORITIES.includes(word));
      requireWord(`entries[${index}]: status`, status, (word) => STEP_STATUSES.includes(word));
    }
  }
}

/**
 * Refuses what the specification does not allow, also where a reader would quietly repair it. Words in which an event
 * differs from the wire are none of the author's, so the wire's form is what is looked at.
 */
function requireValid(event: SessionEvent, customContent: ReadonlySet<string>): void {
  if (event.type === 'unknown') return requireOwnVariant(event);
  // A notice without a title is sent to nobody.
  if (event.type === 'notice' && event.title === '') return;
  if (event.type === 'subagent' || event.type === 'session_message') return requireUnstable(event);
  for (const said of inWordsOfV1(event)) requireUpdate(said, customContent);
}

/** What version 1 has no word for, in those that it has. */
function inWordsOfV1(event: SessionEvent): SessionEvent[] {
  const { type } = event;
  if (type === 'tool_call_chunk')
    return [{ type: 'tool_call', toolCallId: event.toolCallId, content: [event.content] }];
  if (type === 'whole_thought') return (event.content ?? []).map((content) => ({ type: 'thought_chunk', content }));
  if (type !== 'whole_message') return [event];
  const { speaker } = event;
  return (event.content ?? []).map((content) => ({ type: 'message_chunk', speaker, content }));
}

let latest: { readonly event: SessionEvent; readonly update: SessionUpdate } | undefined;

/** An event as a change in version 1. That of the event which was owned last is known from its check, since it is shown right then. */
export function updateOf(event: SessionEvent): SessionUpdate | undefined {
  return latest?.event === event ? latest.update : eventToV1(event, false);
}

function requireUpdate(event: SessionEvent, customContent: ReadonlySet<string>): void {
  const update = eventToV1(event, false);
  if (!update) return;
  latest = { event, update };
  // Content of the person's prompt is passed on as it came, whatever its type.
  const isPrompt = event.type === 'message_chunk' && event.speaker === 'user';
  const problem =
    checkOutgoing(validators.SessionUpdate, update, isPrompt ? 'any' : customContent) ?? checkPaths(update);
  if (problem) throw invalidUpdate(event, new ValidationError(problem).message);
}

function checkPaths(update: SessionUpdate): ReturnType<typeof checkRules> {
  return checkRules('session/update', { sessionId: '', update });
}

/** An update that the stable schema does not know must be one that our own reader accepts. */
function requireUnstable(event: SessionEvent): void {
  const { meta: _, ...said } = event;
  const read = unstableEventFromV1(eventToV1(event, false) as unknown as Record<string, unknown>);
  const lost = Object.keys(said).find((name) => !(read && name in read));
  if (lost !== undefined) throw invalidUpdate(event, `its ${lost} is none that the protocol allows`);
}

/** A variant of one's own is sent as it is, under a name that no later version of the protocol takes. */
function requireOwnVariant(event: UnknownEvent): void {
  if (event.raw?.sessionUpdate === event.variant && event.variant.startsWith('_')) return;
  throw invalidUpdate(event, `its raw.sessionUpdate must be its variant ("${event.variant}"), and begin with "_"`);
}

function byteLength(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function invalidUpdate({ type }: SessionEvent, why: string, cause?: unknown): ParleyError {
  return new ParleyError('invalid_update', `An update (${type}) was refused: ${why}.`, cause ? { cause } : undefined);
}
