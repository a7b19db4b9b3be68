import type { AgentScript } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { runInTerminal } from '../support/terminal.ts';

const parley = useParley();

/** Wants a login for every session, and no login works. */
const WANTS_LOGIN: AgentScript = {
  on: {
    initialize: [
      {
        do: 'respond',
        result: {
          protocolVersion: 1,
          agentCapabilities: {},
          authMethods: [{ id: "key's own", name: 'With a key' }],
        },
      },
    ],
    authenticate: [{ do: 'fail', code: -32603, message: 'No such key' }],
    'session/new': [{ do: 'fail', code: -32000, message: 'Authentication required' }],
  },
};

const ESCAPE = '\u001b';

describe('parley with an agent that wants a login', () => {
  it('shows the ways to log in, lets another try follow a failed one, and ends with a line that can be pasted', async () => {
    const agent = parley.agent(WANTS_LOGIN);
    const steps = [
      { when: 'With a key', keys: '1' },
      { when: 'The login did not succeed', keys: '1' },
      { when: 'The login did not succeed', keys: ESCAPE },
    ];
    let from = 0;
    const { code, output } = await runInTerminal(parley, ['--agent', agent], (shown) => {
      const [step] = steps;
      const place = step ? shown.indexOf(step.when, from) : -1;
      // The dialog stands below what is told.
      if (!step || place < 0 || !shown.slice(place).includes('esc gives up')) return '';
      from = place + step.when.length;
      steps.shift();
      return step.keys;
    });
    expect(steps).toEqual([]);
    expect(code).toBe(7);
    const line = output.split('\n').find((each) => each.includes('--auth')) ?? '';
    expect(line).toContain(String.raw`--auth 'key'\''s own'`);
    expect(line).toMatch(/parley --agent '/);
  });
});
