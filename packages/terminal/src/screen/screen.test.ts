import { Emulator } from '@parley/testing/terminal-emulator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, lineOf } from '../text/styled-text.ts';
import { Screen } from './screen.ts';

interface OpenScreen {
  readonly emulator: Emulator;
  readonly screen: Screen;
  readonly written: string[];
  /** Resolves when the emulator has read everything. */
  settle(): Promise<void>;
}

function openScreen(columns = 40, rows = 12): OpenScreen {
  const emulator = new Emulator(columns, rows);
  const written: string[] = [];
  const surface = {
    get columns() {
      return emulator.columns;
    },
    get rows() {
      return emulator.rows;
    },
    write: (bytes: string) => {
      written.push(bytes);
    },
  };
  let read = 0;
  return {
    emulator,
    written,
    screen: new Screen({ surface, hasColor: true }),
    async settle() {
      const bytes = written.slice(read).join('');
      read = written.length;
      await emulator.write(bytes);
    },
  };
}

function live(...texts: string[]): { lines: Line[]; caret: { row: number; column: number } } {
  const row = texts.length - 1;
  return { lines: texts.map((text) => lineOf(text)), caret: { row, column: texts[row]?.length ?? 0 } };
}

describe('the screen', () => {
  it('prints finished lines once and keeps the live region below them', async () => {
    const { screen, emulator, settle } = openScreen();
    screen.render([lineOf('one')], live('working', '> '));
    screen.render([lineOf('two'), lineOf('three')], live('working more', '> hi'));
    screen.render([], live('> hi there'));
    await settle();
    expect(emulator.lines).toEqual(['one', 'two', 'three', '> hi there']);
    expect(emulator.cursor).toEqual({ row: 3, column: 10 });
  });

  it('lets finished lines go into the scrollback', async () => {
    const { screen, emulator, settle } = openScreen(40, 6);
    const texts = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    for (const text of texts) screen.render([lineOf(text)], live('tail', '> '));
    await settle();
    expect(emulator.lines).toEqual([...texts, 'tail', '>']);
  });

  it('writes nothing when nothing changed, and only what did', () => {
    const { screen, written } = openScreen();
    screen.render([], live('status 1', 'a long line that stays as it is', '> '));
    screen.render([], live('status 1', 'a long line that stays as it is', '> '));
    expect(written).toHaveLength(1);
    screen.render([], live('status 2', 'a long line that stays as it is', '> '));
    expect(written[1]).toContain('status 2');
    expect(written[1]).not.toContain('stays');
  });

  it('never clears the screen or the scrollback, and draws each frame at once', () => {
    const { screen, written } = openScreen();
    for (let index = 0; index < 20; index += 1) screen.render([lineOf('x')], live(`tail ${index}`, '> '));
    screen.clear();
    for (const frame of written) {
      expect(frame).not.toMatch(/\[[123]J|\[H|\[\?1049/);
      expect(frame.startsWith('\u001b[?2026h')).toBe(true);
      expect(frame.endsWith('\u001b[?2026l')).toBe(true);
    }
  });

  it('breaks finished lines that are too wide, and cuts live ones', async () => {
    const { screen, emulator, settle } = openScreen(10, 6);
    screen.render([lineOf('abcdefghijklmnop'), lineOf('one two three')], live('0123456789abc', '> '));
    await settle();
    expect(emulator.lines).toEqual(['abcdefghi', 'jklmnop', 'one two', 'three', '01234567…', '>']);
  });

  it('puts the caret behind wide characters', async () => {
    const { screen, emulator, settle } = openScreen();
    screen.render([], { lines: [lineOf('> 漢字x')], caret: { row: 0, column: 6 } });
    await settle();
    expect(emulator.cursor).toEqual({ row: 0, column: 6 });
  });

  it('takes the live region away when it ends', async () => {
    const { screen, emulator, settle } = openScreen();
    screen.render([lineOf('kept')], live('tail', '> '));
    screen.print([lineOf('bye')]);
    await settle();
    expect(emulator.lines).toEqual(['kept', 'bye']);
    expect(emulator.cursor).toEqual({ row: 2, column: 0 });
  });

  /** As long as the live region is not taller than the window: what the window pushes out of itself nobody can take back. */
  it('erases its rows as a whole in a window of another width, where a terminal may have joined some', async () => {
    const { screen, emulator, written, settle } = openScreen(40);
    const erased = (): number => (written.at(-1)?.split('\u001b[2K').length ?? 0) - 1;
    screen.render([lineOf('one')], live('a line that is as long as the window', 'status', '> '));
    expect(erased()).toBe(0);
    await settle();
    for (const columns of [20, 60]) {
      emulator.resize(columns, 12);
      screen.render([], live('a line that is as long as the window', 'status', '> '));
      expect(erased()).toBe(3);
      await settle();
    }
    expect(emulator.lines).toEqual(['one', 'a line that is as long as the window', 'status', '>']);
  });

  it('loses and doubles nothing, however lines come and windows change', async () => {
    const step = fc.oneof(
      fc.record({
        finished: fc.array(fc.integer({ min: 1, max: 70 }), { maxLength: 4 }),
        tail: fc.array(fc.integer({ min: 0, max: 70 }), { maxLength: 4 }),
        draft: fc.integer({ min: 0, max: 15 }),
      }),
      fc.record({ columns: fc.integer({ min: 20, max: 80 }), rows: fc.integer({ min: 18, max: 40 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { screen, emulator, settle } = openScreen(50, 20);
        const expected: string[] = [];
        let region = live('> ');
        screen.render([], region);
        await settle();
        for (const [index, change] of steps.entries()) {
          if ('columns' in change) {
            emulator.resize(change.columns, change.rows);
            screen.render([], region);
          } else {
            const texts = change.finished.map((length, place) => `${index}.${place} `.padEnd(length, '#'));
            expected.push(...texts);
            region = live(
              ...change.tail.map((length) => `t${index} `.padEnd(length, '~')),
              `> ${'d'.repeat(change.draft)}`,
            );
            screen.render(
              texts.map((text) => lineOf(text)),
              region,
            );
          }
          await settle();
        }
        const lines = emulator.lines;
        const finished = lines.filter((line) => /^\d+\.\d+( |$)|^#+$/.test(line)).join('');
        expect(finished.replace(/\s/g, '')).toBe(expected.join('').replace(/\s/g, ''));
        expect(lines.filter((line) => line.startsWith('>'))).toHaveLength(1);
        expect(lines.filter((line) => /^t\d/.test(line))).toHaveLength(region.lines.length - 1);
        emulator.dispose();
      }),
      { seed: 7, numRuns: 100 },
    );
  });
});
