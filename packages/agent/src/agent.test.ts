import { describe, expect, it } from 'vitest';
import { connectRawClient, errorOf, testAgent } from '../test/raw-client.ts';

describe('an agent', () => {
  it('answers a prompt with what its handler says', async () => {
    const { built } = testAgent();
    built.onPrompt(async (turn) => {
      void turn.say(`You said: ${turn.text}`);
      return 'end_turn';
    });
    await using client = connectRawClient(built);
    await client.initialize();
    const { sessionId } = await client.newSession();
    const answer = await client.prompt(sessionId, 'hello');
    expect(answer).toEqual({ stopReason: 'end_turn' });
    expect(client.said(sessionId)).toBe('You said: hello');
  });

  it('refuses to serve without a prompt handler', async () => {
    const { built } = testAgent();
    const error = await errorOf(connectRawClient(built).served);
    expect(error.message).toContain('.onPrompt()');
  });
});
