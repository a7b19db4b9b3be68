import {
  type AgentConnection,
  type AgentSource,
  applySettings,
  type ClientSession,
  type ConnectOptions,
  connect,
  type SessionOptions,
  type SessionSettings,
} from '@parley/client';
import type { AttemptFacts, Timing } from '../formats/attempt.ts';
import type { PromptCase } from '../formats/prompt-case.ts';
import type { TrajectoryStep } from '../formats/trajectory.ts';
import { AttemptError, classifyFailure, explainFailure } from './failure.ts';
import { PermissionLog } from './permission-log.ts';
import { ProtocolCounter } from './protocol-counter.ts';
import { richnessOf, TrajectoryRecorder } from './trajectory-recorder.ts';

/** How an agent is opened and what it is told, the same for all cases of a run. */
export interface AgentOptions {
  /** Where the agent is found. Given a folder, it is to be started there. */
  readonly agent: AgentSource | ((cwd: string) => AgentSource);
  /** What this client is and does for the agent: permissions, files, terminals, deadlines. */
  readonly connect?: Omit<ConnectOptions, 'signal'>;
  /** MCP servers and whatever else sessions are opened with. */
  readonly session?: Omit<SessionOptions, 'cwd' | 'follow'>;
  /** Mode, model and options of each session. */
  readonly settings?: SessionSettings;
}

export interface AttemptOptions extends AgentOptions {
  /** Where the session works. */
  readonly cwd: string;
  /** For the whole attempt, from starting the agent on. */
  readonly timeoutMs: number;
  /** Gives up; the attempt then rejects with the signal's reason and counts for nothing. */
  readonly signal?: AbortSignal;
}

/** What became of one attempt at a case. */
export interface Attempt extends AttemptFacts {
  readonly output: string;
  readonly trajectory: readonly TrajectoryStep[];
  readonly timing: Timing;
  /** Whether a tool call failed, or the attempt did. */
  readonly toolErrors: boolean;
  /** `agent`, `trajectoryRichness`, `turnCount`, `timedOut`, and `exitCode` and `signal` of an agent that died. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** How long a turn that took too long may take to end when it is asked to; then its process is ended. */
const CANCEL_GRACE_MS = 2000;

/**
 * One attempt at a case: starts the agent, opens a session, and has all its turns in it. Whatever goes wrong with the agent is in the result, with all that
 * it had said and done by then. Nothing of the agent is left when this resolves.
 */
export async function runAttempt(task: PromptCase, options: AttemptOptions): Promise<Attempt> {
  const start = Date.now();
  const { timeoutMs, signal } = options;
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new AttemptError('timeout', `Timed out after ${timeoutMs} ms.`)),
    timeoutMs,
  );
  const stop = signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal;
  const work = new AttemptWork(task, options, start, stop);
  let error: unknown;
  try {
    await work.run();
  } catch (thrown) {
    error = deadline.signal.aborted ? deadline.signal.reason : thrown;
  } finally {
    clearTimeout(timer);
    await work.close();
  }
  signal?.throwIfAborted();
  return work.sumUp(error ?? (deadline.signal.aborted ? deadline.signal.reason : undefined));
}

class AttemptWork {
  readonly #task: PromptCase;
  readonly #options: AttemptOptions;
  readonly #start: number;
  readonly #stop: AbortSignal;
  readonly #recorder: TrajectoryRecorder;
  readonly #permissions: PermissionLog;
  readonly #protocol = new ProtocolCounter();
  #connection: AgentConnection | undefined;
  #session: ClientSession | undefined;
  #sessionCreation: number | undefined;
  #turns = 0;
  #stopReason: string | undefined;

  constructor(task: PromptCase, options: AttemptOptions, start: number, stop: AbortSignal) {
    this.#task = task;
    this.#options = options;
    this.#start = start;
    this.#stop = stop;
    this.#recorder = new TrajectoryRecorder(start, () => this.#session?.transcript);
    this.#permissions = new PermissionLog(start);
  }

