import type {
  LogEntry,
  QuestionAnswered,
  QuestionAsked,
  QuestionWithdrawn,
  TurnEnded,
  TurnStarted,
} from '@parley/session';
import type { SessionEnd } from './session.ts';
import type { OptionValue } from './settings.ts';

/** Something that has happened in a session of an agent, for whoever watches over the agent. */
export type AgentActivity = { readonly principal: string; readonly sessionId: string } & SessionActivity;

export type SessionActivity =
  | { readonly kind: 'session_opened' }
  | { readonly kind: 'session_closed'; readonly end: SessionEnd }
  | { readonly kind: 'setting_changed'; readonly id: string; readonly value: OptionValue }
  | { readonly kind: 'recorded'; readonly entry: RecordedActivity };

/** What the log tells of turns and questions. */
export type RecordedActivity = TurnStarted | TurnEnded | QuestionAsked | QuestionAnswered | QuestionWithdrawn;

export type ActivityListener = (activity: AgentActivity) => void;

/** Those who watch over an agent, and may have it begin no more turns. They may come at any time. */
export class ActivityListeners {
  readonly #listeners = new Set<ActivityListener>();
  /** Why no further turn begins, for the person; undefined while turns do. */
  drainMessage: string | undefined;

  /** Returns what ends it. */
  add(listener: ActivityListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(activity: AgentActivity): void {
    for (const listener of this.#listeners) listener(activity);
  }
}

const RECORDED: ReadonlySet<LogEntry['type']> = new Set<RecordedActivity['type']>([
  'turn_started',
  'turn_ended',
  'question_asked',
  'question_answered',
  'question_withdrawn',
]);

export function isRecordedActivity(entry: LogEntry): entry is RecordedActivity {
  return RECORDED.has(entry.type);
}
