import type { LoggedEvent } from '../src/index.ts';

/** What a session log should be, as simply as it can be said. */
export interface ModelSession {
  readonly bodies: number[];
  readonly keys: Map<string, number>;
  epoch: number;
  owner: string | null;
}

export type Model = Map<string, ModelSession>;

export type Ownership = 'right' | 'wrong';

/** One step of a run. Sessions are named by small numbers, so that steps meet in them. */
export type Action =
  | { readonly type: 'create' | 'remove' | 'release' | 'watch'; readonly id: string }
  | { readonly type: 'append'; readonly id: string; readonly count: number; readonly ownership: Ownership }
  | { readonly type: 'burst'; readonly ids: readonly string[] }
  | { readonly type: 'once'; readonly id: string; readonly key: string }
  | { readonly type: 'read'; readonly id: string; readonly from: number }
  | { readonly type: 'acquire'; readonly id: string; readonly owner: string; readonly takeOver: boolean }
  | { readonly type: 'fork'; readonly id: string; readonly to: string; readonly from: number }
  | { readonly type: 'reopen' }
  | { readonly type: 'abandon'; readonly ids: readonly string[] };

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
  return session.bodies.slice(after).map((body, index) => [after + index + 1, body] as const);
}
