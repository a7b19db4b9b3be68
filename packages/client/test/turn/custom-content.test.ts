import { agent, type PromptHandler } from '@parley/agent';
import { type CustomContent, customBlock } from '@parley/protocol';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConnectOptions, connect } from '../../src/index.ts';

const CHART: CustomContent = { type: '_chart', points: [1, 2] };

async function open(handler: PromptHandler, options: ConnectOptions = {}) {
  const [near, far] = createMemoryPair();
  const served = agent({ name: 'charts', version: '1', customContent: ['_chart'] })
    .onPrompt(handler)
    .serve(far);
  const connection = await connect(near, options);
  onTestFinished(async () => {
    await connection.close();
    await served;
  });
  return connection.newSession({ cwd: '/' });
}

describe.each([1, 2] as const)('content of types that are not of the specification, in version %i', (protocol) => {
  it('is in the transcript as the agent sent it, in messages and in tool calls', async () => {
    const session = await open(
      async (turn) => {
        void turn.say('before');
        void turn.say(customBlock(CHART));
        turn.toolCall({ title: 'Draw' }).complete({ content: [customBlock(CHART)] });
      },
      { protocol },
    );
    const events: unknown[] = [];
    const turn = session.prompt('go');
    for await (const event of turn) if (event.type === 'content') events.push(event.content);
    expect(events).toEqual([CHART]);
    const { entries, toolCalls } = await turn.result;
    const message = entries.find((entry) => entry.type === 'message' && entry.speaker === 'agent');
    expect(message?.type === 'message' && [...message.content]).toEqual([{ type: 'text', text: 'before' }, CHART]);
    expect(toolCalls[0]?.content).toEqual([{ type: 'content', content: CHART }]);
  });

  it('reaches the turn of an agent once the client has declared it, and is not sent otherwise', async () => {
    let seen: unknown;
    const handler: PromptHandler = async (turn) => {
      seen = turn.content;
    };
    const declared = await open(handler, { customContent: ['_chart'], protocol });
    await declared.prompt(['see', customBlock(CHART)]).result;
    expect(seen).toEqual([{ type: 'text', text: 'see' }, CHART]);
    const plain = await open(handler, { protocol });
    expect(() => plain.prompt(customBlock(CHART))).toThrow(
      expect.objectContaining({ code: 'invalid_prompt', message: expect.stringContaining('Block 1') }),
    );
  });
});

describe('what a client is about to send', () => {
  it('is refused with its path when the protocol does not allow it', async () => {
    const [near, far] = createMemoryPair();
    const served = agent({ name: 'a', version: '1' })
      .onPrompt(async () => {})
      .serve(far);
    const connection = await connect(near);
    onTestFinished(async () => {
      await connection.close();
      await served;
    });
    const opened = connection.newSession({
      cwd: '/',
      mcpServers: [{ name: 'x', command: 5 as never, args: [], env: [] }],
    });
    await expect(opened).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('mcpServers[0]'),
    });
  });

  it('is an answer to the agent only when the protocol allows it', async () => {
    const problems: string[] = [];
    let thrown: unknown;
    const session = await open(
      async (turn) => {
        thrown = await turn.client.readTextFile('/a').catch((error: unknown) => error);
      },
      {
        workspace: { readTextFile: async () => 5 as never },
        onDiagnostic: ({ message }) => problems.push(message),
      },
    );
    await session.prompt('go').result;
    expect(thrown).toMatchObject({ code: 'client_refused' });
    expect(problems.join()).toContain('content: expected string');
  });
});
