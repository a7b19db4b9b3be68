import type { Finding } from '../../../lints/finding.ts';
import { asRequest, asUpdate, fieldsOf } from '../../../messages/message.ts';
import { answerWithin, describeAnswer, requireError, show } from '../../../probe/answer.ts';
import type { StartedTurn } from '../../../probe/session.ts';
import { expect, notProvoked, unmet } from '../../../verdict.ts';
import { SECOND } from '../../../versions/protocol.ts';
import { type Check, check } from '../../agent-check.ts';
import { fromAgent, lint } from '../../agent-lint.ts';
import type { Hearing } from '../../run/agent-run.ts';
import { askForPermission } from '../../run/ask-permission.ts';
import { requireCancelledTurn } from '../../run/cancel-turn.ts';
import { MESSAGES } from '../../run/message-updates.ts';

const group = 'prompt turn';
const source = 'protocol/v2/prompt-lifecycle';

/** How a prompt becomes part of a conversation, and what the session says about its state meanwhile. */
export const lifecycle: readonly Check[] = [
  check({
    id: 'PROMPT-09',
    protocols: SECOND,
    level: 'MUST',
    group,
    source: 'schema, PromptResponse',
    rules: [89],
    says: 'A prompt is answered with the id of the message that it became',
    async run({ session, prompts }) {
      const turn = (await session()).begin(prompts.plain);
      const answer = await turn.inserted;
      if (answer.kind !== 'result') unmet('a result with a messageId', describeAnswer(answer));
      const { messageId } = fieldsOf(answer.result);
      await turn.answer;
      expect(typeof messageId === 'string' && messageId !== '', 'a messageId', describeAnswer(answer));
    },
  }),
  check({
    id: 'PROMPT-10',
    protocols: SECOND,
    level: 'MUST',
    group,
    source: 'schema, PromptResponse',
    rules: [89],
    says: 'The message of a prompt is told to the session under the id of its answer',
    async run({ requireTurns, newSession, prompts }) {
      await requireTurns();
      const session = await newSession();
      const turn = session.begin(prompts.plain);
      const messageId = await insertedId(turn);
      await turn.answer;
      await session.probe.settle();
      const told = session
        .updates(turn.mark)
        .filter(({ sessionUpdate }) => USER_MESSAGES.includes(String(sessionUpdate)));
      const isTold = told.some((update) => update.messageId === messageId);
      expect(isTold, `a user_message with messageId ${show(messageId)}`, show(told[0] ?? 'none'));
    },
  }),
  check({
    id: 'PROMPT-11',
    protocols: SECOND,
    level: 'MUST',
    group,
    source,
    rules: [89],
    says: 'A prompt is answered while its turn is running, not when it has ended',
    async run({ requireTurns, newSession, prompts, limits }) {
      await requireTurns();
      const session = await newSession();
      const turn = session.begin(prompts.longTurn);
      const answer = await answerWithin(turn.inserted, limits.answerMs);
      session.cancel();
      await turn.answer;
      if (answer.kind !== 'result') unmet('an answer at once', describeAnswer(answer));
      const states = session.probe.received(turn.mark).filter((frame) => asUpdate(frame)?.kind === 'state_update');
      const idle = states.find((frame) => asUpdate(frame)?.update.state === 'idle');
      const isEarly = idle === undefined || answer.frame.number < idle.number;
      const tookMs = (idle?.atMs ?? 0) - (states[0]?.atMs ?? 0);
      if (!isEarly && tookMs < limits.quietMs)
        notProvoked('The turn was over at once. Give a longer one with --prompt-for-long-turn.');
      expect(isEarly, 'an answer before the session is idle', 'one after it');
    },
  }),
  check({
    id: 'PROMPT-12',
    protocols: SECOND,
    level: 'MUST',
    group,
    source: 'schema, CancelSessionNotification',
    rules: [92],
    says: 'A prompt that waits its turn is answered with error -32800 when the session is cancelled',
    async run({ requireTurns, newSession, prompts, limits }) {
      await requireTurns();
      const session = await newSession();
      const first = session.begin(prompts.longTurn);
      await first.inserted;
      const second = session.begin(prompts.plain);
      const early = await answerWithin(second.inserted, limits.quietMs);
      session.cancel();
      await first.answer;
      if (early.kind !== 'silence') notProvoked('The agent lets no prompt wait.');
      const answer = await second.inserted;
      if (answer.kind === 'result') notProvoked('The prompt had its turn before it could be cancelled.');
      requireError(answer, [-32800]);
    },
  }),
  check({
    id: 'PROMPT-13',
    protocols: SECOND,
    level: 'MAY',
    group,
    source: 'schema, PromptRequest',
    rules: [97],
    says: 'A prompt without content is refused with -32602',
    async run({ session, abused, newSession }) {
      await session();
      const { probe, id } = await newSession(await abused());
      requireError(await probe.request('session/prompt', { sessionId: id, prompt: [] }), [-32602]);
    },
  }),
  check({
    id: 'STATE-01',
    protocols: SECOND,
    level: 'MUST',
    group,
    source,
    rules: [90],
    says: 'The session is told to be running while a prompt is worked on, and idle when that is over',
    async run({ requireTurns, newSession, prompts }) {
      await requireTurns();
      const session = await newSession();
      const turn = session.begin(prompts.plain);
      const end = await turn.answer;
      const states = session
        .updates(turn.mark)
        .filter(({ sessionUpdate }) => sessionUpdate === 'state_update')
        .map(({ state }) => String(state));
      if (end.kind === 'silence') unmet('an idle state in the end', `${show(states)}, and ${describeAnswer(end)}`);
      const starts = ['running', 'requires_action'].includes(states[0] ?? '');
      expect(starts && states.at(-1) === 'idle', 'running, and idle in the end', show(states));
    },
  }),
  check({
    id: 'STATE-02',
    protocols: SECOND,
    level: 'SHOULD',
    group,
    source,
    rules: [90],
    says: 'The idle state that ends a turn tells why',
    async run({ plainTurn }) {
      const { answer } = await plainTurn();
      if (answer.kind === 'error') return;
      const stopReason = answer.kind === 'result' ? fieldsOf(answer.result).stopReason : undefined;
      expect(typeof stopReason === 'string', 'a stopReason', describeAnswer(answer));
    },
  }),
  check({
    id: 'STATE-03',
    protocols: SECOND,
    level: 'SHOULD',
    group,
    source,
    rules: [90],
    says: 'A session whose turn waits for a permission says that it requires action',
    async run(context) {
      const { session, mark, asked } = await askForPermission(context, () => ({ outcome: { outcome: 'cancelled' } }));
      const from = asked[0]?.number ?? 0;
      const states = session.probe.received(mark).filter((frame) => asUpdate(frame)?.kind === 'state_update');
      const waits = states.some((frame) => asUpdate(frame)?.update.state === 'requires_action');
      const got = states.filter(({ number }) => number > from).map((frame) => show(asUpdate(frame)?.update.state));
      expect(waits, 'state "requires_action"', got.join(', ') || 'no state');
    },
  }),
  lint({
    id: 'STATE-04',
    protocols: SECOND,
    level: 'MUST',
    group,
    source,
    rules: [90],
    says: 'After requires_action comes running or idle, before anything else is done',
    unheard: 'No session required action. Provoke it with --prompt-for-permission.',
    look: findStuckStates,
  }),
  check({
    id: 'STATE-05',
    protocols: SECOND,
    level: 'MUST',
    group,
    source,
    rules: [91],
    says: 'A cancelled turn tells nothing more after its idle state',
    async run(context) {
      const { session, answer } = await requireCancelledTurn(context);
      await session.probe.settle();
      const endedAt = answer.kind === 'result' ? answer.frame.number : 0;
      const next = session.probe.trace
        .since(endedAt)
        .find((frame) => frame.from === 'client' && asRequest(frame)?.method === 'session/prompt');
      const late = session.probe
        .received(endedAt)
        .filter(({ number }) => number < (next?.number ?? Number.POSITIVE_INFINITY))
        .find((frame) => asUpdate(frame)?.sessionId === session.id && MESSAGES.includes(asUpdate(frame)?.kind ?? ''));
      expect(late === undefined, 'nothing more of that turn', late?.text ?? '');
    },
  }),
];

const USER_MESSAGES = ['user_message', 'user_message_chunk'];

async function insertedId({ inserted }: StartedTurn): Promise<unknown> {
  const answer = await inserted;
  if (answer.kind !== 'result') return unmet('a messageId', describeAnswer(answer));
  return fieldsOf(answer.result).messageId;
}

/** Sessions that went on working, or into the next turn, without having said that they no longer wait. */
function* findStuckStates(hearing: Hearing): Iterable<Finding> {
  const waiting = new Map<unknown, Finding['frame']>();
  for (const frame of fromAgent(hearing)) {
    const update = asUpdate(frame);
    if (!update) continue;
    const { state } = update.update;
    const isState = update.kind === 'state_update';
    if (isState && state === 'requires_action') waiting.set(update.sessionId, frame);
    else if (isState && waiting.delete(update.sessionId)) yield { frame };
  }
  for (const frame of waiting.values()) {
    const isOver = hearing.trace.frames.some(({ number, from }) => frame && number > frame.number && from === 'client');
    if (!isOver) continue;
    const problem = { expected: 'running or idle afterwards', got: 'neither' };
    yield frame ? { frame, problem } : { problem };
  }
}
