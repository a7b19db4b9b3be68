import { AGENT_INFO, authRequired, type Scenario } from './scripted-agent.ts';

/** Ways to begin. */
export const setups: readonly Scenario[] = [
  {
    name: 'plain',
    turn: (agent) => agent.say('Hello.'),
  },
  {
    name: 'other-version',
    initialize: () => ({ protocolVersion: 65_000, agentInfo: AGENT_INFO, agentCapabilities: {} }),
    turn: (agent) => agent.say('We should not have come this far.'),
  },
  {
    name: 'authentication',
    initialize: () => ({
      protocolVersion: 1,
      agentInfo: AGENT_INFO,
      agentCapabilities: {},
      authMethods: [
        { id: 'parley-key', name: 'Key' },
        { type: 'terminal', id: 'parley-terminal', name: 'Log in' },
      ],
    }),
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
    },
    turn: (agent) => agent.say('Welcome.'),
  },
  {
    name: 'early-update',
    newSession(agent) {
      agent.update({
        sessionUpdate: 'available_commands_update',
        availableCommands: [{ name: 'review', description: 'Review' }],
      });
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
          name: 'A',
          category: '_parley_custom',
          type: 'select',
          currentValue: 'x',
          options: [{ value: 'x', name: 'X' }],
        },
        { id: 'b', name: 'B', type: 'slider', currentValue: 5 },
        {
          id: 'c',
          name: 'C',
          type: 'select',
          currentValue: 'y',
          options: [{ group: 'g', name: 'G', options: [{ value: 'y', name: 'Y' }] }],
        },
      ],
      parleyFuture: { unknown: true },
    }),
    turn: (agent) => agent.say('Hello.'),
  },
];
