import { agent } from '@parley/agent';
import { END_TURN, type Step } from '@parley/testing/scripted-agent';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Gateway, type GatewayOptions, gateway, type TrafficEntry, type TrafficQuery } from '../src/index.ts';
import { Traffic } from '../src/traffic/traffic.ts';
import { rawClient, scriptedAgents } from './support/hosting.ts';

const scripted = scriptedAgents();
const SECRET = 'canary-secret-of-ada';

const STEPS: readonly Step[] = [
  { do: 'stderr', text: `warming up with API_KEY=${SECRET}\n` },
  { do: 'raw', text: 'Loading model...\n' },
  { do: 'say', text: 'one' },
  { do: 'say', text: '$prompt' },
  END_TURN,
];

function open(options: Partial<GatewayOptions> = {}): Gateway {
  const own = agent({ name: 'own', version: '1' }).onPrompt(async (turn) => {
    turn.say('hello');
    return 'end_turn';
  });
  const server = gateway({
    agents: { foreign: scripted({ on: { 'session/prompt': STEPS } }), own },
    onDiagnostic: () => {},
    traffic: true,
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

/** Reads until something holds for what has come. */
async function read(
  source: (query: TrafficQuery) => ReturnType<Gateway['watchTraffic']>,
  query: Omit<TrafficQuery, 'signal'>,
  isEnough: (entries: readonly TrafficEntry[]) => boolean,
): Promise<readonly TrafficEntry[]> {
  const ending = new AbortController();
  const entries: TrafficEntry[] = [];
  for await (const batch of source({ ...query, signal: ending.signal }) ?? []) {
    entries.push(...batch.entries);
    if (isEnough(entries)) break;
  }
  ending.abort();
  return entries;
}

const told = (entry: TrafficEntry): string =>
  entry.kind === 'message'
    ? `${entry.side} ${entry.direction} ${entry.message.method ?? 'answer'}`
    : `${entry.side} ${entry.kind} ${entry.text.trim()}`;
const answersOf = (entries: readonly TrafficEntry[], side: string): number =>
  entries.filter((entry) => told(entry) === `${side} in answer`).length;
const as = (server: Gateway, agentName: string, principal: string) =>
  rawClient({ serve: (wire) => server.serve(wire, { agent: agentName, principal }) });

describe('the traffic of a gateway', () => {
  it('has both sides of a hosted agent in their order, with stderr and what is no message, and no secret', async () => {
    const server = open();
    const client = await as(server, 'foreign', 'ada');
    const sessionId = await client.open();
    await client.prompt(sessionId, 'hello');
    const isEnough = (entries: readonly TrafficEntry[]): boolean =>
      answersOf(entries, 'client') === 3 && entries.some(({ kind }) => kind === 'stderr');
    const entries = await read(server.watchTraffic, { principal: 'ada' }, isEnough);
    const turn = entries.slice(entries.findIndex((entry) => told(entry) === 'client out session/prompt')).map(told);
    const withoutStderr = turn.filter((line) => !line.startsWith('agent stderr'));
    expect(withoutStderr.slice(0, 3)).toEqual([
      'client out session/prompt',
      'agent out session/prompt',
      'agent noise Loading model...',
    ]);
    expect(withoutStderr.filter((line) => line === 'agent in session/update')).toHaveLength(2);
    expect(withoutStderr.filter((line) => line === 'client in session/update').length).toBeGreaterThan(0);
    expect(withoutStderr.at(-1)).toBe('client in answer');
    expect(turn).toContain('agent stderr warming up with API_KEY=[redacted]');
    expect(JSON.stringify(entries)).not.toContain(SECRET);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    // The agent has a name of its own for the session; here it has one.
    const updates = entries.filter((entry) => told(entry).endsWith('session/update'));
    expect(new Set(updates.map((entry) => entry.sessionId))).toEqual(new Set([sessionId]));
    expect(new Set(entries.map((entry) => entry.connection)).size).toBe(2);
    expect(updates.every((entry) => entry.protocol === 1 && entry.agent === 'foreign')).toBe(true);

    const later = await read(server.watchTraffic, { principal: 'ada', after: 3 }, (some) => some.length > 0);
    expect(later[0]?.seq).toBe(4);
    const other = { principal: 'ada', sessionId: 'another' };
    const rest = await read(server.watchTraffic, other, (some) => some.length > 0);
    expect(rest.some((entry) => entry.sessionId !== undefined)).toBe(false);
  });

  it('is of each principal by itself, for an agent of the process and for one that is shared', async () => {
    const server = open({ processes: 'shared' });
    for (const name of ['own', 'foreign'])
      for (const principal of ['ada', 'ben']) {
        const client = await as(server, name, principal);
        await client.prompt(await client.open(), `I am ${principal}`);
      }
    const isEnough = (entries: readonly TrafficEntry[]): boolean => answersOf(entries, 'client') === 6;
    const [ada, ben] = await Promise.all(
      ['ada', 'ben'].map((principal) => read(server.watchTraffic, { principal }, isEnough)),
    );
    expect(JSON.stringify(ada)).toContain('I am ada');
    expect(JSON.stringify(ada)).not.toContain('I am ben');
    expect(JSON.stringify(ben)).toContain('I am ben');
    expect(JSON.stringify(ben)).not.toContain('I am ada');
    // Of a process that they share each sees what names a session of theirs, and neither sees its stderr.
    expect(ben?.map(told)).toContain('agent out session/prompt');
    expect([...(ada ?? []), ...(ben ?? [])].some(({ kind }) => kind === 'stderr')).toBe(false);
    const own = await read(server.watchTraffic, { principal: 'ada', agent: 'own' }, (some) => some.length > 0);
    expect(new Set(own.map((entry) => entry.agent))).toEqual(new Set(['own']));
  });

  it('is not kept unless that was asked for', () => {
    const { signal } = new AbortController();
    expect(open({ traffic: false }).watchTraffic({ principal: 'ada', signal })).toBeUndefined();
  });

  it('is bounded in entries and bytes, fairly, and tells a reader what it has missed', async () => {
    const traffic = new Traffic({ maxEntries: 100, maxBytes: 100_000 });
    const wireOf = (principal: string) => traffic.openClient({ agent: 'a', connection: principal, principal });
    const [ada, ben] = [wireOf('ada'), wireOf('ben')];
    const message = (text: string) => ({ jsonrpc: '2.0', method: 'm', params: { text } });
    for (let index = 0; index < 5; index += 1) ben.pass('in', message(`ben ${index}`));
    for (let index = 0; index < 5000; index += 1) ada.pass('in', message(`ada ${index}`));
    const watch = (query: TrafficQuery) => traffic.watch(query);
    const bens = await read(watch, { principal: 'ben' }, () => true);
    expect(bens).toHaveLength(5);

    const ending = new AbortController();
    const batches: { missed: number; count: number }[] = [];
    for await (const { entries, missed } of traffic.watch({ principal: 'ada', signal: ending.signal })) {
      batches.push({ missed, count: entries.length });
      break;
    }
    expect(batches).toEqual([{ missed: 4905, count: 95 }]);
    ada.pass('in', message('x'.repeat(200_000)));
    ada.pass('in', message('after'));
    const left = await read(watch, { principal: 'ada' }, () => true);
    expect(left).toHaveLength(1);
    expect(JSON.stringify(left)).toContain('after');
  });

  it('wakes a reader that waits, and lets it go when it leaves', async () => {
    const traffic = new Traffic();
    const wire = traffic.openClient({ agent: 'a', connection: 'c', principal: 'ada' });
    const first = read(
      (query) => traffic.watch(query),
      { principal: 'ada' },
      () => true,
    );
    wire.pass('out', { jsonrpc: '2.0', id: 1, method: 'initialize' });
    expect((await first).map(told)).toEqual(['client out initialize']);
    const ending = new AbortController();
    const reading = traffic.watch({ principal: 'ben', signal: ending.signal })[Symbol.asyncIterator]().next();
    ending.abort();
    expect(await reading).toEqual({ done: true, value: undefined });
  });
});
