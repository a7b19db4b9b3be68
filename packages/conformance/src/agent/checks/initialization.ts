import { CHECKER_INFO } from '../../messages/client-profile.ts';
import { fieldsOf, isResponse } from '../../messages/message.ts';
import { describeAnswer, requireAnswer, requireError, requireResult, show } from '../../probe/answer.ts';
import { expect, unmet } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';

const group = 'initialization';
const source = 'protocol/v1/initialization';

export const initialization: readonly Check[] = [
  check({
    id: 'INIT-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [29],
    isFirst: true,
    says: 'initialize is answered with a result that fits the schema',
    async run({ fresh, limits, words }) {
      const probe = await fresh();
      requireResult(
        await probe.request('initialize', words.initialize('full'), { timeoutMs: limits.startMs }),
        'initialize',
      );
    },
  }),
  check({
    id: 'INIT-02',
    level: 'MUST',
    group,
    source,
    rules: [29],
    says: 'A protocol version that the agent supports is answered with the same version',
    async run({ facts }) {
      expect(facts.protocolVersion === 1, 'protocolVersion 1', show(facts.protocolVersion));
    },
  }),
  check({
    id: 'INIT-03',
    level: 'MUST',
    group,
    source,
    rules: [30],
    says: 'A protocol version that the agent does not know is answered with the latest that it supports',
    async run({ fresh, limits, words }) {
      const probe = await fresh();
      // The fields of both versions, since nobody knows yet which one the agent will choose.
      const params = {
        ...words.initialize('full'),
        protocolVersion: 65_535,
        info: { name: 'parley-check', version: '0.1.0' },
        capabilities: {},
      };
      const answer = await probe.request('initialize', params, { timeoutMs: limits.startMs });
      if (answer.kind !== 'result')
        unmet('a result with the latest version the agent supports', describeAnswer(answer));
      const version = fieldsOf(answer.result).protocolVersion;
      expect(Number.isInteger(version) && Number(version) < 65_535, 'a version the agent supports', show(version));
    },
  }),
  check({
    id: 'INIT-04',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'official SDK, protocol router',
    rules: [27],
    says: 'A session request before initialize is refused',
    async run({ fresh, workspace, limits }) {
      const probe = await fresh();
      const params = { cwd: workspace.cwd, mcpServers: [] };
      requireError(await probe.request('session/new', params, { timeoutMs: limits.startMs }));
    },
  }),
  check({
    id: 'INIT-05',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'official SDK, protocol router',
    rules: [27],
    says: 'A notification before initialize is ignored, and initialize still works',
    async run({ fresh, limits, words }) {
      const probe = await fresh();
      probe.notify('session/cancel', { sessionId: 'none-yet' });
      const answer = await probe.request('initialize', words.initialize('full'), { timeoutMs: limits.startMs });
      requireResult(answer, 'initialize');
      const responses = probe.received(0).filter(isResponse);
      expect(responses.length === 1, 'one response, to initialize', `${responses.length} responses`);
    },
  }),
  check({
    id: 'INIT-06',
    level: 'SHOULD',
    group,
    source,
    rules: [35],
    says: 'The agent tells its name and version in agentInfo',
    async run({ facts }) {
      const { name, version } = fieldsOf(facts.agentInfo);
      expect(Boolean(name) && Boolean(version), 'agentInfo with name and version', show(facts.agentInfo));
    },
  }),
  check({
    id: 'INIT-07',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source,
    rules: [33, 34, 37, 38],
    says: 'initialize works whatever the client can do, and when it says nothing about it',
    async run({ fresh, limits, words }) {
      const { profiles, clientCapabilities, clientInfo, version } = words;
      const { full, bare } = profiles;
      const offers = [
        {},
        { [clientCapabilities]: {} },
        { [clientCapabilities]: bare },
        { [clientCapabilities]: { ...full, elicitation: { url: {} } } },
      ];
      const answers = offers.map(async (offer) => {
        const probe = await fresh();
        // Who the client is must be told in version 2.
        const params = { protocolVersion: version, ...(version === 2 && { [clientInfo]: CHECKER_INFO }), ...offer };
        return probe.request('initialize', params, { timeoutMs: limits.startMs });
      });
      for (const answer of await Promise.all(answers)) requireResult(answer, 'initialize');
    },
  }),
  check({
    id: 'INIT-08',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'official SDK; undefined over stdio',
    rules: [40],
    says: 'A second initialize is answered, and the connection lives on',
    async run({ abused, words }) {
      const probe = await abused();
      requireAnswer(await probe.request('initialize', words.initialize('full')));
      expect(await probe.ping(), 'further answers', 'none');
    },
  }),
  check({
    id: 'INIT-09',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'official SDK',
    rules: [16, 28],
    says: 'initialize without a protocolVersion is answered with error -32602',
    async run({ fresh, limits }) {
      const probe = await fresh();
      requireError(await probe.request('initialize', {}, { timeoutMs: limits.startMs }), [-32602]);
    },
  }),
];
