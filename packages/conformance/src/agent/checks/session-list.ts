import { dirname } from 'node:path';
import type { ListSessionsResponse, SessionInfo } from '@parley/protocol';
import { asUpdate } from '../../messages/message.ts';
import { requireError, requireResult, show } from '../../probe/answer.ts';
import type { Probe } from '../../probe/probe.ts';
import { expect, notApplicable, notProvoked } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';

const group = 'sessions';
const source = 'protocol/v1/session-list';
const LIST = 'agentCapabilities.sessionCapabilities.list';
const DELETE = 'agentCapabilities.sessionCapabilities.delete';

/** Pages that are turned before the list counts as endless. */
const MAX_PAGES = 50;

/** Listing and deleting sessions. */
export const sessionList: readonly Check[] = [
  check({
    id: 'LIST-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [65],
    needs: LIST,
    says: 'session/list answers with a list of sessions',
    async run({ agent }) {
      await list(await agent());
    },
  }),
  check({
    id: 'LIST-02',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source,
    rules: [65],
    needs: LIST,
    says: 'A session with a turn in it is listed',
    async run({ requireTurns, session, workspace }) {
      await requireTurns();
      const { probe, id } = await session();
      const ids = (await listAll(probe, { cwd: workspace.cwd })).map(({ sessionId }) => sessionId);
      expect(ids.includes(id), `${id} in the list`, show(ids));
    },
  }),
  check({
    id: 'LIST-03',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [65, 67],
    needs: LIST,
    says: 'The list for a folder without sessions is empty',
    async run({ session, workspace }) {
      const { probe } = await session();
      const { sessions } = await list(probe, { cwd: workspace.otherCwd });
      expect(sessions.length === 0, 'an empty list', show(sessions[0]));
    },
  }),
  check({
    id: 'LIST-04',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [67],
    needs: LIST,
    says: 'The cwd filter is exact: no sessions of other folders, nor of folders above',
    async run({ requireTurns, session, workspace }) {
      await requireTurns();
      const { probe } = await session();
      const parent = dirname(workspace.cwd);
      for (const cwd of [workspace.cwd, parent]) {
        const stranger = (await listAll(probe, { cwd })).find((info) => info.cwd !== cwd);
        expect(stranger === undefined, `only sessions in ${cwd}`, show(stranger));
      }
    },
  }),
  check({
    id: 'LIST-05',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source,
    rules: [66],
    needs: LIST,
    says: 'An invalid cursor is refused',
    async run({ abused }) {
      requireError(await (await abused()).request('session/list', { cursor: 'parley no such cursor' }));
    },
  }),
  check({
    id: 'LIST-06',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [66],
    needs: LIST,
    says: 'Following nextCursor comes to an end and shows no session twice',
    async run({ agent }) {
      const ids = (await listAll(await agent())).map(({ sessionId }) => sessionId);
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      expect(twice === undefined, 'each session once', `${show(twice)} twice`);
    },
  }),
  check({
    id: 'LIST-07',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [69],
    needs: LIST,
    says: 'session/list changes nothing and tells nothing',
    async run({ agent, workspace }) {
      const probe = await agent();
      await probe.settle();
      const mark = probe.trace.count;
      const first = await list(probe, { cwd: workspace.cwd });
      const second = await list(probe, { cwd: workspace.cwd });
      const update = probe.received(mark).find((frame) => REPLAYED.includes(asUpdate(frame)?.kind ?? ''));
      expect(update === undefined, 'no session/update', update?.text ?? '');
      expect(show(ids(first)) === show(ids(second)), `the same list twice: ${show(ids(first))}`, show(ids(second)));
    },
  }),
  check({
    id: 'DELETE-01',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source: 'protocol/v1/session-delete',
    rules: [68],
    needs: DELETE,
    says: 'session/delete of a session that does not exist succeeds',
    async run({ abused }) {
      const answer = await (await abused()).request('session/delete', { sessionId: 'parley-no-such-session' });
      requireResult(answer, 'session/delete');
    },
  }),
  check({
    id: 'DELETE-02',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source: 'protocol/v1/session-delete',
    rules: [68],
    needs: DELETE,
    says: 'A deleted session is no longer listed',
    async run({ requireTurns, newSession, facts, prompts, workspace }) {
      if (!facts.agentCapabilities?.sessionCapabilities?.list) notApplicable('session/list is not advertised.');
      await requireTurns();
      const session = await newSession();
      const { probe, id } = session;
      await session.prompt(prompts.plain);
      const before = ids({ sessions: await listAll(probe, { cwd: workspace.cwd }) });
      if (!before.includes(id)) notProvoked('The session was not listed before, either.');
      requireResult(await probe.request('session/delete', { sessionId: id }), 'session/delete');
      const after = ids({ sessions: await listAll(probe, { cwd: workspace.cwd }) });
      expect(!after.includes(id), `${id} gone from the list`, show(after));
    },
  }),
];

const REPLAYED = ['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update'];

async function list(probe: Probe, params: { cwd?: string; cursor?: string } = {}): Promise<ListSessionsResponse> {
  return requireResult(await probe.request('session/list', params), 'session/list');
}

async function listAll(probe: Probe, params: { cwd?: string } = {}): Promise<readonly SessionInfo[]> {
  const found: SessionInfo[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { sessions, nextCursor } = await list(probe, cursor === undefined ? params : { ...params, cursor });
    found.push(...sessions);
    if (nextCursor === undefined || nextCursor === null) return found;
    expect(nextCursor !== cursor, 'a nextCursor that moves on', `${show(nextCursor)} again`);
    cursor = nextCursor;
  }
  return found;
}

function ids({ sessions }: { readonly sessions: readonly SessionInfo[] }): readonly string[] {
  return sessions.map(({ sessionId }) => sessionId);
}
