import { agent } from '@parley/agent';
import { type AgentConnection, type ClientSession, connect } from '@parley/client';
import { memoryStore } from '@parley/store/memory';
import { createCertificates } from '@parley/testing/certificates';
import { type Fault, type FaultProxy, randomFaults, startFaultProxy } from '@parley/testing/fault-proxy';
import { httpAgent } from '@parley/transports/http';
import { listen } from '@parley/transports/listen';
import { sseAgent } from '@parley/transports/sse';
import { webSocketAgent } from '@parley/transports/websocket';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until, withDeadline } from '../support/waiting.ts';

const TOKEN = 'test-token';
const CWD = '/';
const certificates = createCertificates();
const options = { token: TOKEN, ca: certificates.ca, proxy: false as const, closeTimeoutMs: 1000 };
const WIRES = [
  ['WebSocket', (port: number) => webSocketAgent(`ws://127.0.0.1:${port}/acp`, options)],
  ['streamable HTTP over HTTP/1.1', (port: number) => httpAgent(`http://127.0.0.1:${port}/acp`, options)],
  ['streamable HTTP over HTTP/2', (port: number) => httpAgent(`https://127.0.0.1:${port}/acp`, options)],
  ['HTTP+SSE', (port: number) => sseAgent(`http://127.0.0.1:${port}/acp`, options)],
] as const;

/** What is drawn for one run: which connections break after how much, and how much is said meanwhile. */
const drawn = fc.record({
  seed: fc.nat(1_000_000),
  maxBytes: fc.integer({ min: 200, max: 12_000 }),
  updates: fc.integer({ min: 20, max: 120 }),
});
const BREAKS_A_RUN = 5;
const RUNS = 8;

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', onUnhandled));
afterAll(() => {
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

describe('a client that reconnects', () => {
  it.concurrent.each(WIRES)(
    'loses nothing and hears nothing twice over %s, wherever connections break',
    async (name, dial) => {
      const seed = Number(process.env.PARLEY_SEED ?? Date.now() % 1_000_000);
      let broken = 0;
      const check = fc.asyncProperty(drawn, async ({ seed: faultSeed, maxBytes, updates }) => {
        await using served = await serve(name.endsWith('HTTP/2'));
        const proxy = served.proxies[0] as FaultProxy;
        await using other = await connect(dial(served.proxies[1]?.port ?? 0));
        await using connection = await connect(dial(proxy.port), {
          reconnect: true,
          retry: { maxAttempts: 30, firstPauseMs: 1 },
          random: () => 0,
        });
        const session = await connection.newSession({ cwd: CWD });
        served.arm(randomFaults({ seed: faultSeed, count: BREAKS_A_RUN, maxBytes }));
        for (let prompts = 0; prompts < 12 && brokenBy(proxy) < BREAKS_A_RUN; prompts += 1) {
          await withDeadline(
            session.prompt(`${updates}`).result.catch(() => undefined),
            'a prompt',
          );
          const inUse = () =>
            `the session can be used: ${session.state}, ${connection.state}, ${served.turns()} turns run`;
          await until(inUse, () => session.state === 'idle' && served.turns() === 0);
        }
        served.arm(() => []);
        await until('all turns are over', () => session.state === 'idle' && served.turns() === 0);
        const told = await loadElsewhere(other, session.id);
        await until('the end was heard', () => heard(session).at(-1) === told.at(-1)).catch(() => {});
        expect(heard(session)).toEqual(told);
        expect(await sayAtLast(session)).toBe(' 0 1 2');
        broken += brokenBy(proxy);
      });
      await fc.assert(check, { seed, numRuns: RUNS, endOnFailure: true });
      expect(broken, `seed ${seed}: so many connections broke`).toBeGreaterThan(RUNS);
    },
    400_000,
  );
});

async function serve(isTls: boolean) {
  const listener = await listen({ token: TOKEN, limits: { idleMs: 20_000 }, ...(isTls && { tls: certificates }) });
  let turns = 0;
  const serving = counting((change) => {
    turns += change;
  }).serve(listener);
  let plan: (index: number) => readonly Fault[] = () => [];
  let skipped = 0;
  const proxy = await startFaultProxy({ port: listener.port, plan: (index) => plan(index - skipped) });
  const clean = await startFaultProxy({ port: listener.port });
  return {
    proxies: [proxy, clean] as const,
    /** How many run in the agent, whoever listens. */
    turns: () => turns,
    /** Breaks what is open as the first of the plan, and then what comes. */
    arm(next: (index: number) => readonly Fault[]) {
      const [first] = next(0);
      skipped = proxy.stats.accepted - 1;
      plan = next;
      if (!first || !('afterBytes' in first)) return;
      for (const connection of proxy.connections) {
        const sofar = first.way === 'to_server' ? connection.bytesToServer : connection.bytesToClient;
        connection.apply({ ...first, afterBytes: sofar + (first.afterBytes ?? 0) });
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([proxy.close(), clean.close()]);
      await listener.close({ graceMs: 100 });
      await serving;
    },
  };
}

/** Counts as far as it is told, with a thought and a tool call now and then. */
function counting(onTurns: (change: number) => void) {
  return agent({ name: 'counting', version: '1', store: memoryStore(), onDiagnostic: () => {} }).onPrompt(
    async (turn) => {
      onTurns(1);
      for (let count = 0; count < Number(turn.text) && !turn.signal.aborted; count += 1) {
        await turn.say(` ${count}`);
        if (count % 7 === 6) await turn.think(` ${count}?`);
        if (count % 11 === 10) {
          const call = turn.toolCall({ id: `${turn.id}-${count}`, title: `Look at ${count}` });
          call.start();
          call.complete({ text: `${count} is a number` });
        }
        if (count % 5 === 4) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      onTurns(-1);
    },
  );
}

function brokenBy({ stats }: FaultProxy): number {
  return (stats.faults.cut ?? 0) + (stats.faults.reset ?? 0);
}

/** What a person sees of the agent. A prompt that broke on its way is in the transcript of whoever sent it, and nowhere else. */
function heard({ transcript }: ClientSession): string[] {
  const entries = transcript.entries.toArray().map((entry) => {
    if (entry.type === 'message') return `${entry.speaker}: ${entry.text}`;
    if (entry.type === 'thought') return `thought: ${entry.text}`;
    if (entry.type === 'tool_call') return `${entry.title}: ${entry.status} ${JSON.stringify(entry.content)}`;
    return entry.type;
  });
  return entries.filter((entry) => !entry.startsWith('user: '));
}

/** What a client that loads the session now is told. */
async function loadElsewhere(other: AgentConnection, sessionId: string): Promise<string[]> {
  await using loaded = await other.loadSession(sessionId, { cwd: CWD });
  return heard(loaded);
}

/** The connection that is open may still be one of those that break. */
async function sayAtLast(session: ClientSession): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return (await withDeadline(session.prompt('3').result, 'the last prompt')).text;
    } catch (error) {
      if (attempt === BREAKS_A_RUN) throw error;
      await until('the session can be used', () => session.state === 'idle');
    }
  }
}
