import type { LoggedEvent } from '../src/index.ts';

/** What a session log should be, as simply as it can be said. */
export interface ModelSession {
  readonly id: string;
  /** Grows with every session that is made. */
  readonly num: number;
  /** One for each event there ever was; the summary stands at the place of the last that was dropped. */
  readonly bodies: number[];
  trimmedTo: number;
  readonly keys: Map<string, number | undefined>;
  title: string | null;
  isArchived: boolean;
  updatedAtMs: number;
  epoch: number;
  owner: string | null;
  leaseUntilMs: number;
}

export type Ownership = 'right' | 'wrong';
export type Archived = 'exclude' | 'only' | 'include';

/** What is done to one session. There are few of them, so that steps meet in them. */
export type SessionAction =
  | { readonly type: 'remove' | 'release' | 'watch'; readonly id: string }
  | { readonly type: 'append'; readonly id: string; readonly count: number; readonly ownership: Ownership }
  | { readonly type: 'once'; readonly id: string; readonly key: string; readonly hasOutcome: boolean }
  | { readonly type: 'settle'; readonly id: string; readonly key: string }
  | { readonly type: 'input'; readonly id: string; readonly count: number }
  | { readonly type: 'read'; readonly id: string; readonly from: number }
  | { readonly type: 'update'; readonly id: string; readonly title: string | null; readonly isArchived: boolean }
  | { readonly type: 'acquire'; readonly id: string; readonly owner: string; readonly takeOver: boolean }
  | { readonly type: 'renew'; readonly id: string; readonly ownership: Ownership }
  | { readonly type: 'trim'; readonly id: string; readonly from: number; readonly ownership: Ownership }
  | { readonly type: 'fork'; readonly id: string; readonly to: string; readonly from: number };

/** One step of a run. */
export type Action =
  | SessionAction
  | { readonly type: 'create'; readonly id: string }
  | { readonly type: 'burst' | 'abandon'; readonly ids: readonly string[] }
  | { readonly type: 'list'; readonly limit: number; readonly archived: Archived }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'reopen' };

/** All sessions, and the time. */
export class Model {
  readonly sessions: Map<string, ModelSession> = new Map();
  nowMs = 1_000_000;
  #lastNum = 0;

  add(id: string, from: Partial<Pick<ModelSession, 'bodies' | 'title' | 'trimmedTo'>> = {}): ModelSession {
    const fresh = { keys: new Map(), isArchived: false, epoch: 0, owner: null, leaseUntilMs: 0 };
    const { bodies = [], title = null, trimmedTo = 0 } = from;
    const session = { id, num: ++this.#lastNum, bodies, trimmedTo, title, updatedAtMs: this.nowMs, ...fresh };
    this.sessions.set(id, session);
    return session;
  }

  append(session: ModelSession, bodies: readonly number[]): void {
    session.bodies.push(...bodies);
    if (bodies.length > 0) session.updatedAtMs = this.nowMs;
  }

  /** By last activity, newest first. */
  list(archived: Archived): ModelSession[] {
    return [...this.sessions.values()]
      .filter(({ isArchived }) => archived === 'include' || isArchived === (archived === 'only'))
      .toSorted((left, right) => right.updatedAtMs - left.updatedAtMs || right.num - left.num);
  }
}

/** The epoch an append should carry, or one that it should not. */
export function epochFor(session: ModelSession, ownership: Ownership): number | undefined {
  const right = session.owner === null ? undefined : session.epoch;
  return ownership === 'right' ? right : (right ?? session.epoch) + 1;
}

/** Events as [seq, body], which is all that the model knows of them. */
export function outline(events: readonly LoggedEvent[]): (readonly [number, unknown])[] {
  return events.map(({ seq, body }) => [seq, body] as const);
}

export function expectedOutline(session: ModelSession, after: number): (readonly [number, number])[] {
  const start = after === 0 ? Math.max(0, session.trimmedTo - 1) : after;
  return session.bodies.slice(start).map((body, index) => [start + index + 1, body] as const);
}
