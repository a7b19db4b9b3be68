import { RpcError } from '@parley/jsonrpc';
import { checkRules, formatPath, v1 } from '@parley/protocol';
import { checkRules as checkRules2, v2 } from '@parley/protocol/v2';
import { checkParams } from '../../lints/schema.ts';
import { asRequest, asUpdate, fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import type { Frame } from '../../messages/trace.ts';
import { requireAnswer, requireResult, show } from '../../probe/answer.ts';
import { choose, optionsOf } from '../../probe/client-services.ts';
import { type Probe, type Responder, sleep } from '../../probe/probe.ts';
import { expect } from '../../verdict.ts';
import { BOTH, type Protocol } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';
import { askForPermission, effectsIn } from '../run/ask-permission.ts';

const group = 'permissions';
const source = 'protocol/v1/tool-calls';
const unheard = 'The agent asked for no permission. Tell it to with --prompt-for-permission.';

export const permissions: readonly Check[] = [
  lint({
    id: 'PERM-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [106],
    says: 'A permission request fits the schema and offers options with ids of their own',
    unheard,
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const request = asRequest(frame);
        if (request?.method !== 'session/request_permission') continue;
        const shape = checkParams(hearing.protocol, request.method, request.params);
        const got = shape?.kind === 'invalid' ? shape.message : brokenRule(hearing.protocol, request.params);
        yield got === undefined ? { frame } : { frame, problem: { expected: 'a valid permission request', got } };
      }
    },
  }),
  check({
    id: 'PERM-02',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [106],
    says: 'What was rejected is not done',
    async run(context) {
      const { effects } = await askForPermission(context, answerWith('reject'));
      expect(effects.length === 0, 'nothing done', effects[0] ?? '');
    },
  }),
  check({
    id: 'PERM-03',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [106],
    says: 'Nothing is done before the answer',
    async run(context) {
      const { session, mark, asked } = await askForPermission(context, async (params, request) => {
        await sleep(3 * context.limits.quietMs);
        return answerWith('allow')(params, request);
      });
      const early = effectsBeforeAnswer(session.probe, mark, asked);
      expect(early.length === 0, 'nothing done while the question is open', early[0] ?? '');
    },
  }),
  check({
    id: 'PERM-04',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [106],
    says: 'What is answered with outcome "cancelled" is not done',
    async run(context) {
      const { effects, answer } = await askForPermission(context, () => ({ outcome: { outcome: 'cancelled' } }));
      requireAnswer(answer);
      expect(effects.length === 0, 'nothing done', effects[0] ?? '');
    },
  }),
  check({
    id: 'PERM-05',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [106],
    says: 'An error in answer to a permission request is no approval, and the prompt is still answered',
    async run(context) {
      const { effects, answer } = await askForPermission(context, () => {
        throw RpcError.internalError('The client could not ask.');
      });
      requireAnswer(answer);
      expect(effects.length === 0, 'nothing done', effects[0] ?? '');
    },
  }),
  check({
    id: 'PERM-06',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'protocol/v2/tool-calls; prudence in version 1',
    rules: [106, 107],
    says: 'An option that was never offered is no approval',
    async run(context) {
      const { effects, answer } = await askForPermission(context, () => ({
        outcome: { outcome: 'selected', optionId: 'parley-never-offered' },
      }));
      requireAnswer(answer);
      expect(effects.length === 0, 'nothing done', effects[0] ?? '');
    },
  }),
  check({
    id: 'PERM-07',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [77, 106],
    says: 'The turn goes on and ends after permission was given',
    async run(context) {
      requireResult((await askForPermission(context, answerWith('allow'))).answer, 'session/prompt');
    },
  }),
  lint({
    id: 'PERM-08',
    level: 'SHOULD',
    group,
    source,
    rules: [98, 106],
    says: 'A permission request is about a tool call that was announced',
    unheard,
    *look(hearing) {
      const announced = new Set<unknown>();
      for (const frame of fromAgent(hearing)) {
        const update = asUpdate(frame);
        if (update?.kind === 'tool_call') announced.add(update.update.toolCallId);
        const request = asRequest(frame);
        if (request?.method !== 'session/request_permission') continue;
        const { toolCallId } = fieldsOf(fieldsOf(request.params).toolCall);
        const problem = { expected: 'a toolCallId announced by tool_call', got: show(toolCallId) };
        yield announced.has(toolCallId) ? { frame } : { frame, problem };
      }
    },
  }),
];

function answerWith(answer: 'allow' | 'reject'): Responder {
  return (params, { probe }) => choose(optionsOf(probe, params), answer);
}

/** Rules that the schema does not express: something to choose from, and ids that differ. */
function brokenRule(protocol: Protocol, params: unknown): string | undefined {
  const method = 'session/request_permission';
  const problem =
    protocol === 1
      ? checkRules(method, v1.parseParams(method, params))
      : checkRules2(method, v2.parseParams(method, params));
  return problem && `${formatPath(problem.path)}: expected ${problem.expected}, got ${problem.received}`;
}

/** What was done of the first thing asked about, and anything at all while the question was open. */
function effectsBeforeAnswer({ trace, words }: Probe, mark: number, asked: readonly Frame[]): readonly string[] {
  const [question] = asked;
  if (!question) return [];
  const isAnswer = (frame: Frame): boolean =>
    frame.from === 'client' && isResponse(frame) && keyOfId(idOf(frame)) === keyOfId(idOf(question));
  const answeredAt = trace.since(question.number).find(isAnswer)?.number ?? Number.POSITIVE_INFINITY;
  const before = trace.since(mark).filter(({ from, number }) => from === 'agent' && number < answeredAt);
  const finished = effectsIn(before, [question], words).filter((effect) => effect.includes('completed'));
  return [
    ...finished,
    ...effectsIn(
      before.filter(({ number }) => number > question.number),
      [],
      words,
    ),
  ];
}
