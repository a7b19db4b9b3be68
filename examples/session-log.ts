// A session is its log: append, read from a cursor, follow, and find everything again after a restart.
// Run it: npx tsx --conditions=source examples/session-log.ts
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StaleOwnerError } from '@parley/store';
import { sqliteStore } from '@parley/store/sqlite';

const folder = await mkdtemp(join(tmpdir(), 'parley-example-'));
const path = join(folder, 'sessions.db'); // leave `path` out to use $XDG_STATE_HOME/parley/sessions.db

try {
  await firstProcess();
  await secondProcess();
} finally {
  await rm(folder, { recursive: true });
}

async function firstProcess(): Promise<void> {
  await using store = sqliteStore({ path });
  const log = store.log();
  await log.create({ id: 'demo', cwd: process.cwd(), title: 'Fix the build' });

  // A viewer follows from the start: what is there, then what comes, in one loop.
  const viewer = (async () => {
    for await (const { seq, kind, body } of log.follow('demo')) {
      console.log(`viewer: ${seq} ${kind} ${JSON.stringify(body)}`);
      if (kind === 'turn_ended') return;
    }
  })();

  // A prompt that the network delivers twice is run once.
  for (const attempt of [1, 2]) {
    const { inbound } = await log.append('demo', [{ kind: 'prompt', body: 'Why does it fail?' }], {
      once: { key: 'p1' },
    });
    console.log(`attempt ${attempt}: ${inbound?.isRepeated ? 'seen before' : 'new'}`);
  }

  // append resolves when the events are on disk; the outcome of the prompt is recorded in the same commit.
  await log.append('demo', [{ kind: 'text', body: 'A missing import.' }]);
  await log.append('demo', [{ kind: 'question', body: { id: 'q1', title: 'Edit index.ts?' } }]);
  await log.append('demo', [{ kind: 'turn_ended', body: null }], { settle: { key: 'p1', outcome: 'end_turn' } });
  await viewer;
}

async function secondProcess(): Promise<void> {
  await using store = sqliteStore({ path });
  const log = store.log();

  // A client that has seen event 1 gets the rest.
  for await (const { seq, kind } of log.read('demo', { after: 1 })) console.log(`after restart: ${seq} ${kind}`);

  // The question is in the log. Two people answer it; the key lets one of them win.
  for (const answeredBy of ['laptop', 'phone']) {
    const answer = [{ kind: 'answer', body: { id: 'q1', answeredBy } }];
    const { inbound } = await log.append('demo', answer, { isInput: true, once: { key: 'q1', outcome: answeredBy } });
    console.log(inbound?.isRepeated ? `already answered by ${inbound.outcome}` : 'answered');
  }

  // Two processes want to run the session; the later one takes it over, and the earlier one can no longer write.
  const first = await log.acquire('demo', { owner: 'process 1' });
  const second = await log.acquire('demo', { owner: 'process 2', takeOver: true });
  await log.append('demo', [{ kind: 'prompt', body: 'Go on.' }], { epoch: second.epoch });
  try {
    await log.append('demo', [{ kind: 'prompt', body: 'Me too.' }], { epoch: first.epoch });
  } catch (error) {
    if (!(error instanceof StaleOwnerError)) throw error;
    console.log(`refused: ${error.message}`);
  }
  // It can ask the owner, though, who watches for it.
  const stop = log.watch('demo', (head) => console.log(`the owner hears of event ${head}`));
  await log.append('demo', [{ kind: 'cancel', body: null }], { isInput: true });
  stop();
}
