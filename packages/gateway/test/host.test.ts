import { agent } from '@parley/agent';
import { describe, expect, it } from 'vitest';
import { connectTo, host, inProcess, rawClient, scriptedAgents, until } from './support/hosting.ts';

const scripted = scriptedAgents();

describe('a hosted agent', () => {
  it('answers prompts, as the process behind it does', async () => {
    const client = await rawClient(host(scripted({})));
    const sessionId = await client.open();
    expect(await client.prompt(sessionId, 'hi')).toEqual({ stopReason: 'end_turn' });
    expect(client.said()).toBe('You said: hi');
  });
});

describe('a message for a running turn', () => {
  const listener = (steering: boolean) => () =>
    agent({ name: 'listener', version: '1', steering }).onPrompt(async (turn) => {
      await turn.say('Listening.');
      for (let heard = ''; heard !== 'stop' && !turn.signal.aborted; ) {
        for (const { text } of turn.takeMessages()) {
          heard = text;
          await turn.say(`Heard ${heard}.`);
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    });

  it.each([1, 2] as const)(
    'reaches the hosted agent, and stands once in the conversation, in version %i',
    async (protocol) => {
      const connection = await connectTo(host(inProcess(listener(true))), { protocol });
      expect(connection.offers.steer).toBe(true);
      const session = await connection.newSession({ cwd: '/' });
      const said = (): string[] =>
        session.transcript.entries.toArray().flatMap((entry) => (entry.type === 'message' ? [entry.text] : []));
      const turn = session.prompt('listen');
      await until(() => said().includes('Listening.'));
      const left = session.prompt('left', { whenBusy: 'steer' });
      await until(() => said().includes('Heard left.'));
      const stop = session.prompt('stop', { whenBusy: 'steer' });
      const ends = await Promise.all([turn.result, left.result, stop.result]);
      expect(ends.map(({ stopReason }) => stopReason)).toEqual(['end_turn', 'end_turn', 'end_turn']);
      expect(said()).toEqual(['listen', 'Listening.', 'left', 'Heard left.', 'stop', 'Heard stop.']);
    },
  );

  it('is not offered where the hosted agent takes none', async () => {
    const connection = await connectTo(host(inProcess(listener(false))));
    expect(connection.offers.steer).toBe(false);
  });
});
