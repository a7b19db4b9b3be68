import { type ClientSession, connect, type TranscriptEvent } from '@parley/client';
import { postgresStore } from '@parley/store/postgres';
import { createRandom } from '@parley/testing/mutations';
import { needs } from '@parley/testing/needs';
import { POSTGRES, type PostgresServer, startPostgres } from '@parley/testing/postgres';
import { untilGone } from '@parley/testing/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildParley } from '../../packages/cli/test/support/build-parley.ts';
import { rounds, until, withDeadline } from '../support/waiting.ts';
import { startBalancer } from './support/balancer.ts';
import { createRecords, type Records } from './support/hosted-gateway.ts';
import { type ServeProcess, startServe } from './support/parley-serve.ts';
import { WIRES } from './support/wires.ts';

const ROUNDS = rounds(50);
const CLIENTS = 4;
/** For gateways that are killed or stopped: the others wait so long. */
const LEASE_SECONDS = 2;
/** Where all gateways live: longer than a busy machine keeps any of them from renewing its lease. */
const LONG_LEASE_SECONDS = 60;
const CWD = '/';

let program = '';
let server: PostgresServer | undefined;
beforeAll(async () => {
  if (!POSTGRES.isMet) return;
  [program, server] = await Promise.all([buildParley(), startPostgres({ isDurable: true })]);
}, 180_000);
afterAll(async () => server?.[Symbol.asyncDispose]());

/** Gateways that share nothing but a database and the file in which their agents write down prompts. */
async function startMachines(count: number, records: Records, leaseSeconds: number = LEASE_SECONDS) {
  if (!server) throw new Error('There is no server.');
  const store = await server.newDatabase();
  const options = (index: number) => ({
    program,
    records,
    store,
    machine: `machine-${index}`,
    leaseSeconds,
  });
  const machines = await Promise.all(Array.from({ length: count }, (_, index) => startServe(options(index))));
  return {
    store,
    machines,
    restart: async (index: number): Promise<void> => {
      machines[index] = await startServe({ ...options(index), port: machines[index]?.port ?? 0 });
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(machines.map((machine) => machine.kill()));
    },
  };
}

function textOf(session: ClientSession): { text(): string } {
  let text = '';
  session.on('event', (event: TranscriptEvent) => {
    if (event.type === 'message_chunk' && event.speaker === 'agent' && event.content.type === 'text')
      text += event.content.text;
  });
  return { text: () => text };
}

const numbers = (count: number): string => Array.from({ length: count }, (_, index) => ` ${index}`).join('');

