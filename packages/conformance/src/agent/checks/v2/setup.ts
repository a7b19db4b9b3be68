import { CHECKER_INFO } from '../../../messages/client-profile.ts';
import { errorOf, fieldsOf, idOf, isResponse } from '../../../messages/message.ts';
import type { Frame } from '../../../messages/trace.ts';
import { describeAnswer, requireAnswer, requireError, requireResult, show } from '../../../probe/answer.ts';
import { PING_METHOD } from '../../../probe/probe.ts';
import { expect, notApplicable, notProvoked, unmet } from '../../../verdict.ts';
import { SECOND } from '../../../versions/protocol.ts';
import { type Check, check } from '../../agent-check.ts';

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
];
