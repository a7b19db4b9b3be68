import type { SessionRow, SessionState } from '../operations.ts';
import { DamagedError } from './sqlite-fault.ts';
import { asBytes, readNumber, readText, readTextOrNull } from './stored-values.ts';

export const STATE_COLUMNS: string = `num, head, bytes, epoch, ${asBytes('owner')}, lease_until_ms`;

const TEXTS = ['principal', 'id', 'cwd', 'title', 'metadata', 'parent_id'].map(asBytes).join(', ');
export const COLUMNS: string = `${STATE_COLUMNS}, archived, created_ms, updated_ms, ${TEXTS}`;

/** Nothing about columns is certain in a file that may be damaged. */
export type StateColumns = readonly [
  num: unknown,
  head: unknown,
  bytes: unknown,
  epoch: unknown,
  owner: unknown,
  leaseUntilMs: unknown,
];

export type Columns = readonly [
  ...StateColumns,
  archived: unknown,
  createdMs: unknown,
  updatedMs: unknown,
  principal: unknown,
  id: unknown,
  cwd: unknown,
  title: unknown,
  metadata: unknown,
  parentId: unknown,
];

export function toState(
  id: string,
  [num, head, bytes, epochNumber, ownerName, leaseUntil]: StateColumns,
): SessionState {
  const epoch = readNumber(epochNumber);
  const owner = readTextOrNull(ownerName);
  return {
    num: readNumber(num),
    id,
    head: readNumber(head),
    bytes: readNumber(bytes),
    epoch,
    lease: owner === null ? null : { owner, epoch, leaseUntilMs: readNumber(leaseUntil) },
  };
}

export function toRow(columns: Columns): SessionRow {
  const [num, head, bytes, epoch, owner, leaseUntilMs, archived, createdMs, updatedMs, ...texts] = columns;
  const [principal, id, cwd, title, metadata, parentId] = texts;
  const titleJson = readTextOrNull(title);
  return {
    ...toState(readText(id), [num, head, bytes, epoch, owner, leaseUntilMs]),
    principal: readText(principal),
    cwd: readText(cwd),
    title: titleJson === null ? null : decodeTitle(titleJson),
    metadataJson: readText(metadata),
    isArchived: archived === 1,
    createdAtMs: readNumber(createdMs),
    updatedAtMs: readNumber(updatedMs),
    parentId: readTextOrNull(parentId),
  };
}

export function encodeTitle(title: string | null): string | null {
  return title === null ? null : JSON.stringify(title);
}

function decodeTitle(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    throw new DamagedError('a title is not JSON');
  }
}