describe('gateways that share a database', needs(POSTGRES), () => {
  it('serve each session wherever a client lands: what happens, prompts, cancels and answers go through the log', async () => {
    using records = createRecords();
    await using shared = await startMachines(2, records, LONG_LEASE_SECONDS);
    const [one, other] = shared.machines as [ServeProcess, ServeProcess];
    await using first = await connect(WIRES.WebSocket(one.port), {
      permissions: { ask: () => new Promise<never>(() => {}) },
    });
    await using second = await connect(WIRES.WebSocket(other.port), {
      permissions: { ask: async () => ({ optionId: 'yes' }) },
    });
    const session = await first.newSession({ cwd: CWD });
    const counting = session.prompt('count 3000 a');
    const seen = await second.loadSession(session.id, { cwd: CWD });
    const heard = textOf(seen);
    expect(await withDeadline(counting.result, 'the first turn')).toMatchObject({ text: numbers(3000) });
    await until('the other gateway has told all of it', () => allText(seen) === numbers(3000));
    expect(numbers(3000).endsWith(heard.text())).toBe(true);

    // A turn that is cancelled at the other gateway, and a prompt from there that waits for its end.
    const waiting = session.prompt('wait b');
    await until('it waits', () => allText(seen).endsWith('waiting'));
    await seen.cancel();
    const queued = seen.prompt('count 3 c');
    expect(await withDeadline(waiting.result, 'the cancelled turn')).toMatchObject({ stopReason: 'cancelled' });
    expect(await withDeadline(queued.result, 'the queued turn')).toMatchObject({ text: ' 0 1 2' });

    await until('the first gateway has told it too', () => allText(session).endsWith(' 0 1 2'));

    // A question that is answered at the other gateway.
    expect(await withDeadline(session.prompt('ask d').result, 'the question')).toMatchObject({ text: 'answer yes' });
    expect(records.prompts().map(({ text }) => text)).toEqual(['count 3000 a', 'wait b', 'count 3 c', 'ask d']);
  }, 120_000);

  it('give sessions away when one drains: its clients go on at the others', async () => {
    using records = createRecords();
    await using shared = await startMachines(2, records, LONG_LEASE_SECONDS);
    await using balancer = await startBalancer();
    const [one, other] = shared.machines as [ServeProcess, ServeProcess];
    balancer.setPorts([one.port, other.port]);
    await using connection = await connect(WIRES.WebSocket(balancer.port), { reconnect: true, random: () => 0.1 });
    const session = await connection.newSession({ cwd: CWD });
    expect(await session.prompt('count 5 a').result).toMatchObject({ text: numbers(5) });
    const [at] = (await portsInUse(balancer.counts, [one, other])) as [ServeProcess];
    balancer.setPorts([at === one ? other.port : one.port]);
    at.signal('SIGTERM');
    await withDeadline(at.exited, 'the drained gateway');
    await until('the session is open elsewhere', () => session.state === 'idle');
    expect(await withDeadline(session.prompt('count 5 b').result, 'the turn elsewhere')).toMatchObject({
      text: numbers(5),
    });
    expect(records.prompts().map(({ text }) => text)).toEqual(['count 5 a', 'count 5 b']);
  }, 120_000);

  it(
    `lose nothing and run nothing twice while they, and the database, are killed or stopped, in ${ROUNDS} rounds`,
    async () => {
      const random = createRandom(Number(process.env.PARLEY_SEED ?? Date.now() % 1_000_000));
      using records = createRecords();
      await using shared = await startMachines(3, records);
      await using balancer = await startBalancer();
      balancer.setPorts(shared.machines.map(({ port }) => port));
      const resumedMs: number[] = [];
      /** What comes back while other things fail already: gateways by their places, and the database. */
      const returning = new Map<number | 'database', Promise<void>>();
      let isEnding = false;
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, (_, index) => drive(balancer.port, index, () => isEnding)),
      );

      for (let round = 0; round < ROUNDS; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, random.below(150)));
        const index = random.below(shared.machines.length);
        const kind = round % 5 === 4 ? 'database' : round % 5 === 2 ? 'stop' : 'kill';
        const failing = kind === 'database' ? kind : index;
        await returning.get(failing);
        const machine = shared.machines[index];
        const at = performance.now();
        const before = clients.map(({ turns }) => turns.length);
        if (kind === 'database') {
          await server?.kill();
          returning.set(failing, server?.start() ?? Promise.resolve());
        } else if (kind === 'stop') {
          machine?.signal('SIGSTOP');
          const wait = new Promise<void>((resolve) => setTimeout(resolve, LEASE_SECONDS * 1000 + 500));
          returning.set(
            failing,
            wait.then(() => machine?.signal('SIGCONT')),
          );
        } else {
          await machine?.kill();
          returning.set(failing, shared.restart(index));
        }
        const report = (): string =>
          [
            `every client goes on after round ${round} (${kind})`,
            ...clients.map(({ session, connection, turns }, each) => {
              const state = `session ${session.state}, connection ${connection.state}`;
              return `client ${each}: ${state}, ${turns.length} turns, ${before[each]} before; ${session.id}`;
            }),
            ...shared.machines.map((each) => `gateway ${each.pid}: ${each.stderr().slice(-2000)}`),
          ].join('\n');
        // Two turns later, one of them was begun after it.
        await until(report, () => clients.every(({ turns }, each) => turns.length >= (before[each] ?? 0) + 2));
        resumedMs.push(performance.now() - at);
      }
      await Promise.all(returning.values());
      isEnding = true;
      await withDeadline(Promise.all(clients.map(({ ended }) => ended)), 'the clients');

      await using store = postgresStore({ url: shared.store });
      const prompts = records.prompts().map(({ text }) => text);
      expect(new Set(prompts).size).toBe(prompts.length);
      for (const { session, turns } of clients) {
        const log = await readLog(store, session.id);
        expect(log.gaps).toEqual([]);
        expect(log.stale).toEqual([]);
        // A turn that was acknowledged is there whole, and once.
        for (const { text, said } of turns.filter(({ isWhole }) => isWhole)) {
          const logged = log.turns.filter((turn) => turn.text === text);
          expect(logged.map((turn) => turn.said)).toEqual([said]);
        }
      }
      for (const { connection } of clients) await connection.close();
      resumedMs.sort((a, b) => a - b);
      const p99 = resumedMs[Math.floor((resumedMs.length - 1) * 0.99)] ?? 0;
      if (process.env.PARLEY_ROUNDS) console.log(`clients went on after ${Math.round(p99)} ms (p99)`);
      await untilGone(
        [...new Set(records.prompts().map(({ pid }) => pid))].filter((pid) => !isAlive(pid)),
        1000,
      );
    },
    120_000 + ROUNDS * 10_000,
  );
});

