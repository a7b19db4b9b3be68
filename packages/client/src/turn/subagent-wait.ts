import { RpcError } from '@parley/jsonrpc';
import type { SessionEvent, StateEvent, TokenUsage } from '@parley/session';
import type { TurnEnd } from '../peer/agent-peer.ts';
import type { PromptingSession } from './prompting-session.ts';

type Ended = Extract<TurnEnd, { readonly type: 'turn_ended' }>;

export interface SubagentWaitParts {
  readonly isCancelling: () => boolean;
  /** Receives a description of the sub-agents that the turn waits for. */
  readonly onWait: (what: string) => void;
  /** Ends the turn: its sub-agents have ended. */
  readonly onEnd: (end: TurnEnd) => void;
}

/**
 * Keeps a turn open while its sub-agents run. In version 2 an agent may report an idle session while sub-agents run in the background.
 * When one of them ends, the agent resumes work to handle the result; the turn ends after that.
 */
export class SubagentWait {
  readonly #session: PromptingSession;
  readonly #parts: SubagentWaitParts;
  /** The end of the turn as the agent reported it. */
  #held: Ended | undefined;
  /** The agent handles the result of a sub-agent. */
  #isAgentAtWork = false;
  #cancelTimer: (() => void) | undefined;
  #awaited: string | undefined;
  /** Set while the agent may still start to handle the results of cancelled sub-agents. */
  #refusal: (() => void) | undefined;

  constructor(session: PromptingSession, parts: SubagentWaitParts) {
    this.#session = session;
    this.#parts = parts;
  }

  /** A turn begins. It does not wait for results of earlier turns. */
  begin(): void {
    const { id, connection } = this.#session;
    this.#refusal?.();
    this.#refusal = undefined;
    connection.subagents.settle(id);
  }

  /**
   * True when the turn stays open until `onEnd`. In version 1, and with agents on Parley, which name their turns, a turn never ends before
   * its sub-agents.
   */
  hold(end: Ended): boolean {
    const { protocolVersion } = this.#session.connection.facts;
    if (protocolVersion < 2 || end.hasTurnId || !this.#isAwaited()) return false;
    this.#held = end;
    this.#isAgentAtWork = false;
    this.#wait();
    return true;
  }

  see(event: SessionEvent): void {
    if (this.#refusal && event.type === 'state' && event.state === 'running') return this.#refuse();
    if (!this.#held) return;
    if (event.type === 'state') this.#seeState(this.#held, event);
    this.#wait();
  }

  /** The turn is over, or lost with the connection. */
  drop(): void {
    this.#held = undefined;
    this.#awaited = undefined;
    this.#stopTimer();
  }

  #isAwaited(): boolean {
    const { id, connection } = this.#session;
    if (connection.subagents.running(id).length > 0) return true;
    return connection.subagents.hasUnreported(id) && !this.#parts.isCancelling();
  }

  #seeState(held: Ended, event: StateEvent): void {
    const { id, connection } = this.#session;
    this.#isAgentAtWork = event.state !== 'idle';
    if (this.#isAgentAtWork) {
      this.#stopTimer();
      connection.subagents.settle(id);
      return;
    }
    const { stopReason = held.stopReason, error, tokens, meta = held.meta } = event;
    if (stopReason === 'error') {
      const { code = -32603, message = 'The agent says that the turn failed, and not why.', data } = error ?? {};
      this.drop();
      return this.#parts.onEnd({
        type: 'turn_failed',
        promptId: held.promptId,
        error: new RpcError(code, message, data),
      });
    }
    const usage = tokens
      ? addTokens(held.usage, { totalTokens: tokens.inputTokens + tokens.outputTokens, ...tokens })
      : held.usage;
    this.#held = { ...held, stopReason, ...(usage && { usage }), ...(meta && { meta }) };
  }

  #wait(): void {
    const held = this.#held;
    if (!held || this.#isAgentAtWork) return;
    const { id, connection } = this.#session;
    const running = connection.subagents.running(id);
    if (running.length > 0) {
      this.#stopTimer();
      const what = `sub-agents: ${running.map(({ title }) => title).join(', ')}`;
      if (what !== this.#awaited) this.#parts.onWait(what);
      this.#awaited = what;
    } else if (this.#isAwaited()) {
      this.#cancelTimer ??= connection.clock.after(
        connection.limits.subagentReportMs,
        () => this.#held && this.#end(this.#held),
      );
    } else this.#end(held);
  }

  #end(held: Ended): void {
    const { id, connection } = this.#session;
    const isCancelled = this.#parts.isCancelling();
    if (isCancelled && connection.subagents.hasUnreported(id))
      this.#refusal = connection.clock.after(connection.limits.subagentReportMs, () => {
        this.#refusal = undefined;
      });
    connection.subagents.settle(id);
    this.drop();
    this.#parts.onEnd(isCancelled ? { ...held, stopReason: 'cancelled' } : held);
  }

  /** The person cancelled the whole turn, this work included. */
  #refuse(): void {
    const { id, connection } = this.#session;
    this.#refusal?.();
    this.#refusal = undefined;
    connection.cancelTurn(id, undefined);
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}

function addTokens(before: TokenUsage | undefined, more: TokenUsage): TokenUsage {
  if (!before) return more;
  const sum: Record<string, number> = { ...before };
  for (const [kind, count] of Object.entries(more)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum as unknown as TokenUsage;
}
