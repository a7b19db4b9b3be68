import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EMPTY_EDITOR, insertText, type Key } from '@parley/terminal/input';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doubtCommand, joinCommands, readOwnCommand } from '../commands/own-commands.ts';
import { acceptCompletion, complete } from './complete.ts';
import { Composer } from './composer.ts';
import { rankFiles, withFolders } from './file-index.ts';
import { appendHistory, loadHistory } from './history-file.ts';
import { listFiles } from './list-files.ts';
import { findMentions, promptFromText } from './prompt-from-text.ts';
import { readPaste } from './read-paste.ts';

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'parley-prompt-'));
  await mkdir(join(cwd, 'src'));
  await Promise.all([
    writeFile(join(cwd, 'src', 'retry.ts'), 'export {};\n'),
    writeFile(join(cwd, 'my notes.txt'), 'notes'),
    writeFile(join(cwd, 'shot.png'), 'pixels'),
    writeFile(join(cwd, 'ignored.log'), 'log'),
    writeFile(join(cwd, '.gitignore'), '*.log\n'),
  ]);
});

afterAll(() => rm(cwd, { recursive: true, force: true }));

describe('a prompt', () => {
  const send = (text: string, capabilities = {}): Promise<unknown> =>
    promptFromText(text, { cwd, agentTitle: 'Test', capabilities });

  it('finds the files that are named in it', () => {
    expect(findMentions('see @src/a.ts and @"my notes.txt", @src/a.ts')).toEqual(['src/a.ts', 'my notes.txt']);
    expect(findMentions('mail me@example.org')).toEqual([]);
  });

  it('carries files as links, or as a part of itself where the agent takes that', async () => {
    expect(await send('look at @src/retry.ts.')).toEqual([
      { type: 'text', text: 'look at @src/retry.ts.' },
      expect.objectContaining({ type: 'resource_link', name: 'retry.ts', size: 11 }),
    ]);
    expect(await send('@src/retry.ts', { embeddedContext: true })).toEqual([
      expect.anything(),
      { type: 'resource', resource: expect.objectContaining({ text: 'export {};\n' }) },
    ]);
  });

  it('carries images where the agent takes them, and is refused where not', async () => {
    expect(await send('@shot.png', { image: true })).toEqual([
      expect.anything(),
      expect.objectContaining({ type: 'image', mimeType: 'image/png', data: Buffer.from('pixels').toString('base64') }),
    ]);
    await expect(send('@shot.png')).rejects.toThrow('Test takes no images');
  });

  it('leaves names that are no files in the text', async () => {
    expect(await send('ask @nobody')).toEqual([{ type: 'text', text: 'ask @nobody' }]);
  });

  it('makes a mention of the path of an image that is dropped into the terminal', () => {
    expect(readPaste("'shot.png' ", cwd)).toBe('@shot.png ');
    expect(readPaste('missing.png', cwd)).toBe('missing.png');
    expect(readPaste('src/retry.ts', cwd)).toBe('src/retry.ts');
  });
});

/** What git calls a file without content. */
const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

describe('completion', () => {
  const sources = {
    commands: [{ name: 'review', description: 'Review', input: { hint: 'what' } }],
    findFiles: (query: string) => rankFiles(['src/retry.ts', 'my notes.txt'], query, 5),
  };
  const at = (text: string) => insertText(EMPTY_EDITOR, text);

  it('completes commands only at the beginning', () => {
    expect(complete(at('/re'), sources)?.items[0]?.label).toBe('/review <what>');
    expect(complete(at('a /re'), sources)).toBeUndefined();
    expect(complete(at('/review x'), sources)).toBeUndefined();
  });

  it('completes files anywhere, and quotes names with spaces', () => {
    const editor = at('see @note');
    const completion = complete(editor, sources);
    const [item] = completion?.items ?? [];
    expect(completion && item && acceptCompletion(editor, completion, item).text).toBe('see @"my notes.txt" ');
  });

  it('completes a name with spaces that is begun in quotes', () => {
    const editor = at('see @"my no');
    const completion = complete(editor, sources);
    const [item] = completion?.items ?? [];
    expect(completion && item && acceptCompletion(editor, completion, item).text).toBe('see @"my notes.txt" ');
    expect(complete(at('see @"my notes.txt" '), sources)).toBeUndefined();
  });

  it('finds a file in a repository of a hundred thousand', async () => {
    const large = join(cwd, 'large');
    execFileSync('git', ['init', '-q', large]);
    const entries = Array.from(
      { length: 100_000 },
      (_, index) => `100644 ${EMPTY_BLOB}\tdir${index % 500}/f${index}.ts`,
    );
    const input = [...entries, `100644 ${EMPTY_BLOB}\tzebra.txt`].join('\n');
    execFileSync('git', ['update-index', '--index-info'], { cwd: large, input });
    expect(rankFiles(await listFiles(large), 'zeb', 3)).toEqual(['zebra.txt']);
  });

  it('puts the best files first', () => {
    const files = ['lib/deep/retry.ts', 'retry.ts', 'src/a/retry-all.ts', 'r/e/t/r/y.md', 'other.ts'];
    expect(rankFiles(files, 'retry', 9)).toEqual([
      'retry.ts',
      'lib/deep/retry.ts',
      'src/a/retry-all.ts',
      'r/e/t/r/y.md',
    ]);
  });

  it('lists the files that git does not ignore', async () => {
    expect(await listFiles(cwd)).toContain('ignored.log');
    execFileSync('git', ['init', '-q'], { cwd });
    const files = await listFiles(cwd);
    expect(files).toContain('src/retry.ts');
    expect(files).not.toContain('ignored.log');
  });

  it('lets the commands of the agent go before ours', () => {
    expect(readOwnCommand('/model', [])).toEqual({ name: 'model', input: '' });
    expect(readOwnCommand('/model', [{ name: 'model', description: '' }])).toBeUndefined();
    expect(readOwnCommand('/queue 2', [])).toEqual({ name: 'queue', input: '2' });
    expect(readOwnCommand('/unknown', [])).toBeUndefined();
    expect(joinCommands([{ name: 'help', description: 'Theirs' }]).filter(({ name }) => name === 'help')).toHaveLength(
      1,
    );
  });
});

