import type { SessionEvent, SessionState, Transcript, TranscriptEvent } from '@parley/session';
import type { Clock } from '../clock.ts';
import type { ClientLimits } from '../limits.ts';
import type { SilenceWatchdog } from '../link/silence-watchdog.ts';
import type { AgentFacts, CallOptions, Meta, Prompt } from '../peer/agent-peer.ts';

/** The session of a turn, as far as a turn needs it. */
export interface PromptingSession {
  readonly id: string;
  readonly connection: TurnConnection;
  readonly transcript: Transcript;
  readonly state: SessionState;
  apply(event: TranscriptEvent): void;
  /** Takes an event of the agent that was held back. */
  receive(event: SessionEvent): void;
  /** Called before a prompt is sent, which waits for the promise. */
  prepare(): Promise<void> | undefined;
}

/** The connection of a session, as far as its turns need it. */
export interface TurnConnection {
  readonly clock: Clock;
  readonly limits: ClientLimits;
  readonly facts: AgentFacts;
  readonly watchdog: SilenceWatchdog | undefined;
  readonly subagents: RunningSubagents;
  /**
   * Whether the agent gets the ids of prompts, by which it runs each once. Then one that may not have arrived is sent again; an agent
   * that is a program of ours is gone with all that was on its way to it.
   */
  readonly sendsPromptIds: boolean;
  /** Whether the wire that is open carries more than answers. */
  readonly carriesUpdates: boolean;
  /** Sends a prompt, as `AgentPeer.prompt` does; once more where the agent had lost the session and has done nothing yet. */
  sendPrompt(sessionId: string, prompt: Prompt, options: CallOptions): Promise<void>;
  /** A prompt that was sent into a turn is a turn by itself. */
  promptBegins(sessionId: string, prompt: Prompt): void;
  /** Asks the agent to end the running turn and its sub-agents, and answers their open questions with cancelled. */
  cancelTurn(sessionId: string, meta: Meta | undefined): void;
}

/** The sub-agents of a session that a turn waits for. */
export interface RunningSubagents {
  running(rootId: string): readonly { readonly title: string }[];
  /** True while the agent has not handled the result of a sub-agent that ended in the background. */
  hasUnreported(rootId: string): boolean;
  /** The agent handles the results, or they are no longer waited for. */
  settle(rootId: string): void;
}
