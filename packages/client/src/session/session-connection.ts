import type { Clock } from '../clock.ts';
import type { SilenceWatchdog } from '../connect/link/silence-watchdog.ts';
import type { UnstableCalls } from '../connect/unstable-calls.ts';
import type { ClientLimits } from '../limits.ts';
import type { AgentFacts, AgentPeer, CallOptions, Meta, Prompt } from '../peer/agent-peer.ts';
import type { PromptRules } from '../turn/prompt-content.ts';
import type { ClientSession } from './session.ts';
import type { EventSink } from './session-router.ts';
import type { Subagents } from './subagents/subagents.ts';

/** The connection of a session, as far as the session and its turns need it; `SessionRegistry` is it. */
export interface SessionConnection {
  readonly clock: Clock;
  readonly limits: ClientLimits;
  readonly facts: AgentFacts;
  /** What this client wants to send in prompts. */
  readonly promptRules: Omit<PromptRules, 'facts'>;
  readonly watchdog: SilenceWatchdog | undefined;
  readonly unstable: UnstableCalls;
  readonly subagents: Pick<Subagents, 'running' | 'hasUnreported' | 'settle' | 'stop'>;
  /**
   * Whether prompts have names by which the agent runs each once. Then one that may not have arrived is sent again; an agent that is a
   * program of ours is gone with all that was on its way to it.
   */
  readonly namesPrompts: boolean;
  /** Whether the wire that is open carries more than answers. */
  readonly carriesUpdates: boolean;
  /**
   * Makes a call in a session. When the agent has lost the session, that is opened again and the call is made once more;
   * the id may be another one then.
   */
  callInSession<Result>(sessionId: string, call: CallInSession<Result>): Promise<Result>;
  /** Sends a prompt, as `AgentPeer.prompt` does; once more where the agent had lost the session and has done nothing yet. */
  sendPrompt(sessionId: string, prompt: Prompt, options: CallOptions): Promise<void>;
  /** A prompt that was sent into a turn is a turn by itself. */
  promptBegins(sessionId: string, prompt: Prompt): void;
  /** Asks the agent to end the running turn and its sub-agents, and answers their open questions with cancelled. */
  cancelTurn(sessionId: string, meta: Meta | undefined): void;
  /** Ends the session on both sides. */
  closeSession(session: ClientSession & EventSink, meta: Meta | undefined): Promise<void>;
}

export interface CallInSession<Result> {
  readonly method: string;
  readonly meta: Meta | undefined;
  readonly work: (peer: AgentPeer, sessionId: string, options: CallOptions) => Promise<Result>;
}
