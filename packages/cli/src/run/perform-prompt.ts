import {
  type AgentConnection,
  type ClientSession,
  connect,
  type PermissionDecision,
  type PromptContent,
  redact,
  redactText,
  type TurnResult,
} from '@parley/client';
import { isRequest } from '@parley/jsonrpc';
import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-codes.ts';
import { explainError } from '../output/explain-error.ts';
import { createOutputGate, type OutputGate } from '../output/output-gate.ts';
import { printableLine } from '../output/printable.ts';
import type { RunOutput } from '../output/run-output.ts';
import { askPerson, isSomebodyThere } from '../questions/ask-person.ts';
import { connectOptions, requireLogin, withSecrets } from './connect-options.ts';
import { type Denial, Denials } from './denials.ts';
import { type Interruption, watchInterruption } from './interruption.ts';
import { openTrace } from './open-trace.ts';
import { exitOfTurn, PermissionCounter, type RunOutcome } from './outcome.ts';
import { reapInBackground } from './reap-in-background.ts';
import type { RunSettings } from './run-settings.ts';
import { runTurn } from './run-turn.ts';

/** One prompt, from starting the agent to the exit code. */
export interface PromptRun {
  readonly settings: RunSettings;
  readonly prompt: PromptContent;
  /** Values of the agent's options by id. */
  readonly options?: Readonly<Record<string, string>>;
  /** Done first; what it returns is held until the agent is gone. */
  readonly prepare?: (signal: AbortSignal, say: (text: string) => void) => Promise<AsyncDisposable>;
  /** Opens the session to prompt in: a new one, or one that was saved. */
  readonly open: (connection: AgentConnection) => Promise<ClientSession>;
  /** Called when the session is open and set up, before the prompt is sent. */
  readonly onReady?: (session: ClientSession, connection: AgentConnection) => Promise<void>;
  /** Writes down what was told so far; undefined when all of it is. What is shown waits for it. */
  readonly save?: (() => Promise<void> | undefined) | undefined;
  /** Called after the turn, while the agent is still there. */
  readonly onTurnEnd?: (session: ClientSession, result: TurnResult) => Promise<void>;
}

/** Runs it, tells what happens, and sums it up. Leaves no process behind. */
export async function performPrompt(run: PromptRun, output: RunOutput, context: CliContext): Promise<RunOutcome> {
  const { settings } = run;
  const startedAt = Date.now();
  using interruption = watchInterruption(context, { timeoutMs: settings.timeoutMs, onInterrupt: output.onNotice });
  const gate = createOutputGate(output, { stdout: context.stdout, save: run.save, signal: interruption.signal });
  const counter = new PermissionCounter();
  const denials = new Denials({
    settings,
    home: context.env.HOME,
    isSomebodyThere: isSomebodyThere(settings, context),
  });
  const known: Known = {};
  const onDecision = (decision: PermissionDecision): void => {
    counter.add(decision);
    denials.add(decision);
  };
  const ending = await talk(run, { context, output: gate, interruption, onDecision, known }).then(
    (result) => ({ result }) as const,
    (error: unknown) => ({ error: interruption.signal.aborted ? interruption.signal.reason : error }) as const,
  );
  await gate.settled();

  const permissions = counter.counts;
  const result = 'result' in ending ? ending.result : undefined;
  const failure =
    'error' in ending ? ending.error : interruption.exit === 'interrupted' ? undefined : interruption.signal.reason;
  const error = failure === undefined ? undefined : explainError(failure, { agent: settings.agent.name, ...known });
  // Our own agent is told of --deny-all and does not even ask.
  const isDeniedUnasked = settings.permissions.deniesAll && (result?.failures.length ?? 0) > 0;
  const exit =
    interruption.exit ??
    error?.exit ??
    (result ? exitOfTurn(result.stopReason, permissions, isDeniedUnasked) : 'failed');
  const denied = [...(await denials.list()), ...(isDeniedUnasked ? unasked(result?.failures ?? []) : [])];
  return {
    schema: 1,
    exit,
    exitCode: exitCode(exit, settings.exitCodes),
    agent: redactText(settings.agent.name),
    ...(known.sessionId !== undefined && { sessionId: known.sessionId }),
    ...(result && { stopReason: result.stopReason }),
    text: result?.text ?? '',
    toolCalls: result?.toolCalls.length ?? 0,
    failedToolCalls: result?.failures.length ?? 0,
    permissions,
    ...(denied.length > 0 && { denials: denied }),
    ...(result?.usage && { usage: result.usage }),
    durationMs: Date.now() - startedAt,
    ...(error && { error: { code: error.code, message: error.message, next: error.next } }),
  };
}

