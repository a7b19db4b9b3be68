import {
  LogFailedError,
  type NewQuestion,
  type OptionValue,
  type Session,
  type SessionEnd,
  type Turn,
  type TurnResult,
} from '@parley/agent';
import { AgentError, type ClientSession, type TranscriptEvent } from '@parley/client';
import { kindOfError } from '@parley/protocol';
import { type Answer, promptMessageId } from '@parley/session';
import type { AgentProcess, EventSink, ForeignSession } from './foreign/agent-process.ts';
import type { AgentProcesses } from './foreign/agent-processes.ts';
import { foreignMeta } from './foreign/foreign-meta.ts';
import { type OpeningOptions, openForeign } from './foreign/open-foreign.ts';
import { LateReplay } from './late-replay.ts';
import { OwnPrompt } from './own-prompt.ts';
import { isPassedOn, isSetup } from './passed-events.ts';
import { PassedMessages } from './passed-messages.ts';
import { toAgent, toClient } from './refusals.ts';
import { transcriptText } from './transcript-text.ts';

/** How long an agent may take to stop when the session is lost; a lease still runs for longer than that. */
const LOST_GRACE_MS = 2000;

export interface HostedSessionOptions {
  readonly session: Session;
  readonly processes: AgentProcesses<HostedSession>;
  readonly isProcessOwn: boolean;
  readonly rememberBy: 'transcript' | 'notice';
  readonly maxTranscriptCharacters: number;
  readonly unstable: boolean;
  /** Something was left out that nobody waits for. */
  readonly onFault: (message: string, error: unknown) => void;
}

export interface OpenForeign {
  readonly process: AgentProcess<HostedSession>;
  readonly foreign: ForeignSession<HostedSession>;
}

/**
 * A session of ours whose turns are carried out by the agent that is hosted. Its log is the truth for everybody who looks; the
 * session at the agent is opened when it is needed, and opened again when it was lost.
 */
export class HostedSession implements EventSink {
  readonly session: Session;
  readonly #options: HostedSessionOptions;
  #open: OpenForeign | undefined;
  #opening: Promise<OpenForeign> | undefined;
  /** The settings at the agent are not yet those of ours. */
  #isSettingUp = false;
  /** The agent tells again what the log has already. */
  #isQuiet = false;
  /** The agent does not know what was said before. */
  #hasForgotten = false;
  #hasProgress = false;
  /** What the agent may tell again during the first turn after it has loaded the session. */
  #lateReplay: LateReplay | undefined;
  #isLoaded = false;
  /** The prompt of the turn that runs. */
  #ownPrompt: OwnPrompt | undefined;
  /** What the person has said while it runs. */
  #messages: PassedMessages | undefined;
  /** Tool calls that have begun and not ended. */
  readonly #openCalls = new Set<string>();

  constructor(options: HostedSessionOptions) {
    this.#options = options;
    this.session = options.session;
  }