  async run(): Promise<void> {
    const session = await this.#open();
    this.#sessionCreation = Date.now() - this.#start;
    for (const input of [this.#task.input].flat()) {
      this.#stop.throwIfAborted();
      this.#turns += 1;
      const { stopReason } = await session.prompt(input, { signal: this.#stop }).result;
      this.#stopReason = stopReason;
      // A conversation that was refused or cancelled has no next turn.
      if (stopReason === 'refusal' || stopReason === 'cancelled') break;
    }
  }

  async #open(): Promise<ClientSession> {
    const { agent, cwd, session: sessionOptions, settings, connect: given = {} } = this.#options;
    const source = typeof agent === 'function' ? agent(cwd) : agent;
    const connection = await connect(source, {
      ...given,
      limits: { cancelGraceMs: CANCEL_GRACE_MS, ...given.limits },
      permissions: this.#permissions.watch(given.permissions),
      onDiagnostic: (diagnostic) => {
        this.#protocol.add(diagnostic);
        given.onDiagnostic?.(diagnostic);
      },
      signal: this.#stop,
    });
    this.#connection = connection;
    const giveUp = (): void => void connection.close();
    this.#stop.addEventListener('abort', giveUp, { once: true });
    this.#session = await connection.newSession({ ...sessionOptions, cwd, follow: this.#recorder.follow });
    if (settings) await applySettings(this.#session, settings);
    // From here on a turn is asked to end before its agent is.
    this.#stop.removeEventListener('abort', giveUp);
    return this.#session;
  }

  async close(): Promise<void> {
    if (this.#connection) this.#protocol.finish(this.#connection);
    await this.#connection?.close().catch(() => {});
  }

  sumUp(error: unknown): Attempt {
    const end = Date.now();
    const transcript = this.#session?.transcript;
    const permissions = this.#permissions.records;
    const trajectory = transcript ? this.#recorder.stepsOf(transcript, permissions) : [];
    const usage = this.#session?.tokens ?? this.#recorder.usage;
    const cost = transcript?.usage?.cost;
    const failure = error === undefined ? undefined : classifyFailure(error, this.#turns > 0);
    const { firstResponse } = this.#recorder;
    return {
      output: transcript ? this.#recorder.outputOf(transcript, this.#turns - 1) : '',
      trajectory,
      timing: {
        start: this.#start,
        end,
        ...(firstResponse !== undefined && { firstResponse }),
        sessionCreation: this.#sessionCreation ?? end - this.#start,
        total: end - this.#start,
        ...(usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
      },
      toolErrors:
        failure !== undefined || trajectory.some((step) => step.type === 'tool_call' && step.status === 'failed'),
      metadata: {
        ...describeAgent(this.#connection),
        trajectoryRichness: richnessOf(trajectory),
        turnCount: this.#turns,
        timedOut: failure === 'timeout',
        ...describeEnd(error),
      },
      ...(this.#stopReason !== undefined && failure === undefined && { stopReason: this.#stopReason }),
      ...(failure !== undefined && { failure, errors: [explainFailure(error)] }),
      ...(usage && { usage }),
      ...(cost && { cost }),
      ...(permissions.length > 0 && { permissions }),
      ...(this.#connection && { protocol: this.#protocol.quality }),
      ...(this.#session && { sessionId: this.#session.id }),
    };
  }
}

/** The agent as it calls itself. */
function describeAgent(connection: AgentConnection | undefined): Readonly<Record<string, unknown>> {
  const info = connection?.agentInfo;
  return info ? { agentInfo: { name: info.name, version: info.version } } : {};
}

function describeEnd(error: unknown): Readonly<Record<string, unknown>> {
  const { exitCode, signal } = (error ?? {}) as { readonly exitCode?: unknown; readonly signal?: unknown };
  return {
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof signal === 'string' && { signal }),
  };
}
