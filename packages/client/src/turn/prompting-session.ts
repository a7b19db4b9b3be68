import type { Transcript, TranscriptEvent } from '@parley/session';
import type { SessionConnection } from '../session/session-connection.ts';

/** The session of a turn, as far as a turn needs it. */
export interface PromptingSession {
  readonly id: string;
  readonly connection: SessionConnection;
  readonly transcript: Transcript;
  apply(event: TranscriptEvent): void;
  /** Called before a prompt is sent, which waits for the promise. */
  prepare(): Promise<void> | undefined;
}