describe('commands', () => {
  it('takes a command that is typed in full, though a longer one begins with it', () => {
    const commands = ['model', 'mode'].map((name) => ({ name, description: '' }));
    const composer = new Composer({ sources: () => ({ commands, findFiles: () => [] }) });
    composer.press({ type: 'text', text: '/mode' });
    expect(composer.press({ type: 'key', name: 'enter' })).toEqual({ type: 'submit', text: '/mode' });
  });

  it('offers every command, not only the first few', () => {
    const commands = Array.from({ length: 30 }, (_, index) => ({ name: `c${index}`, description: '' }));
    expect(complete(insertText(EMPTY_EDITOR, '/'), { commands, findFiles: () => [] })?.items).toHaveLength(30);
  });

  it('doubts a command that nobody knows, and names the closest', () => {
    expect(doubtCommand('/hlep', [])).toBe('There is no command /hlep. Did you mean /help?');
    expect(doubtCommand('/reviw the code', [{ name: 'review', description: '' }])).toContain('Did you mean /review?');
    expect(doubtCommand('/zzzzzz', [])).toBe('There is no command /zzzzzz.');
    for (const text of ['/help', '/exit', '/config', '/etc/passwd is what?', '/ alone', 'a /hlep']) {
      expect(doubtCommand(text, [])).toBeUndefined();
    }
  });

  it('knows the names that other chats use', () => {
    expect(readOwnCommand('/config', [])).toEqual({ name: 'options', input: '' });
    expect(readOwnCommand('/exit', [])).toEqual({ name: 'quit', input: '' });
  });
});

describe('the composer', () => {
  const press = (composer: Composer, script: string): string[] =>
    script.split(/(<[^>]+>)/).flatMap((piece) => {
      if (piece === '') return [];
      const key: Key = piece.startsWith('<')
        ? { type: 'key', name: piece.slice(1, -1) }
        : { type: 'text', text: piece };
      const step = composer.press(key);
      return step.type === 'submit' ? [step.text] : [];
    });
  const open = (history: readonly string[] = []): Composer =>
    new Composer({
      history,
      sources: () => ({ commands: [{ name: 'review', description: '' }], findFiles: () => [] }),
    });

  it('sends with Enter, and goes on after a backslash', () => {
    expect(press(open(), 'one\\<enter>two<enter>')).toEqual(['one\ntwo']);
    expect(press(open(), '  <enter>')).toEqual([]);
  });

  it('takes a completion with Tab or Enter, and sends what is complete', () => {
    const composer = open();
    expect(press(composer, '/rev<tab>')).toEqual([]);
    expect(composer.editor.text).toBe('/review ');
    expect(press(open(), '/review<enter>')).toEqual(['/review']);
    expect(press(open(), '/rev<escape><enter>')).toEqual(['/rev']);
  });

  it('moves up and down in the rows of a long text, and only then to earlier ones', () => {
    const rows = () => ({ width: 13, prompt: [{ text: '> ' }] });
    const sources = () => ({ commands: [], findFiles: () => [] });
    const composer = new Composer({ history: ['earlier'], rows, sources });
    press(composer, '0123456789abcdefghij<up>X');
    expect(composer.editor.text).toBe('0123456789Xabcdefghij');
    press(composer, '<up><up>');
    expect(composer.editor.text).toBe('earlier');
    press(composer, '<down>');
    expect(composer.editor.text).toBe('0123456789Xabcdefghij');
  });

  it('offers folders besides files, to be gone on with', () => {
    const paths = withFolders(['src/deep/retry.ts', 'src/index.ts', 'README.md']);
    expect(rankFiles(paths, 'dee', 9)).toEqual(['src/deep/', 'src/deep/retry.ts']);
    const completion = complete(insertText(EMPTY_EDITOR, 'see @sr'), {
      commands: [],
      findFiles: (query) => rankFiles(paths, query, 1),
    });
    expect(completion?.items).toEqual([{ label: 'src/', insert: '@src/' }]);
  });

  it('searches what was sent before', () => {
    const composer = open(['fix the test', 'write docs', 'fix the build']);
    press(composer, '<ctrl+r>fix');
    expect(composer.search?.found).toBe('fix the build');
    press(composer, '<ctrl+r>');
    expect(composer.search?.found).toBe('fix the test');
    press(composer, '<ctrl+r>');
    expect(composer.search?.found).toBe('fix the test');
    expect(press(composer, '<enter>')).toEqual([]);
    expect(composer.editor.text).toBe('fix the test');
  });

  it('remembers from one chat to the next', async () => {
    const path = join(cwd, 'state', 'history');
    await appendHistory(path, 'one\ntwo');
    await appendHistory(path, 'three');
    await writeFile(path, 'not json\n', { flag: 'a' });
    expect(await loadHistory(path)).toEqual(['one\ntwo', 'three']);
    expect(await loadHistory(join(cwd, 'nowhere'))).toEqual([]);
  });
});
