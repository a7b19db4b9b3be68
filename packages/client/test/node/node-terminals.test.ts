import { tmpdir } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { createNodeTerminals } from '../../src/node/node-terminals.ts';
import type { HostedTerminal, TerminalHostOptions, TerminalRequest } from '../../src/terminals/terminal-host.ts';

function start(request: Partial<TerminalRequest>, options: TerminalHostOptions = {}): Promise<HostedTerminal> {
  const defaults = { sessionId: 's', args: [], env: {}, cwd: tmpdir(), outputByteLimit: 1024, onOutput: () => {} };
  return createNodeTerminals(options).create({ ...defaults, command: 'sh', ...request });
}

describe('a terminal of this machine', () => {
  it('is a command with the output limit, the variables and the listener of its request', async () => {
    vi.stubEnv('PARLEY_TEST_PLAIN', 'plain');
    const pieces: string[] = [];
    const terminal = await start(
      {
        args: ['-c', 'echo "dropped $PARLEY_TEST_PLAIN|$GIVEN"; exit 3'],
        env: { GIVEN: 'given' },
        outputByteLimit: 12,
        onOutput: (text) => pieces.push(text),
      },
      { env: ['PARLEY_TEST_PLAIN'], killGraceMs: 100 },
    );
    expect(await terminal.exited).toEqual({ exitCode: 3, signal: null });
    expect(terminal.readOutput()).toEqual({ output: 'plain|given\n', isTruncated: true });
    expect(pieces.join('')).toBe('dropped plain|given\n');
    await terminal.release();
  });

  it('that cannot be started tells the agent why, as wrong params', async () => {
    const refused = (message: string): object => ({ code: -32602, message: expect.stringContaining(message) });
    await expect(start({ command: 'no-such-command' })).rejects.toMatchObject(refused('no such command'));
    await expect(start({ command: 'echo hello' })).rejects.toMatchObject(refused('without a shell'));
    await expect(start({ cwd: '/no/such/place' })).rejects.toMatchObject(
      refused('"/no/such/place" is not a directory'),
    );
  });
});
