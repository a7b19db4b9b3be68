import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { needs, POSIX } from '@parley/testing/needs';
import { afterAll, describe, expect, it } from 'vitest';
import { findProgram } from './find-program.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-programs-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
mkdirSync(join(base, 'bin', 'folder'), { recursive: true });
mkdirSync(join(base, 'other'));
writeFileSync(join(base, 'bin', 'text'), '');
for (const folder of ['bin', 'other']) {
  writeFileSync(join(base, folder, 'tool'), '#!/bin/sh\n');
  chmodSync(join(base, folder, 'tool'), 0o755);
}
const env = { PATH: ['', join(base, 'missing'), join(base, 'other'), join(base, 'bin')].join(delimiter) };

describe('finding a program', needs(POSIX), () => {
  it('takes the first on the PATH that may be run', () => {
    expect(findProgram('tool', { env })).toBe(join(base, 'other', 'tool'));
    expect(findProgram('text', { env })).toBeUndefined();
    expect(findProgram('folder', { env })).toBeUndefined();
    expect(findProgram('', { env })).toBeUndefined();
    expect(findProgram('tool', { env: {} })).toBeUndefined();
  });

  it('takes a path as it is, and a relative one only where it is told from where', () => {
    expect(findProgram(join(base, 'bin', 'tool'), { env: {} })).toBe(join(base, 'bin', 'tool'));
    expect(findProgram('bin/tool', { env, cwd: base })).toBe(join(base, 'bin', 'tool'));
    expect(findProgram('./bin/tool', { env })).toBeUndefined();
  });

  it('does not search a relative entry of the PATH unless it is told from where', () => {
    expect(findProgram('tool', { env: { PATH: 'bin' } })).toBeUndefined();
    expect(findProgram('tool', { env: { PATH: 'bin' }, cwd: base })).toBe(join(base, 'bin', 'tool'));
  });
});