  /** The session at the agent; opened where it is not open. */
  open(opening: OpeningOptions = { reason: 'load' }): Promise<OpenForeign> {
    if (this.#open && !this.#open.process.isOver && !this.#open.foreign.session.isClosed)
      return Promise.resolve(this.#open);
    this.#opening ??= this.#begin(opening).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Carries out a prompt. One that the agent refuses since it has lost the session is asked for once more. */
  async prompt(turn: Turn): Promise<TurnResult> {
    try {
      return await this.#promptOnce(turn);
    } catch (error) {
      if (this.#hasProgress || turn.signal.aborted || !isLost(error)) throw toClient(error);
    }
    await this.#drop();
    try {
      return await this.#promptOnce(turn);
    } catch (error) {
      throw toClient(error);
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
    const open = this.#open;
    this.#open = undefined;
    if (!open || open.process.isOver) return;
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
    if (told.type === 'connection_lost') this.#open?.process.lose();
    if (!isPassedOn(told)) return;
    const event = this.#ownPrompt ? this.#ownPrompt.read(told) : told;
    if (!event || this.#messages?.hasTold(event)) return;
    if (isSetup(event) ? this.#isSettingUp : this.#isQuiet || this.#lateReplay?.takes(event)) return;
    if (event.type === 'tool_call') this.#track(event.toolCallId, event.status);
    if (!isSetup(event)) this.#hasProgress = true;
    try {
      const room = this.session.update(event);
      if (room) this.#open?.process.pauseUntil(room);
    } catch (error) {
      this.#options.onFault(`An update of the agent (${event.type}) was left out.`, error);
      const description = error instanceof Error ? error.message : String(error);
      const title = 'Something that the agent told was left out';
      void this.session.update({ type: 'notice', severity: 'warning', title, description });
    }
  }

  async #begin(opening: OpeningOptions): Promise<OpenForeign> {
    const { session, processes, unstable } = this.#options;
    const process = await processes.for({
      principal: session.principal,
      sessionId: session.id,
      offers: opening.offers ?? session.client.offers,
    });
    return process.use(async () => {
      this.#isQuiet = opening.reason !== 'new';
      this.#isSettingUp = true;
      const onSetUp = (): void => {
        this.#isSettingUp = false;
      };
      const parts = { session, process, sink: this, unstable, onSetUp };
      const { foreign, remembers, isLoaded } = await openForeign(parts, opening);
      this.#isLoaded = isLoaded;
      if (!remembers) this.#hasForgotten = opening.reason !== 'new';
      // The process is saved in no other way: whoever comes after us finds the session at the agent by this.
      session.state.hosted = { sessionId: foreign.session.id };
      await session.save();
      this.#open = { process, foreign };
      return this.#open;
    });
  }

  async #promptOnce(turn: Turn): Promise<TurnResult> {
    this.#hasProgress = false;
    const { process, foreign } = await this.open();
    if (turn.signal.aborted) return 'cancelled';
    const before = this.#hasForgotten ? await this.#recall(turn) : [];
    // Only now is something shown again that the agent tells.
    this.#lateReplay = this.#isLoaded
      ? await LateReplay.read(this.session.history(), promptMessageId(turn.id))
      : undefined;
    this.#isLoaded = false;
    return process.use(() => this.#run(turn, { process, foreign }, before));
  }

  async #run(turn: Turn, open: OpenForeign, before: Turn['content']): Promise<TurnResult> {
    const { session } = open.foreign;
    this.#isQuiet = false;
    const meta = foreignMeta(turn.meta);
    const prompt = [...before, ...turn.content];
    this.#ownPrompt = new OwnPrompt(turn.id, prompt);
    const running = session.prompt(prompt, meta ? { meta } : {});
    const messages = new PassedMessages(turn, session);
    this.#messages = messages;
    let killing: ReturnType<typeof setTimeout> | undefined;
    const cancel = (): void => {
      void running.cancel();
      // What cannot be written must not happen: soon the session may be somebody else's, with an agent of its own.
      if (turn.signal.reason instanceof LogFailedError)
        killing ??= setTimeout(() => void open.process.close(), LOST_GRACE_MS);
    };
    turn.signal.addEventListener('abort', cancel, { once: true });
    if (turn.signal.aborted) cancel();
    try {
      const { stopReason, usage, meta: told, extra, isForced } = await running.result;
      await messages.whenAnswered();
      this.#hasForgotten = false;
      if (isForced && this.#options.isProcessOwn) void open.process.close();
      return {
        stopReason,
        ...(told && { meta: told }),
        ...(usage && { tokens: usage }),
        ...(extra && { extra }),
      };
    } catch (error) {
      if (error instanceof AgentError) this.#failOpenCalls();
      throw error;
    } finally {
      clearTimeout(killing);
      turn.signal.removeEventListener('abort', cancel);
      this.#openCalls.clear();
      this.#ownPrompt = undefined;
      this.#messages = undefined;
      messages.close();
      this.#lateReplay = undefined;
      // The log has it; here it would only grow.
      if (!session.turn && !session.isReplaying) session.clearTranscript();
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

  #track(toolCallId: string, status: string | undefined): void {
    if (status === 'completed' || status === 'failed' || status === 'cancelled') this.#openCalls.delete(toolCallId);
    else this.#openCalls.add(toolCallId);
  }

  /** The agent is gone, and nobody else will say how they ended. */
  #failOpenCalls(): void {
    for (const toolCallId of this.#openCalls)
      void this.session.update({ type: 'tool_call', toolCallId, status: 'failed' });
  }

  /** The agent has lost the session; it is opened again, or anew. */
  async #drop(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    open.process.forget(open.foreign.session.id);
    open.foreign.follower.sink = undefined;
    await open.foreign.session.close().catch(() => {});
  }
}

function isLost(error: unknown): boolean {
  const kind = kindOfError(error);
  return kind === 'session_not_found' || kind === 'session_expired' || kind === 'resource_not_found';
}
