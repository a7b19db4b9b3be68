import { isRecord } from '@parley/jsonrpc/internal';
import type { Finding } from '../../lints/finding.ts';
import { findUnknownField } from '../../lints/known-fields.ts';
import { findForeignMethods } from '../../lints/methods.ts';
import { checkResult } from '../../lints/schema.ts';
import { CHECKER_INFO } from '../../messages/client-profile.ts';
import { asNotification, asRequest, asUpdate, fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import type { Frame } from '../../messages/trace.ts';
import { requireError, requireResult, show } from '../../probe/answer.ts';
import { expect } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';
import type { Hearing } from '../run/agent-run.ts';

const group = 'extensibility';
const source = 'protocol/v1/extensibility';

export const extensibility: readonly Check[] = [
  check({
    id: 'EXT-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [13, 15],
    says: 'A custom request that the agent does not know is answered with error -32601',
    async run({ abused }) {
      requireError(await (await abused()).request('_parley.example/unknown', { some: 'thing' }), [-32601]);
    },
  }),
  check({
    id: 'EXT-02',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source,
    rules: [14],
    says: 'A custom notification that the agent does not know is ignored',
    async run({ abused }) {
      const probe = await abused();
      probe.notify('_parley.example/unknown', { some: 'thing' });
      probe.notify('$/ping');
      probe.notify('parley/unknown', {});
      expect(await probe.ping(), 'further answers', 'none');
    },
  }),
  check({
    id: 'EXT-03',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [24],
    says: 'Fields that the agent does not know are ignored',
    async run({ fresh, limits, newSession, words }) {
      const probe = await fresh();
      const { clientCapabilities } = words;
      const params = {
        ...words.initialize('full'),
        [clientCapabilities]: { ...words.profiles.full, parleyFuture: { deep: true } },
        parleyFuture: [1, 2],
      };
      requireResult(await probe.request('initialize', params, { timeoutMs: limits.startMs }), 'initialize');
      await newSession(undefined, { parleyFuture: 'unknown' });
    },
  }),
  check({
    id: 'EXT-04',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [24],
    says: '_meta is accepted everywhere, with any content',
    async run({ requireTurns, newSession, prompts }) {
      await requireTurns();
      const _meta = {
        'parley.example': { deep: [1, null, { yes: true }] },
        traceparent: '00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01',
      };
      const { probe, id } = await newSession(undefined, { _meta });
      const params = { sessionId: id, prompt: [{ type: 'text', text: prompts.plain, _meta }], _meta };
      requireResult(
        await probe.request('session/prompt', params, { timeoutMs: probe.limits.turnMs }),
        'session/prompt',
      );
    },
  }),
  check({
    id: 'EXT-05',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'schema, x-deserialize-default-on-error',
    rules: [23],
    says: 'A malformed optional field of initialize falls back to its default',
    async run({ fresh, limits, words }) {
      const probe = await fresh();
      const params = {
        protocolVersion: words.version,
        // Version 2 wants to know who the client is.
        [words.clientInfo]: words.version === 1 ? { name: 5 } : CHECKER_INFO,
        [words.clientCapabilities]: { fs: 'yes', terminal: 'perhaps', session: 7, auth: 'no', elicitation: 7 },
      };
      requireResult(await probe.request('initialize', params, { timeoutMs: limits.startMs }), 'initialize');
    },
  }),
  lint({
    id: 'EXT-06',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [24],
    says: 'What the specification does not know is put under _meta, never beside its own fields',
    unheard: 'The agent sent nothing that could carry custom fields.',
    look: findCustomFields,
  }),
  lint({
    id: 'EXT-07',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [13, 24],
    says: 'A method of the agent’s own begins with an underscore',
    unheard: 'The agent called and notified nothing.',
    look: (hearing) => findForeignMethods(fromAgent(hearing), hearing.protocol),
  }),
  lint({
    id: 'EXT-08',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'schema',
    rules: [16],
    says: 'Every result fits the schema',
    unheard: 'The agent answered nothing with a result.',
    *look(hearing) {
      for (const { frame, method, result } of resultsOf(hearing)) {
        const problem = checkResult(hearing.protocol, method, result);
        const got = problem?.kind === 'invalid' ? `${method}: ${problem.message}` : undefined;
        yield got === undefined ? { frame } : { frame, problem: { expected: 'a result that fits the schema', got } };
      }
    },
  }),
  lint({
    id: 'EXT-09',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source: 'schema, x-deserialize-default-on-error',
    rules: [23],
    says: 'No reader has to repair an optional field of a result',
    unheard: 'The agent answered nothing with a result.',
    *look(hearing) {
      for (const { frame, method, result } of resultsOf(hearing)) {
        const problem = checkResult(hearing.protocol, method, result);
        const got = problem?.kind === 'repaired' ? `${method}: ${problem.message}` : undefined;
        yield got === undefined ? { frame } : { frame, problem: { expected: 'well-formed optional fields', got } };
      }
    },
  }),
];

interface Result {
  readonly frame: Frame;
  readonly method: string;
  readonly result: unknown;
}

/** The results that the agent gave, each with the method it answers. Other versions of the protocol are left out. */
function* resultsOf({ trace, protocol }: Hearing): Iterable<Result> {
  const asked = new Map<string, string>();
  for (const frame of trace.frames) {
    const request = frame.from === 'client' ? asRequest(frame) : undefined;
    const isOtherVersion = request?.method === 'initialize' && fieldsOf(request.params).protocolVersion !== protocol;
    if (request && !isOtherVersion) asked.set(keyOfId(request.id), request.method);
    if (frame.from !== 'agent' || !isResponse(frame)) continue;
    const method = asked.get(keyOfId(idOf(frame)));
    const fields = fieldsOf(frame.value);
    if (method !== undefined && 'result' in fields) yield { frame, method, result: fields.result };
  }
}

function* findCustomFields(hearing: Hearing): Iterable<Finding> {
  const expected = 'custom data under _meta';
  for (const { frame, method, result } of resultsOf(hearing)) {
    if (!isRecord(result)) continue;
    const field = findUnknownField(hearing.protocol, ['result', method], result);
    yield field === undefined
      ? { frame }
      : { frame, problem: { expected, got: `a field ${show(field)} in the result of ${method}` } };
  }
  for (const frame of fromAgent(hearing)) {
    const call = asRequest(frame) ?? asNotification(frame);
    if (!call || !isRecord(call.params)) continue;
    const update = asUpdate(frame);
    const field =
      findUnknownField(hearing.protocol, ['params', call.method], call.params) ??
      (update && findUnknownField(hearing.protocol, ['update', update.kind], update.update));
    yield field === undefined
      ? { frame }
      : { frame, problem: { expected, got: `a field ${show(field)} in ${update?.kind ?? call.method}` } };
  }
}
