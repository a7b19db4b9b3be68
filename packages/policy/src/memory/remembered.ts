/** How far an answer reaches: this session, this project, or everything this person does. */
export type RememberScope = 'session' | 'project' | 'user';

/** An answer "always", as it is stored. */
export interface Remembered {
  readonly id: string;
  readonly effect: 'allow' | 'deny';
  readonly scope: RememberScope;
  /** The session's id or the project's folder; absent for `user`. */
  readonly belongsTo?: string;
  /** The agent and the folder of the session, where they were known: other agents may give their sessions the same id. */
  readonly agent?: string;
  readonly folder?: string;
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
  /** Whose session it is. */
  readonly agent?: string;
}

/** Does this entry hold in this session and project? */
export function holdsAt(entry: Remembered, place: Place): boolean {
  if (entry.scope === 'user') return true;
  if (entry.belongsTo === undefined) return false;
  if (entry.scope === 'project') return entry.belongsTo === place.project;
  return entry.belongsTo === place.sessionId && entry.agent === place.agent && entry.folder === place.project;
}
