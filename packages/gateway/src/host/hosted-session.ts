import type { Meta, NewQuestion, OptionValue, Session, SessionEnd, Turn, TurnResult } from '@parley/agent';
import type { ClientSession, TranscriptEvent } from '@parley/client';
import { kindOfError } from '@parley/protocol';
import { type Answer, promptMessageId } from '@parley/session';
import type { AgentProcess, EventSink } from './foreign/agent-process.ts';
import type { AgentProcesses } from './foreign/agent-processes.ts';
import { type OpeningOptions, openForeign } from './foreign/open-foreign.ts';
import type { HostOptions } from './host-options.ts';
import { type HostedState, type OpenForeign, type Opening, openIn, readEvent } from './hosted-state.ts';
import { HostedTurn } from './hosted-turn.ts';
import { LateReplay } from './late-replay.ts';
import { isPassedOn } from './passed-events.ts';
import { toAgent, toClient } from './refusals.ts';
import { transcriptText } from './transcript-text.ts';

export interface HostedSessionOptions extends Required<Pick<HostOptions, 'rememberBy' | 'maxTranscriptCharacters'>> {
  readonly session: Session;
  readonly processes: AgentProcesses<HostedSession>;
  readonly isProcessOwn: boolean;
  readonly unstable: boolean;
  readonly embedded: HostOptions['embedded'];
  /** A link to the agent that is lost is opened again by itself. */
  readonly reconnects: boolean;
  /** Something was left out that nobody waits for. */
  readonly onFault: (message: string, error: unknown) => void;
  /** The agent had lost the session, which was opened again. */
  readonly onReopened: (message: string, error: unknown) => void;
}

/**
 * A session of ours whose turns are carried out by the agent that is hosted. Its log is the truth for everybody who looks; the
 * session at the agent is opened when it is needed, and opened again when it was lost.
 */
export class HostedSession implements EventSink {
  readonly session: Session;
  readonly #options: HostedSessionOptions;
  #state: HostedState<HostedSession> = { name: 'closed' };
  /** The agent does not know what was said before; the next prompt tells it. */
  #hasForgotten = false;
  /** `_meta` of the request that opened the session, sent to the agent whenever it opens the session. */
  #meta: Meta | undefined;
  /** Keeps prompts of other processes here. */
  #reservation: AsyncDisposable | undefined;

  constructor(options: HostedSessionOptions) {
    this.#options = options;
    this.session = options.session;
  }

