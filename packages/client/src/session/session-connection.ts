import type { UnstableCalls } from '../link/unstable-calls.ts';
import type { AgentPeer, CallOptions, Meta } from '../peer/agent-peer.ts';
import type { PromptRules } from '../turn/prompt-content.ts';
import type { TurnConnection } from '../turn/prompting-session.ts';
import type { ClientSession } from './session.ts';
import type { EventSink } from './session-router.ts';
import type { Subagents } from './subagents/subagents.ts';

/** The connection of a session, as far as the session and its turns need it; `SessionRegistry` is it. */
export interface SessionConnection extends TurnConnection {
  /** What this client wants to send in prompts. */
  readonly promptRules: Omit<PromptRules, 'facts'>;
  readonly unstable: UnstableCalls;
  readonly subagents: Pick<Subagents, 'running' | 'hasUnreported' | 'settle' | 'stop'>;
  /**
   * Makes a call in a session. When the agent has lost the session, that is opened again and the call is made once more;
   * the id may be another one then.
   */
  callInSession<Result>(sessionId: string, call: CallInSession<Result>): Promise<Result>;
  /** Ends the session on both sides. */
  closeSession(session: ClientSession & EventSink, meta: Meta | undefined): Promise<void>;
}

export interface CallInSession<Result> {
  readonly method: string;
  readonly meta: Meta | undefined;
  readonly work: (peer: AgentPeer, sessionId: string, options: CallOptions) => Promise<Result>;
}
