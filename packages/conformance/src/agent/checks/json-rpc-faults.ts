import { asNotification, asRequest, errorOf, fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import type { Frame } from '../../messages/trace.ts';
import { requireAnswer, show } from '../../probe/answer.ts';
import { PING_METHOD, type Probe } from '../../probe/probe.ts';
import { expect, unmet } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';

const group = 'json-rpc';
const overview = 'protocol/v1/overview';

/** What is no request: broken JSON, batches, scalars, stray responses, notifications. */
export const jsonRpcFaults: readonly Check[] = [
  check({
    id: 'RPC-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'JSON-RPC 2.0, section 5.1',
    rules: [6],
    says: 'A line that is not JSON is answered with error -32700 and id null',
    async run({ abused }) {
      await requireComplaint(await abused(), '{"jsonrpc":"2.0","id":1,', -32700);
    },
  }),
  check({
    id: 'RPC-02',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'JSON-RPC 2.0, section 5.1',
    rules: [6],
    says: 'The connection lives on after a line that is not JSON',
    async run({ abused }) {
      const probe = await abused();
      probe.sendText('this is not JSON');
      requireAnswer(await probe.request(PING_METHOD));
    },
  }),
  check({
    id: 'RPC-03',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'official SDK: ACP does not use batches',
    rules: [7],
    says: 'A batch is answered with one error -32600 and id null',
    async run({ abused }) {
      const probe = await abused();
      const mark = probe.trace.count;
      await requireComplaint(probe, JSON.stringify([call('batch-1'), call('batch-2')]), -32600);
      const complaints = probe.received(mark).filter((frame) => idOf(frame) === null);
      expect(complaints.length === 1, 'one error for the whole batch', `${complaints.length} errors`);
    },
  }),
  check({
    id: 'RPC-04',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'official SDK: ACP does not use batches',
    rules: [7],
    says: 'No entry of a batch is executed',
    async run({ abused }) {
      const probe = await abused();
      const mark = probe.trace.count;
      probe.send([call('batch-3'), call('batch-4')]);
      await probe.settle();
      const answered = probe
        .received(mark)
        .flatMap(asBatch)
        .find((value) => String(fieldsOf(value).id).startsWith('batch-'));
      expect(answered === undefined, 'no answer to an entry', show(answered));
    },
  }),
  check({
    id: 'RPC-05',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'JSON-RPC 2.0, section 5.1',
    rules: [8],
    says: 'JSON that is no object is answered with error -32600 and id null',
    async run({ abused }) {
      for (const text of ['42', '"hello"', 'null']) await requireComplaint(await abused(), text, -32600);
    },
  }),
  check({
    id: 'RPC-06',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'JSON-RPC 2.0, section 5.1',
    rules: [8],
    says: 'An object that is no message is answered with error -32600 and id null',
    async run({ abused }) {
      for (const text of ['{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","method":5}']) {
        await requireComplaint(await abused(), text, -32600);
      }
    },
  }),
  check({
    id: 'RPC-07',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'JSON-RPC 2.0, section 5',
    rules: [9],
    says: 'A response that nobody asked for is never answered',
    async run({ abused }) {
      const probe = await abused();
      const mark = probe.trace.count;
      probe.send({ jsonrpc: '2.0', id: 'never-asked', result: {} });
      probe.send({ jsonrpc: '2.0', id: 987_654, error: { code: -32603, message: 'never asked' } });
      await probe.settle();
      const answer = probe
        .received(mark)
        .find((frame) => ['never-asked', 987_654, null].includes(idOf(frame) as never));
      expect(answer === undefined, 'no answer', answer?.text ?? '');
      expect(await probe.ping(), 'a connection that goes on', 'none');
    },
  }),
  check({
    id: 'RPC-08',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: overview,
    rules: [10],
    says: 'A notification is never answered, not even a faulty one',
    async run({ abused }) {
      const probe = await abused();
      const mark = probe.trace.count;
      probe.notify('session/cancel', { sessionId: 'there-is-no-such-session' });
      probe.notify('session/cancel', { sessionId: 5 });
      probe.notify('_parley/nothing', {});
      await probe.settle();
      const pings = new Set(
        probe.trace.since(mark).flatMap((frame) => (asRequest(frame) ? [keyOfId(idOf(frame))] : [])),
      );
      const answer = probe.received(mark).find((frame) => isResponse(frame) && !pings.has(keyOfId(idOf(frame))));
      expect(answer === undefined, 'no answer', answer?.text ?? '');
    },
  }),
];

function call(id: string): object {
  return { jsonrpc: '2.0', id, method: PING_METHOD, params: {} };
}

function asBatch({ value }: Frame): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Sends text that is no message, and expects the agent to say so. */
async function requireComplaint(probe: Probe, text: string, code: number): Promise<void> {
  const mark = probe.trace.count;
  probe.sendText(text);
  const isComplaint = (frame: Frame): boolean => isResponse(frame) && idOf(frame) === null;
  const isAlive = await probe.ping();
  const complaint = await probe.waitFor(isComplaint, { since: mark, timeoutMs: 5 * probe.limits.quietMs });
  const expected = `error ${code} with id null`;
  if (!complaint) {
    const other = probe
      .received(mark)
      .find((frame) => asNotification(frame) === undefined && errorOf(frame)?.code !== -32601);
    return unmet(
      expected,
      other?.text ?? (isAlive ? 'nothing, though it goes on answering' : 'nothing, and no further answers'),
    );
  }
  const error = errorOf(complaint);
  expect(error?.code === code, expected, complaint.text);
}
