import type { Lease } from './lease.ts';

/** What is known of a session without reading its events. */
export interface SessionRecord {
  readonly id: string;
  readonly principal: string;
  readonly cwd: string;
  readonly title: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly isArchived: boolean;
  readonly createdAtMs: number;
  /** When the last event was appended. */
  readonly updatedAtMs: number;
  /** The sequence number of the last event; 0 when there is none. */
  readonly head: number;
  /** The last event that `trim` has dropped, in whose place its summary stands; 0 when none was. */
  readonly trimmedTo: number;
  /** The size of all its events' bodies, as JSON; in memory, about that. */
  readonly bytes: number;
  /** The session it was forked from. */
  readonly parentId: string | null;
  /** Who may append; null while nobody has acquired it. The lease may have run out. */
  readonly lease: Lease | null;
  /** Whether that owner may still be at work: its process is there, or, where nobody can know, its lease runs. */
  readonly isHeld: boolean;
}

/** What a copy of a session from another store keeps of it. */
export interface CopiedFacts {
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly isArchived: boolean;
  readonly parentId: string | null;
  /** As in its record: the number of the first of its events, which is the summary of those that were dropped. Default: 0, none were. */
  readonly trimmedTo?: number | undefined;
}

/** What `update` may change. */
export interface SessionChanges {
  /** Null removes the title. */
  readonly title?: string | null | undefined;
  /** Replaces the metadata as a whole. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly isArchived?: boolean | undefined;
}

/** Which sessions `list` gives. */
export interface SessionQuery {
  /** Only sessions of exactly this working directory. */
  readonly cwd?: string | undefined;
  /** Default: 'exclude'. */
  readonly archived?: 'exclude' | 'only' | 'include' | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** The most sessions on a page, up to 1,000; with much metadata there are fewer. Default: 50. */
  readonly limit?: number | undefined;
}

/** One page of `list`. */
export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  /** Opaque; null on the last page. A session that becomes active between two pages moves to the front of the list. */
  readonly nextCursor: string | null;
}
