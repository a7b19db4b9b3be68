import { describeAnswer, requireError, requireResult, show } from '../../probe/answer.ts';
import { sendNewSession } from '../../probe/session.ts';
import { expect, notApplicable, unmet } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';

const group = 'sessions';
const source = 'protocol/v1/session-setup';
const ROOTS = 'agentCapabilities.sessionCapabilities.additionalDirectories';

/** Opening sessions. What becomes of old ones is in `session-history`, how they are listed in `session-list`. */
export const sessions: readonly Check[] = [
  check({
    id: 'SESS-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [51],
    says: 'session/new answers with a session id',
    async run({ newSession }) {
      const { id } = await newSession();
      expect(id !== '', 'a session id that is not empty', '""');
    },
  }),
  check({
    id: 'SESS-02',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [51],
    says: 'Each session/new gives an id of its own',
    async run({ session, newSession }) {
      const first = await session();
      const second = await newSession();
      expect(first.id !== second.id, 'two different ids', `${show(first.id)} twice`);
    },
  }),
  check({
    id: 'SESS-03',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [50],
    says: 'session/new with a relative cwd is refused',
    async run({ session, abused }) {
      await session();
      requireError(await sendNewSession(await abused(), { cwd: 'some/relative/folder' }));
    },
  }),
  check({
    id: 'SESS-04',
    level: 'MUST',
    group,
    source: 'schema, NewSessionRequest',
    rules: [54],
    says: 'mcpServers: null is read as an empty list',
    async run({ newSession }) {
      await newSession(undefined, { mcpServers: null });
    },
  }),
  check({
    id: 'SESS-05',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [52],
    needs: 'agentCapabilities.sessionCapabilities.list',
    says: 'A session has the cwd it was given, wherever the agent was started',
    async run({ requireTurns, session, workspace }) {
      await requireTurns();
      const { probe, id } = await session();
      const { sessions: listed } = requireResult(await probe.request('session/list', {}), 'session/list');
      const found = listed.find(({ sessionId }) => sessionId === id);
      if (!found) notApplicable('The session is not on the first page of the list, so its cwd cannot be seen.');
      expect(found.cwd === workspace.cwd, `cwd ${workspace.cwd}`, show(found.cwd));
    },
  }),
  check({
    id: 'SESS-06',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'schema, ErrorCode',
    rules: [16, 62],
    says: 'A prompt for a session that does not exist is refused',
    async run({ session, abused }) {
      await session();
      const probe = await abused();
      const params = { sessionId: 'parley-no-such-session', prompt: [{ type: 'text', text: 'hello' }] };
      requireError(await probe.request('session/prompt', params));
    },
  }),
  check({
    id: 'SESS-07',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'rfds/additional-directories',
    rules: [57],
    needs: ROOTS,
    says: 'session/new accepts additional directories where they are advertised',
    async run({ newSession, workspace }) {
      await newSession(undefined, { additionalDirectories: [workspace.otherCwd] });
    },
  }),
  check({
    id: 'SESS-08',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'rfds/additional-directories',
    rules: [57, 59],
    needs: ROOTS,
    says: 'An additional directory that is relative or empty fails the request instead of being dropped',
    async run({ session, abused, workspace }) {
      await session();
      const probe = await abused();
      for (const root of ['relative/root', '']) {
        requireError(await sendNewSession(probe, { cwd: workspace.cwd, additionalDirectories: [root] }));
      }
    },
  }),
  check({
    id: 'SESS-09',
    level: 'ROBUST',
    group,
    source,
    rules: [33],
    says: 'A method of sessions that is not advertised is refused',
    async run({ facts, abused, workspace }) {
      const { loadSession, sessionCapabilities = {} } = facts.agentCapabilities ?? {};
      const sessionId = 'parley-no-such-session';
      const roots = { cwd: workspace.cwd, mcpServers: [] };
      const methods = [
        { method: 'session/load', params: { sessionId, ...roots }, isOffered: loadSession },
        { method: 'session/resume', params: { sessionId, ...roots }, isOffered: sessionCapabilities?.resume },
        { method: 'session/list', params: {}, isOffered: sessionCapabilities?.list },
        { method: 'session/close', params: { sessionId }, isOffered: sessionCapabilities?.close },
      ].filter(({ isOffered }) => !isOffered);
      if (methods.length === 0) notApplicable('Every such method is advertised.');
      const probe = await abused();
      for (const { method, params } of methods) {
        const answer = await probe.request(method, params);
        if (answer.kind !== 'error') unmet(`an error for ${method}`, describeAnswer(answer));
      }
    },
  }),
];
