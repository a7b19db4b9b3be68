import { agent } from '@parley/agent';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/index.ts';

async function open(protocol: 1 | 2, unstable: boolean) {
  const [near, far] = createMemoryPair();
  const served = agent({ name: 'a', version: '1', unstable })
    .onPrompt(async (turn) => {
      turn.addTokens({ inputTokens: 100, outputTokens: 20, cachedReadTokens: 40 });
      turn.addTokens({ inputTokens: 10, outputTokens: 2, thoughtTokens: 1 });
      if (turn.text !== 'wait') return;
      void turn.say('waiting');
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
    })
    .serve(far);
  const connection = await connect(near, { protocol });
  onTestFinished(async () => {
    await connection.close();
    await served;
  });
  return connection.newSession({ cwd: '/' });
}

describe.each([1, 2] as const)('the tokens that a turn has used, in version %i', (protocol) => {
  it('are in its result however it ends, and in their sum for the session', async () => {
    const session = await open(protocol, true);
    expect(session.tokens).toBeUndefined();
    const usage = { totalTokens: 132, inputTokens: 110, outputTokens: 22, cachedReadTokens: 40, thoughtTokens: 1 };
    expect((await session.prompt('go').result).usage).toEqual(usage);
    const turn = session.prompt('wait');
    for await (const event of turn) if (event.type === 'text') void turn.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', usage });
    expect(session.tokens).toEqual({
      totalTokens: 264,
      inputTokens: 220,
      outputTokens: 44,
      cachedReadTokens: 80,
      thoughtTokens: 2,
    });
  });

  it('are not told by an agent that keeps to the stable protocol', async () => {
    const session = await open(protocol, false);
    expect(await session.prompt('go').result).not.toHaveProperty('usage');
  });
});
