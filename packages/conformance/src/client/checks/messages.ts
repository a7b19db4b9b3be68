import { findForeignMethods } from '../../lints/methods.ts';
import { checkParams, checkResult } from '../../lints/schema.ts';
import { asNotification, asRequest, errorOf, fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import { show } from '../../probe/answer.ts';
import { expect, notProvoked } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type ClientCheck, clientCheck, clientLint } from '../client-check.ts';
import { answerTo, type ClientRun, explainSilence, requireErrorCode, sentByClient } from '../run/client-run.ts';

const unheard = 'The client sent nothing.';

/** Framing, JSON-RPC and extensibility. */
export const messages: readonly ClientCheck[] = [
  clientLint({
    id: 'CFRAME-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'framing',
    source: 'protocol/v1/transports',
    rules: [1],
    says: 'Every message is JSON-RPC 2.0 in UTF-8',
    unheard,
    *look(run) {
      for (const frame of sentByClient(run)) {
        if (frame.fault === 'noise' || frame.fault === 'torn') continue;
        const isGood = frame.fault !== 'encoding' && fieldsOf(frame.value).jsonrpc === '2.0';
        yield isGood
          ? { frame }
          : { frame, problem: { expected: 'an object with "jsonrpc":"2.0" in UTF-8', got: frame.text.slice(0, 120) } };
      }
    },
  }),
  clientLint({
    id: 'CFRAME-02',
    protocols: BOTH,
    level: 'MUST',
    group: 'framing',
    source: 'protocol/v1/transports',
    rules: [2, 4],
    says: 'Nothing but messages, one per line, is written to the agent',
    unheard,
    *look(run) {
      for (const frame of sentByClient(run)) {
        const isBad = frame.fault === 'noise' || frame.fault === 'torn' || frame.fault === 'unterminated';
        yield isBad
          ? { frame, problem: { expected: 'one message per line', got: frame.text.slice(0, 120) } }
          : { frame };
      }
    },
  }),
  clientCheck({
    id: 'CFRAME-03',
    protocols: BOTH,
    level: 'ROBUST',
    group: 'framing',
    source: 'official SDK, line buffer',
    rules: [5],
    says: 'A line that ends with CR LF is read like any other',
    scenario: 'crlf',
    judge: (run) => void answerTo(run, 'crlf'),
  }),
  clientLint({
    id: 'CRPC-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'json-rpc',
    source: 'JSON-RPC 2.0, section 5',
    rules: [12],
    says: 'A request gets exactly one response, with either a result or an error',
    unheard: 'The client answered nothing.',
    *look(run) {
      const answered = new Set<string>();
      for (const frame of sentByClient(run)) {
        if (!isResponse(frame) || idOf(frame) === null) continue;
        const fields = fieldsOf(frame.value);
        const key = keyOfId(idOf(frame));
        const isBoth = 'result' in fields === 'error' in fields;
        const got = isBoth
          ? 'both a result and an error'
          : answered.has(key)
            ? `a second response for id ${key}`
            : undefined;
        answered.add(key);
        yield got === undefined ? { frame } : { frame, problem: { expected: 'one response', got } };
      }
    },
  }),
  clientCheck({
    id: 'CRPC-02',
    protocols: BOTH,
    level: 'MUST',
    group: 'json-rpc',
    source: 'protocol/v1/extensibility; a client that stays silent hangs the agent',
    rules: [13],
    says: 'A request for an unknown method is answered with error -32601',
    scenario: 'unknown-requests',
    judge(run) {
      requireErrorCode(run, 'unknown-custom', [-32601]);
      requireErrorCode(run, 'unknown-method', [-32601]);
    },
  }),
  clientCheck({
    id: 'CRPC-03',
    protocols: BOTH,
    level: 'MUST',
    group: 'json-rpc',
    source: 'JSON-RPC 2.0, section 5',
    rules: [11],
    says: 'A response has the id of its request, in value and in type',
    scenario: 'unknown-requests',
    judge(run) {
      answerTo(run, 0);
      answerTo(run, '0');
    },
  }),
  clientCheck({
    id: 'CRPC-04',
    protocols: BOTH,
    level: 'MUST',
    group: 'json-rpc',
    source: 'protocol/v1/overview',
    rules: [10],
    says: 'A notification is never answered, not even a faulty one',
    scenario: 'odd-updates',
    judge(run) {
      requirePrompt(run);
      const complaint = sentByClient(run).find((frame) => isResponse(frame) && idOf(frame) === null);
      expect(complaint === undefined, 'no answer', complaint?.text ?? '');
    },
  }),
  clientCheck({
    id: 'CRPC-05',
    protocols: BOTH,
    level: 'MUST',
    group: 'json-rpc',
    source: 'JSON-RPC 2.0, section 5.1',
    rules: [6],
    says: 'A line that is not JSON is answered with error -32700 and id null, and the connection lives on',
    scenario: 'bad-json',
    judge(run) {
      answerTo(run, 'after-bad-json');
      requireComplaint(run, -32700);
    },
  }),
  clientCheck({
    id: 'CRPC-06',
    protocols: BOTH,
    level: 'MUST',
    group: 'json-rpc',
    source: 'official SDK: ACP does not use batches',
    rules: [7],
    says: 'A batch is answered with one error -32600 and id null, and no entry is executed',
    scenario: 'batch',
    judge(run) {
      answerTo(run, 'after-batch');
      requireComplaint(run, -32600);
      const entry = sentByClient(run).find((frame) => idOf(frame) === 'in-batch');
      expect(entry === undefined, 'no answer to an entry', entry?.text ?? '');
    },
  }),
  clientCheck({
    id: 'CRPC-07',
    protocols: BOTH,
    level: 'MUST',
    group: 'json-rpc',
    source: 'JSON-RPC 2.0, section 5.1',
    rules: [8],
    says: 'JSON that is no message is answered with error -32600 and id null',
    scenario: 'no-message',
    judge(run) {
      answerTo(run, 'after-no-message');
      requireComplaint(run, -32600);
    },
  }),
  clientCheck({
    id: 'CRPC-08',
    protocols: BOTH,
    level: 'MUST',
    group: 'json-rpc',
    source: 'JSON-RPC 2.0, section 5',
    rules: [9],
    says: 'A response that nobody asked for is never answered',
    scenario: 'no-message',
    judge(run) {
      requirePrompt(run);
      const answer = sentByClient(run).find((frame) => idOf(frame) === 'never-asked');
      expect(answer === undefined, 'no answer', answer?.text ?? '');
    },
  }),
  clientCheck({
    id: 'CRPC-09',
    protocols: BOTH,
    level: 'MUST',
    group: 'json-rpc',
    source: 'JSON-RPC 2.0, section 4',
    rules: [147],
    says: 'The ids of the two directions are independent of each other',
    scenario: 'same-ids',
    judge(run) {
      const [prompt] = sentByClient(run).filter((frame) => asRequest(frame)?.method === 'session/prompt');
      if (!prompt) notProvoked(explainSilence(run));
      answerTo(run, idOf(prompt) as string | number);
    },
  }),
  clientLint({
    id: 'CEXT-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'extensibility',
    source: 'protocol/v1/extensibility',
    rules: [13, 24],
    says: 'A method of the client’s own begins with an underscore',
    unheard,
    look: (run) => findForeignMethods(sentByClient(run), run.protocol),
  }),
  clientLint({
    id: 'CEXT-02',
    protocols: BOTH,
    level: 'MUST',
    group: 'extensibility',
    source: 'schema',
    rules: [16],
    says: 'The params of every request and notification fit the schema',
    unheard,
    *look(run) {
      for (const frame of sentByClient(run)) {
        const call = asRequest(frame) ?? asNotification(frame);
        if (!call) continue;
        const problem = checkParams(run.protocol, call.method, call.params ?? {});
        const got = problem?.kind === 'invalid' ? `${call.method}: ${problem.message}` : undefined;
        yield got === undefined ? { frame } : { frame, problem: { expected: 'params that fit the schema', got } };
      }
    },
  }),
  clientLint({
    id: 'CEXT-03',
    protocols: BOTH,
    level: 'MUST',
    group: 'extensibility',
    source: 'schema',
    rules: [16],
    says: 'Every result fits the schema',
    unheard: 'The client answered nothing with a result.',
    *look(run) {
      const asked = new Map<string, string>();
      for (const frame of run.frames) {
        const request = frame.from === 'agent' ? asRequest(frame) : undefined;
        if (request) asked.set(keyOfId(request.id), request.method);
        const fields = fieldsOf(frame.value);
        const method = frame.from === 'client' && isResponse(frame) ? asked.get(keyOfId(idOf(frame))) : undefined;
        if (method === undefined || !('result' in fields)) continue;
        const problem = checkResult(run.protocol, method, fields.result);
        const got = problem?.kind === 'invalid' ? `${method}: ${problem.message} in ${show(fields.result)}` : undefined;
        yield got === undefined ? { frame } : { frame, problem: { expected: 'a result that fits the schema', got } };
      }
    },
  }),
];

function requirePrompt(run: ClientRun): void {
  if (!run.marks.includes('turn')) notProvoked(explainSilence(run));
}

function requireComplaint(run: ClientRun, code: number): void {
  const complaints = sentByClient(run).filter((frame) => isResponse(frame) && idOf(frame) === null);
  const found = complaints.find((frame) => errorOf(frame)?.code === code);
  expect(found !== undefined, `error ${code} with id null`, complaints[0]?.text ?? 'nothing');
}
