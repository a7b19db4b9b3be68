import type { Question } from '@parley/session';

/** An agent that the page can talk to. */
export interface AgentSummary {
  readonly name: string;
  readonly isDefault: boolean;
}

/** What `/api/agents` answers. */
export interface AgentsReply {
  readonly agents: readonly AgentSummary[];
  /** Where a session works unless somebody chooses another folder. */
  readonly cwd: string;
  /** The name of whoever asks. */
  readonly principal: string;
}

/** `waiting`: somebody has to answer. `running`: the agent works. `done`: nothing goes on. */
export type SessionActivity = 'running' | 'waiting' | 'done';

/** A session in the list. */
export interface SessionSummary {
  readonly agent: string;
  readonly sessionId: string;
  readonly title?: string;
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly state: SessionActivity;
  /** What the agent asks, and nobody has answered. */
  readonly questions: readonly Question[];
}

/** Which sessions `/api/sessions` lists. */
export interface SessionFilter {
  readonly agent?: string;
  readonly cwd?: string;
}

/** What `/api/sessions` answers. */
export interface SessionsReply {
  readonly sessions: readonly SessionSummary[];
  /** There are more than were asked for. */
  readonly hasMore: boolean;
}

/** One line of `/api/watch`. */
export type WatchChange =
  | { readonly type: 'session'; readonly session: SessionSummary }
  | { readonly type: 'removed'; readonly agent: string; readonly sessionId: string }
  /** Nothing has changed; the line tells that the server is there. */
  | { readonly type: 'alive' };

/** What `/api/files` answers: paths below the folder, written with `/`, best first. */
export interface FilesReply {
  readonly files: readonly string[];
  readonly hasMore: boolean;
}

/** What `/api/folders` answers. */
export interface FoldersReply {
  readonly folders: readonly string[];
}

/** One file that git knows to be changed. */
export interface ChangedFile {
  readonly path: string;
  /** Where it was before, if it was renamed. */
  readonly oldPath?: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'untracked';
  /** The change as a unified diff; absent for a binary file, and for one that is too large. */
  readonly patch?: string;
  readonly isBinary?: boolean;
  readonly added?: number;
  readonly removed?: number;
}

/** What `/api/changes` answers. */
export interface ChangesReply {
  /** False where the folder is in no repository. */
  readonly isRepository: boolean;
  readonly branch?: string;
  readonly files: readonly ChangedFile[];
  /** Some files or patches were left out, since there are too many. */
  readonly isCapped: boolean;
}

/** What `/api/traffic` is asked for. Its lines are entries as traces have them, each with a `seq`; `{ run }`; and `{ missed }`. */
export interface TrafficFilter {
  readonly agent?: string;
  readonly sessionId?: string;
  /** Where a reader that was cut off goes on: the run that the server has named, and the last number of it. */
  readonly run?: string;
  readonly after?: number;
}
