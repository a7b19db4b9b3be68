import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const execute = promisify(execFile);

it('client.ts talks to the echo agent and ends by itself', async () => {
  const program = fileURLToPath(new URL('client.ts', import.meta.url));
  const { stdout } = await execute(process.execPath, [
    '--import',
    'tsx',
    '--conditions=source',
    program,
    'Is anybody there?',
  ]);
  expect(stdout).toBe('You said: Is anybody there?\necho: end_turn, 0 tool calls\n');
});
