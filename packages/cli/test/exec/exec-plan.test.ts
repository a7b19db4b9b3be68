import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const PLAN = ['--permission-mode', 'plan'];

/** A line that our own agent runs unasked in every other mode. */
const LOOK = 'run `cat note.txt`';
const NOTE = 'the text of the note';

beforeAll(() => writeFileSync(join(parley.folder, 'note.txt'), `${NOTE}\n`));

describe('our own agent in plan mode', () => {
  it('runs nothing for exec, by flag or by settings', async () => {
    expect((await parley.run(['exec', LOOK])).stdout).toContain(NOTE);
    const planned = await parley.run(['exec', ...PLAN, LOOK]);
    expect(planned.stdout).not.toContain(NOTE);
    expect(planned.stdout + planned.stderr).toContain('Plan');
    await parley.run(['config', 'set', 'permissions.mode', 'plan']);
    onTestFinished(async () => void (await parley.run(['config', 'unset', 'permissions.mode'])));
    expect((await parley.run(['exec', LOOK])).stdout).not.toContain(NOTE);
    expect((await parley.run(['exec', '--permission-mode', 'default', LOOK])).stdout).toContain(NOTE);
  }, 60_000);

  it('runs nothing for a prompt in a session that was begun in another mode, until another mode is asked for', async () => {
    const prompt = (...words: string[]) => parley.run(['prompt', '-s', 'planned', ...words]);
    await parley.run(['sessions', 'new', '--name', 'planned']);
    expect((await prompt(LOOK)).stdout).toContain(NOTE);
    expect((await prompt(...PLAN, LOOK)).stdout).not.toContain(NOTE);
    expect((await prompt('--permission-mode', 'default', LOOK)).stdout).toContain(NOTE);
  }, 60_000);

  it('runs nothing in the chat', async () => {
    const chat = (...words: string[]) => parley.run(['chat', '--plain', ...words], { input: `${LOOK}\n` });
    expect((await chat()).stdout).toContain(NOTE);
    expect((await chat(...PLAN)).stdout).not.toContain(NOTE);
  }, 60_000);
});
