import { DEFAULT_AGENT_LIMITS } from '@parley/agent';
import { DEFAULT_CLIENT_LIMITS } from '@parley/client';
import { expect, it } from 'vitest';

it('a client waits for a cancelled turn longer than our own agent takes to end it', () => {
  const { cancelGraceMs } = DEFAULT_CLIENT_LIMITS;
  // The agent may have to write its last events, and both sides may be busy.
  expect(cancelGraceMs).toBeGreaterThanOrEqual(DEFAULT_AGENT_LIMITS.cancelGraceMs + 3000);
});
