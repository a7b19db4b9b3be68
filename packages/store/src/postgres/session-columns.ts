import type { SessionRow, SessionState } from '../backend/operations.ts';
import type { Lease } from '../contract/lease.ts';

/** A row of the table, as the driver gives it. */
export interface SessionColumns extends StateColumns {
  readonly cwd: string;
  readonly title: string | null;
  readonly metadata: string;
  readonly archived: boolean;
  readonly created_ms: number;
  readonly updated_ms: number;
  readonly parent_id: string | null;
}

/** What every append needs, and no more. */
export interface StateColumns {
  readonly num: number;
  readonly principal: string;
  readonly id: string;
  readonly head: number;
  readonly bytes: number;
  readonly trimmed_to: number;
  readonly trimmed_bytes: number;
  readonly epoch: number;
  readonly owner: string | null;
  readonly lease_until_ms: number | null;
}

export const STATE_COLUMNS = 'num, principal, id, head, bytes, trimmed_to, trimmed_bytes, epoch, owner, lease_until_ms';
export const SESSION_COLUMNS: string = `${STATE_COLUMNS}, cwd, title, metadata, archived, created_ms, updated_ms, parent_id`;

export function toState(columns: StateColumns): SessionState {
  const { num, id, head, bytes, trimmed_to, trimmed_bytes, epoch, owner, lease_until_ms } = columns;
  const lease = toLease(epoch, owner, lease_until_ms);
  return { num, id, head, bytes, trimmedTo: trimmed_to, trimmedBytes: trimmed_bytes, epoch, lease };
}

export function toRow(columns: SessionColumns): SessionRow {
  return {
    ...toState(columns),
    principal: columns.principal,
    cwd: columns.cwd,
    title: columns.title === null ? null : String(JSON.parse(columns.title)),
    metadataJson: columns.metadata,
    isArchived: columns.archived,
    createdAtMs: columns.created_ms,
    updatedAtMs: columns.updated_ms,
    parentId: columns.parent_id,
  };
}

/** A title is kept as JSON, in which any text survives. */
export function encodeTitle(title: string | null): string | null {
  return title === null ? null : JSON.stringify(title);
}

function toLease(epoch: number, owner: string | null, leaseUntilMs: number | null): Lease | null {
  return owner === null ? null : { owner, epoch, leaseUntilMs: leaseUntilMs ?? 0 };
}
