import { OperationError } from '../backend/operations.ts';
import type { StoreErrorCode } from '../contract/errors.ts';

/** Without its log, a file has lost what was saved last. */
const DAMAGED = 'is damaged; restore a copy, or move it away together with its -wal';

/** What SQLite's result codes, without their extensions, mean for the person who must act. */
const FAULTS: Readonly<Record<number, readonly [StoreErrorCode, string]>> = {
  // Our own statements are in order and keep to the schema: if the file refuses them, it is not what we wrote.
  1: ['store_corrupt', DAMAGED],
  19: ['store_corrupt', DAMAGED],
  20: ['store_corrupt', DAMAGED],
  3: ['store_readonly', 'may not be used; check the permissions of the file and of its folder'],
  5: ['store_busy', 'is in use by another process that did not finish in time; try again'],
  6: ['store_busy', 'is in use by another process that did not finish in time; try again'],
  7: ['store_unavailable', 'cannot be used for want of memory; free some and try again'],
  8: ['store_readonly', 'cannot be written; check the permissions of the file and of its folder'],
  10: ['store_io', 'could not be read or written; check the disk'],
  11: ['store_corrupt', DAMAGED],
  13: ['store_full', 'cannot grow; free space on the disk, or, if the store has a size limit, delete sessions'],
  14: ['store_unavailable', 'cannot be opened; check that its folder exists and is yours'],
  15: ['store_busy', 'is in use by another process that did not finish in time; try again'],
  18: ['store_io', 'cannot hold anything that large; store it elsewhere'],
  26: ['store_corrupt', 'is not a database; restore a copy, or move it away together with its -wal'],
};

/** The file system's own names for the same. */
const SYSTEM_CODES: Readonly<Record<string, number>> = {
  EROFS: 8,
  EIO: 10,
  ENOSPC: 13,
  EDQUOT: 13,
  ENOENT: 14,
  EACCES: 14,
  EPERM: 14,
  ENOTDIR: 14,
  EEXIST: 14,
  EISDIR: 14,
  ELOOP: 14,
  ENAMETOOLONG: 14,
  EMFILE: 14,
  ENFILE: 14,
};

/** Faults after which the connection itself is in order: what was refused is rolled back, the next try may do. */
const HARMLESS: ReadonlySet<StoreErrorCode> = new Set(['store_busy', 'store_full']);

/** Faults that a commit can meet after it has reached the disk. */
const UNCERTAIN: ReadonlySet<StoreErrorCode> = new Set(['store_io', 'store_unavailable']);

/** The stored data is damaged: it cannot be what was written. */
export class DamagedError extends Error {
  readonly rawCode = 11;
}

export interface FaultContext {
  readonly path: string;
  /** The step that failed: only after a failed commit it is unknown whether the change happened. */
  readonly during: 'read' | 'write' | 'commit';
}

/** The fault of a file as an error that says what to do. */
export function toFault(error: unknown, { path, during }: FaultContext): OperationError {
  if (error instanceof OperationError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const [code, advice] = FAULTS[resultCode(error, detail)] ?? ['store_io', 'could not be used'];
  const isUncertain = during === 'commit' && UNCERTAIN.has(code);
  const outcome = isUncertain ? ' Whether this call was saved is not known.' : ' Nothing of this call was saved.';
  return new OperationError(
    code,
    '',
    `The session store ${path} ${advice} (${detail}).${during === 'read' ? '' : outcome}`,
  );
}

/** True when a new connection must take over before the next call. */
export function needsReopening(fault: OperationError): boolean {
  return fault.code.startsWith('store_') && !HARMLESS.has(fault.code);
}

function resultCode(error: unknown, detail: string): number {
  if (typeof error !== 'object' || error === null) return 0;
  if ('rawCode' in error && typeof error.rawCode === 'number') return error.rawCode & 0xff;
  // The driver reports a failed opening as text that ends in the result code; the file system by names.
  const opening = /^ConnectionFailed\(.*: (\d+)"\)$/.exec(detail)?.[1];
  if (opening) return Number(opening) & 0xff;
  return 'code' in error ? (SYSTEM_CODES[String(error.code)] ?? 0) : 0;
}
