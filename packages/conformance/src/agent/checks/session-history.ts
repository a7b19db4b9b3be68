import { canCloseSession } from '@parley/protocol';
import { asUpdate, type Fields, fieldsOf } from '../../messages/message.ts';
import { type Answer, answerWithin, describeAnswer, requireError, requireResult, show } from '../../probe/answer.ts';
import type { Probe } from '../../probe/probe.ts';
import { Session } from '../../probe/session.ts';
import { expect, notProvoked, unmet } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';
import type { CheckContext } from '../run/check-context.ts';
import { MESSAGES } from '../run/message-updates.ts';

const group = 'sessions';
const source = 'protocol/v1/session-setup';
const LOAD = 'agentCapabilities.loadSession';
const RESUME = 'agentCapabilities.sessionCapabilities.resume';
const CLOSE = 'agentCapabilities.sessionCapabilities.close';

/** A word that no agent says by itself. */
const MARKER = 'quincunx';

/** Loading, resuming and closing sessions. */
export const sessionHistory: readonly Check[] = [
  check({
    id: 'LOAD-01',
    level: 'MUST',
    group,
    source,
    rules: [61],
    needs: LOAD,
    says: 'session/load replays what the user said before it answers',
    async run(context) {
      const { replayed } = await loadOldSession(context);
      const text = textOf(replayed, 'user_message_chunk');
      expect(
        text.includes(MARKER),
        `a user_message_chunk with "${MARKER}"`,
        replayed.length === 0 ? 'no update' : show(text),
      );
    },
  }),
  check({
    id: 'LOAD-02',
    level: 'MUST',
    group,
    source,
    rules: [61],
    needs: LOAD,
    says: 'session/load replays what the agent said before it answers',
    async run(context) {
      const { replayed, said } = await loadOldSession(context);
      if (said === '') notProvoked('The agent had said nothing in that session.');
      const text = textOf(replayed, 'agent_message_chunk');
      expect(text.includes(said), `agent_message_chunks with ${show(said)}`, show(text));
    },
  }),
  check({
    id: 'LOAD-03',
    level: 'MUST',
    group,
    source,
    rules: [61],
    needs: LOAD,
    says: 'No history is replayed after session/load has answered',
    async run(context) {
      const { late } = await loadOldSession(context);
      expect(late.length === 0, 'no message after the answer', show(late[0]));
    },
  }),
  check({
    id: 'LOAD-04',
    level: 'ROBUST',
    group,
    source: 'users meet "session not found" after every restart of an editor',
    rules: [61],
    needs: LOAD,
    says: 'A session can be loaded by another process of the agent',
    async run(context) {
      const { elsewhere } = await loadOldSession(context);
      requireResult(elsewhere, 'session/load');
    },
  }),
  check({
    id: 'LOAD-05',
    level: 'ROBUST',
    group,
    source: 'schema, ErrorCode',
    rules: [62],
    needs: LOAD,
    says: 'session/load of a session that does not exist is refused with -32002',
    async run({ session, abused, workspace }) {
      await session();
      const probe = await abused();
      const params = { sessionId: 'parley-no-such-session', cwd: workspace.cwd, mcpServers: [] };
      requireError(await probe.request('session/load', params), [-32002]);
    },
  }),
  check({
    id: 'RESUME-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [63, 71],
    needs: RESUME,
    says: 'session/resume replays nothing',
    async run(context) {
      const { updates } = await resumeOldSession(context);
      const message = updates.find((update) => MESSAGES.includes(String(update.sessionUpdate)));
      expect(message === undefined, 'no messages of the past', show(message));
    },
  }),
  check({
    id: 'RESUME-02',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [63],
    needs: RESUME,
    says: 'A resumed session can be prompted',
    async run(context) {
      const { session } = await resumeOldSession(context);
      requireResult((await session.prompt(context.prompts.plain)).answer, 'session/prompt');
    },
  }),
  check({
    id: 'RESUME-03',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'schema, ErrorCode',
    rules: [62],
    needs: RESUME,
    says: 'session/resume of a session that does not exist is refused',
    async run({ session, abused, workspace }) {
      await session();
      const probe = await abused();
      requireError(
        await probe.request('session/resume', {
          sessionId: 'parley-no-such-session',
          cwd: workspace.cwd,
          mcpServers: [],
        }),
      );
    },
  }),
  check({
    id: 'CLOSE-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [64],
    needs: CLOSE,
    says: 'session/close answers',
    async run({ newSession }) {
      const { probe, id } = await newSession();
      requireResult(await probe.request('session/close', { sessionId: id }), 'session/close');
    },
  }),
  check({
    id: 'CLOSE-02',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [64, 74],
    needs: CLOSE,
    says: 'session/close ends a running prompt as "cancelled"',
    async run({ requireTurns, newSession, prompts, limits }) {
      await requireTurns();
      const session = await newSession();
      const turn = session.begin(prompts.longTurn);
      await turn.begun;
      const closed = await session.probe.request(
        'session/close',
        { sessionId: session.id },
        { timeoutMs: limits.cancelMs },
      );
      requireResult(closed, 'session/close');
      requireCancelled(await answerWithin(turn.answer, limits.cancelMs), closed);
    },
  }),
  check({
    id: 'CLOSE-03',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source,
    rules: [64],
    needs: CLOSE,
    says: 'A closed session takes no more prompts',
    async run({ newSession, prompts }) {
      const session = await newSession();
      requireResult(await session.probe.request('session/close', { sessionId: session.id }), 'session/close');
      requireError((await session.prompt(prompts.plain)).answer);
    },
  }),
];

