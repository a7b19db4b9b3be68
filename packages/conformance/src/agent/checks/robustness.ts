import { requireAnswer, requireError, show } from '../../probe/answer.ts';
import { PING_METHOD, type Probe, sleep } from '../../probe/probe.ts';
import { sendNewSession } from '../../probe/session.ts';
import { expect } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import type { WireEnd } from '../../wire/wire.ts';
import { type Check, check } from '../agent-check.ts';

const group = 'robustness';
const source = 'reliability of the connection';

export const robustness: readonly Check[] = [
  check({
    id: 'ROBUST-01',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [6],
    says: 'Bytes that are not UTF-8 do not end the connection',
    wire: 'bytes',
    async run({ abused }) {
      const probe = await abused();
      probe.wire.bytes?.send(Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a));
      await requireLife(probe);
    },
  }),
  check({
    id: 'ROBUST-02',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [6],
    says: 'JSON that is nested 5,000 levels deep does not end the connection',
    async run({ abused }) {
      const probe = await abused();
      probe.sendText(`{"jsonrpc":"2.0","method":"${PING_METHOD}","params":${'['.repeat(5000)}${']'.repeat(5000)}}`);
      await requireLife(probe);
    },
  }),
  check({
    id: 'ROBUST-03',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [12],
    says: 'A flood of 500 requests is answered in full',
    async run({ abused, limits }) {
      const probe = await abused();
      const answers = Array.from({ length: 500 }, () =>
        probe.request(PING_METHOD, {}, { timeoutMs: 3 * limits.answerMs }),
      );
      const silent = (await Promise.all(answers)).filter(({ kind }) => kind !== 'result' && kind !== 'error');
      expect(silent.length === 0, '500 answers', `${500 - silent.length}`);
    },
  }),
  check({
    id: 'ROBUST-04',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [12],
    says: 'A client that stops reading for a while loses nothing',
    async run({ abused, limits }) {
      const probe = await abused();
      probe.wire.pause();
      const id = 'x'.repeat(4000);
      const answers = Array.from({ length: 100 }, (_, index) =>
        probe.request(PING_METHOD, {}, { id: `${index} ${id}`, timeoutMs: 3 * limits.answerMs }),
      );
      await sleep(3 * limits.quietMs);
      probe.wire.resume();
      const silent = (await Promise.all(answers)).filter(({ kind }) => kind !== 'result' && kind !== 'error');
      expect(silent.length === 0, '100 answers', `${100 - silent.length}`);
    },
  }),
  check({
    id: 'ROBUST-05',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'rule 21: a closed stream ends everything; users find dozens of orphaned agents',
    rules: [21],
    says: 'The agent ends when its stdin ends',
    wire: 'bytes',
    async run({ freshInitialized, limits }) {
      const probe = await freshInitialized();
      probe.wire.bytes?.end();
      await requireEnd(probe, limits.exitMs);
    },
  }),
  check({
    id: 'ROBUST-06',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'rule 21: a closed stream ends everything; users find dozens of orphaned agents',
    rules: [21],
    says: 'The agent ends when its stdin ends in the middle of a turn',
    wire: 'bytes',
    async run({ requireTurns, freshInitialized, newSession, prompts, limits }) {
      await requireTurns();
      const probe = await freshInitialized();
      const session = await newSession(probe);
      const turn = session.begin(prompts.longTurn);
      await Promise.race([session.awaitUpdate(turn.mark, limits.answerMs), turn.answer]);
      probe.wire.bytes?.end();
      await requireEnd(probe, limits.exitMs);
    },
  }),
  check({
    id: 'ROBUST-07',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [13],
    says: 'Names that every object has are not taken for methods',
    async run({ abused }) {
      const probe = await abused();
      for (const method of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '']) {
        requireError(await probe.request(method, {}));
      }
    },
  }),
  check({
    id: 'ROBUST-08',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [16],
    says: 'Params that are no object are refused, for every method',
    async run({ abused }) {
      const probe = await abused();
      for (const method of ['session/new', 'session/prompt']) {
        for (const params of ['text', 5, ['a', 'list'], true]) requireError(await probe.request(method, params));
      }
    },
  }),
  check({
    id: 'ROBUST-09',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [12],
    says: 'A request id that is used twice at once does not end the connection',
    async run({ abused }) {
      const probe = await abused();
      const ids = ['twice', 'twice'];
      const answer = probe.awaitAnswer('twice');
      for (const id of ids) probe.send({ jsonrpc: '2.0', id, method: PING_METHOD, params: {} });
      requireAnswer(await answer);
      await requireLife(probe);
    },
  }),
  check({
    id: 'ROBUST-10',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source: 'official SDK, comments on logging',
    rules: [22],
    says: 'The log never holds what was sent: params may carry credentials',
    async run({ freshInitialized, workspace }) {
      const probe = await freshInitialized();
      const secret = 'parley-secret-b9f1';
      await sendNewSession(probe, {
        cwd: 5 as never,
        mcpServers: [{ name: 'x', command: 5, env: [{ name: 'TOKEN', value: secret }] }],
      });
      await probe.request('_parley/unknown', { token: secret, cwd: workspace.cwd });
      probe.sendText(`{"jsonrpc":"2.0","token":"${secret}"`);
      await probe.settle();
      const { stderr } = probe.wire;
      const at = stderr.indexOf(secret);
      expect(at === -1, 'a log without it', show(stderr.slice(Math.max(0, at - 80), at + secret.length + 20)));
    },
  }),
  check({
    id: 'ROBUST-11',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'JSON-RPC 2.0: answers may come in any order',
    rules: [12],
    says: 'A running turn does not keep other requests waiting',
    async run({ requireTurns, newSession, prompts, limits }) {
      await requireTurns();
      const session = await newSession();
      const { probe } = session;
      const turn = session.begin(prompts.longTurn);
      const answer = await probe.request(PING_METHOD, {}, { timeoutMs: limits.answerMs });
      session.cancel();
      await turn.answer;
      requireAnswer(answer);
    },
  }),
];

async function requireLife(probe: Probe): Promise<void> {
  requireAnswer(await probe.request(PING_METHOD));
}

async function requireEnd(probe: Probe, timeoutMs: number): Promise<void> {
  const end = await Promise.race<WireEnd | undefined>([probe.wire.ended, sleep(timeoutMs).then(() => undefined)]);
  expect(end !== undefined, `an end within ${timeoutMs} ms`, 'a process that goes on');
}