interface DrivenTurn {
  readonly text: string;
  readonly said: string;
  /** Whether it was answered; else it was interrupted. */
  readonly isWhole: boolean;
}

/** A client that prompts again and again, whatever becomes of it. */
async function drive(port: number, index: number, isEnding: () => boolean) {
  const connection = await connect(WIRES.WebSocket(port), { reconnect: true, random: () => 0.1 });
  const session = await connection.newSession({ cwd: CWD });
  const turns: DrivenTurn[] = [];
  const ended = (async () => {
    for (let n = 0; !isEnding(); n += 1) {
      const text = `count 30 client-${index} turn-${n}`;
      const told = await session.prompt(text).result.then(
        (result) => ({ said: result.text, isWhole: result.stopReason === 'end_turn' }),
        () => ({ said: '', isWhole: false }),
      );
      turns.push({ text, ...told });
      if (!told.isWhole) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return { session, connection, turns, ended };
}

function allText(session: ClientSession): string {
  return [...session.transcript.entries]
    .flatMap((entry) => (entry.type === 'message' && entry.speaker === 'agent' ? [...entry.content] : []))
    .map((content) => (content.type === 'text' ? content.text : ''))
    .join('');
}

async function portsInUse(
  counts: ReadonlyMap<number, number>,
  machines: readonly ServeProcess[],
): Promise<ServeProcess[]> {
  return machines.filter(({ port }) => (counts.get(port) ?? 0) > 0);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

interface LoggedTurn {
  text: string;
  said: string;
}

async function readLog(store: ReturnType<typeof postgresStore>, sessionId: string) {
  const turns: LoggedTurn[] = [];
  const gaps: number[] = [];
  const stale: number[] = [];
  let last = { seq: 0, epoch: 0 };
  for await (const { seq, epoch, kind, body } of store.log('numbering/local').read(sessionId)) {
    if (seq !== last.seq + 1) gaps.push(seq);
    if (epoch < last.epoch) stale.push(seq);
    last = { seq, epoch };
    if (kind === 'turn_start') turns.push({ text: '', said: '' });
    const turn = turns.at(-1);
    const { speaker, content } = body as { readonly speaker?: string; readonly content?: { readonly text?: string } };
    if (turn && kind === 'message_chunk') turn[speaker === 'user' ? 'text' : 'said'] += content?.text ?? '';
  }
  return { turns, gaps, stale };
}
