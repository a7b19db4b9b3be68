import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@parley/testing/needs';
import { describe, expect, it } from 'vitest';
import { commandShell, findShell } from './shell.ts';

describe('the shell of command lines', () => {
  it('is one whose language the policy is told: cmd.exe is not looked into', () => {
    expect(findShell('win32', '').kind).toBe('other');
    expect(['bash', 'sh']).toContain(findShell('linux', '').kind);
  });

  it(
    'takes nothing from start files, functions or settings of the environment',
    needs({ isMet: commandShell().kind === 'bash', reason: 'no bash found (apt-get install bash)' }),
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'parley-shell-'));
      const startFile = join(folder, 'start');
      writeFileSync(startFile, 'echo started\n');
      const { command, args } = commandShell();
      const env = {
        PATH: process.env.PATH,
        BASH_ENV: startFile,
        ENV: startFile,
        CDPATH: '/',
        'BASH_FUNC_ls%%': '() { echo function; }',
      };
      const output = execFileSync(command, [...args, 'ls; [[ a == a ]] && echo bash'], {
        cwd: folder,
        env,
        encoding: 'utf8',
      });
      expect(output).toBe('start\nbash\n');
    },
  );
});
