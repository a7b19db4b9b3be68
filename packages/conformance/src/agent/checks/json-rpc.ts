import { asRequest, fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import { type Answer, describeAnswer, requireAnswer, requireError, requireResult, show } from '../../probe/answer.ts';
import { PING_METHOD } from '../../probe/probe.ts';
import { unmet } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';
import { askForPermission } from '../run/ask-permission.ts';

const group = 'json-rpc';
const overview = 'protocol/v1/overview';

/** Requests and their answers. What is no request at all is in `json-rpc-faults`. */
export const jsonRpc: readonly Check[] = [
  check({
    id: 'RPC-09',
    protocols: BOTH,
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
    protocols: BOTH,
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
        // An error with id null belongs to no request.
        const isSecond = answered.has(key) && asked.get(key) === 1 && idOf(frame) !== null;
        yield isSecond
          ? { frame, problem: { expected: 'one response', got: `a second one for id ${key}` } }
          : { frame };
        answered.add(key);
      }
    },
  }),
  check({
    id: 'RPC-11',
    protocols: BOTH,
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
    protocols: BOTH,
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
    protocols: BOTH,
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
    protocols: BOTH,
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
    protocols: BOTH,
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
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'JSON-RPC 2.0, section 4',
    rules: [147],
    says: 'The ids of the two directions are independent of each other',
    async run(context) {
      const probe = await context.agent();
      let sameId: Promise<Answer> | undefined;
      const { answer } = await askForPermission(context, async (_params, { id }) => {
        // When our own prompt, which is still open, has this id already, its answer shows the same.
        const isTaken = keyOfId(id) === keyOfId(probe.lastId);
        sameId = isTaken ? undefined : probe.request(PING_METHOD, {}, { id });
        await sameId;
        return { outcome: { outcome: 'cancelled' } };
      });
      if (sameId) requireAnswer(await sameId);
      requireAnswer(answer);
    },
  }),
];

const EMPTY_RESULTS = ['authenticate', 'logout', 'session/close', 'session/delete', 'session/set_mode', 'session/load'];
