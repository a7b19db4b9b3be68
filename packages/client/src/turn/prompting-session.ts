import type { SessionEvent, SessionState, Transcript, TranscriptEvent } from '@parley/session';
import type { SessionConnection } from '../session/session-connection.ts';

/** The session of a turn, as far as a turn needs it. */
export interface PromptingSession {
  readonly id: string;
  readonly connection: SessionConnection;
  readonly transcript: Transcript;
  readonly state: SessionState;
  apply(event: TranscriptEvent): void;
  /** Takes an event of the agent that was held back. */
  receive(event: SessionEvent): void;
  /** Called before a prompt is sent, which waits for the promise. */
  prepare(): Promise<void> | undefined;
}
