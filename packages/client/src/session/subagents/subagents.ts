import type { SessionEvent, SessionMessageEvent, SubagentEvent } from '@parley/session';
import type { PermissionRequest } from '../../peer/client-duties.ts';
import type { SessionRouter, SubagentUpdate } from '../session-router.ts';
import { SubagentCall } from './subagent-call.ts';

/** A sub-agent that runs. */
export interface RunningSubagent {
  readonly sessionId: string;
  readonly title: string;
  /** Whether it may be cancelled by itself. */
  readonly canCancel: boolean;
}

interface Subagent {
  readonly rootId: string;
  readonly call: SubagentCall;
  canCancel: boolean;
  isRunning: boolean;
  /** Its task arrived as a session message. */
  isDelegated: boolean;
  /** It has ended without a session message that answers its task: the agent will handle its result in further work. */
  isUnreported: boolean;
}

export interface SubagentsParts {
  readonly router: SessionRouter;
  /** Receives each event of a sub-agent's session as it came. */
  readonly onEvent: (update: SubagentUpdate) => void;
}

/**
 * The sub-agents of a connection that have sessions of their own. Their events and their questions become part of the open session that
 * started them, directly or through other sub-agents: the root.
 */
export class Subagents {
  readonly #parts: SubagentsParts;
  readonly #subagents = new Map<string, Subagent>();

  constructor(parts: SubagentsParts) {
    this.#parts = parts;
  }

  /** Processes an event that the router has delivered. */
  see(sessionId: string, event: SessionEvent): void {
    if (event.type === 'subagent') this.#update(sessionId, event);
    else if (event.type === 'session_message') this.#message(event);
  }

  /** The open session that started a sub-agent; any other session is its own root. */
  rootOf(sessionId: string): string {
    return this.#subagents.get(sessionId)?.rootId ?? sessionId;
  }

  /** A permission request of a sub-agent as a request of its root that names the sub-agent. */
  attribute(request: PermissionRequest): PermissionRequest {
    const subagent = this.#subagents.get(request.sessionId);
    if (!subagent) return request;
    const { rootId, call } = subagent;
    const asker = `Asked by the sub-agent "${call.title}".`;
    const description = request.description ? `${request.description} ${asker}` : asker;
    const { toolCall } = request;
    const meta = call.nestedMeta(toolCall.meta);
    return { ...request, sessionId: rootId, description, toolCall: { ...toolCall, meta } };
  }

  running(rootId: string): RunningSubagent[] {
    return this.#of(rootId).flatMap(([sessionId, { call, canCancel, isRunning }]) =>
      isRunning ? [{ sessionId, title: call.title, canCancel }] : [],
    );
  }

  /** True while the agent has not handled the result of a sub-agent that ended in the background. */
  hasUnreported(rootId: string): boolean {
    return this.#of(rootId).some(([, { isUnreported }]) => isUnreported);
  }

  /** The agent handles the results, or they are no longer waited for. */
  settle(rootId: string): void {
    for (const [, subagent] of this.#of(rootId)) subagent.isUnreported = false;
  }

  /** The agent is gone, and its sub-agents with it. */
  stop(rootId: string): void {
    this.settle(rootId);
    for (const [, subagent] of this.#of(rootId)) subagent.isRunning = false;
  }

  #of(rootId: string): [string, Subagent][] {
    return [...this.#subagents].filter(([, subagent]) => subagent.rootId === rootId);
  }

  #update(parentId: string, event: SubagentEvent): void {
    const subagent = this.#subagents.get(event.sessionId) ?? this.#adopt(event.sessionId, parentId);
    if (!subagent) return;
    if (event.capabilities !== undefined) subagent.canCancel = event.capabilities?.cancel != null;
    this.#note(subagent, event.state?.state);
    this.#deliver(subagent, subagent.call.update(event));
  }

  #message(event: SessionMessageEvent): void {
    const { senderSessionId: sender = '', recipientSessionId: recipient = '' } = event;
    const to = this.#subagents.get(recipient);
    if (to) {
      to.isDelegated = true;
      return this.#deliver(to, to.call.message(event));
    }
    const from = this.#subagents.get(sender);
    if (!from) return;
    from.isDelegated = false;
    from.isUnreported = false;
    this.#deliver(from, from.call.message(event));
  }

  #adopt(sessionId: string, parentId: string): Subagent | undefined {
    const { router, onEvent } = this.#parts;
    const rootId = this.rootOf(parentId);
    const subagent: Subagent = {
      rootId,
      call: new SubagentCall(sessionId, rootId === parentId ? undefined : parentId),
      canCancel: false,
      isRunning: false,
      isUnreported: false,
      isDelegated: false,
    };
    const isAdopted = router.adopt(sessionId, parentId, {
      receive: (event) => {
        onEvent({ parentId, sessionId, event });
        if (event.type === 'state') this.#note(subagent, event.state);
        this.#deliver(subagent, subagent.call.nest(event));
      },
      removed: () => this.#subagents.delete(sessionId),
    });
    if (!isAdopted) return undefined;
    this.#subagents.set(sessionId, subagent);
    return subagent;
  }

  /** Ignores states in a replay: they are from the past. */
  #note(subagent: Subagent, state: string | undefined): void {
    if (state === undefined || this.#parts.router.isReplaying(subagent.rootId)) return;
    const wasRunning = subagent.isRunning;
    subagent.isRunning = state === 'running' || state === 'requires_action';
    if (subagent.isRunning) subagent.isUnreported = false;
    else if (wasRunning) subagent.isUnreported = subagent.isDelegated;
  }

  #deliver({ rootId }: Subagent, events: readonly SessionEvent[]): void {
    for (const event of events) this.#parts.router.route(rootId, event);
  }
}
