/** How far an answer reaches: this session, this project, or everything this person does. */
export type RememberScope = 'session' | 'project' | 'user';

/** An answer "always", as it is stored. */
export interface Remembered {
  readonly id: string;
  readonly effect: 'allow' | 'deny';
  readonly scope: RememberScope;
  /** The session's id or the project's folder; absent for `user`. */
  readonly belongsTo?: string;
  readonly what: RememberedWhat;
  /** What the person was shown when answering; the entry never reaches further. */
  readonly shown: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Exactly one request, or a rule that the person was shown as a rule. */
export type RememberedWhat =
  | { readonly type: 'exact'; readonly key: string }
  | { readonly type: 'rule'; readonly rule: string };

/** The session and project that a decision is for. */
export interface Place {
  readonly sessionId?: string;
  readonly project?: string;
}

/** Does this entry hold in this session and project? */
export function holdsAt(entry: Remembered, place: Place): boolean {
  if (entry.scope === 'user') return true;
  return (
    entry.belongsTo !== undefined && entry.belongsTo === (entry.scope === 'session' ? place.sessionId : place.project)
  );
}