function unasked(failures: TurnResult['failures']): readonly Denial[] {
  return failures.map(({ title }) => ({
    title: printableLine(title),
    because: '--deny-all allows nothing.',
    next: [],
  }));
}

interface TalkContext {
  readonly context: CliContext;
  readonly output: OutputGate;
  readonly interruption: Interruption;
  readonly onDecision: (decision: PermissionDecision) => void;
  /** Filled as things become known, for the account that is given at the end. */
  readonly known: Known;
}

interface Known {
  sessionId?: string;
  /** The last request that we sent. */
  sent?: string | undefined;
  /** What the agent has said on stderr while we waited for it. */
  stderrTail?: string;
}

/** How long an agent may take to end a turn that we have cancelled. */
const CANCEL_GRACE_MS = 3000;
/** After how much silence in a turn we say what we are waiting for. */
const SILENT_MS = 10_000;

async function talk(
  run: PromptRun,
  { context, output, interruption, onDecision, known }: TalkContext,
): Promise<TurnResult> {
  const { settings } = run;
  const trace = settings.flags.trace === undefined ? undefined : openTrace(settings.flags.trace, context.cwd);
  const options = connectOptions(settings, context, output.onNotice);
  let requestsOfAgent = 0;
  await using _reaping = reapInBackground();
  try {
    await using _held = await (run.prepare?.(interruption.signal, output.onNotice) ?? NOTHING_HELD);
    const { ask, askSecret, ...answers } = await askPerson({ settings, interruption, say: output.onNotice }, context);
    await using connection = await connect(settings.source, {
      ...options,
      ...answers,
      auth: withSecrets(options.auth, askSecret),
      limits: { cancelGraceMs: CANCEL_GRACE_MS },
      permissions: {
        ...options.permissions,
        ...(ask && { ask }),
        onDecision,
      },
      trace: {
        isRedacted: false,
        write(record) {
          const { direction, message } = record;
          const request = describeRequest(message);
          if (request !== undefined && direction === 'out') known.sent = request;
          if (request !== undefined && direction === 'in') requestsOfAgent += 1;
          if (output.wantsMessages) output.onMessage(direction, message);
          trace?.write({ ...record, message: redact(message) });
        },
      },
      watchdog: { silentMs: SILENT_MS, onSilence: output.onSilence },
      onPhase: (event) => {
        if (event.stderrTail !== undefined) known.stderrTail = event.stderrTail;
        output.onPhase(event);
      },
      signal: interruption.signal,
    });
    output.slowsDown(connection);
    const close = (): void => void connection.close();
    interruption.signal.addEventListener('abort', close, { once: true });
    await requireLogin(connection, settings, context);
    const session = await run.open(connection);
    known.sessionId = session.id;
    output.onSession(session.id, settings.agent.name);
    await applySettings(session, run);
    await run.onReady?.(session, connection);
    interruption.signal.removeEventListener('abort', close);
    const result = await runTurn({
      session,
      prompt: run.prompt,
      output,
      interruption,
      retries: settings.promptRetries,
      requestsOfAgent: () => requestsOfAgent,
    });
    await run.onTurnEnd?.(session, result);
    return result;
  } finally {
    await trace?.close();
  }
}

const NOTHING_HELD: AsyncDisposable = { async [Symbol.asyncDispose]() {} };

async function applySettings(session: ClientSession, { settings, options = {} }: PromptRun): Promise<void> {
  if (settings.mode !== undefined) await session.setMode(settings.mode);
  if (settings.model !== undefined) await session.setOption(modelOption(session), settings.model);
  for (const [id, value] of Object.entries(options)) {
    const isSwitch = session.transcript.options.find((option) => option.id === id)?.type === 'boolean';
    await session.setOption(id, isSwitch ? value === 'true' : value);
  }
}

function modelOption({ transcript }: ClientSession): string {
  return transcript.options.find(({ category }) => category === 'model')?.id ?? 'model';
}

function describeRequest(message: unknown): string | undefined {
  return isRequest(message) ? `${message.method} (id ${message.id})` : undefined;
}
