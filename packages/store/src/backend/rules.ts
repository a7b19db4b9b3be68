import { quote } from '../contract/errors.ts';
import type { Lease } from '../contract/lease.ts';
import { MAX_LEASE_MS, MAX_SESSION_EVENTS } from '../contract/limits.ts';
import {
  type AcquireInput,
  type AppendInput,
  type ListInput,
  OperationError,
  type RenewInput,
  type SessionRow,
  type SessionState,
  type SessionView,
  type TrimInput,
} from './operations.ts';
import type { Owners } from './owners.ts';

/** The rules every implementation shares, so that no two of them can disagree. */

/** What the rules must know besides the session: the backend's clock and what it knows of owners. */
export interface RuleContext {
  readonly nowMs: number;
  readonly owners: Owners;
}

/** Inputs may be written by anybody; other entries by the owner, or by anybody while there is no owner. */
export function requireWritable(
  session: SessionState,
  { epoch, isInput }: Pick<AppendInput, 'epoch' | 'isInput'>,
  owners: Owners,
): void {
  if (!isInput) requireOwnership(session, epoch, owners);
}

/** An owner writes with its epoch; without one, only a session that nobody owns may be written. */
function requireOwnership(session: SessionState, epoch: number | undefined, owners: Owners): void {
  if (epoch === undefined ? session.lease === null : session.lease !== null && session.epoch === epoch) return;
  const attempt = epoch === undefined ? 'without an epoch' : `with epoch ${epoch}`;
  const fact = session.lease
    ? `it belongs to ${quote(owners.describe(session.lease.owner))} since epoch ${session.epoch}`
    : `it was released after epoch ${session.epoch}`;
  throw new OperationError(
    'stale_owner',
    session.id,
    `Session ${quote(session.id)} cannot be written ${attempt}: ${fact}. Acquire it to go on.`,
  );
}

/** The lease that acquiring gives, unless another has the session and may be at work. */
export function nextLease(session: SessionState, input: AcquireInput, context: RuleContext): Lease {
  const { lease } = session;
  const { nowMs, owners } = context;
  if (lease !== null && lease.owner !== input.owner && !input.takeOver && isHeld(session, context)) {
    const owner = quote(owners.describe(lease.owner));
    const seconds = Math.ceil((lease.leaseUntilMs - nowMs) / 1000);
    const until = isRunning(lease, nowMs) ? `for another ${seconds} s unless renewed` : 'which still runs';
    throw new OperationError(
      'session_owned',
      session.id,
      `Session ${quote(session.id)} is in use by ${owner} ${until}; close it there, or take it over.`,
    );
  }
  return { owner: input.owner, epoch: session.epoch + 1, leaseUntilMs: nowMs + input.leaseMs };
}

/** A lease that ends later than any can was given by a clock that was wrong, and would lock the session for that long. */
function isRunning({ leaseUntilMs }: Lease, nowMs: number): boolean {
  return leaseUntilMs > nowMs && leaseUntilMs <= nowMs + MAX_LEASE_MS;
}

/** A session with whether its owner may still be at work. */
export function toView(session: SessionRow, context: RuleContext): SessionView {
  return { ...session, isHeld: isHeld(session, context) };
}

/**
 * Whether the owner may still be at work. One that is known to run may be, whatever the clock says: it was stopped, the
 * machine has slept or the clock was set, and its lease is about to be renewed. Where it is only likely to run, it may by
 * now be another of the same name; then a lease that ran out long ago is believed more.
 */
function isHeld({ lease }: SessionState, { nowMs, owners }: RuleContext): boolean {
  if (lease === null) return false;
  const state = owners.stateOf(lease.owner);
  if (state === 'likely') return nowMs < lease.leaseUntilMs + MAX_LEASE_MS;
  return state === 'unknown' ? isRunning(lease, nowMs) : state === 'running';
}

/** The lease that renewing gives. One that ran out can still be renewed while nobody else has acquired the session. */
export function renewedLease(session: SessionState, input: RenewInput, { nowMs, owners }: RuleContext): Lease {
  requireOwnership(session, input.epoch, owners);
  const owner = session.lease?.owner ?? '';
  return { owner, epoch: session.epoch, leaseUntilMs: nowMs + input.leaseMs };
}

/**
 * A reader that has more than the log holds has read another log, and one that stopped before what was dropped has missed it;
 * going on would skip events silently.
 */
export function requireCursor({ id, head, trimmedTo }: SessionState, after: number): void {
  if (after > head) {
    throw new OperationError(
      'cursor_ahead',
      id,
      `Session ${quote(id)} ends at event ${head}, before cursor ${after}; read it again from the start.`,
    );
  }
  if (after === 0 || after >= trimmedTo) return;
  throw new OperationError(
    'cursor_expired',
    id,
    `Events of session ${quote(id)} up to ${trimmedTo} were dropped to save room, and cursor ${after} is before that; read it again from the start of what is kept.`,
  );
}

/** The event after which a reader with this cursor begins: one that has nothing begins with the summary, where there is one. */
export function startAfter({ trimmedTo }: Pick<SessionState, 'trimmedTo'>, after: number): number {
  return after === 0 ? Math.max(0, trimmedTo - 1) : after;
}

/** The last event that a call drops; undefined when there is nothing left to drop. */
export function lastTrimmed(session: SessionState, { before, epoch }: TrimInput, owners: Owners): number | undefined {
  requireOwnership(session, epoch, owners);
  const last = before - 1;
  if (last <= session.trimmedTo) return undefined;
  requireCursor(session, last);
  return last;
}

/** How many sessions go into one page of a list, by the sizes of their metadata: at least one, if there is one. */
export function countFitting(
  sizes: readonly number[],
  { limit, maxBytes }: Pick<ListInput, 'limit' | 'maxBytes'>,
): number {
  let bytes = 0;
  const end = sizes.findIndex((size, index) => {
    bytes += size;
    return index === limit || (index > 0 && bytes > maxBytes);
  });
  return end === -1 ? sizes.length : end;
}

export function sessionNotFound(sessionId: string): OperationError {
  return new OperationError('session_not_found', sessionId, '');
}

export function sessionExists(sessionId: string): OperationError {
  return new OperationError(
    'session_exists',
    sessionId,
    `There is already a session ${quote(sessionId)}; choose another id.`,
  );
}

/** A log that cannot count any further; so many that nobody will see this. */
export function sessionFull(sessionId: string): OperationError {
  const message = `Session ${quote(sessionId)} cannot hold more than ${MAX_SESSION_EVENTS} events; fork it, or begin a new one.`;
  return new OperationError('invalid_input', sessionId, message);
}
