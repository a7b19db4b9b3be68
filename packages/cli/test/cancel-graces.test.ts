import { DEFAULT_AGENT_LIMITS } from '@parley/agent';
import { DEFAULT_CLIENT_LIMITS } from '@parley/client';
import { expect, it } from 'vitest';
import { cancelGraceMs } from '../src/run/stop-limits.ts';

const graceFor = (name: string): number => cancelGraceMs({ agent: { name } });

it('the command waits for a cancelled turn of our own agent longer than that takes to end it, and 3 s for others', () => {
  // The agent may have to write its last events, and both sides may be busy.
  expect(graceFor('parley')).toBeGreaterThanOrEqual(DEFAULT_AGENT_LIMITS.cancelGraceMs + 1000);
  expect(graceFor('claude')).toBe(3000);
  expect(DEFAULT_CLIENT_LIMITS.cancelGraceMs).toBe(3000);
});
