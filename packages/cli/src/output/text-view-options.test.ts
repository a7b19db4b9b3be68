import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CliContext } from '../context.ts';
import { textViewOptions } from './text-view-options.ts';

const settings = { isVerbose: false, hidesReads: false, color: false, cwd: '/work' } as const;

describe('text in a terminal', () => {
  it.each([
    { columns: 100, width: 99 },
    { columns: 0, width: 79 },
    { columns: undefined, width: 79 },
  ])('is as wide as the window, and 80 columns where none is told: $columns', ({ columns, width }) => {
    const stream = Object.assign(new PassThrough(), { isTTY: true, ...(columns !== undefined && { columns }) });
    const context = { env: {}, stdout: stream, stderr: stream } as unknown as CliContext;
    expect(textViewOptions(settings, context, stream).view().width).toBe(width);
  });
});
