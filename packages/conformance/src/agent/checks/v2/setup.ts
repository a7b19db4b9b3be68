import { describeAnswer, requireAnswer, requireError, requireResult, show } from '../../../probe/answer.ts';
import { CHECKER_INFO } from '../../../probe/client-profile.ts';
import { asUpdate, errorOf, type Fields, fieldsOf, idOf, isResponse } from '../../../probe/message.ts';
import { PING_METHOD } from '../../../probe/probe.ts';
import type { Frame } from '../../../probe/trace.ts';
import { expect, notApplicable, notProvoked, unmet } from '../../../verdict.ts';
import { SECOND } from '../../../versions/protocol.ts';
import { type Check, check } from '../../agent-check.ts';
import type { CheckContext } from '../../run/check-context.ts';
import { MESSAGES } from '../session-history.ts';
import { NO_SUCH_SESSION } from './words.ts';

const initialization = 'protocol/v2/initialization';
const authentication = 'protocol/v2/authentication';

/** Ids, versions and logging in, as version 2 has them. */
export const setup: readonly Check[] = [
  check({
    id: 'RPC-18',
    protocols: SECOND,
    level: 'MUST',
    group: 'json-rpc',
    source: 'schema, RequestId',
    rules: [19],
    says: 'A request whose id is null or a fraction is answered with error -32600 and id null',
    async run({ abused }) {
      const probe = await abused();
      for (const id of [null, 1.5]) {
        const mark = probe.trace.count;
        probe.send({ jsonrpc: '2.0', id, method: PING_METHOD, params: {} });
        await probe.ping();
        const isComplaint = (frame: Frame): boolean => isResponse(frame) && idOf(frame) === null;
        const complaint = await probe.waitFor(isComplaint, { since: mark, timeoutMs: 5 * probe.limits.quietMs });
        const code = complaint && errorOf(complaint)?.code;
        expect(code === -32600, `error -32600 with id null for id ${show(id)}`, complaint?.text ?? 'nothing');
      }
    },
  }),
  check({
    id: 'INIT-10',
    protocols: SECOND,
    level: 'MUST',
    group: 'initialization',
    source: initialization,
    rules: [31],
    says: 'A version above all that the agent speaks is answered with the highest that it speaks',
    async run({ fresh, limits, words }) {
      const probe = await fresh();
      const params = { ...words.initialize('full'), protocolVersion: 65_535 };
      const answer = await probe.request('initialize', params, { timeoutMs: limits.startMs });
      if (answer.kind !== 'result') unmet('a result with the highest version', describeAnswer(answer));
      const told = fieldsOf(answer.result).protocolVersion;
      expect(Number.isInteger(told) && Number(told) >= 2 && Number(told) < 65_535, 'version 2 or later', show(told));
    },
  }),
  check({
    id: 'INIT-11',
    protocols: SECOND,
    level: 'MUST',
    group: 'initialization',
    source: 'schema, UnsupportedProtocolVersionErrorData',
    rules: [31],
    says: 'A version below all that the agent speaks is refused with -32022 and the versions that it speaks',
    async run({ fresh, limits, words }) {
      const probe = await fresh();
      const params = { ...words.initialize('full'), protocolVersion: 0 };
      const { data } = requireError(await probe.request('initialize', params, { timeoutMs: limits.startMs }), [-32022]);
      const { requested, supported } = fieldsOf(data);
      const isGood = requested === 0 && Array.isArray(supported) && supported.includes(2);
      expect(isGood, 'data with requested 0 and supported, 2 among them', show(data));
    },
  }),
  check({
    id: 'INIT-12',
    protocols: SECOND,
    level: 'MUST',
    group: 'initialization',
    source: initialization,
    rules: [35],
    says: 'The agent tells its name and version in info',
    async run({ agent }) {
      const probe = await agent();
      const frame = probe.received(0).find(({ value }) => 'protocolVersion' in fieldsOf(fieldsOf(value).result));
      const { info } = fieldsOf(fieldsOf(frame?.value).result);
      const { name, version } = fieldsOf(info);
      expect(Boolean(name) && Boolean(version), 'info with name and version', show(info));
    },
  }),
  check({
    id: 'INIT-13',
    protocols: SECOND,
    level: 'MUST',
    group: 'initialization',
    source: 'official SDK, protocol router',
    rules: [39],
    says: 'initialize of version 2 without info is answered with error -32602',
    async run({ fresh, limits }) {
      const probe = await fresh();
      const params = { protocolVersion: 2, capabilities: {} };
      requireError(await probe.request('initialize', params, { timeoutMs: limits.startMs }), [-32602]);
    },
  }),
  check({
    id: 'INIT-14',
    protocols: SECOND,
    level: 'ROBUST',
    group: 'initialization',
    source: 'official SDK, protocol router',
    rules: [39],
    says: 'A client that offers more than version 2 need not have told who it is in the words of version 2',
    async run({ fresh, limits }) {
      const probe = await fresh();
      const params = { protocolVersion: 3, clientInfo: CHECKER_INFO, clientCapabilities: {} };
      requireResult(await probe.request('initialize', params, { timeoutMs: limits.startMs }), 'initialize');
    },
  }),
  check({
    id: 'INIT-15',
    protocols: SECOND,
    level: 'MUST',
    group: 'initialization',
    source: 'official SDK, protocol router',
    rules: [40],
    says: 'A second initialize after any other request is refused',
    async run({ fresh, limits, words, workspace }) {
      const probe = await fresh();
      const timeoutMs = limits.startMs;
      requireResult(await probe.request('initialize', words.initialize('full'), { timeoutMs }), 'initialize');
      requireAnswer(await probe.request('session/new', { cwd: workspace.cwd }, { timeoutMs }));
      requireError(await probe.request('initialize', words.initialize('full')));
    },
  }),
  check({
    id: 'AUTH-06',
    protocols: SECOND,
    level: 'MUST',
    group: 'authentication',
    source: authentication,
    rules: [47],
    says: 'auth/login exists where a method is offered',
    async run({ facts, abused }) {
      if ((facts.authMethods ?? []).length === 0) notApplicable('The agent offers no authentication method.');
      const answer = await (await abused()).request('auth/login', { methodId: 'parley-no-such-method' });
      expect(requireError(answer).code !== -32601, 'a refusal of this method alone', describeAnswer(answer));
    },
  }),
  check({
    id: 'AUTH-07',
    protocols: SECOND,
    level: 'MUST',
    group: 'authentication',
    source: authentication,
    rules: [47],
    says: 'auth/logout works where a method is offered',
    async run({ facts, allowLogout, freshInitialized }) {
      if ((facts.authMethods ?? []).length === 0) notApplicable('The agent offers no authentication method.');
      if (!allowLogout) notProvoked('It would really log you out. Allow it with --allow-logout.');
      const answer = await (await freshInitialized()).request('auth/logout', {});
      if (answer.kind !== 'result') unmet('a result of auth/logout', describeAnswer(answer));
    },
  }),
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
