import {
  type AgentConnection,
  type ClientSession,
  connect,
  type PromptContent,
  redact,
  type TurnResult,
} from '@parley/client';
import type { CliContext } from '../context.ts';
import { exitCode } from '../exit-codes.ts';
import { explainError } from '../output/explain-error.ts';
import { createRunOutput, type RunOutput } from '../output/run-output.ts';
import { connectOptions, whenNobodyIsThere } from './connect-options.ts';
import { type Interruption, watchInterruption } from './interruption.ts';
import { openTrace } from './open-trace.ts';
import { exitOfTurn, PermissionCounter, type RunOutcome } from './outcome.ts';
import { reapInBackground } from './reap-in-background.ts';
import type { RunSettings } from './run-settings.ts';

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
  /** Called after the turn, while the agent is still there. */
  readonly onTurnEnd?: (session: ClientSession, result: TurnResult) => Promise<void>;
}

/** Runs it, and tells everything on the output that `--format` asks for. Leaves no process behind. */
export async function runPrompt(run: PromptRun, context: CliContext): Promise<number> {
  const { settings } = run;
  const startedAt = Date.now();
  const output = await createRunOutput(settings, context);
  using interruption = watchInterruption(context, { timeoutMs: settings.timeoutMs, onInterrupt: output.onNotice });
  const counter = new PermissionCounter();
  const known: Known = {};
  const ending = await talk(run, { context, output, interruption, counter, known }).then(
    (result) => ({ result }) as const,
    (error: unknown) => ({ error: interruption.signal.aborted ? interruption.signal.reason : error }) as const,
  );

  const permissions = counter.counts;
  const result = 'result' in ending ? ending.result : undefined;
  const failure =
    'error' in ending ? ending.error : interruption.exit === 'interrupted' ? undefined : interruption.signal.reason;
  const error = failure === undefined ? undefined : explainError(failure, { agent: settings.agent.name, ...known });
  const exit = interruption.exit ?? error?.exit ?? (result ? exitOfTurn(result.stopReason, permissions) : 'failed');
  const outcome: RunOutcome = {
    schema: 1,
    exit,
    exitCode: exitCode(exit, settings.exitCodes),
    agent: settings.agent.name,
    ...(known.sessionId !== undefined && { sessionId: known.sessionId }),
    ...(result && { stopReason: result.stopReason }),
    text: result?.text ?? '',
    toolCalls: result?.toolCalls.length ?? 0,
    failedToolCalls: result?.failures.length ?? 0,
    permissions,
    ...(result?.usage && { usage: result.usage }),
    durationMs: Date.now() - startedAt,
    ...(error && { error: { code: error.code, message: error.message, next: error.next } }),
  };
  output.onEnd(outcome);
  return outcome.exitCode;
}

interface TalkContext {
  readonly context: CliContext;
  readonly output: RunOutput;
  readonly interruption: Interruption;
  readonly counter: PermissionCounter;
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
  { context, output, interruption, counter, known }: TalkContext,
): Promise<TurnResult> {
  const { settings } = run;
  const trace = settings.flags.trace === undefined ? undefined : openTrace(settings.flags.trace, context.cwd);
  const options = connectOptions(settings, context);
  reapInBackground();
  try {
    await using _held = await (run.prepare?.(interruption.signal, output.onNotice) ?? NOTHING_HELD);
    await using connection = await connect(settings.source, {
      ...options,
      limits: { cancelGraceMs: CANCEL_GRACE_MS },
      permissions: {
        ...options.permissions,
        ...(await askOptions(settings, interruption, context)),
        onDecision: (decision) => counter.add(decision),
      },
      trace: {
        isRedacted: false,
        write(record) {
          const { direction, message } = record;
          if (direction === 'out') known.sent = describeRequest(message) ?? known.sent;
          if (output.wantsMessages) output.onMessage(direction, message);
          trace?.write({ ...record, message: redact(message) });
        },
      },
      watchdog: { silentMs: SILENT_MS, onSilence: output.onSilence },
      onPhase: (event) => {
        if (event.stderrTail !== undefined) known.stderrTail = event.stderrTail;
        output.onPhase(event);
      },
      onDiagnostic: ({ message }) => settings.flags.verbose && output.onNotice(message),
      signal: interruption.signal,
    });
    const close = (): void => void connection.close();
    interruption.signal.addEventListener('abort', close, { once: true });
    const session = await run.open(connection);
    known.sessionId = session.id;
    output.onSession(session.id, settings.agent.name);
    await applySettings(session, run);
    await run.onReady?.(session, connection);
    interruption.signal.removeEventListener('abort', close);
    const result = await runTurn(session, run.prompt, output, interruption);
    await run.onTurnEnd?.(session, result);
    return result;
  } finally {
    await trace?.close();
  }
}

const NOTHING_HELD: AsyncDisposable = { async [Symbol.asyncDispose]() {} };

async function askOptions(settings: RunSettings, interruption: Interruption, context: CliContext): Promise<object> {
  const { mayAsk, whenAlone } = settings.permissions;
  if (!mayAsk) return {};
  const isThere = context.stdin.isTTY === true && context.stderr.isTTY === true && settings.format !== 'json';
  if (!isThere) return { ask: whenNobodyIsThere(whenAlone, interruption.end) };
  const { askInTerminal } = await import('../permissions/ask-in-terminal.ts');
  return { ask: askInTerminal(context) };
}

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

async function runTurn(
  session: ClientSession,
  prompt: PromptContent,
  output: RunOutput,
  interruption: Interruption,
): Promise<TurnResult> {
  const turn = session.prompt(prompt, { signal: interruption.signal });
  const insist = (): void => void turn.cancel();
  interruption.insisted.addEventListener('abort', insist, { once: true });
  for await (const event of turn) output.onEvent(event);
  return turn.result;
}

function describeRequest(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('method' in message && 'id' in message)) return undefined;
  return `${message.method} (id ${message.id})`;
}
