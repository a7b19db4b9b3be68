import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBench } from '../../test/run-tool.ts';
import { createSeatbelt } from './seatbelt.ts';

/** The words of the profile only: nobody has run it on macOS yet. */
describe('a profile of sandbox-exec', () => {
  it('denies writing, the network and credentials, and allows the workspace except for protected names', async () => {
    const bench = await createBench({ '.mcp.json': '{}', 'a "b"/c': '' });
    await mkdir(join(bench.cwd, '.ssh'));
    await writeFile(join(bench.cwd, '.ssh/id_rsa'), '');
    const profileOf = (profile: 'reading' | 'workspace', more: object = {}): string =>
      createSeatbelt({ command: '/usr/bin/sandbox-exec', roots: [bench.cwd], profile, ...more })(
        { command: 'true', args: [] },
        bench.cwd,
      ).args[1] ?? '';
    const reading = profileOf('reading');
    expect(reading).toContain('(deny file-write*)\n');
    expect(reading).toContain('(deny network*)');
    expect(reading).not.toContain(`(allow file-write* (subpath "${bench.cwd}"))`);
    const lines = profileOf('workspace', { hasNetwork: true, writable: ['/x "y"'] }).split('\n');
    expect(lines).not.toContain('(deny network*)');
    const allowed = lines.indexOf(`(allow file-write* (subpath "${bench.cwd}"))`);
    expect(allowed).toBeGreaterThan(0);
    expect(lines[allowed + 1]).toContain(`(subpath "${join(bench.cwd, '.mcp.json')}")`);
    expect(lines.at(-1)).toBe('(allow file-read* file-write* (subpath "/x \\"y\\""))');
  });
});
