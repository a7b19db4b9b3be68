import type { Entry, ToolCallEntry } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { netChanges } from './net-changes.ts';

function edit(path: string, oldText: string | null, newText: string, more: Partial<ToolCallEntry> = {}): Entry {
  return {
    type: 'tool_call',
    origin: 'live',
    toolCallId: `${path}${newText}`,
    title: 'Edit',
    kind: 'edit',
    status: 'completed',
    locations: [],
    content: [{ type: 'diff', path, oldText, newText }],
    ...more,
  };
}

describe('what a session changed', () => {
  it('is one change for each file, from what it was to what it is', () => {
    const changes = netChanges([
      edit('/a', 'one\n', 'two\n'),
      edit('/b', null, 'new\nfile\n'),
      edit('/a', 'two\n', 'three\n'),
    ]);
    expect(
      changes.map(({ path, note, added, removed, whole }) => [
        path,
        note,
        added,
        removed,
        whole?.oldText,
        whole?.newText,
      ]),
    ).toEqual([
      ['/a', undefined, 1, 1, 'one\n', 'three\n'],
      ['/b', 'new file', 2, 0, null, 'new\nfile\n'],
    ]);
  });

  it('is nothing where a file is again what it was, or the tool failed', () => {
    expect(netChanges([edit('/a', 'x', 'y'), edit('/a', 'y', 'x')])).toEqual([]);
    expect(netChanges([edit('/a', 'x', 'y', { status: 'failed' })])).toEqual([]);
  });

  it('has all parts of a file where they do not follow from each other', () => {
    const [change] = netChanges([edit('/a', 'one\n', 'two\n'), edit('/a', 'somewhere\n', 'else\n')]);
    expect(change).toMatchObject({ added: 2, removed: 2 });
    expect(change?.hunks).toHaveLength(2);
  });

  it('has what was told as a patch', () => {
    const patch = 'diff --git a/w/a b/w/a\n--- a/w/a\n+++ b/w/a\n@@ -1,1 +1,1 @@\n-x\n+y\n';
    const part = { type: 'changes', changes: [{ operation: 'modify', path: '/w/a' }], patch } as const;
    expect(netChanges([edit('/w/a', null, '', { content: [part] })])).toMatchObject([
      { path: '/w/a', added: 1, removed: 1 },
    ]);
  });
});
