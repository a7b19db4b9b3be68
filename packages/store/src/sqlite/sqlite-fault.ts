import type { StoreErrorCode } from '../errors.ts';
import { OperationError } from '../operations.ts';

/** What SQLite's result codes, without their extensions, mean for the person who must act. */
const FAULTS: Readonly<Record<number, readonly [StoreErrorCode, string]>> = {
  5: ['store_busy', 'is in use by another process that did not finish in time; try again'],
  6: ['store_busy', 'is in use by another process that did not finish in time; try again'],
  8: ['store_readonly', 'cannot be written; check the permissions of the file and of its folder'],
  10: ['store_io', 'could not be read or written; check the disk'],
  11: ['store_corrupt', 'is damaged; move it away or restore a copy'],
  13: ['store_full', 'cannot grow; free space on the disk, or delete sessions if the store has a size limit'],
  14: ['store_unavailable', 'cannot be opened; check that its folder exists and is yours'],
  26: ['store_corrupt', 'is not a database; move it away or restore a copy'],
};

/** Faults after which the connection itself is in order: what was refused is rolled back, the next try may do. */
const HARMLESS: ReadonlySet<StoreErrorCode> = new Set(['store_busy', 'store_full']);

/** The fault of a file as an error that says what to do. Everything not yet acknowledged was rolled back. */
export function toFault(error: unknown, path: string): OperationError {
  if (error instanceof OperationError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  const [code, advice] = FAULTS[resultCode(error, detail)] ?? ['store_io', 'could not be used'];
  return new OperationError(
    code,
    '',
    `The session store ${path} ${advice} (${detail}). Nothing of this call was saved.`,
  );
}

/** True when the connection should be opened anew before the next call. */
export function needsReopening(fault: OperationError): boolean {
  return fault.code.startsWith('store_') && !HARMLESS.has(fault.code);
}

function resultCode(error: unknown, detail: string): number {
  if (typeof error !== 'object' || error === null) return 0;
  if ('rawCode' in error && typeof error.rawCode === 'number') return error.rawCode & 0xff;
  // The driver reports a failed opening as text that ends in the result code; the file system by names.
  const opening = /^ConnectionFailed\(.*: (\d+)"\)$/.exec(detail)?.[1];
  if (opening) return Number(opening) & 0xff;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EROFS') return 8;
  if (code === 'ENOSPC') return 13;
  if (code === 'EACCES' || code === 'EPERM' || code === 'ENOTDIR' || code === 'EEXIST' || code === 'EISDIR') return 14;
  return 0;
}
