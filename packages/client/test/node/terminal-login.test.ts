import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spawnAgent } from '../../src/node/index.ts';

/** A program that writes down how it was called, and where what it notes can be read. */
function recorder(exitCode = 0): { readonly program: string; readonly read: () => unknown } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-login-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [program, notes] = [join(folder, 'program.mjs'), join(folder, 'notes.json')];
  const facts = '{ args: process.argv.slice(2), key: process.env.LOGIN_KEY }';
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(notes)}, JSON.stringify(${facts}));
    process.exit(${exitCode});`,
  );
  return { program, read: () => JSON.parse(readFileSync(notes, 'utf8')) };
}

describe('a login in the terminal', () => {
  const { signal } = new AbortController();

  it('runs the program of the agent with its own arguments, and those of the login behind them', async () => {
    const { program, read } = recorder();
    const agent = spawnAgent(process.execPath, [program, '--acp']);
    expect(await agent.authenticateInTerminal?.({ id: 'key', args: ['login'], env: { LOGIN_KEY: 'x' } }, signal)).toBe(
      true,
    );
    expect(read()).toEqual({ args: ['--acp', 'login'], key: 'x' });
  });

  it('runs the program that the login names with the arguments of the login alone', async () => {
    const { program, read } = recorder();
    const agent = spawnAgent('not-the-agent', ['--acp']);
    const login = { id: 'key', command: process.execPath, args: [program, 'login'] };
    expect(await agent.authenticateInTerminal?.(login, signal)).toBe(true);
    expect(read()).toEqual({ args: ['login'] });
  });

  it('has failed when the program ends with another code than 0, and throws when it cannot be started', async () => {
    const { program } = recorder(3);
    const agent = spawnAgent(process.execPath, [program]);
    expect(await agent.authenticateInTerminal?.({ id: 'key' }, signal)).toBe(false);
    await expect(
      agent.authenticateInTerminal?.({ id: 'key', command: join(program, 'none') }, signal),
    ).rejects.toThrow();
  });
});
