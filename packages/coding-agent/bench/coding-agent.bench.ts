import { fileURLToPath } from 'node:url';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { type AgentProcess, startAgentProcess } from './agent-process.ts';

/**
 * Measures what was built: node scripts/build.mjs --code, then
 *   npx tsx --conditions=source packages/coding-agent/bench/coding-agent.bench.ts [--json]
 */
interface Figure {
  readonly workload: string;
  readonly unit: string;
  readonly value: number;
  /** The most it may be. */
  readonly hold: number;
  readonly spread: number;
}

const TURNS = 7;
const UPDATES = 10_000;
const TEXT = 'lorem ipsum dolor sit amet, con';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = file('../dist/parley-agent.program.js');
const initialize = { protocolVersion: 1, clientCapabilities: {} };

const figures = [...(await measureUpdates()), await measureCancel()];
if (process.argv.includes('--json')) console.log(JSON.stringify({ figures }));
else
  for (const { workload, value, unit, hold } of figures)
    console.log(`${workload}: ${value.toFixed(2)} ${unit} (at most ${hold})`);

/** CPU of a turn of many small updates with the log on disk, beside the runtime alone doing the same. */
async function measureUpdates(): Promise<readonly Figure[]> {
  await using plain = startAgentProcess(file('./programs/plain-agent.mjs'));
  await using coding = startAgentProcess(file('./programs/coding-agent.mjs'));
  const sessions = [await openSession(plain), await openSession(coding)];
  const used: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, agent] of [plain, coding].entries()) {
      const before = agent.cpuMs();
      const text = JSON.stringify({ count: UPDATES, text: TEXT });
      await agent.request('session/prompt', { sessionId: sessions[index], prompt: [{ type: 'text', text }] });
      used[index]?.push(((agent.cpuMs() - before) * 1000) / UPDATES);
    }
  }
  // The first turns compile the code.
  const [runtime, whole] = [median(used[0].slice(2)), median(used[1].slice(2))];
  const spread = Math.max(...used[1].slice(2)) / Math.min(...used[1].slice(2));
  return [
    { workload: 'coding-agent-update', unit: 'us CPU per update', value: whole, hold: 2 * runtime, spread },
    { workload: 'coding-agent-update-ratio', unit: "of the runtime's CPU", value: whole / runtime, hold: 2, spread },
  ];
}

/** From `session/cancel` to the prompt's answer: the slowest of the moments that are hard to leave. */
async function measureCancel(): Promise<Figure> {
  await using server = await startFakeModelServer({
    fallback: { events: [{ type: 'text', text: 'Once upon' }, { type: 'stall' }] },
    script: [
      {
        events: [{ type: 'tool_call', name: 'run_command', input: { command: "trap '' TERM; sleep 1000" } }],
        when: { contains: 'run' },
        repeat: true,
      },
    ],
  });
  const env = { PARLEY_BASE_URL: `${server.url}/v1`, PARLEY_MODEL: 'fake-model' };
  await using agent = startAgentProcess(PROGRAM, env);
  const sessionId = await openSession(agent);
  await agent.request('session/set_config_option', { sessionId, configId: 'permissions', value: 'bypassPermissions' });
  const times: number[] = [];
  for (const text of ['run', 'talk', 'run', 'talk']) {
    const isThere = agent.waitFor((message) => {
      const seen = JSON.stringify(message);
      return text === 'run' ? seen.includes('in_progress') : seen.includes('Once upon');
    });
    const answered = agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    await isThere;
    await new Promise((resolve) => setTimeout(resolve, 50));
    const cancelledAt = performance.now();
    agent.notify('session/cancel', { sessionId });
    await answered;
    times.push(performance.now() - cancelledAt);
  }
  const slowest = Math.max(...times);
  return {
    workload: 'coding-agent-cancel',
    unit: 'ms',
    value: slowest,
    hold: 250,
    spread: slowest / Math.min(...times),
  };
}

async function openSession(agent: AgentProcess): Promise<unknown> {
  await agent.request('initialize', initialize);
  return (await agent.request('session/new', { cwd: agent.cwd, mcpServers: [] })).sessionId;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
