import { getTerminal, getToolCall, isFinal, type TranscriptEvent } from '@parley/session';
import { UsageError } from '../errors.ts';
import { requireChoice } from './config-options.ts';
import type { ClientSession, MetaOptions } from './session.ts';
import type { SessionConnection } from './session-connection.ts';

/** The session that calls are made for. */
export interface CallingSession extends Pick<ClientSession, 'id' | 'transcript' | 'state' | 'isClosed' | 'close'> {
  readonly connection: SessionConnection;
  apply(event: TranscriptEvent): void;
}

/** What a client changes in a session besides prompting it: its settings, and single pieces of work that go on in it. */
export class SessionCalls {
  readonly #session: CallingSession;

  constructor(session: CallingSession) {
    this.#session = session;
  }

  /** Throws where no call can be made any more. */
  requireOpen(): CallingSession {
    const { isClosed, state } = this.#session;
    if (isClosed) throw new UsageError('session_closed', 'The session is closed; open a new one, or load it again.');
    if (state === 'lost')
      throw new UsageError(
        'connection_closed',
        'The connection to the agent is lost; connect again and load the session.',
      );
    return this.#session;
  }

  async setMode(modeId: string, { meta }: MetaOptions): Promise<void> {
    const session = this.requireOpen();
    const { mode, options } = session.transcript;
    const option = options.find(({ category }) => category === 'mode');
    if (option && (!mode || session.connection.facts.modeIsOption))
      return this.setOption(option.id, modeId, meta ? { meta } : {});
    const known = mode?.availableModes.map(({ id }) => id) ?? [];
    if (!known.includes(modeId)) {
      throw new UsageError(
        'unknown_choice',
        `The agent has no mode "${modeId}"; it has ${known.join(', ') || 'no modes'}.`,
      );
    }
    await session.connection.callInSession(session.id, {
      method: 'session/set_mode',
      meta,
      work: async (peer, id, call) => peer.setMode?.(id, modeId, call),
    });
    session.apply({ type: 'mode', modeId });
  }

  async setOption(optionId: string, value: string | boolean, { meta }: MetaOptions): Promise<void> {
    const session = this.requireOpen();
    requireChoice(session.transcript.options, optionId, value);
    const options = await session.connection.callInSession(session.id, {
      method: 'session/set_config_option',
      meta,
      work: (peer, id, call) => peer.setOption(id, optionId, value, call),
    });
    session.apply({ type: 'config', options });
  }

  async archive(): Promise<void> {
    const session = this.requireOpen();
    await session.connection.unstable.archive(session.id);
    await session.close();
  }

  async setTitle(title: string): Promise<string> {
    const session = this.requireOpen();
    const kept = await session.connection.unstable.setTitle(session.id, title);
    session.apply({ type: 'info', title: kept });
    return kept;
  }

  async cancelToolCall(toolCallId: string, { meta }: MetaOptions): Promise<void> {
    const { id: sessionId, connection, transcript } = this.requireOpen();
    const call = getToolCall(transcript, toolCallId);
    requireCancel(`Tool call "${toolCallId}"`, call && { canCancel: call.canCancel, hasEnded: isFinal(call.status) });
    await connection.callInSession(sessionId, {
      method: 'tool_call/cancel',
      meta,
      work: async (peer, id, options) => peer.cancelToolCall?.(id, toolCallId, options),
    });
  }

  async cancelTerminal(terminalId: string, { meta }: MetaOptions): Promise<void> {
    const { id: sessionId, connection, transcript } = this.requireOpen();
    const terminal = getTerminal(transcript, terminalId);
    requireCancel(
      `Terminal "${terminalId}"`,
      terminal && { canCancel: terminal.canCancel, hasEnded: terminal.exit !== undefined },
    );
    await connection.callInSession(sessionId, {
      method: 'terminal/cancel',
      meta,
      work: async (peer, id, options) => peer.cancelTerminal?.(id, terminalId, options),
    });
  }
}

/** Throws unless the agent lets this one piece of work be cancelled, now. */
function requireCancel(
  what: string,
  work: { readonly canCancel: boolean | undefined; readonly hasEnded: boolean } | undefined,
): void {
  if (!work) throw new UsageError('unknown_choice', `${what} is not known in this session.`);
  if (work.hasEnded) throw new UsageError('not_available', `${what} has ended already.`);
  if (!work.canCancel)
    throw new UsageError('not_available', `${what} cannot be cancelled by itself; cancel the turn to end it.`);
}
