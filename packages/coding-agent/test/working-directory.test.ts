import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess } from './in-process.ts';

describe('the directory of a session', () => {
  it('is refused by its path when it is missing or is a file', async () => {
    const project = await makeProject({ 'a.txt': 'alpha' });
    const connection = await startInProcess();
    for (const [name, why] of [
      ['gone', 'there is no such directory'],
      ['a.txt', 'this is not a directory'],
      ['a.txt/b', 'there is no such directory'],
    ] as const) {
      const cwd = join(project.path, name);
      const opened = connection.newSession({ cwd });
      await expect(opened).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(`${why}: ${cwd}`) });
    }
    const session = await connection.newSession({ cwd: project.path });
    expect(session.cwd).toBe(project.path);
  });
});
