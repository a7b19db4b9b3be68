import { describe, expect, it } from 'vitest';
import { host, rawClient, scriptedAgents } from './support/hosting.ts';

const scripted = scriptedAgents();

describe('a hosted agent', () => {
  it('answers prompts, as the process behind it does', async () => {
    const client = await rawClient(host(scripted({})));
    const sessionId = await client.open();
    expect(await client.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' });
    expect(client.said()).toBe('You said: hi');
  });
});