interface OldSession {
  readonly id: string;
  /** What the agent said in it. */
  readonly said: string;
}

/** A session with one turn in it, closed if the agent can close sessions. */
function makeOldSession(context: CheckContext): Promise<OldSession> {
  return context.once('old session', async () => {
    await context.requireTurns();
    const session = await context.newSession();
    const { updates } = await session.prompt(`Remember the word ${MARKER}. ${context.prompts.plain}`);
    await session.probe.settle();
    if (canCloseSession(context.facts.agentCapabilities)) {
      await session.probe.request('session/close', { sessionId: session.id });
    }
    return { id: session.id, said: textOf(updates, 'agent_message_chunk').trim() };
  });
}

interface LoadedSession {
  readonly said: string;
  readonly replayed: readonly Fields[];
  readonly late: readonly Fields[];
  /** What a process of its own answered to `session/load`. */
  readonly elsewhere: Answer;
}

/** Loads the old session in another process, and in its own if that fails: the specification does not say which. */
function loadOldSession(context: CheckContext): Promise<LoadedSession> {
  return context.once('loaded session', async () => {
    const { id, said } = await makeOldSession(context);
    const other = await context.freshInitialized();
    const elsewhere = await load(other, id, context);
    if (elsewhere.kind === 'result') return { said, elsewhere, ...(await split(other, id, elsewhere)) };
    const probe = await context.agent();
    const answer = await load(probe, id, context);
    if (answer.kind !== 'result') unmet('a result of session/load', describeAnswer(elsewhere));
    return { said, elsewhere, ...(await split(probe, id, answer)) };
  });
}

function load(probe: Probe, sessionId: string, { workspace, limits }: CheckContext): Promise<Answer> {
  return probe.request(
    'session/load',
    { sessionId, cwd: workspace.cwd, mcpServers: [] },
    { timeoutMs: limits.startMs },
  );
}

/** Parts what was told between request and answer from what was told later. */
async function split(probe: Probe, sessionId: string, answer: Answer): Promise<{ replayed: Fields[]; late: Fields[] }> {
  await probe.settle();
  const answeredAt = answer.kind === 'result' ? answer.frame.number : 0;
  const askedAt = probe.trace.frames.findLast(({ value }) => fieldsOf(value).method === 'session/load')?.number ?? 0;
  const replayed: Fields[] = [];
  const late: Fields[] = [];
  for (const frame of probe.received(askedAt)) {
    const update = asUpdate(frame);
    if (update?.sessionId !== sessionId) continue;
    if (frame.number < answeredAt) replayed.push(update.update);
    else if (MESSAGES.includes(update.kind)) late.push(update.update);
  }
  return { replayed, late };
}

function resumeOldSession(context: CheckContext): Promise<{ session: Session; updates: readonly Fields[] }> {
  return context.once('resumed session', async () => {
    const { id } = await makeOldSession(context);
    const probe = await context.agent();
    const mark = probe.trace.count;
    const params = { sessionId: id, cwd: context.workspace.cwd, mcpServers: [] };
    const answer = await probe.request('session/resume', params, { timeoutMs: context.limits.startMs });
    const session = new Session(probe, { ...requireResult(answer, 'session/resume'), sessionId: id });
    await probe.settle();
    return { session, updates: session.updates(mark) };
  });
}

function textOf(updates: readonly Fields[], kind: string): string {
  return updates
    .filter((update) => update.sessionUpdate === kind)
    .map(({ content }) => String(fieldsOf(content).text ?? ''))
    .join('');
}

function requireCancelled(answer: Answer, closed: Answer): void {
  const { stopReason } = requireResult(answer, 'session/prompt');
  const isOver = answer.kind === 'result' && closed.kind === 'result' && answer.frame.number < closed.frame.number;
  if (stopReason === 'cancelled') {
    expect(isOver, 'the prompt answered before session/close', 'the prompt answered after it');
    return;
  }
  if (isOver)
    notProvoked('The turn had ended before it could be cancelled. Give a longer one with --prompt-for-long-turn.');
  unmet('stopReason "cancelled"', describeAnswer(answer));
}
