import type { SessionRow, SessionState } from '../backend/operations.ts';
import type { Lease } from '../contract/lease.ts';
import { asBytes, readJson, readNumber, readText, readTextOrNull } from './stored-values.ts';

/** What every append and every page needs, and no more. */
export const STATE_COLUMNS: string = `num, head, bytes, epoch, ${asBytes('owner')}, lease_until_ms, trimmed_to, trimmed_bytes`;

/** Nothing about what is read is certain in a file that may be damaged. */
export type StateColumns = readonly [
  num: unknown,
  head: unknown,
  bytes: unknown,
  epoch: unknown,
  owner: unknown,
  leaseUntilMs: unknown,
  trimmedTo: unknown,
  trimmedBytes: unknown,
];

type StoredColumn =
  | ('num' | 'id' | 'principal' | 'cwd' | 'title' | 'metadata' | 'archived' | 'created_ms' | 'updated_ms')
  | ('head' | 'bytes' | 'parent_id' | 'epoch' | 'owner' | 'lease_until_ms' | 'trimmed_to' | 'trimmed_bytes');

export type StoredSession = Readonly<Record<StoredColumn, unknown>>;

const STORED_COLUMNS: readonly StoredColumn[] = [
  ...(['num', 'id', 'principal', 'cwd', 'title', 'metadata', 'archived', 'created_ms', 'updated_ms'] as const),
  ...(['head', 'bytes', 'parent_id', 'epoch', 'owner', 'lease_until_ms', 'trimmed_to', 'trimmed_bytes'] as const),
];

/** All that is kept of a session, as one value: many would cost more to take out of the database. */
export const SESSION_JSON: string = `json_object(${STORED_COLUMNS.map((name) => `'${name}', ${name}`).join(', ')})`;

export function toState(id: string, columns: StateColumns): SessionState {
  const epoch = readNumber(columns[3]);
  return {
    num: readNumber(columns[0]),
    id,
    head: readNumber(columns[1]),
    bytes: readNumber(columns[2]),
    trimmedTo: readNumber(columns[6]),
    trimmedBytes: readNumber(columns[7]),
    epoch,
    lease: toLease(epoch, columns[4], columns[5]),
  };
}

export function toRow(stored: StoredSession): SessionRow {
  const epoch = readNumber(stored.epoch);
  return {
    num: readNumber(stored.num),
    id: readText(stored.id),
    principal: readText(stored.principal),
    cwd: readText(stored.cwd),
    title: stored.title === null ? null : readText(readJson(stored.title)),
    metadataJson: readText(stored.metadata),
    isArchived: stored.archived === 1,
    createdAtMs: readNumber(stored.created_ms),
    updatedAtMs: readNumber(stored.updated_ms),
    head: readNumber(stored.head),
    bytes: readNumber(stored.bytes),
    trimmedTo: readNumber(stored.trimmed_to),
    trimmedBytes: readNumber(stored.trimmed_bytes),
    parentId: readTextOrNull(stored.parent_id),
    epoch,
    lease: toLease(epoch, stored.owner, stored.lease_until_ms),
  };
}

/** A title is kept as JSON, in which any text survives. */
export function encodeTitle(title: string | null): string | null {
  return title === null ? null : JSON.stringify(title);
}

function toLease(epoch: number, owner: unknown, leaseUntilMs: unknown): Lease | null {
  return owner === null ? null : { owner: readText(owner), epoch, leaseUntilMs: readNumber(leaseUntilMs) };
}
