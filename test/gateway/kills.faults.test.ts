import { type ClientSession, connect, type TranscriptEvent } from '@parley/client';
import { sqliteStore } from '@parley/store/sqlite';
import { createRandom } from '@parley/testing/mutations';
import { untilGone } from '@parley/testing/processes';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildParley } from '../../packages/cli/test/support/build-parley.ts';
import { rounds, until, withDeadline } from '../support/waiting.ts';
import { createRecords } from './support/hosted-gateway.ts';
import { type ServeProcess, startServe } from './support/parley-serve.ts';
import { WIRES } from './support/wires.ts';

const KILLS = rounds(50);
const CWD = '/';

let program = '';
beforeAll(async () => {
  program = await buildParley();
}, 180_000);

describe('a gateway that is killed amidst turns, again and again', () => {
  it(
    'has everything that a client saw, reports the turns as interrupted, runs none again, and leaves no process behind',
    async () => {
      const random = createRandom(Number(process.env.PARLEY_SEED ?? Date.now() % 1_000_000));
      using records = createRecords();
      let server = await startServe({ program, records });
      const { port, storePath } = server;
      const readyMs: number[] = [];
      const families: number[] = [];
      const sent: string[] = [];
      try {
        // Pauses are kept, but short.
        await using connection = await connect(WIRES.WebSocket(port), {
          reconnect: true,
          random: () => 0.1,
          permissions: { ask: () => new Promise<never>(() => {}) },
        });
        const session = await connection.newSession({ cwd: CWD });
        const heard = collect(session);
        const turns: { readonly text: string; readonly heard: string }[] = [];
        for (let round = 0; round < KILLS; round += 1) {
          // It counts for longer than a busy machine takes to kill its gateway.
          const kind = round % 10 === 9 ? 'family' : round % 10 === 4 ? 'ask' : 'count 5000';
          const text = `${kind} ${round}`;
          sent.push(text);
          const turn = session.prompt(text);
          const failed = turn.result.then(
            () => 'ended as if nothing had happened',
            (error: Error) => error.message,
          );
          const enough = 1 + random.below(150);
          await until(`turn ${text} has begun`, () => hasBegun(session, heard, { kind, enough }));
          families.push(...(/family ([\d,]+) /.exec(heard.text())?.[1]?.split(',').map(Number) ?? []));
          await server.kill();
          server = await startServe({ program, records, port });
          readyMs.push(server.readyMs);
          expect(await withDeadline(failed, `turn ${text}`)).toMatch(/ended before the turn did/);
          await until('the session goes on by itself', () => session.state === 'idle');
          expect(session.transcript.questions).toEqual([]);
          turns.push({ text, heard: heard.take() });
        }
        sent.push('count 3 last');
        expect(await withDeadline(session.prompt('count 3 last').result, 'the last turn')).toMatchObject({
          text: ' 0 1 2',
        });
        turns.push({ text: 'count 3 last', heard: heard.take() });
        await server.kill();
        const log = await readLog(server, session.id);
        expect(log.gaps).toEqual([]);
        expect(log.turns.map(({ text, said }) => ({ text, heard: said }))).toEqual(turns);
        expect(log.turns.map(({ end }) => end)).toEqual([
          ...Array.from({ length: KILLS }, () => 'interrupted'),
          'end_turn',
        ]);
        expect(records.prompts().map(({ text }) => text)).toEqual(sent);
        expect(storePath).toBe(server.storePath);
      } finally {
        await server.kill();
      }
      expect(families.length).toBe(3 * Math.floor(KILLS / 10));
      await untilGone([...families, ...new Set(records.prompts().map(({ pid }) => pid))], 30_000);
      readyMs.sort((a, b) => a - b);
      const at = (part: number): string => (readyMs[Math.floor((readyMs.length - 1) * part)] ?? 0).toFixed(0);
      if (process.env.PARLEY_ROUNDS)
        console.log(`restart ready after ${at(0.5)} ms (p50), ${at(0.95)} ms (p95), ${at(1)} ms (most)`);
    },
    60_000 + KILLS * 10_000,
  );
});

interface Begun {
  readonly kind: string;
  readonly enough: number;
}

function hasBegun(session: ClientSession, heard: { text(): string }, { kind, enough }: Begun): boolean {
  if (kind === 'ask') return session.transcript.questions.length > 0;
  if (kind === 'family') return heard.text().includes('waiting');
  return heard.text().split(' ').length > enough;
}

/** What the agent says, as each piece arrives. */
function collect(session: ClientSession): { text(): string; take(): string } {
  let text = '';
  session.on('event', (event: TranscriptEvent) => {
    if (event.type === 'message_chunk' && event.speaker === 'agent' && event.content.type === 'text')
      text += event.content.text;
  });
  return {
    text: () => text,
    take() {
      const taken = text;
      text = '';
      return taken;
    },
  };
}

interface LoggedTurn {
  text: string;
  said: string;
  end: string;
}

interface LoggedBody {
  readonly stopReason?: string;
  readonly error?: unknown;
  readonly speaker?: string;
  readonly content?: { readonly text?: string };
}

/** The turns of a session as the log has them, and the places where a number is missing. */
async function readLog({ storePath }: ServeProcess, sessionId: string) {
  await using store = sqliteStore({ path: storePath });
  const turns: LoggedTurn[] = [];
  const gaps: number[] = [];
  let last = 0;
  for await (const { seq, kind, body } of store.log('numbering/local').read(sessionId)) {
    if (seq !== last + 1) gaps.push(seq);
    last = seq;
    if (kind === 'turn_start') turns.push({ text: '', said: '', end: '' });
    const turn = turns.at(-1);
    if (!turn) continue;
    const { stopReason, error, speaker, content } = body as LoggedBody;
    if (kind === 'turn_end') turn.end = error ? 'interrupted' : String(stopReason);
    else if (kind === 'message_chunk') turn[speaker === 'user' ? 'text' : 'said'] += content?.text ?? '';
  }
  return { turns, gaps };
}
