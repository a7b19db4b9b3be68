import { asRequest, asUpdate, fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import { describeAnswer, requireAnswer, requireResult, show } from '../../probe/answer.ts';
import { sleep } from '../../probe/probe.ts';
import { expect, unmet } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';
import { requireCancelledTurn } from '../run/cancel-turn.ts';

const group = 'prompt turn';
const source = 'protocol/v1/prompt-turn';
const STOP_REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];

export const promptTurn: readonly Check[] = [
  check({
    id: 'PROMPT-01',
    level: 'MUST',
    group,
    source,
    rules: [77],
    says: 'A prompt is answered with a stop reason',
    async run({ plainTurn }) {
      const turn = await plainTurn();
      if (turn.answer.kind !== 'result') unmet('a stop reason', describeAnswer(turn.answer));
      const { stopReason } = fieldsOf(turn.answer.result);
      expect(STOP_REASONS.includes(String(stopReason)), `one of ${STOP_REASONS.join(', ')}`, show(stopReason));
    },
  }),
  check({
    id: 'PROMPT-02',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [77],
    says: 'A session takes one prompt after another',
    async run({ requireTurns, session, prompts }) {
      await requireTurns();
      const open = await session();
      for (let turn = 0; turn < 2; turn += 1)
        requireResult((await open.prompt(prompts.plain)).answer, 'session/prompt');
    },
  }),
  lint({
    id: 'PROMPT-03',
    level: 'MUST',
    group,
    source,
    rules: [79],
    says: 'All updates of a turn come before the answer to its prompt',
    unheard: 'No prompt was answered.',
    *look({ trace, treatment }) {
      if (treatment === 'abused') return;
      const running = new Map<string, string>();
      const idle = new Set<string>();
      for (const frame of trace.frames) {
        const request = frame.from === 'client' ? asRequest(frame) : undefined;
        const { sessionId } = fieldsOf(request?.params);
        if (request?.method === 'session/prompt') running.set(keyOfId(request.id), String(sessionId));
        // A load replays a turn that is long over.
        if (request && request.method !== 'session/close') idle.delete(String(sessionId));
        if (frame.from !== 'agent') continue;
        const ended = isResponse(frame) ? running.get(keyOfId(idOf(frame))) : undefined;
        if (ended !== undefined) {
          running.delete(keyOfId(idOf(frame)));
          if (![...running.values()].includes(ended)) idle.add(ended);
          yield { frame };
        }
        const update = asUpdate(frame);
        if (!update || !TURN_UPDATES.includes(update.kind) || !idle.has(String(update.sessionId))) continue;
        yield { frame, problem: { expected: 'no such update after the answer', got: `${update.kind} after it` } };
      }
    },
  }),
  lint({
    id: 'PROMPT-04',
    level: 'MUST',
    group,
    source,
    rules: [78],
    says: 'A turn ends only when none of its tool calls is pending',
    unheard: 'No turn with a tool call ended by itself. Provoke one with --prompt-for-tool-call.',
    *look({ trace }) {
      const prompts = new Map<string, string>();
      const open = new Map<string, Map<string, string>>();
      for (const frame of trace.frames) {
        const request = frame.from === 'client' ? asRequest(frame) : undefined;
        if (request?.method === 'session/prompt') {
          prompts.set(keyOfId(request.id), String(fieldsOf(request.params).sessionId));
          open.set(String(fieldsOf(request.params).sessionId), new Map());
        }
        const update = frame.from === 'agent' ? asUpdate(frame) : undefined;
        if (update?.kind === 'tool_call' || update?.kind === 'tool_call_update') {
          const { toolCallId, status } = update.update;
          const calls = open.get(String(update.sessionId));
          if (status !== undefined || update.kind === 'tool_call')
            calls?.set(String(toolCallId), String(status ?? 'pending'));
        }
        const sessionId = frame.from === 'agent' && isResponse(frame) ? prompts.get(keyOfId(idOf(frame))) : undefined;
        const stopReason = fieldsOf(fieldsOf(frame.value).result).stopReason;
        if (sessionId === undefined || stopReason === undefined || stopReason === 'cancelled') continue;
        const calls = open.get(sessionId) ?? new Map<string, string>();
        if (calls.size === 0) continue;
        const unfinished = [...calls].find(([, status]) => status !== 'completed' && status !== 'failed');
        const got = unfinished && `tool call ${show(unfinished[0])} still ${unfinished[1]} at ${show(stopReason)}`;
        yield got ? { frame, problem: { expected: 'every tool call completed or failed', got } } : { frame };
      }
    },
  }),
  check({
    id: 'PROMPT-05',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'undefined in the specification; clients hang when nothing comes back',
    rules: [12],
    says: 'A second prompt while one is running is answered, and so is the first',
    async run({ requireTurns, newSession, prompts, limits }) {
      await requireTurns();
      const session = await newSession();
      const first = session.begin(prompts.longTurn);
      const second = session.begin(prompts.plain);
      // Enough is known once both have been read; the long one need not go on.
      await sleep(limits.quietMs);
      session.cancel();
      for (const answer of await Promise.all([first.answer, second.answer])) requireAnswer(answer);
    },
  }),
  check({
    id: 'PROMPT-06',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'undefined in version 1; forbidden in version 2',
    rules: [12],
    says: 'A prompt without content is answered',
    async run({ requireTurns, newSession }) {
      await requireTurns();
      requireAnswer((await (await newSession()).prompt([])).answer);
    },
  }),
  check({
    id: 'PROMPT-07',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [80, 91],
    says: 'A cancelled turn answers stopReason "cancelled"',
    async run(context) {
      await requireCancelledTurn(context);
    },
  }),
  lint({
    id: 'PROMPT-08',
    level: 'MUST',
    group,
    source,
    rules: [77],
    says: 'Every stop reason is one of the five of version 1',
    unheard: 'No prompt was answered with a result.',
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const result = fieldsOf(fieldsOf(frame.value).result);
        if (!('stopReason' in result)) continue;
        const isKnown = STOP_REASONS.includes(String(result.stopReason));
        const problem = { expected: `one of ${STOP_REASONS.join(', ')}`, got: show(result.stopReason) };
        yield isKnown ? { frame } : { frame, problem };
      }
    },
  }),
];

/** Updates that belong to a turn; others may come at any time. */
const TURN_UPDATES = [
  'agent_message_chunk',
  'agent_thought_chunk',
  'user_message_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
];
