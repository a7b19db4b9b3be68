import { type Check, check } from '../check.ts';
import { fromAgent, lint } from '../lints/lint.ts';
import { type Answer, describeAnswer, requireAnswer, requireError, requireResult, show } from '../probe/answer.ts';
import { asNotification, asRequest, errorOf, fieldsOf, idOf, isResponse, keyOfId } from '../probe/message.ts';
import { PING_METHOD, type Probe, type Responder } from '../probe/probe.ts';
import type { Frame } from '../probe/trace.ts';
import { expect, notProvoked, unmet } from '../verdict.ts';

const group = 'json-rpc';
const overview = 'protocol/v1/overview';

export const jsonRpc: readonly Check[] = [
  check({
    id: 'RPC-01',
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
  check({
    id: 'RPC-09',
    level: 'MUST',
    group,
    source: 'JSON-RPC 2.0, section 5',
    rules: [11],
    says: 'A response has the id of its request, in value and in type',
    async run({ abused }) {
      const probe = await abused();
      const ids = [7001, '7001', '', 'naïve 😀', -7, 9_007_199_254_740_991, 'x'.repeat(500)];
      const mark = probe.trace.count;
      const answers = ids.map((id) => probe.request(PING_METHOD, {}, { id }));
      for (const [index, answer] of (await Promise.all(answers)).entries()) {
        if (answer.kind === 'result' || answer.kind === 'error') continue;
        const others = probe
          .received(mark)
          .filter(isResponse)
          .map((frame) => show(idOf(frame)));
        unmet(
          `a response with id ${show(ids[index])}`,
          `${describeAnswer(answer)}; ids seen: ${others.join(', ') || 'none'}`,
        );
      }
    },
  }),
  lint({
    id: 'RPC-10',
    level: 'MUST',
    group,
    source: 'JSON-RPC 2.0, section 5',
    rules: [12],
    says: 'A request gets exactly one response, with either a result or an error',
    unheard: 'The agent answered nothing.',
    *look({ trace }) {
      const answered = new Set<string>();
      const asked = new Map<string, number>();
      for (const frame of trace.frames) {
        const key = keyOfId(idOf(frame));
        if (frame.from === 'client' && asRequest(frame)) asked.set(key, (asked.get(key) ?? 0) + 1);
        if (frame.from !== 'agent' || !isResponse(frame)) continue;
        const fields = fieldsOf(frame.value);
        if ('result' in fields === 'error' in fields) {
          yield { frame, problem: { expected: 'either a result or an error', got: 'both' } };
        }
        // An id that was used twice, by a check that does so on purpose, may be answered twice.
        const isSecond = answered.has(key) && asked.get(key) === 1;
        yield isSecond
          ? { frame, problem: { expected: 'one response', got: `a second one for id ${key}` } }
          : { frame };
        answered.add(key);
      }
    },
  }),
  check({
    id: 'RPC-11',
    level: 'MUST',
    group,
    source: overview,
    rules: [13],
    says: 'A request for an unknown method is answered with error -32601',
    async run({ abused }) {
      const probe = await abused();
      requireError(await probe.request('parley/no_such_method', {}), [-32601]);
    },
  }),
  check({
    id: 'RPC-12',
    level: 'MUST',
    group,
    source: 'official SDK',
    rules: [16],
    says: 'session/new with params of the wrong type is answered with error -32602',
    async run({ abused }) {
      const probe = await abused();
      requireError(await probe.request('session/new', { cwd: 5, mcpServers: [] }), [-32602]);
      requireError(await probe.request('session/new', { cwd: '/', mcpServers: 'none' }), [-32602]);
    },
  }),
  check({
    id: 'RPC-13',
    level: 'MUST',
    group,
    source: 'official SDK',
    rules: [16],
    says: 'session/prompt without its required params is answered with error -32602',
    async run({ abused }) {
      const probe = await abused();
      requireError(await probe.request('session/prompt', { sessionId: 'there-is-no-such-session' }), [-32602]);
      requireError(await probe.request('session/prompt', { prompt: [] }), [-32602]);
    },
  }),
  check({
    id: 'RPC-14',
    level: 'MAY',
    group,
    source: 'official SDK',
    rules: [17],
    needs: 'agentCapabilities.sessionCapabilities.list',
    says: 'A request without params is read as one with empty params',
    async run({ agent }) {
      requireResult(await (await agent()).request('session/list'), 'session/list');
    },
  }),
  lint({
    id: 'RPC-15',
    level: 'MAY',
    group,
    source: 'official SDK',
    rules: [18],
    says: 'A result without fields is written as {}',
    unheard: 'No request with such a result was answered.',
    *look({ trace }) {
      const methods = new Map<string, string>();
      for (const frame of trace.frames) {
        const request = frame.from === 'client' ? asRequest(frame) : undefined;
        if (request) methods.set(keyOfId(request.id), request.method);
        const method = frame.from === 'agent' && isResponse(frame) ? methods.get(keyOfId(idOf(frame))) : undefined;
        const { result } = fieldsOf(frame.value);
        if (method === undefined || result === undefined || !EMPTY_RESULTS.includes(method)) continue;
        yield typeof result === 'object' && result !== null
          ? { frame }
          : { frame, problem: { expected: `{} as the result of ${method}`, got: show(result) } };
      }
    },
  }),
  lint({
    id: 'RPC-16',
    level: 'MUST',
    group,
    source: 'JSON-RPC 2.0, section 5.1',
    rules: [12, 20],
    says: 'An error has an integer code and a message',
    unheard: 'The agent answered nothing with an error.',
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const { error } = fieldsOf(frame.value);
        if (!isResponse(frame) || error === undefined) continue;
        const { code, message } = fieldsOf(error);
        const isGood = Number.isInteger(code) && typeof message === 'string';
        yield isGood ? { frame } : { frame, problem: { expected: 'an integer code and a message', got: show(error) } };
      }
    },
  }),
  check({
    id: 'RPC-17',
    level: 'MUST',
    group,
    source: 'JSON-RPC 2.0, section 4',
    rules: [147],
    says: 'The ids of the two directions are independent of each other',
    async run({ newSession, requireTurns, prompts }) {
      await requireTurns();
      const session = await newSession();
      const { probe } = session;
      let answered: Promise<Answer> | undefined;
      const askWithSameId: Responder = async (_params, { id }) => {
        // When our own prompt has this id already, its answer shows the same.
        answered = keyOfId(id) === keyOfId(turn.id) ? turn.answer : probe.request(PING_METHOD, {}, { id });
        if (answered !== turn.answer) await answered;
        return { outcome: { outcome: 'cancelled' } };
      };
      const turn = session.begin(prompts.permission);
      const answer = await probe.respondDuring('session/request_permission', askWithSameId, () => turn.answer);
      if (answered === undefined)
        notProvoked('The agent asked for no permission. Tell it to with --prompt-for-permission.');
      requireAnswer(await answered);
      requireAnswer(answer);
    },
  }),
];

const EMPTY_RESULTS = ['authenticate', 'logout', 'session/close', 'session/delete', 'session/set_mode', 'session/load'];

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
