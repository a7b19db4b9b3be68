import type { AgentProcess, EventSink, ForeignSession } from './foreign/agent-process.ts';
import type { HostedTurn } from './hosted-turn.ts';
import { isSetup, type PassedEvent } from './passed-events.ts';

/** A session at the agent, and the process that has it open. */
export interface OpenForeign<Sink extends EventSink> {
  readonly process: AgentProcess<Sink>;
  readonly foreign: ForeignSession<Sink>;
}

/**
 * The session at the agent, as its host sees it:
 *
 * | from                         | to          | when                                                                    |
 * |------------------------------|-------------|-------------------------------------------------------------------------|
 * | closed, or process has ended | `opening`   | a client opens the session, prompts in it or changes a setting          |
 * | opening                      | `replaying` | the agent has opened it again, and may repeat what the log has          |
 * | opening                      | `ready`     | the agent has opened it, and has nothing to repeat                      |
 * | opening                      | `closed`    | the agent could not open it                                             |
 * | replaying, ready             | `prompting` | a turn begins                                                           |
 * | prompting                    | `ready`     | the turn has ended                                                      |
 * | replaying, ready, prompting  | `closed`    | the last client has left, or the agent has lost the session             |
 */
export type HostedState<Sink extends EventSink> =
  | { readonly name: 'closed' }
  | Opening<Sink>
  | { readonly name: 'replaying'; readonly open: OpenForeign<Sink>; readonly mayReplayLate: boolean }
  | { readonly name: 'ready'; readonly open: OpenForeign<Sink> }
  | { readonly name: 'prompting'; readonly open: OpenForeign<Sink>; readonly turn: HostedTurn };

export interface Opening<Sink extends EventSink> {
  readonly name: 'opening';
  readonly opened: Promise<OpenForeign<Sink>>;
  /** The settings at the agent are those of our session. */
  isSetUp: boolean;
  /** The log has no conversation yet: what the agent tells on opening is the conversation. */
  isLogEmpty: boolean;
}

/** The session at the agent while it is open and its process runs. */
export function openIn<Sink extends EventSink>(state: HostedState<Sink>): OpenForeign<Sink> | undefined {
  if (state.name === 'closed' || state.name === 'opening') return undefined;
  const { process, foreign } = state.open;
  return process.isOver || foreign.session.isClosed ? undefined : state.open;
}

/** An event of the agent as our log takes it in this state; undefined for what the log must not take. */
export function readEvent<Sink extends EventSink>(
  state: HostedState<Sink>,
  event: PassedEvent,
): PassedEvent | undefined {
  switch (state.name) {
    case 'closed':
      return undefined;
    case 'opening':
      return (isSetup(event) ? state.isSetUp : state.isLogEmpty) ? event : undefined;
    case 'replaying':
      return isSetup(event) ? event : undefined;
    case 'ready':
      return event;
    case 'prompting':
      return state.turn.read(event);
  }
}
