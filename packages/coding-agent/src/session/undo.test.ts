import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBench } from '../../test/run-tool.ts';
import { recordTurn, type UndoJournal, undoTurn } from './undo.ts';

describe('undoing a turn', () => {
  it('puts back what was changed, created and deleted', async () => {
    const bench = await createBench({ 'changed.txt': 'new', 'created.txt': 'x' });
    const at = (name: string): string => join(bench.cwd, name);
    const journal = recordTurn(
      [],
      [
        { path: at('changed.txt'), before: 'old', after: 'between' },
        { path: at('changed.txt'), before: 'between', after: 'new' },
        { path: at('created.txt'), before: null, after: 'x' },
        { path: at('deleted.txt'), before: 'was here', after: null },
      ],
    );
    const undone = await undoTurn(journal, bench.operations.files);
    expect(undone).toEqual({
      journal: [],
      restored: [at('changed.txt'), at('created.txt'), at('deleted.txt')],
      changedSince: [],
    });
    expect(await bench.read('changed.txt')).toBe('old');
    expect(await bench.read('deleted.txt')).toBe('was here');
    await expect(bench.read('created.txt')).rejects.toThrow('ENOENT');
  });

  it('leaves alone what somebody has changed since', async () => {
    const bench = await createBench({ 'a.txt': "the person's own words" });
    const path = join(bench.cwd, 'a.txt');
    const journal = recordTurn([], [{ path, before: 'old', after: 'new' }]);
    expect(await undoTurn(journal, bench.operations.files)).toMatchObject({ restored: [], changedSince: [path] });
    expect(await bench.read('a.txt')).toBe("the person's own words");
  });

  it('goes back turn by turn, as plain data', async () => {
    const bench = await createBench({ 'a.txt': 'third' });
    const path = join(bench.cwd, 'a.txt');
    let journal: UndoJournal = [];
    journal = recordTurn(journal, [{ path, before: 'first', after: 'second' }]);
    journal = recordTurn(journal, []);
    journal = recordTurn(journal, [{ path, before: 'second', after: 'third' }]);
    journal = JSON.parse(JSON.stringify(journal)) as UndoJournal;
    ({ journal } = await undoTurn(journal, bench.operations.files));
    expect(await bench.read('a.txt')).toBe('second');
    ({ journal } = await undoTurn(journal, bench.operations.files));
    expect(await bench.read('a.txt')).toBe('first');
    expect(await undoTurn(journal, bench.operations.files)).toMatchObject({ restored: [] });
  });

  it('keeps ten turns, and fewer when they are large', () => {
    let journal: UndoJournal = [];
    for (let turn = 0; turn < 15; turn++) {
      journal = recordTurn(journal, [{ path: `/f${turn}`, before: 'x', after: 'y' }]);
    }
    expect(journal).toHaveLength(10);
    expect(journal[0]?.[0]?.path).toBe('/f5');
    journal = recordTurn(journal, [{ path: '/big', before: 'x'.repeat(3_000_000), after: 'y' }]);
    expect(journal).toHaveLength(1);
  });
});
