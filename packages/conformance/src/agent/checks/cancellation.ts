import { fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import { answerWithin, describeAnswer, requireAnswer, requireResult } from '../../probe/answer.ts';
import { expect, unmet } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';
import { askForPermission } from '../run/ask-permission.ts';
import { requireCancelledTurn } from '../run/cancel-turn.ts';

const group = 'cancellation';
const source = 'protocol/v1/prompt-turn';
const cancellationSource = 'protocol/v1/cancellation';

export const cancellation: readonly Check[] = [
  check({
    id: 'CANCEL-01',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source,
    rules: [83],
    says: 'A cancelled turn ends promptly',
    async run(context) {
      const { afterMs } = await requireCancelledTurn(context);
      const { cancelMs } = context.limits;
      expect(
        afterMs <= cancelMs,
        `an answer within ${cancelMs} ms of the cancel`,
        `one after ${Math.round(afterMs)} ms`,
      );
    },
  }),
  check({
    id: 'CANCEL-02',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [80],
    says: 'A session can be prompted again after a cancelled turn',
    async run(context) {
      const { session } = await requireCancelledTurn(context);
      const { answer } = await session.prompt(context.prompts.plain);
      const { stopReason } = requireResult(answer, 'session/prompt');
      expect(stopReason !== 'cancelled', 'a turn that is not cancelled', describeAnswer(answer));
    },
  }),
  check({
    id: 'CANCEL-03',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [84],
    says: 'session/cancel while nothing runs does not touch the next turn',
    async run({ requireTurns, newSession, prompts }) {
      await requireTurns();
      const session = await newSession();
      session.cancel();
      await session.probe.settle();
      const { answer } = await session.prompt(prompts.plain);
      const { stopReason } = requireResult(answer, 'session/prompt');
      expect(stopReason !== 'cancelled', 'a turn that is not cancelled', describeAnswer(answer));
    },
  }),
  check({
    id: 'CANCEL-04',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'protocol/v1/session-setup',
    rules: [85],
    says: 'Cancelling one session does not touch another',
    async run({ requireTurns, newSession, prompts, limits }) {
      await requireTurns();
      const cancelled = await newSession();
      const spared = await newSession();
      const first = cancelled.begin(prompts.longTurn);
      const second = spared.begin(prompts.longTurn);
      cancelled.cancel();
      await answerWithin(first.answer, limits.cancelMs);
      const early = await answerWithin(second.answer, limits.quietMs);
      // It has served its purpose; nobody needs the rest of it.
      spared.cancel();
      await second.answer;
      const isCancelled = early.kind === 'result' && fieldsOf(early.result).stopReason === 'cancelled';
      expect(!isCancelled, 'the other turn going on', describeAnswer(early));
    },
  }),
  check({
    id: 'CANCEL-05',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: cancellationSource,
    rules: [143],
    says: 'A request that is cancelled with $/cancel_request still gets one response: its result or error -32800',
    async run({ requireTurns, newSession, prompts }) {
      await requireTurns();
      const session = await newSession();
      const { probe } = session;
      const turn = session.begin(prompts.longTurn);
      probe.notify('$/cancel_request', { requestId: turn.id });
      const answer = await turn.inserted;
      if (answer.kind === 'error' && answer.error.code !== -32800)
        unmet('a result or error -32800', describeAnswer(answer));
      requireAnswer(answer);
      // Where the prompt was answered before its turn has ended, the turn may still be running.
      session.cancel();
      await turn.answer;
      await probe.settle();
      const count = probe
        .received(turn.mark)
        .filter((frame) => isResponse(frame) && keyOfId(idOf(frame)) === keyOfId(turn.id)).length;
      expect(count === 1, 'one response', `${count} responses`);
    },
  }),
  check({
    id: 'CANCEL-06',
    protocols: BOTH,
    level: 'MAY',
    group,
    source: 'rfds/request-cancellation',
    rules: [144],
    says: '$/cancel_request for a request that is unknown or over is ignored',
    async run({ abused }) {
      const probe = await abused();
      const mark = probe.trace.count;
      probe.notify('$/cancel_request', { requestId: 'parley-no-such-request' });
      probe.notify('$/cancel_request', { requestId: 0 });
      expect(await probe.ping(), 'further answers', 'none');
      const complaint = probe
        .received(mark)
        .find((frame) => isResponse(frame) && [null, 0, 'parley-no-such-request'].includes(idOf(frame) as never));
      expect(complaint === undefined, 'no answer', complaint?.text ?? '');
    },
  }),
  check({
    id: 'CANCEL-07',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [80, 81],
    says: 'A turn that is cancelled while a permission is asked for answers "cancelled"',
    async run(context) {
      const probe = await context.agent();
      const { answer } = await askForPermission(context, (params) => {
        probe.notify('session/cancel', { sessionId: fieldsOf(params).sessionId });
        return { outcome: { outcome: 'cancelled' } };
      });
      const { stopReason } = requireResult(answer, 'session/prompt');
      expect(stopReason === 'cancelled', 'stopReason "cancelled"', describeAnswer(answer));
    },
  }),
];
