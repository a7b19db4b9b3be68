import { asUpdate, type Fields } from '../../../messages/message.ts';
import type { Frame } from '../../../messages/trace.ts';
import { requireError, requireResult, show } from '../../../probe/answer.ts';
import { expect } from '../../../verdict.ts';
import { SECOND } from '../../../versions/protocol.ts';
import { type Check, check } from '../../agent-check.ts';
import type { CheckContext } from '../../run/check-context.ts';
import { MESSAGES } from '../../run/message-updates.ts';

/** No agent has a session of this name. */
const NO_SUCH_SESSION = 'parley-no-such-session';

/** Sessions that are told again from their start, and closed, as version 2 has it. */
export const sessions: readonly Check[] = [
  check({
    id: 'REPLAY-01',
    protocols: SECOND,
    level: 'MUST',
    group: 'sessions',
    source: 'protocol/v2/session-setup',
    rules: [71],
    says: 'session/resume from the start tells the whole conversation before it answers',
    async run(context) {
      const { told, said } = await replay(context);
      const kinds = told.map(({ sessionUpdate }) => String(sessionUpdate));
      const expected = 'what the user and the agent said';
      expect(
        kinds.some((kind) => kind.startsWith('user_message')),
        expected,
        show(kinds),
      );
      if (said)
        expect(
          kinds.some((kind) => kind.startsWith('agent_message')),
          expected,
          show(kinds),
        );
    },
  }),
  check({
    id: 'REPLAY-02',
    protocols: SECOND,
    level: 'MUST',
    group: 'sessions',
    source: 'protocol/v2/session-setup',
    rules: [71],
    says: 'No history is told after session/resume has answered',
    async run(context) {
      const { late } = await replay(context);
      expect(late.length === 0, 'no message after the answer', show(late[0]));
    },
  }),
  check({
    id: 'REPLAY-03',
    protocols: SECOND,
    level: 'MUST',
    group: 'sessions',
    source: 'schema, ResumeSessionRequest',
    rules: [71],
    says: 'replayFrom: null replays nothing, as if it were omitted',
    async run(context) {
      const { told } = await resume(context, { replayFrom: null });
      const message = told.find(({ sessionUpdate }) => MESSAGES.includes(String(sessionUpdate)));
      expect(message === undefined, 'no messages of the past', show(message));
    },
  }),
  check({
    id: 'REPLAY-04',
    protocols: SECOND,
    level: 'MUST',
    group: 'sessions',
    source: 'schema, ReplayFrom',
    rules: [71],
    says: 'A place to replay from that the agent does not know is refused with -32602',
    async run(context) {
      const sessionId = await makeOldSession(context);
      const probe = await context.agent();
      for (const replayFrom of [{ type: '_parley_yesterday' }, { type: 5 }]) {
        const params = { sessionId, cwd: context.workspace.cwd, replayFrom };
        requireError(await probe.request('session/resume', params), [-32602]);
      }
    },
  }),
  check({
    id: 'REPLAY-05',
    protocols: SECOND,
    level: 'MUST',
    group: 'sessions',
    source: 'schema, StateUpdate',
    rules: [72],
    says: 'session/resume tells the state of the session after what it replays, and before it answers',
    async run(context) {
      const { told } = await replay(context);
      const last = told.findLastIndex(({ sessionUpdate }) => MESSAGES.includes(String(sessionUpdate)));
      const state = told.findLastIndex(({ sessionUpdate }) => sessionUpdate === 'state_update');
      expect(state > last, 'a state_update between replay and answer', state === -1 ? 'none' : 'one before the replay');
    },
  }),
  check({
    id: 'CLOSE-04',
    protocols: SECOND,
    level: 'MUST',
    group: 'sessions',
    source: 'schema, CloseSessionRequest',
    rules: [74],
    says: 'Nothing is told about a session after session/close has answered',
    async run({ requireTurns, newSession, prompts, limits }) {
      await requireTurns();
      const session = await newSession();
      const turn = session.begin(prompts.longTurn);
      await session.awaitUpdate(turn.mark, limits.answerMs);
      const { probe, id } = session;
      const closed = await probe.request('session/close', { sessionId: id });
      requireResult(closed, 'session/close');
      await probe.settle();
      const answeredAt = closed.kind === 'result' ? closed.frame.number : 0;
      const late = probe.received(answeredAt).find((frame) => asUpdate(frame)?.sessionId === id);
      expect(late === undefined, 'nothing more', late?.text ?? '');
    },
  }),
  check({
    id: 'CLOSE-05',
    protocols: SECOND,
    level: 'SHOULD',
    group: 'sessions',
    source: 'schema, CloseSessionRequest',
    rules: [74],
    says: 'session/close of a session that does not exist succeeds',
    async run({ session, abused }) {
      await session();
      requireResult(await (await abused()).request('session/close', { sessionId: NO_SUCH_SESSION }), 'session/close');
    },
  }),
];

/** A session with one turn in it, closed. */
function makeOldSession(context: CheckContext): Promise<string> {
  return context.once('session to replay', async () => {
    await context.requireTurns();
    const session = await context.newSession();
    await session.prompt(context.prompts.plain);
    await session.probe.settle();
    await session.probe.request('session/close', { sessionId: session.id });
    return session.id;
  });
}

interface Replayed {
  /** What was told before the answer, and after it. */
  readonly told: readonly Fields[];
  readonly late: readonly Fields[];
  /** Whether the agent had said anything in that session. */
  readonly said: boolean;
}

function replay(context: CheckContext): Promise<Replayed> {
  return context.once('replayed session', () => resume(context, { replayFrom: { type: 'start' } }));
}

async function resume(context: CheckContext, how: Fields): Promise<Replayed> {
  const sessionId = await makeOldSession(context);
  const probe = await context.agent();
  const said = updatesOf(probe.received(0), sessionId).some(({ sessionUpdate }) =>
    String(sessionUpdate).startsWith('agent_message'),
  );
  const mark = probe.trace.count;
  const params = { sessionId, cwd: context.workspace.cwd, ...how };
  const answer = await probe.request('session/resume', params, { timeoutMs: context.limits.startMs });
  requireResult(answer, 'session/resume');
  await probe.settle();
  const answeredAt = answer.kind === 'result' ? answer.frame.number : 0;
  const frames = probe.received(mark);
  const late = updatesOf(
    frames.filter(({ number }) => number > answeredAt),
    sessionId,
  );
  await probe.request('session/close', { sessionId });
  return {
    told: updatesOf(
      frames.filter(({ number }) => number < answeredAt),
      sessionId,
    ),
    late: late.filter(({ sessionUpdate }) => MESSAGES.includes(String(sessionUpdate))),
    said,
  };
}

function updatesOf(frames: readonly Frame[], sessionId: string): readonly Fields[] {
  return frames.flatMap((frame) => {
    const update = asUpdate(frame);
    return update?.sessionId === sessionId ? [update.update] : [];
  });
}
