import type { LogEntry } from '@parley/session';
import type { SharedLog } from '@parley/session/log';
import type { SessionActivity } from '../contract/activity.ts';
import type { OptionValue } from '../contract/settings.ts';
import type { TurnSession } from '../turn/turn-session.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionTurns } from './turns.ts';

/** A session as those see it who act for its owner. */
export interface OwnedSession extends TurnSession {
  readonly turns: SessionTurns;
  readonly shared: SharedLog | undefined;
  readonly settings: SessionSettings;
  /** Logs what has happened beside the events. */
  record(entry: LogEntry): void;
  /** Tells those who watch over the agent. */
  tell(activity: SessionActivity): void;
  setOption(id: string, value: OptionValue): void;
}
