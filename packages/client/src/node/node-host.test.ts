import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeHost } from './node-host.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-host-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('the real path', () => {
  const realPath = nodeHost.realPath ?? ((path: string) => path);

  it('follows links as far as the path exists, and keeps the rest', () => {
    symlinkSync('/usr', join(base, 'link'));
    expect(realPath(join(base, 'link', 'no', 'such', 'file'))).toBe('/usr/no/such/file');
    expect(realPath(base)).toBe(base);
    expect(realPath('/')).toBe('/');
    expect(realPath('/no-such-folder/x')).toBe('/no-such-folder/x');
  });

  it('of a path with thousands of names is found with few looks at the disk', () => {
    const deep = join(base, ...Array.from({ length: 20_000 }, () => 'x'));
    expect(realPath(deep)).toBe(deep);
  });
});
