import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { announceServer, findServers } from './announce-server.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-servers-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('a server that is announced', () => {
  it('is found by tools of the same person, by nobody else, and not once it has ended', async () => {
    const env = { XDG_RUNTIME_DIR: join(base, 'run') };
    expect(await findServers(env)).toEqual([]);
    const server = { url: 'http://127.0.0.1:7700/acp', token: 'secret', agents: ['parley', 'gemini'] };
    const announcement = await announceServer(server, env);
    expect(await findServers(env)).toEqual([{ ...server, pid: process.pid, startedAt: expect.any(String) }]);
    expect(statSync(announcement.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(announcement.path)).mode & 0o777).toBe(0o700);
    chmodSync(announcement.path, 0o644);
    expect(await findServers(env)).toEqual([]);
    chmodSync(announcement.path, 0o600);
    await announcement.remove();
    expect(await findServers(env)).toEqual([]);
  });

  it('does not count when its process is gone, and its file is removed', async () => {
    const env = { XDG_STATE_HOME: join(base, 'state') };
    const { path, remove } = await announceServer({ url: 'http://127.0.0.1:1/acp' }, env);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const stale = join(dirname(path), 'stale.json');
    writeFileSync(stale, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), pid }), { mode: 0o600 });
    writeFileSync(join(dirname(path), 'broken.json'), '{', { mode: 0o600 });
    expect((await findServers(env)).map((each) => each.pid)).toEqual([process.pid]);
    expect(existsSync(stale)).toBe(false);
    await remove();
  });
});
