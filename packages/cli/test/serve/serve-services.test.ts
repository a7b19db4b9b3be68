import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { END_TURN } from '@parley/testing/scripted-agent';
import { beforeAll, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { startServer, writeSettings } from './serving.ts';

const parley = useParley();
const reading = (name: string) => ({
  on: {
    'session/prompt': [
      {
        do: 'request',
        method: 'fs/read_text_file',
        params: { sessionId: '$sessionId', path: join(parley.folder, name) },
        echo: true,
      },
      END_TURN,
    ],
  },
});
const running = () => ({
  on: {
    'session/prompt': [
      {
        do: 'request',
        method: 'terminal/create',
        params: { sessionId: '$sessionId', command: 'echo', args: ['hello'], cwd: parley.folder },
        save: 'terminal',
        echo: true,
      },
      END_TURN,
    ],
  },
});

beforeAll(() => {
  writeFileSync(join(parley.folder, 'note.txt'), 'a note of this machine');
  writeFileSync(join(parley.folder, 'secret.txt'), 'a secret of this machine');
  writeSettings(parley, { permissions: { deny: ['Read(secret.txt)'], allow: ['Bash(echo *)'] } });
});

describe('files and commands of the machine that serves', () => {
  it('are there for agents whose client has none, when that is said, under the rules of the settings', async () => {
    const words = [
      `note=${parley.agent(reading('note.txt') as object)}`,
      `secret=${parley.agent(reading('secret.txt') as object)}`,
      `shell=${parley.agent(running() as object)}`,
    ];
    const ask = async (name: string): Promise<string> => {
      const { stdout, stderr } = await parley.run([
        'exec',
        '--agent',
        `local/${name}`,
        '--no-fs',
        '--no-terminal',
        'go',
      ]);
      return stdout + stderr;
    };
    {
      await using _server = await startServer(parley, words);
      expect(await ask('note')).not.toContain('a note of this machine');
      expect(await ask('shell')).not.toContain('"terminalId"');
    }
    await using _server = await startServer(parley, [...words, '--host-files', '--host-terminals']);
    expect(await ask('note')).toContain('a note of this machine');
    expect(await ask('secret')).not.toContain('a secret of this machine');
    expect(await ask('shell')).toContain('"terminalId"');
  }, 180_000);
});
