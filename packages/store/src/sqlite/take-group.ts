import type { OperationName, SessionKey } from '../backend/operations.ts';
import type { Call, OperationCall } from './thread-messages.ts';

/** Calls that are carried out together: some reads, then one commit, then the other reads. */
export interface Group {
  readonly earlyReads: readonly Call[];
  readonly writes: readonly OperationCall[];
  readonly lateReads: readonly Call[];
}

/** Operations that only look. All others are part of a commit. */
const READS: ReadonlySet<string> = new Set<OperationName | 'version'>([
  'get',
  'list',
  'principals',
  'page',
  'heads',
  'inbound',
  'version',
]);

/** Questions whether others have written. They are asked on behalf of nobody's call, and need not wait for any. */
const QUESTIONS: ReadonlySet<string> = new Set<OperationName | 'version'>(['heads', 'version']);

/** A commit takes this many events (and whole calls), so that the first of them need not wait for too many others. */
const MAX_GROUP_EVENTS = 256;
/** Reads between two commits, so that many readers cannot hold up a writer. */
const MAX_GROUP_READS = 16;

/**
 * Takes the next calls that go together from the front of the queue. One commit cannot keep the order of a write, a read
 * and another write of the same session: there a new group begins.
 */
export function takeGroup(queue: Call[]): Group {
  const earlyReads: Call[] = [];
  const writes: OperationCall[] = [];
  const lateReads: Call[] = [];
  const written = new Set<string>();
  const readSince = new Set<string>();
  let events = 0;
  let length = 0;
  for (const call of queue) {
    const places = placesOf(call);
    if (isWrite(call)) {
      events += call.name === 'append' ? call.input.events.length : 1;
      if (length > 0 && (events > MAX_GROUP_EVENTS || places.some((place) => readSince.has(place)))) break;
      writes.push(call);
      for (const place of places) written.add(place);
    } else {
      if (earlyReads.length + lateReads.length === MAX_GROUP_READS) break;
      const isLate = places.some((place) => written.has(place));
      (isLate ? lateReads : earlyReads).push(call);
      if (isLate) for (const place of places) readSince.add(place);
    }
    length++;
  }
  queue.splice(0, length);
  return { earlyReads, writes, lateReads };
}

/** Whether a call may go before all others: behind a long queue, what other processes have written would be seen late. */
export function isQuestion(call: Call): boolean {
  return QUESTIONS.has(call.name);
}

function isWrite(call: Call): call is OperationCall {
  return !READS.has(call.name);
}

/** What a call looks at or changes: a session, or the sessions of a principal as a whole. */
function placesOf(call: Call): readonly string[] {
  if (call.name === 'version' || call.name === 'principals') return [];
  if (call.name === 'heads') return call.input.sessions.map(keyOf);
  const { principal } = call.input;
  if (call.name === 'list') return [principal];
  const session = keyOf(call.input);
  if (!isWrite(call)) return [session];
  return call.name === 'fork'
    ? [principal, session, keyOf({ principal, sessionId: call.input.newId })]
    : [principal, session];
}

function keyOf({ principal, sessionId }: SessionKey): string {
  return `${principal}\0${sessionId}`;
}
