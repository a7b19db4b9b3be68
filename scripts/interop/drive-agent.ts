import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type AgentConnection,
  type ClientSession,
  connect,
  type PermissionQuestion,
  type ProtocolSetting,
  type TurnEvent,
  type TurnResult,
} from '@parley/client';
import { traceToFile } from '@parley/client/node';
import type { InteropAgent } from './agents.ts';
import {
  DELEGATE,
  KEEP_TALKING,
  MADE_FILE,
  RUN_COMMAND,
  RUN_PLAINLY,
  SAY_HELLO,
  SUBAGENT_FILE,
} from './model-script.ts';
import { openAgent } from './open-agent.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly what: string;
  readonly isFine: boolean;
  readonly detail?: string;
}

export interface DriveOptions {
  readonly bin: string;
  /** A home of its own: real settings and sessions are not to be touched. */
  readonly home: string;
  readonly modelUrl: string;
  readonly protocol: ProtocolSetting;
  /** The last thing that the model was asked, as text. */
  readonly lastRequest: () => string;
  readonly trace?: string;
  readonly report: (finding: Finding) => void;
}

const TURN_TIMEOUT_MS = 60_000;

/** Puts an agent through a tool call with permission, a cancel, and a turn after that. */
export async function driveAgent(
  agent: InteropAgent,
  { bin, home, modelUrl, protocol, lastRequest, trace, report }: DriveOptions,
): Promise<void> {
  const workspace = join(realpathSync(home), 'workspace');
  mkdirSync(workspace, { recursive: true });
  const env = {
    PATH: `${dirname(bin)}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    NO_BROWSER: '1',
    ...agent.prepare({ modelUrl, home }),
  };
  const questions: PermissionQuestion[] = [];
  const startedAt = Date.now();
  const traceFile = trace === undefined ? undefined : traceToFile(trace);
  let connection: AgentConnection | undefined;
  try {
    connection = await connect(openAgent(agent, { bin, env, cwd: workspace }), {
      protocol,
      workspace: {},
      terminals: true,
      permissions: {
        ask: (question) => {
          questions.push(question);
          return 'allow_once';
        },
      },
      elicitation: { form: () => ({ action: 'decline' }) },
      auth: { method: ({ methods }) => agent.auth ?? methods[0]?.id },
      ...(traceFile && { trace: traceFile }),
    });
    const { agentInfo, protocolVersion } = connection;
    report({
      what: 'initialize',
      isFine: true,
      detail: `${agentInfo?.name ?? '?'} ${agentInfo?.version ?? '?'}, version ${protocolVersion}, ${Date.now() - startedAt} ms`,
    });
    const session = await connection.newSession({ cwd: workspace });
    const { mode, options } = session.transcript;
    report({
      what: 'session/new',
      isFine: true,
      detail: `${mode ? `mode ${mode.currentModeId}` : 'no modes'}, ${options.length} options`,
    });
    if (agent.mode !== undefined) await session.setMode(agent.mode);
    // Some agents put notes of their own into the first prompt, which the fake model would take for the question.
    await finish(session, 'Hello.');
    await runCommand(session, { questions, workspace, report, neverAsks: agent.neverAsks === true });
    await cancel(session, report);
    const after = await finish(session, `Say hello. ${SAY_HELLO}`);
    report({
      what: 'a turn after the cancel',
      isFine: after.stopReason === 'end_turn' && after.text.includes('Hello again.'),
      detail: after.stopReason,
    });
    report({ what: 'what was said before', isFine: lastRequest().includes(RUN_COMMAND) });
    if (agent.hasSubagents)
      await delegate(await connection.newSession({ cwd: workspace }), { questions, workspace, report });
    const { foreignUpdates, droppedUpdates, noiseLines } = connection.counts;
    report({
      what: 'nothing lost',
      isFine: droppedUpdates === 0,
      detail: `${foreignUpdates} foreign updates, ${noiseLines} lines of noise`,
    });
  } catch (error) {
    report({ what: 'went wrong', isFine: false, detail: error instanceof Error ? error.message : String(error) });
  } finally {
    const closedAt = Date.now();
    await connection?.close();
    await traceFile?.close();
    if (connection) report({ what: 'closed', isFine: true, detail: `${Date.now() - closedAt} ms` });
  }
}

interface RunContext extends Pick<DriveOptions, 'report'> {
  readonly questions: readonly PermissionQuestion[];
  readonly workspace: string;
  readonly neverAsks: boolean;
}

async function runCommand(
  session: ClientSession,
  { questions, workspace, report, neverAsks }: RunContext,
): Promise<void> {
  const { stopReason, toolCalls, text } = await finish(
    session,
    `Run the command. ${neverAsks ? RUN_PLAINLY : RUN_COMMAND}`,
  );
  report({ what: 'a turn', isFine: stopReason === 'end_turn', detail: `${stopReason}, "${text.slice(0, 60)}"` });
  const [question] = questions;
  report({
    what: 'a permission',
    isFine: neverAsks === (question === undefined),
    ...(question && { detail: `"${question.toolCall.title}", ${question.options.map(({ kind }) => kind).join(' ')}` }),
  });
  const done = toolCalls.find(({ status }) => status === 'completed');
  report({
    what: 'a tool call',
    isFine: done !== undefined,
    detail: toolCalls.map(({ title, kind, status }) => `${title} (${kind}, ${status})`).join('; '),
  });
  report({ what: 'its effect', isFine: existsSync(join(workspace, MADE_FILE)) });
}

/** A sub-agent asks, makes a file and ends before the turn does. */
async function delegate(
  session: ClientSession,
  { questions, workspace, report }: Omit<RunContext, 'neverAsks'>,
): Promise<void> {
  const before = questions.length;
  const { stopReason, toolCalls } = await finish(session, `Let a sub-agent do it. ${DELEGATE}`);
  const [question] = questions.slice(before);
  const nested = toolCalls.find(({ toolCallId }) => toolCallId === question?.toolCall.toolCallId);
  const parent = toolCalls.find(({ toolCallId }) => toolCallId === nested?.parentToolCallId);
  report({
    what: 'a permission of a sub-agent',
    isFine: question?.sessionId === session.id,
    ...(question && { detail: `"${question.toolCall.title}"` }),
  });
  report({
    what: 'its call below that of the sub-agent',
    isFine: nested?.status === 'completed' && parent?.status === 'completed',
    detail: `${parent?.title} > ${nested?.title}`,
  });
  report({
    what: 'its effect before the turn ended',
    isFine: existsSync(join(workspace, SUBAGENT_FILE)),
    detail: stopReason,
  });
}

async function cancel(session: ClientSession, report: DriveOptions['report']): Promise<void> {
  const turn = session.prompt(`Think for long. ${KEEP_TALKING}`);
  await Promise.race([firstText(turn), wait(10_000)]);
  const startedAt = Date.now();
  await session.cancel();
  const { stopReason, isForced } = await turn.result;
  report({
    what: 'a cancel',
    isFine: stopReason === 'cancelled' && !isForced,
    detail: `${stopReason}${isForced ? ', forced' : ''}, ${Date.now() - startedAt} ms`,
  });
}

async function firstText(events: AsyncIterable<TurnEvent>): Promise<void> {
  for await (const event of events) if (event.type === 'text') return;
}

function finish(session: ClientSession, prompt: string): Promise<TurnResult> {
  return session.prompt(prompt, { signal: AbortSignal.timeout(TURN_TIMEOUT_MS) }).result;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
