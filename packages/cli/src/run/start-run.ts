import { wordNoStream } from '@parley/chat/view';
import {
  type AgentConnection,
  type ClientSession,
  type ConnectOptions,
  type Meta,
  type PermissionDecision,
  type PromptContent,
  type PromptOptions,
  type TurnResult,
  withSecrets,
} from '@parley/client';
import type { TraceFile } from '@parley/client/node';
import { CliError, exitCode, type Interruption, watchInterruption } from '@parley/host/command-line';
import { reapInBackground } from '@parley/host/process';
import { isRequest } from '@parley/jsonrpc';
import { agentSessionIdOf } from '@parley/session';
import { type MessageEntry, redactText, withoutSecrets } from '@parley/session/traces';
import type { CliContext } from '../context.ts';
import { connectAgent } from '../hosting/connect-agent.ts';
import type { ConnectedAgent, Hosting } from '../hosting/hosting.ts';
import { createRunOutput } from '../output/create-run-output.ts';
import { explainError } from '../output/explain-error.ts';
import { createOutputGate, type OutputGate } from '../output/output-gate.ts';
import type { RunOutcome } from '../output/run-outcome.ts';
import type { RunOutput } from '../output/run-output.ts';
import { AnswerPieces } from './answer-pieces.ts';
import { askPerson, isSomebodyThere } from './ask-person.ts';
import { boundEnd } from './bound-end.ts';
import { connectOptions, requireLogin } from './connect-options.ts';
import { Denials, deniedUnasked } from './denials.ts';
import { openSession, type StoredSession } from './open-session.ts';
import { openTrace } from './open-trace.ts';
import { exitOfTurn, PermissionCounter } from './outcome.ts';
import { runTurn } from './run-turn.ts';
import type { RunSettings } from './settings/run-settings.ts';

/** After how much silence in a turn we say what we are waiting for. */
const SILENT_MS = 10_000;

export interface RunOptions {
  /** Where it is told what happens. Default: as `--format` asks. */
  readonly output?: RunOutput;
  /** Where the agent is hosted, so that its sessions are kept. Default: nothing is kept here. */
  readonly hosting?: Hosting | undefined;
}

/** Begins a run: from now on signals, the timeout and readers that leave are heeded, and what happens is told. */
export async function startRun(settings: RunSettings, context: CliContext, options: RunOptions = {}): Promise<Run> {
  const output = options.output ?? createRunOutput(settings.output, context);
  const run = new Run(settings, context, output, options.hosting);
  // A program that does more than this run ends by itself.
  if (options.output === undefined) run.boundEnd();
  return run;
}

/**
 * One prompt, from starting the agent to the exit code: `connect`, `open`, `prompt`, and, when all of that is closed again,
 * `finish`. An error on the way goes to `fail`. Leaves no process behind.
 */
export class Run implements AsyncDisposable {
  readonly #settings: RunSettings;
  readonly #context: CliContext;
  readonly #output: RunOutput;
  readonly #hosting: Hosting | undefined;
  readonly #gate: OutputGate;
  readonly #interruption: Interruption;
  readonly #counter = new PermissionCounter();
  readonly #denials: Denials;
  readonly #answer = new AnswerPieces();
  readonly #reaping: AsyncDisposable;
  readonly #startedAt = Date.now();
  /** The last request that we sent. */
  #sent: string | undefined;
  /** What the agent has said on stderr while we waited for it. */
  #stderrTail: string | undefined;
  #sessionId: string | undefined;
  #trace: TraceFile | undefined;
  #agent: ConnectedAgent | undefined;
  #requestsOfAgent = 0;
  #result: TurnResult | undefined;
  #isPrompting = false;
  #finishing: Promise<number> | undefined;
  #error: { readonly value: unknown } | undefined;
  /** Ends the agent when the run is interrupted; from the prompt on, the turn is cancelled instead. */
  #close: () => void = () => {};

