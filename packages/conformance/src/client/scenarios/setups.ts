import { AGENT_INFO, authRequired, type Scenario } from './scripted-agent.ts';

/** Ways to begin. */
export const setups: readonly Scenario[] = [
  {
    name: 'plain',
    turn: (agent) => agent.say('Hello.'),
  },
  {
    name: 'other-version',
    initialize: () => ({ protocolVersion: 65_000, agentInfo: AGENT_INFO, info: AGENT_INFO, agentCapabilities: {} }),
    turn: (agent) => agent.say('We should not have come this far.'),
  },
  {
    name: 'authentication',
    initialize: ({ protocol }) =>
      protocol === 1
        ? {
            protocolVersion: 1,
            agentInfo: AGENT_INFO,
            agentCapabilities: {},
            authMethods: [
              { id: 'parley-key', name: 'Key' },
              { type: 'terminal', id: 'parley-terminal', name: 'Log in' },
            ],
          }
        : {
            protocolVersion: 2,
            info: AGENT_INFO,
            capabilities: { session: {} },
            authMethods: [
              { type: 'terminal', methodId: 'parley-terminal', name: 'Log in' },
              { type: '_parley_ritual', methodId: 'parley-ritual', name: 'Ritual' },
              { type: 'agent', methodId: 'parley-key', name: 'Key' },
            ],
          },
    newSession(agent) {
      if (!agent.isAuthenticated) throw authRequired();
      return undefined;
    },
    responders: {
      // A result without fields may be null.
      authenticate(_params, agent) {
        agent.isAuthenticated = true;
        return null;
      },
      'auth/login'(_params, agent) {
        agent.isAuthenticated = true;
        return {};
      },
    },
    turn: (agent) => agent.say('Welcome.'),
  },
  {
    name: 'early-update',
    newSession(agent) {
      agent.update({
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ type: 'command', name: 'review', description: 'Review' }],
      });
      if (agent.protocol === 2) agent.update({ sessionUpdate: 'state_update', state: 'idle' });
      return undefined;
    },
    turn: (agent) => agent.say('Hello.'),
  },
  {
    name: 'rich-session',
    newSession: (agent) => ({
      sessionId: agent.sessionId,
      modes: {
        currentModeId: 'https://example.com/modes#ask',
        availableModes: [{ id: 'https://example.com/modes#ask', name: 'Ask' }],
      },
      configOptions: [
        {
          id: 'a',
          configId: 'a',
          name: 'A',
          category: '_parley_custom',
          type: 'select',
          currentValue: 'x',
          options: [{ value: 'x', name: 'X' }],
        },
        { id: 'b', configId: 'b', name: 'B', type: 'slider', currentValue: 5 },
        {
          id: 'c',
          configId: 'c',
          name: 'C',
          type: 'select',
          currentValue: 'y',
          options: [{ group: 'g', groupId: 'g', name: 'G', options: [{ value: 'y', name: 'Y' }] }],
        },
      ],
      parleyFuture: { unknown: true },
    }),
    turn: (agent) => agent.say('Hello.'),
  },
  {
    name: 'closed-door',
    // Nothing can be done about it: there is no method to log in with.
    newSession() {
      throw authRequired();
    },
    turn: (agent) => agent.say('We should not have come this far.'),
  },
];
