import { type AcquireInput, OperationError, type RenewInput, type SessionRow } from './operations.ts';
import { stateOf } from './process-owner.ts';
import type { Lease } from './session-log.ts';

/** The rules every implementation shares, so that no two of them can disagree. */

/** An owner writes with its epoch; without one, only a session that nobody owns may be written. */
export function requireOwnership(session: SessionRow, epoch: number | undefined): void {
  if (epoch === undefined ? session.lease === null : session.lease !== null && session.epoch === epoch) return;
  const attempt = epoch === undefined ? 'without an epoch' : `with epoch ${epoch}`;
  const fact = session.lease
    ? `it belongs to "${session.lease.owner}" since epoch ${session.epoch}`
    : `it was released after epoch ${session.epoch}`;
  throw new OperationError(
    'stale_owner',
    session.id,
    `Session "${session.id}" cannot be written ${attempt}: ${fact}. Acquire it to go on.`,
  );
}

/** The lease that acquiring gives, unless another's is still running and the other may be too. */
export function nextLease(session: SessionRow, input: AcquireInput): Lease {
  const { lease } = session;
  const isFree = lease === null || lease.owner === input.owner || lease.leaseUntilMs <= input.nowMs;
  if (!isFree && !input.takeOver && stateOf(lease.owner) !== 'ended') {
    const seconds = Math.ceil((lease.leaseUntilMs - input.nowMs) / 1000);
    throw new OperationError(
      'session_owned',
      session.id,
      `Session "${session.id}" is in use by "${lease.owner}" for another ${seconds} s unless renewed; close it there, or take it over.`,
    );
  }
  return { owner: input.owner, epoch: session.epoch + 1, leaseUntilMs: input.nowMs + input.leaseMs };
}

/**
 * Whether the owner may still be at work. A process that is there may be: after a machine has slept, leases have run out
 * that are about to be renewed.
 */
export function isHeld({ lease }: SessionRow, nowMs: number): boolean {
  if (lease === null) return false;
  const state = stateOf(lease.owner);
  return state === 'unknown' ? lease.leaseUntilMs > nowMs : state === 'running';
}

/** The lease that renewing gives. One that ran out can still be renewed while nobody else has acquired the session. */
export function renewedLease(session: SessionRow, input: RenewInput): Lease {
  requireOwnership(session, input.epoch);
  const owner = session.lease?.owner ?? '';
  return { owner, epoch: session.epoch, leaseUntilMs: input.nowMs + input.leaseMs };
}

/** A reader that has more than the log holds has read another log; going on would skip events silently. */
export function requireCursor(session: SessionRow, after: number): void {
  if (after <= session.head) return;
  throw new OperationError(
    'cursor_ahead',
    session.id,
    `Session "${session.id}" ends at event ${session.head}, before cursor ${after}; read it again from the start.`,
  );
}

export function sessionNotFound(sessionId: string): OperationError {
  return new OperationError('session_not_found', sessionId, '');
}

export function sessionExists(sessionId: string): OperationError {
  return new OperationError(
    'session_exists',
    sessionId,
    `There is already a session "${sessionId}"; choose another id.`,
  );
}

export function requestNotFound(sessionId: string, requestId: string): OperationError {
  return new OperationError(
    'request_not_found',
    sessionId,
    `Session "${sessionId}" has no request "${requestId}"; it was never asked.`,
  );
}
