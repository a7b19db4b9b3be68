import { type AgentScript, END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

const SECRETS = ['sk-ant-canary1canary1canary1', 'canary2-bearer-canary2', 'canary3pw', 'canary4-flag', 'canary5-json'];
const LAST_WORDS = [
  `key ${SECRETS[0]}`,
  `Authorization: Bearer ${SECRETS[1]}`,
  `https://u:${SECRETS[2]}@host`,
  `{"client_secret":"${SECRETS[4]}"}`,
].join('\n');

const DIES: AgentScript = {
  on: {
    'session/prompt': [
      { do: 'stderr', text: `${LAST_WORDS}\n` },
      { do: 'wait', ms: 200 },
      { do: 'exit', code: 3 },
    ],
  },
};
const REFUSES: AgentScript = {
  on: { 'session/prompt': [{ do: 'fail', code: -32603, message: LAST_WORDS, data: { details: LAST_WORDS } }] },
};
const NEVER_ENDS: AgentScript = {
  on: {
    'session/prompt': [
      { do: 'stderr', text: `${LAST_WORDS}\n` },
      { do: 'waitFor', method: 'session/cancel' },
      END_TURN,
    ],
  },
};

describe('secrets in what goes wrong', () => {
  it.each([
    ['the last words of an agent that died', DIES, []],
    ["the agent's own error", REFUSES, []],
    ['the last words of one that takes too long', NEVER_ENDS, ['--timeout', '1']],
  ])('are not repeated: %s', async (_what, script, flags) => {
    const agent = `${parley.agent(script)} --api-key=${SECRETS[3]}`;
    for (const format of ['text', 'quiet']) {
      const { stdout, stderr, code } = await parley.run(['exec', '--format', format, ...flags, '--agent', agent, 'Hi']);
      expect(code).not.toBe(0);
      for (const secret of SECRETS) expect(stdout + stderr).not.toContain(secret);
    }
    const { stdout, stderr } = await parley.run(['exec', '--format', 'json', ...flags, '--agent', agent, 'Hi']);
    const [outcome = ''] = stdout.trim().split('\n').slice(-1);
    expect(outcome).toContain('_parley/outcome');
    for (const secret of SECRETS) expect(outcome + stderr).not.toContain(secret);
  });
});
