import { beforeAll, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { startServer, writeSettings } from './serving.ts';

const parley = useParley();

beforeAll(() => {
  const [command = '', ...args] = parley.agentWords({});
  writeSettings(parley, {
    agents: { echo: { command, args } },
    serve: {
      agents: ['echo'],
      caps: { sessions: 1 },
      tokens: { ada: { tokenEnv: 'ADA_TOKEN', caps: { sessions: 100 } } },
    },
  });
});

describe('caps of the settings', () => {
  it('hold for everybody, and for one who has caps of their own', async () => {
    await using server = await startServer(parley, [], { env: { ADA_TOKEN: 'long-token-of-ada' } });
    const { url, token } = server.facts;
    const first = parley.start(['--agent', `${url}#token=${token}`, '--plain', 'chat'], { input: undefined });
    await server.sees('"kind":"client_connected"', 'stderr');
    first.process.stdin.write('Hi\n');
    await first.sees('You said: Hi');
    const second = await parley.run(['exec', '--agent', `${url}#token=${token}`, 'Hi']);
    expect(second.code).not.toBe(0);
    expect(second.stderr).toMatch(/sessions/);
    await server.sees('"kind":"capped"', 'stderr');
    const ada = await parley.run(['exec', '--agent', `${url}#token=long-token-of-ada`, 'Hi']);
    expect(ada).toMatchObject({ code: 0 });
    first.process.stdin.end();
    await first.finished;
  }, 120_000);
});
