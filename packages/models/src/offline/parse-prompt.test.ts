import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent } from './intent.ts';
import { parsePrompt } from './parse-prompt.ts';

const steps = (prompt: string, lastPath?: string): readonly Intent[] => parsePrompt(prompt, { lastPath }).steps;

describe('parsePrompt', () => {
  it.each<[string, Intent]>([
    ['read src/app.ts', { kind: 'read', path: 'src/app.ts' }],
    ['Please show me the file README.md.', { kind: 'read', path: 'README.md' }],
    ['Could you open "my notes.txt"?', { kind: 'read', path: 'my notes.txt' }],
    ['cat ./a.b-c_d', { kind: 'read', path: './a.b-c_d' }],
    ['show lines 10-20 of src/app.ts', { kind: 'read', path: 'src/app.ts', startLine: 10, endLine: 20 }],
    ['read src/app.ts line 7', { kind: 'read', path: 'src/app.ts', startLine: 7, endLine: 7 }],
    ['read @src/app.ts', { kind: 'read', path: 'src/app.ts' }],
    ['@src/app.ts', { kind: 'read', path: 'src/app.ts' }],
    ['show me @"my notes.txt"', { kind: 'read', path: 'my notes.txt' }],
    ['search for main in @src', { kind: 'search', pattern: 'main', path: 'src' }],
    ['list the files in @src', { kind: 'list', path: 'src' }],
    ['what is in README.md?', { kind: 'read', path: 'README.md' }],
    ["what's in @docs/a.md?", { kind: 'read', path: 'docs/a.md' }],
    ['what does package.json say?', { kind: 'read', path: 'package.json' }],
    ['git status', { kind: 'run', command: 'git status', isBackground: false }],
    ['npm install @types/node', { kind: 'run', command: 'npm install @types/node', isBackground: false }],
    ['show me the diff', { kind: 'run', command: 'git diff', isBackground: false }],
    ['list', { kind: 'list' }],
    ['list the files', { kind: 'list' }],
    ['list the files here', { kind: 'list' }],
    ['which files are here?', { kind: 'list' }],
    ['explain @src/app.ts', { kind: 'read', path: 'src/app.ts' }],
    ['summarize README.md', { kind: 'read', path: 'README.md' }],
    ['what does this project do?', { kind: 'read', path: 'README.md' }],
    ['review this change', { kind: 'run', command: 'git diff', isBackground: false }],
    ['list the files in src/models', { kind: 'list', path: 'src/models' }],
    ['ls packages', { kind: 'list', path: 'packages' }],
    ['list *.ts files in src', { kind: 'list', path: 'src', pattern: '*.ts' }],
    ['find files named "*.test.ts"', { kind: 'list', pattern: '*.test.ts' }],
    ['what is in docs?', { kind: 'list', path: 'docs' }],
    ['search for TODO', { kind: 'search', pattern: 'TODO' }],
    ['search for "two words" in src', { kind: 'search', pattern: 'two words', path: 'src' }],
    ['find parseConfig in lib/config.ts', { kind: 'search', pattern: 'parseConfig', path: 'lib/config.ts' }],
    ['grep `a.*b`', { kind: 'search', pattern: 'a.*b' }],
    ['where is createModel defined?', { kind: 'search', pattern: 'createModel' }],
    ['replace foo with bar in a.ts', { kind: 'replace', path: 'a.ts', oldText: 'foo', newText: 'bar', isOnce: false }],
    [
      'replace "a with b" with "c in d" in "e f.ts"',
      { kind: 'replace', path: 'e f.ts', oldText: 'a with b', newText: 'c in d', isOnce: false },
    ],
    [
      'replace the first `x` with "" in a.ts',
      { kind: 'replace', path: 'a.ts', oldText: 'x', newText: '', isOnce: true },
    ],
    ['change 1 to 2 in a.ts', { kind: 'replace', path: 'a.ts', oldText: '1', newText: '2', isOnce: false }],
    ['in a.ts, replace foo with bar', { kind: 'replace', path: 'a.ts', oldText: 'foo', newText: 'bar', isOnce: false }],
    ['create notes.md with "# Notes"', { kind: 'write', path: 'notes.md', content: '# Notes' }],
    ['create a new file called a.txt containing hello world', { kind: 'write', path: 'a.txt', content: 'hello world' }],
    ['write "x" to a.txt', { kind: 'write', path: 'a.txt', content: 'x' }],
    ['create an empty file a.txt', { kind: 'write', path: 'a.txt', content: '' }],
    [
      'create a.ts with\n```ts\nconst a = "b";\n\nrun();\n```',
      { kind: 'write', path: 'a.ts', content: 'const a = "b";\n\nrun();\n' },
    ],
    ['append "one more" to notes.md', { kind: 'append', path: 'notes.md', text: 'one more' }],
    ['delete the file old.txt', { kind: 'delete', path: 'old.txt' }],
    ['remove a.ts!', { kind: 'delete', path: 'a.ts' }],
    ['move a.txt to b/c.txt', { kind: 'move', from: 'a.txt', to: 'b/c.txt' }],
    ['rename "a b" to "c d"', { kind: 'move', from: 'a b', to: 'c d' }],
    ['run npm test', { kind: 'run', command: 'npm test', isBackground: false }],
    ['run the tests', { kind: 'run', command: 'npm test', isBackground: false }],
    ['run `git log --oneline | head -3`', { kind: 'run', command: 'git log --oneline | head -3', isBackground: false }],
    ['run echo "a  b" \'c\'', { kind: 'run', command: 'echo "a  b" \'c\'', isBackground: false }],
    ['execute node server.js in the background', { kind: 'run', command: 'node server.js', isBackground: true }],
    ['fetch https://example.com/a?b=c', { kind: 'fetch', url: 'https://example.com/a?b=c' }],
    ['read https://example.com', { kind: 'fetch', url: 'https://example.com' }],
    ['ask me "Which port?"', { kind: 'ask', question: 'Which port?' }],
    [
      'call mcp__files__stat with {"path": "a", "deep": {"x": [1, "}"]}}',
      { kind: 'call', tool: 'mcp__files__stat', input: { path: 'a', deep: { x: [1, '}'] } } },
    ],
    ['use the tool mcp__x__y', { kind: 'call', tool: 'mcp__x__y', input: {} }],
    ['help', { kind: 'help' }],
    ['What can you do?', { kind: 'help' }],
    ['explain what you can do', { kind: 'help' }],
    ['Hello!', { kind: 'greet' }],
    ['thanks', { kind: 'thank' }],
    ['summarize the conversation so far', { kind: 'summarize' }],
    ["don't panic", { kind: 'unknown', text: "don't panic" }],
    ['make the tests green', { kind: 'unknown', text: 'make the tests green' }],
  ])('understands %j', (prompt, intent) => {
    expect(steps(prompt)).toEqual([intent]);
  });

  it('reads several steps from one sentence', () => {
    expect(steps('Read a.ts, then replace "X" with "Y" in it, then run npm test')).toEqual([
      { kind: 'read', path: 'a.ts' },
      { kind: 'replace', path: 'a.ts', oldText: 'X', newText: 'Y', isOnce: false },
      { kind: 'run', command: 'npm test', isBackground: false },
    ]);
  });

  it.each([
    ['read @a.ts, @b.ts and @c.ts', ['read a.ts', 'read b.ts', 'read c.ts']],
    ['read @a.ts @b.ts', ['read a.ts', 'read b.ts']],
    ['@a.ts\n@"b c.ts"', ['read a.ts', 'read b c.ts']],
    ['Please look at @a.ts and @b.ts.', ['read a.ts', 'read b.ts']],
    ['show a and b', ['read a', 'read b']],
    ['show a.txt and b.txt', ['read a.txt', 'read b.txt']],
    ['read a, b and c', ['read a', 'read b', 'read c']],
    ['Could you show me the files a.txt, "b c.txt", and it?', ['read a.txt', 'read b c.txt', 'read last.ts']],
    ['explain a.ts and src/b.ts', ['read a.ts', 'read src/b.ts']],
    ['cat a.txt ./b', ['read a.txt', 'read ./b']],
    ['compare a.ts with b.ts', ['read a.ts', 'read b.ts']],
    ['what is the difference between a and "b c"?', ['read a', 'read b c']],
    ['delete @a.ts and @b.ts', ['delete a.ts', 'delete b.ts']],
    ['delete the files a.ts, b.ts', ['delete a.ts', 'delete b.ts']],
    ['delete a.ts; @b.ts', ['delete a.ts', 'read b.ts']],
    ['read a.ts and b.ts, then delete c.ts and list the files', ['read a.ts', 'read b.ts', 'delete c.ts', 'list ']],
    ['run npm test and show me the output and the diff', ['run npm test']],
  ])('takes every file that %j names', (prompt, found) => {
    const words = steps(prompt, 'last.ts').map(
      (step) => `${step.kind} ${'path' in step ? step.path : 'command' in step ? step.command : ''}`,
    );
    expect(words).toEqual(found);
  });

  it.each([
    'show files and folders',
    'show me the code and its author',
    'rm -rf dist',
    'rm everything left over',
    'compare the speed of a with that of b',
    'explain foo and bar',
  ])('takes nothing in %j for a list of files', (prompt) => {
    expect(steps(prompt)).toEqual([{ kind: 'unknown', text: prompt }]);
  });

  it('reads several sentences, bullets and lines', () => {
    const kinds = steps(
      'First, read a.ts. Then list the files; and finally run ls.\n- delete b.ts\n2. move c.ts to d.ts',
    ).map(({ kind }) => kind);
    expect(kinds).toEqual(['read', 'list', 'run', 'delete', 'move']);
  });

  it('leaves the words inside quotes alone', () => {
    expect(steps('create a.md with "read b.ts, then run ls. delete c" and read d')).toEqual([
      { kind: 'write', path: 'a.md', content: 'read b.ts, then run ls. delete c' },
      { kind: 'read', path: 'd' },
    ]);
  });

  it('needs to know what "it" is', () => {
    expect(steps('delete it')).toEqual([{ kind: 'unknown', text: 'delete it' }]);
    expect(steps('delete it', 'a.ts')).toEqual([{ kind: 'delete', path: 'a.ts' }]);
  });

  it('does not read a file named output', () => {
    expect(steps('run npm test and show me the output').map(({ kind }) => kind)).toEqual(['run']);
  });

  it('tells a plan from its execution', () => {
    expect(parsePrompt('plan: replace a with b in c.ts, then run npm test')).toMatchObject({
      isPlan: true,
      isToBeDone: false,
      steps: [{ kind: 'replace' }, { kind: 'run' }],
    });
    expect(parsePrompt('Plan a change to delete c.ts and then do it.')).toMatchObject({
      isPlan: true,
      isToBeDone: true,
      steps: [{ kind: 'delete' }],
    });
  });

  const quotes = [
    ['"', '"'],
    ['`', '`'],
    ['“', '”'],
  ] as const;

  it('keeps every quoted argument to the letter', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.constantFrom(...quotes), (text, [open, close]) => {
        fc.pre(![...`${open}${close}`].some((quote) => text.includes(quote)) && text.trim() !== '');
        const quoted = `${open}${text}${close}`;
        expect(steps(`replace ${quoted} with ${quoted} in a.ts, then create b.ts with ${quoted}`)).toEqual([
          { kind: 'replace', path: 'a.ts', oldText: text, newText: text, isOnce: false },
          { kind: 'write', path: 'b.ts', content: text },
        ]);
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it('finds as many steps as were joined', () => {
    const step = fc.constantFrom(
      'read a.ts',
      'run `x; y`',
      'delete "b, then read c"',
      'list the files',
      'search for "q"',
    );
    const border = fc.constantFrom(', then ', '. Then ', '; ', ' and then ', '\n', ', and finally ', '.\n- ');
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), border, (list, separator) => {
        const found = steps(list.join(separator));
        expect(found.length).toBe(list.length);
        expect(found.every(({ kind }) => kind !== 'unknown')).toBe(true);
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  it('reads anything without throwing, twice the same', () => {
    const word = fc.constantFrom(
      'read',
      'replace',
      'with',
      'in',
      'it',
      ' ',
      '"',
      "'",
      '`',
      '```\n',
      '{',
      '}',
      '\ue0001\ue001',
      ', then ',
      '.',
      'plan',
    );
    const noise = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.oneof(word, fc.string()), { maxLength: 60 }).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(noise, (prompt) => {
        expect(parsePrompt(prompt)).toEqual(parsePrompt(prompt));
      }),
      { seed: 8, numRuns: 1_000 },
    );
  });

  it.each([
    ['replace ', 'a with '],
    ['', '{"a":'],
    ['', '"'],
    ['', "' "],
    ['read ', ' and read'],
    ['', '```\n'],
    ['read ', 'a, '],
    ['cat', ' ./.'],
    ['compare ', 'a and '],
    ['', '\nread a, b and c'],
  ])('is done with a long prompt of %j and many %j', (start, repeated) => {
    const { steps: found } = parsePrompt(start + repeated.repeat(20_000));
    expect(found.length).toBeLessThanOrEqual(50);
  });
});
