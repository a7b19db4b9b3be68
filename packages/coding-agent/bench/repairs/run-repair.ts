import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connect } from '@parley/client';
import { nodeHost } from '@parley/client/node';
import { type FakeModelServer, type RecordedRequest, startFakeModelServer } from '@parley/testing/fake-model-server';
import { createMemoryPair } from '@parley/transports/memory';
import { createCodingAgent } from '../../src/index.ts';
import type { RepairTask } from './repair-task.ts';

/** What came of one task. */
export interface Repaired {
  readonly name: string;
  /** Undefined when it was solved and the session goes on. */
  readonly because: string | undefined;
  readonly requests: number;
  readonly durationMs: number;
}

/** Lets the agent do one task in a folder of its own, and says something more to its session afterwards. */
export async function runRepair(task: RepairTask): Promise<Repaired> {
  const startedAt = performance.now();
  const model = await startModel(task);
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-repair-')));
  try {
    for (const [name, content] of Object.entries(task.files)) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), content);
    }
    const because = (await converse(task, model, path)) ?? model.problem() ?? (await compare(task, path));
    return {
      name: task.name,
      because,
      requests: model.server.requests.length,
      durationMs: performance.now() - startedAt,
    };
  } finally {
    await model.server.close();
    await rm(path, { recursive: true, force: true });
  }
}

interface TaskModel {
  readonly server: FakeModelServer;
  readonly env: Record<string, string>;
  /** What the model was not told, or that it was not asked to the end. */
  problem(): string | undefined;
}

/** Each request gets the next step, which is made when it has come. */
async function startModel({ steps, wire }: RepairTask): Promise<TaskModel> {
  let next = 0;
  let problem: string | undefined;
  const server: FakeModelServer = await startFakeModelServer({
    onRequest: (request) => {
      const step = steps[next++] ?? 'You are welcome.';
      try {
        server.add(typeof step === 'function' ? step(askedIn(request)) : step);
      } catch (error) {
        problem ??= `step ${next}: ${error instanceof Error ? error.message : String(error)}`;
        server.add('I give up.');
      }
    },
  });
  const baseUrl = wire === 'anthropic' || wire === 'gemini' ? server.url : `${server.url}/v1`;
  return {
    server,
    env: { PARLEY_BASE_URL: baseUrl, PARLEY_MODEL: 'fake-model', PARLEY_WIRE: wire },
    problem: () =>
      problem ??
      (next <= steps.length ? `the model was asked ${next} times, and had ${steps.length} answers` : undefined),
  };
}

function askedIn({ body }: RecordedRequest): { readonly last: string; readonly body: string } {
  const { messages, input, contents } = body as { messages?: unknown[]; input?: unknown[]; contents?: unknown[] };
  const list = messages ?? input ?? contents ?? [];
  const last = list.slice(-2).flatMap(textsIn).join('\n');
  return { last, body: JSON.stringify(body) };
}

/** Every text in a message, whatever the wire calls it. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

async function converse({ prompt }: RepairTask, { env }: TaskModel, cwd: string): Promise<string | undefined> {
  const agent = createCodingAgent({
    env,
    discover: { localServers: [] },
    permissions: { mode: 'bypassPermissions' },
    retry: { baseDelayMs: 5, maxDelayMs: 20 },
    onDiagnostic: () => {},
  });
  const [near, far] = createMemoryPair();
  const served = agent.serve(far);
  const connection = await connect(
    { name: 'repair', host: nodeHost, open: async () => ({ transport: near }) },
    { protocol: 1 },
  );
  try {
    const session = await connection.newSession({ cwd });
    const turn = await session.prompt(prompt).result;
    if (turn.stopReason !== 'end_turn') return `the turn ended with ${turn.stopReason}`;
    const open = turn.toolCalls.filter(({ status }) => status === 'pending' || status === 'in_progress');
    if (open.length > 0) return `${open.length} calls were left open`;
    const more = await session.prompt('thanks').result;
    return more.text === 'You are welcome.' ? undefined : `the session is dead: ${more.text}`;
  } catch (error) {
    return `the session is dead: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    await connection.close();
    await served;
  }
}

async function compare({ expected }: RepairTask, path: string): Promise<string | undefined> {
  for (const [name, content] of Object.entries(expected)) {
    const found = await readFile(join(path, name), 'utf8').catch(() => '');
    if (found !== content) return `${name} is not repaired: ${found.slice(0, 200)}`;
  }
  return undefined;
}