  /** The session at the agent; opened where it is not open. */
  open(opening: OpeningOptions = { reason: 'load' }): Promise<OpenForeign<HostedSession>> {
    if (this.#state.name === 'opening') return this.#state.opened;
    const open = openIn(this.#state);
    if (open) return Promise.resolve(open);
    return this.#begin({ ...opening, meta: opening.meta ?? this.#meta });
  }

  /** For a client in this process: opens the session at the agent at once, unless another process works in it. */
  async openAtOnce(opening: OpeningOptions): Promise<void> {
    this.#meta = opening.meta;
    this.#reservation ??= await this.session.reserve();
    if (this.#reservation) await this.open({ ...opening, isSetByClient: true });
  }

  /** Carries out a prompt. One that the agent refuses since it has lost the session is asked for once more. */
  async prompt(turn: Turn): Promise<TurnResult> {
    try {
      const attempt = { hasProgress: false };
      const open = await this.open();
      try {
        return await this.#promptOnce(open, turn, attempt);
      } catch (error) {
        if (attempt.hasProgress || turn.signal.aborted || !isLost(error)) throw error;
        await this.#drop();
        const again = await this.open();
        const lost = open.foreign.session.id;
        this.#options.onReopened(`The agent no longer had session ${lost}; it was opened again.`, error);
        return await this.#promptOnce(again, turn, attempt);
      }
    } catch (error) {
      throw toClient(error, { isEmbedded: this.#options.embedded !== undefined });
    } finally {
      if (this.#options.embedded?.reserves === 'opening') await this.#release();
    }
  }

  /** Sets a mode or an option at the agent; throws as the agent refuses it. */
  async setSetting(id: string, value: OptionValue): Promise<void> {
    try {
      const { process, foreign } = await this.open();
      await process.use(() => this.#set(process, foreign.session, { id, value }));
    } catch (error) {
      throw toClient(error);
    }
  }

  /** Puts a question of the agent to everybody who has the session open. */
  async ask(question: NewQuestion, signal: AbortSignal): Promise<Answer> {
    try {
      return await this.session.ask(question, { signal });
    } catch (error) {
      // The turn was cancelled, or nobody is there any more: nobody chose.
      if (signal.aborted || (error as Error).name === 'AbortError')
        return question.type === 'permission' ? { type: 'permission' } : { type: 'form', action: 'cancel' };
      throw toAgent(error);
    }
  }

  /** Nobody has the session open any more. One that was only left stays open at the agent, for who comes back. */
  async end(end: SessionEnd): Promise<void> {
    const open = openIn(this.#state);
    this.#state = { name: 'closed' };
    await this.#release();
    if (!open) return;
    const { process, foreign } = open;
    foreign.follower.sink = undefined;
    if (end === 'left') return;
    process.forget(foreign.session.id);
    await process
      .use(() => foreign.session.close())
      .catch((error: unknown) => {
        this.#options.onFault('A session could not be closed at the agent.', error);
      });
    if (this.#options.isProcessOwn && end !== 'reopened') await process.close();
  }

  pass(told: TranscriptEvent): void {
    const open = openIn(this.#state);
    if (told.type === 'connection_lost' && !this.#options.reconnects) open?.process.lose();
    if (told.type === 'turn_started' && this.#state.name === 'prompting') this.#state.turn.onForeignTurn();
    if (!isPassedOn(told)) return;
    const event = readEvent(this.#state, told);
    if (!event) return;
    try {
      const room = this.session.update(event);
      if (room) open?.process.pauseUntil(room);
    } catch (error) {
      this.#options.onFault(`An update of the agent (${event.type}) was left out.`, error);
      const description = error instanceof Error ? error.message : String(error);
      const title = 'Something that the agent told was left out';
      void this.session.update({ type: 'notice', severity: 'warning', title, description });
    }
  }

  #begin(opening: OpeningOptions): Promise<OpenForeign<HostedSession>> {
    const state: Opening<HostedSession> = {
      name: 'opening',
      opened: Promise.resolve().then(() => this.#openAt(state, opening)),
      isSetUp: false,
      isLogEmpty: opening.reason === 'new',
    };
    this.#state = state;
    state.opened.catch(() => this.#leave(state, { name: 'closed' }));
    return state.opened;
  }

  async #openAt(state: Opening<HostedSession>, opening: OpeningOptions): Promise<OpenForeign<HostedSession>> {
    const { session, processes, unstable, rememberBy, embedded } = this.#options;
    const process = await processes.for({
      principal: session.principal,
      sessionId: session.id,
      offers: opening.offers ?? session.client.offers,
    });
    return process.use(async () => {
      if (opening.isSetByClient) state.isLogEmpty ||= await isEmpty(session.history());
      const onSetUp = (): void => {
        state.isSetUp = true;
      };
      const parts = {
        session,
        process,
        sink: this,
        unstable,
        mustRemember: rememberBy === 'nothing',
        isLogEmpty: state.isLogEmpty,
        tellsId: embedded !== undefined,
        onSetUp,
      };
      const { foreign, remembers, isLoaded: mayReplayLate } = await openForeign(parts, opening);
      if (!remembers) this.#hasForgotten = opening.reason !== 'new';
      // The process is saved in no other way: whoever comes after us finds the session at the agent by this.
      session.state.hosted = { sessionId: foreign.session.id };
      await session.save();
      const open = { process, foreign };
      this.#leave(state, state.isLogEmpty ? { name: 'ready', open } : { name: 'replaying', open, mayReplayLate });
      return open;
    });
  }

  /** Goes on from a state, unless something else has come of it meanwhile. */
  #leave(state: HostedState<HostedSession>, next: HostedState<HostedSession>): void {
    if (this.#state === state) this.#state = next;
  }

  async #promptOnce(
    open: OpenForeign<HostedSession>,
    turn: Turn,
    attempt: { hasProgress: boolean },
  ): Promise<TurnResult> {
    if (turn.signal.aborted) return 'cancelled';
    const before = this.#hasForgotten ? await this.#recall(turn) : [];
    const mayReplayLate = this.#state.name === 'replaying' && this.#state.mayReplayLate;
    const exceptMessageId = promptMessageId(turn.id);
    const hosted = new HostedTurn({
      turn,
      content: [...before, ...turn.content],
      lateReplay: mayReplayLate ? await LateReplay.read(this.session.history(), exceptMessageId) : undefined,
      isProcessOwn: this.#options.isProcessOwn,
    });
    const prompting: HostedState<HostedSession> = { name: 'prompting', open, turn: hosted };
    this.#state = prompting;
    try {
      const result = await open.process.use(() => hosted.run(open));
      this.#hasForgotten = false;
      return result;
    } finally {
      attempt.hasProgress = hosted.hasProgress;
      this.#leave(prompting, { name: 'ready', open });
    }
  }

  /** What the agent is told ahead of a prompt, in place of what it has forgotten. */
  async #recall(turn: Turn): Promise<Turn['content']> {
    const { rememberBy, maxTranscriptCharacters: maxCharacters } = this.#options;
    const exceptMessageId = promptMessageId(turn.id);
    const text = await transcriptText(this.session.history(), { exceptMessageId, maxCharacters });
    if (text === undefined) return [];
    if (rememberBy === 'transcript') return [{ type: 'text', text, annotations: { audience: ['assistant'] } }];
    const title = 'The agent does not remember this conversation';
    const description = 'It could not open the session again and begins anew; tell it what it needs to know.';
    void this.session.update({ type: 'notice', severity: 'warning', title, description });
    // A client that knows no notices would show nothing.
    if (!turn.client.offers.notices) void turn.say(`_${title}. ${description}_\n\n`);
    return [];
  }

  async #set(
    process: AgentProcess<HostedSession>,
    session: ClientSession,
    { id, value }: { readonly id: string; readonly value: OptionValue },
  ): Promise<void> {
    const { mode, options } = session.transcript;
    if (id === 'mode' && mode?.availableModes.some((each) => each.id === value)) return session.setMode(String(value));
    if (options.some((option) => option.id === id)) return session.setOption(id, value);
    // An agent that has opened the session again without its settings still has them.
    const { id: sessionId } = session;
    if (id === 'mode') await process.connection.request('session/set_mode', { sessionId, modeId: value });
    else await process.connection.request('session/set_config_option', { sessionId, configId: id, value });
  }

  async #release(): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    await reservation?.[Symbol.asyncDispose]();
  }

  /** The agent has lost the session; it is opened again, or anew. */
  async #drop(): Promise<void> {
    const state = this.#state;
    this.#state = { name: 'closed' };
    if (state.name === 'closed' || state.name === 'opening') return;
    const { process, foreign } = state.open;
    process.forget(foreign.session.id);
    foreign.follower.sink = undefined;
    await foreign.session.close().catch(() => {});
  }
}

async function isEmpty(events: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of events) return false;
  return true;
}

function isLost(error: unknown): boolean {
  const kind = kindOfError(error);
  return kind === 'session_not_found' || kind === 'session_expired' || kind === 'resource_not_found';
}
