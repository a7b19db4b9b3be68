import { isRecord } from '@parley/jsonrpc/internal';
import { fieldsOf } from '../../messages/message.ts';
import { requireAnswer, requireError } from '../../probe/answer.ts';
import { PING_METHOD, sleep } from '../../probe/probe.ts';
import { expect, notApplicable, unmet } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import type { ByteSender, Wire } from '../../wire/wire.ts';
import { type Check, check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';

const group = 'framing';
const source = 'protocol/v1/transports';

/** Characters of two, three and four bytes. */
const WIDE_TEXT = 'é€😀';

export const framing: readonly Check[] = [
  lint({
    id: 'FRAME-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [1],
    says: 'Every message is JSON-RPC 2.0 in UTF-8',
    unheard: 'The agent sent no message.',
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        if (frame.fault === 'noise' || frame.fault === 'torn') continue;
        const isGood = frame.fault !== 'encoding' && fieldsOf(frame.value).jsonrpc === '2.0';
        const problem = {
          expected: 'an object with "jsonrpc":"2.0" in UTF-8',
          got: frame.fault ?? frame.text.slice(0, 120),
        };
        yield isGood ? { frame } : { frame, problem };
      }
    },
  }),
  lint({
    id: 'FRAME-02',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [2],
    says: 'Each message is one line that ends with a newline',
    unheard: 'The agent sent no message.',
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const isTorn = frame.fault === 'torn' || frame.fault === 'unterminated';
        const problem = {
          expected: 'one complete JSON message per line',
          got: `${frame.fault}: ${frame.text.slice(0, 120)}`,
        };
        yield isTorn ? { frame, problem } : { frame };
      }
    },
  }),
  lint({
    id: 'FRAME-03',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [3],
    says: 'Nothing but messages is written to stdout; logs go to stderr',
    unheard: 'The agent sent nothing.',
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const isNoise = frame.fault === 'noise' || (frame.fault === undefined && !isRecord(frame.value));
        yield isNoise ? { frame, problem: { expected: 'only messages', got: frame.text.slice(0, 160) } } : { frame };
      }
    },
  }),
  check({
    id: 'FRAME-04',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'official SDK, line buffer',
    rules: [5],
    says: 'A line that ends with CR LF is read like any other',
    wire: 'bytes',
    async run({ abused }) {
      const probe = await abused();
      const answer = probe.awaitAnswer('crlf');
      bytesOf(probe.wire).send(`${ping('crlf')}\r\n`);
      requireAnswer(await answer);
    },
  }),
  check({
    id: 'FRAME-05',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'official SDK, line buffer',
    rules: [5],
    says: 'Blank lines are passed over in silence',
    wire: 'bytes',
    async run({ abused }) {
      const probe = await abused();
      const mark = probe.trace.count;
      const answer = probe.awaitAnswer('blank');
      bytesOf(probe.wire).send(`\n\r\n  \n${ping('blank')}\n`);
      requireAnswer(await answer);
      const complaint = probe.received(mark).find(({ value }) => fieldsOf(value).id === null);
      expect(complaint === undefined, 'no answer to blank lines', complaint?.text ?? '');
    },
  }),
  check({
    id: 'FRAME-06',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'official SDK, stream',
    rules: [5],
    says: 'A last line without a newline is still read when stdin ends',
    wire: 'bytes',
    async run({ fresh, limits, words }) {
      const probe = await fresh();
      const answer = probe.awaitAnswer('last', limits.startMs);
      bytesOf(probe.wire).send(
        JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'initialize', params: words.initialize('full') }),
      );
      bytesOf(probe.wire).end();
      requireAnswer(await answer);
    },
  }),
  check({
    id: 'FRAME-07',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [1, 2],
    says: 'A message is understood however its bytes are cut into chunks, in the middle of a character too',
    wire: 'bytes',
    async run({ abused }) {
      const probe = await abused();
      const answer = probe.awaitAnswer(WIDE_TEXT);
      for (const byte of Buffer.from(`${ping(WIDE_TEXT)}\n`)) {
        bytesOf(probe.wire).send(Uint8Array.of(byte));
        await sleep(0);
      }
      requireError(await answer);
    },
  }),
  check({
    id: 'FRAME-08',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [2],
    says: 'Several messages in one chunk are each answered',
    wire: 'bytes',
    async run({ abused }) {
      const probe = await abused();
      const ids = ['a', 'b', 'c', 'd', 'e'];
      const answers = ids.map((id) => probe.awaitAnswer(id));
      bytesOf(probe.wire).send(ids.map((id) => `${ping(id)}\n`).join(''));
      for (const answer of await Promise.all(answers)) requireAnswer(answer);
    },
  }),
  check({
    id: 'FRAME-09',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'real agents send lines of 560 KB; the official SDK reads 32 MiB',
    rules: [2],
    says: 'A message of 2 MiB is read',
    async run({ abused }) {
      const probe = await abused();
      const answer = await probe.request(PING_METHOD, { _meta: { padding: 'x'.repeat(2 * 1024 * 1024) } });
      requireAnswer(answer);
      if (!(await probe.ping())) unmet('further answers afterwards', 'none');
    },
  }),
];

function ping(id: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: PING_METHOD, params: {} });
}

function bytesOf({ bytes }: Wire): ByteSender {
  return bytes ?? notApplicable('This wire frames by itself.');
}
