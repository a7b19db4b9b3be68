import type { ContentBlock, SessionMode } from '@parley/protocol';
import type { SessionEvent } from '../event.ts';
import type { StopReason } from '../parts.ts';
import type { Question } from '../question.ts';
import type { TokenUsage } from './transcript.ts';

/** What a transcript is folded from: what the agent tells, and what happens on our own side. */
export type TranscriptEvent = SessionEvent | LocalEvent;

export type LocalEvent =
  /** We sent a prompt. */
  | { readonly type: 'turn_started'; readonly prompt: readonly ContentBlock[] }
  /** We asked the agent to stop. */
  | { readonly type: 'turn_cancelling' }
  | {
      readonly type: 'turn_ended';
      readonly stopReason: StopReason;
      readonly usage?: TokenUsage;
      /** `_meta` of the agent's answer. */
      readonly meta?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'turn_failed'; readonly error: string }
  | { readonly type: 'question'; readonly question: Question }
  | { readonly type: 'answer'; readonly questionId: string; readonly outcome: string }
  | { readonly type: 'replay_started' }
  | { readonly type: 'replay_ended' }
  /** The modes that a session was opened with. */
  | { readonly type: 'modes'; readonly currentModeId: string; readonly availableModes: readonly SessionMode[] }
  /** The conversation was taken out of this transcript; the agent still knows it. */
  | { readonly type: 'cleared' }
  /** The agent had lost the session; it goes on under another id. */
  | { readonly type: 'session_replaced'; readonly from: string; readonly to: string }
  | { readonly type: 'connection_lost' }
  | { readonly type: 'connection_restored' };