  constructor(settings: RunSettings, context: CliContext, output: RunOutput, hosting: RunOptions['hosting']) {
    this.#hosting = hosting;
    this.#settings = settings;
    this.#context = context;
    this.#output = output;
    this.#interruption = watchInterruption(context, {
      timeoutMs: settings.timeoutMs,
      onInterrupt: output.onNotice,
    });
    this.#gate = createOutputGate(output, {
      stdout: context.stdout,
      signal: this.signal,
      // The messages that a host receives are shown when its log has them; events come from the log.
      ...(hosting && { whenSaved: () => this.#agent?.whenSaved() }),
    });
    this.#denials = new Denials({
      settings,
      home: context.env.HOME,
      isSomebodyThere: isSomebodyThere(settings, context),
    });
    this.#reaping = reapInBackground();
  }

  /** Bounds how long the program goes on once it is to end, whatever its agent does. */
  boundEnd(): void {
    boundEnd({
      interruption: this.#interruption,
      settings: this.#settings,
      context: this.#context,
      isPrompting: () => this.#isPrompting,
      say: (text) => this.say(text),
      finish: () => this.finish(),
    });
  }

  /** Aborts when the run is to end, with the reason. */
  get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  /** Tells the person something. */
  say(text: string): void {
    this.#output.onNotice(text);
  }

  /** Starts the agent; `meta` is that of `initialize`. */
  async connect(meta?: Meta): Promise<AgentConnection> {
    const { signal } = this;
    const { source, traceFile } = this.#settings;
    if (traceFile !== undefined) this.#trace ??= openTrace(traceFile, this.#context.cwd);
    const say = this.#gate.onNotice;
    const options = connectOptions(this.#settings, this.#context, say);
    const asking = { settings: this.#settings, interruption: this.#interruption, say };
    const { ask, askSecret, ...answers } = await askPerson(asking, this.#context);
    const connected: ConnectOptions = {
      ...options,
      ...answers,
      ...(meta && { meta }),
      auth: withSecrets(options.auth, askSecret),
      permissions: {
        ...options.permissions,
        ...(ask && { ask }),
        onDecision: (decision) => this.#count(decision),
      },
      trace: {
        isRedacted: false,
        write: (entry) => this.#note(entry),
        writeAside: (entry) => this.#trace?.write(withoutSecrets(entry)),
      },
      watchdog: { silentMs: SILENT_MS, onSilence: this.#gate.onSilence },
      onPhase: (event) => {
        if (event.stderrTail !== undefined) this.#stderrTail = event.stderrTail;
        this.#gate.onPhase(event);
      },
      signal,
    };
    this.#agent = await connectAgent({ source, options: connected, hosting: this.#hosting, say });
    const { connection } = this.#agent;
    this.#gate.slowsDown(this.#agent);
    this.#close = () => void connection.close();
    signal.addEventListener('abort', this.#close, { once: true });
    return connection;
  }

  /** Opens the session to prompt in, a new one or one that was stored, and sets it up. */
  async open(connection: AgentConnection, stored?: StoredSession): Promise<ClientSession> {
    await requireLogin(connection, this.#settings, this.#context);
    return await openSession(connection, this.#settings.session, {
      stored,
      onOpened: (session) => {
        this.#sessionId = agentSessionIdOf(session);
        this.#gate.onSession(this.#sessionId, this.#settings.agent.name);
      },
      say: this.#gate.onNotice,
    });
  }

  /** Prompts, and tells what comes of it until the turn has ended. */
  async prompt(
    session: ClientSession,
    prompt: PromptContent,
    options?: Pick<PromptOptions, 'meta' | 'whenBusy'>,
  ): Promise<TurnResult> {
    this.signal.removeEventListener('abort', this.#close);
    session.on('event', (event) => this.#answer.see(event));
    this.#isPrompting = true;
    this.#result = await runTurn({
      session,
      prompt,
      options,
      output: this.#gate,
      interruption: this.#interruption,
      retries: this.#settings.promptRetries,
      requestsOfAgent: () => this.#requestsOfAgent,
      explain: (error) => this.#explain(error),
    }).finally(() => {
      this.#isPrompting = false;
    });
    this.#requireHeard(this.#result);
    return this.#result;
  }

  /** The run did not succeed; an interruption explains all that follows from it. */
  fail(error: unknown): void {
    this.#error ??= { value: this.signal.aborted ? this.signal.reason : this.#explain(error) };
  }

  /** Tells how the run ended, once everything else was told; resolves to the exit code. It is told once. */
  finish(): Promise<number> {
    this.#finishing ??= this.#finish();
    return this.#finishing;
  }

  async #finish(): Promise<number> {
    const outcome = await this.sumUp();
    // Nothing is left to be stopped in good order: from here on Ctrl-C ends the process.
    this.#interruption[Symbol.dispose]();
    await this.#output.onEnd(outcome, { text: this.#answer.of(outcome.text), signal: this.signal });
    return outcome.exitCode;
  }

  /** How the run ended, once everything that happened was told. */
  async sumUp(): Promise<RunOutcome> {
    await this.#trace?.close().catch((error: unknown) => this.fail(error));
    await this.#gate.settled();
    const { agent, permissions: chosen, exitCodes } = this.#settings;
    const result = this.#error ? undefined : this.#result;
    const permissions = this.#counter.counts;
    const { exit: interrupted, signal } = this.#interruption;
    const failure = this.#error ? this.#error.value : interrupted === 'interrupted' ? undefined : signal.reason;
    const known = { sent: this.#sent, stderrTail: this.#stderrTail };
    const error = failure === undefined ? undefined : explainError(failure, { agent: agent.name, ...known });
    // Our own agent is told of --deny-all and does not even ask.
    const unasked = chosen.deniesAll ? deniedUnasked(result?.failures ?? []) : [];
    const exit =
      interrupted ??
      error?.exit ??
      (result ? exitOfTurn(result.stopReason, permissions, unasked.length > 0) : 'failed');
    const denials = [...(await this.#denials.list()), ...unasked];
    return {
      schema: 1,
      exit,
      exitCode: exitCode(exit, exitCodes),
      // Only some outputs name the agent, and the first search for secrets takes V8 as long as an end of a turn.
      get agent() {
        return redactText(agent.name);
      },
      ...(this.#sessionId !== undefined && { sessionId: this.#sessionId }),
      ...(result && { stopReason: result.stopReason }),
      text: this.#result?.text ?? '',
      toolCalls: result?.toolCalls.length ?? 0,
      failedToolCalls: result?.failures.length ?? 0,
      permissions,
      ...(denials.length > 0 && { denials }),
      ...(result?.usage && { usage: result.usage }),
      durationMs: Date.now() - this.#startedAt,
      ...(error && { error: { code: error.code, message: error.message, next: error.next } }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#trace?.close().catch(() => {});
    await this.#reaping[Symbol.asyncDispose]();
    this.#interruption[Symbol.dispose]();
  }

  /** Over plain POST without a stream, an answer without text is an answer that was not received. */
  #requireHeard({ text, stopReason }: TurnResult): void {
    const connection = this.#agent?.connection;
    if (connection?.carriesUpdates !== false || text !== '' || stopReason === 'cancelled') return;
    const message = `The turn has ended (${stopReason}), but ${wordNoStream(connection)}.`;
    throw new CliError('answer_not_received', message, {
      next: ['use another address of the agent: ws:// or http://'],
    });
  }

  #explain(error: unknown): unknown {
    return this.#agent?.explain(error) ?? error;
  }

  #count(decision: PermissionDecision): void {
    this.#counter.add(decision);
    this.#denials.add(decision);
  }

  #note(entry: MessageEntry): void {
    const { direction, message } = entry;
    const request = isRequest(message) ? `${message.method} (id ${message.id})` : undefined;
    if (request !== undefined && direction === 'out') this.#sent = request;
    if (request !== undefined && direction === 'in') this.#requestsOfAgent += 1;
    if (this.#gate.wantsMessages) this.#gate.onMessage(direction, message);
    this.#trace?.write(withoutSecrets(entry));
  }
}
