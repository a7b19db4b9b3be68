import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { areGone } from '@parley/testing/processes';
import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

/** Has the model make these calls one after the other, and gives what it was asked at the end. */
async function callTools(
  files: Readonly<Record<string, string | Buffer>>,
  calls: readonly (readonly [name: string, input: object])[],
) {
  const project = await makeProject(files);
  const { env, server } = await startModel({
    script: [...calls.map(([name, input]) => ({ events: [{ type: 'tool_call' as const, name, input }] })), 'Done.'],
  });
  const connection = await startInProcess({ agent: { env, permissions: { mode: 'bypassPermissions' } } });
  const session = await connection.newSession({ cwd: project.path });
  const { toolCalls, text } = await session.prompt('go').result;
  expect(text).toBe('Done.');
  return { project, session, toolCalls, asked: JSON.stringify(server.requests.at(-1)?.body) };
}

describe('a model that calls tools', () => {
  it("is told which shell reads its lines; those that the user allowed see the user's environment", async () => {
    process.env.PARLEY_TEST_PLACE = 'over there';
    const { asked } = await callTools({}, [['run_command', { command: '[[ 1 == 1 ]] && printenv PARLEY_TEST_PLACE' }]]);
    delete process.env.PARLEY_TEST_PLACE;
    expect(asked).toMatch(/Shell: (bash|sh|cmd\.exe)/);
    expect(asked).toContain('over there\\n(exit code 0)');
  });

  it('searches as with grep', async () => {
    const { asked } = await callTools({ 'a.ts': 'function one() {\n  return 1;\n}\nfunction two() {}\n' }, [
      ['search_files', { pattern: 'function (one|two)', after: 1 }],
    ]);
    expect(asked).toContain('a.ts:1: function one() {\\na.ts-2-   return 1;\\n--\\na.ts:4: function two() {}');
  });

  it('makes several edits at once, overlooks small differences and reads the changed lines', async () => {
    const edits = [
      { old_text: "one('a');", new_text: "one('b');" },
      { old_text: '    two();', new_text: '    three();' },
    ];
    const { project, asked, toolCalls } = await callTools({ 'a.ts': 'one(\u2018a\u2019);\nif (x) {\n\ttwo();\n}\n' }, [
      ['read_file', { path: 'a.ts' }],
      ['edit_file', { path: 'a.ts', edits }],
    ]);
    expect(await project.read('a.ts')).toBe("one('b');\nif (x) {\n\tthree();\n}\n");
    expect(asked).toContain('(quotes, dashes or blanks; indentation); it was replaced all the same');
    expect(asked).toContain('    3  \\tthree();');
    expect(toolCalls[1]).toMatchObject({ title: 'Edit a.ts (2 places)', status: 'completed' });
  });

  it('does not overwrite what changed after it was read', async () => {
    const { project, asked } = await callTools({ 'a.ts': 'one\n' }, [
      ['read_file', { path: 'a.ts' }],
      ['run_command', { command: 'echo mine >> a.ts' }],
      ['write_file', { path: 'a.ts', content: 'two\n' }],
    ]);
    expect(asked).toContain('a.ts has changed since you read it');
    expect(await project.read('a.ts')).toBe('one\nmine\n');
  });
});

/** A session in which the model makes one call for each prompt; `call` gives what it read of it. */
async function openSession(files: Readonly<Record<string, string | Buffer>>, answer: 'allow' | 'reject' = 'allow') {
  const project = await makeProject(files);
  const { env, server } = await startModel({ script: [] });
  const questions: string[] = [];
  const connection = await startInProcess({
    agent: { env },
    permissions: {
      ask: ({ toolCall }) => {
        questions.push(toolCall.title ?? '');
        return answer;
      },
    },
  });
  const session = await connection.newSession({ cwd: project.path });
  const call = async (name: string, input: object): Promise<string> => {
    server.add({ events: [{ type: 'tool_call', name, input }] }, 'Done.');
    await session.prompt('go').result;
    const body = server.requests.at(-1)?.body as { messages: { role: string; content: string }[] } | undefined;
    return body?.messages.findLast(({ role }) => role === 'tool')?.content ?? '';
  };
  return { project, session, questions, call };
}

describe('a long output', () => {
  it('is in a file that the model reads without a question, and that goes with the session', async () => {
    const { session, call, questions } = await openSession({});
    const shown = await call('run_command', { command: 'echo first; yes middle | head -n 40000; echo last' });
    expect(shown.length).toBeLessThan(42_000);
    expect(shown.startsWith('first\n')).toBe(true);
    expect(shown.endsWith('last\n(exit code 0)')).toBe(true);
    const [, path = ''] = /the whole output is in (\S+),/.exec(shown) ?? [];
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(40_003);
    const asked = questions.length;
    expect(await call('read_file', { path, line: 40_001 })).toBe('40001  middle\n40002  last');
    expect(questions.slice(asked)).toEqual([]);
    await session.close();
    expect(existsSync(path)).toBe(false);
  });
});

describe('a command in the background', () => {
  it('is looked at, waited for and stopped', async () => {
    const { call, questions } = await openSession({});
    const started = await call('run_command', {
      command: 'echo $$; while [ ! -e go ]; do sleep 0.05; done; echo gone; exit 3',
      background: true,
    });
    expect(started).toMatch(/as command-1, until the session ends. Output so far:\n\d+$/);
    expect(await call('command_output', { id: 'command-1' })).toBe('(nothing new)\n(it still runs)');
    await call('write_file', { path: 'go', content: '' });
    expect(await call('command_output', { id: 'command-1', wait_seconds: 60 })).toBe('gone\n(exit code 3)');

    // A question is asked about `printenv`: in a sandbox, the command would print a process id that is not ours.
    const endless = await call('run_command', { command: 'echo $$; sleep 1000; printenv', background: true });
    const asked = questions.length;
    expect(await call('command_output', {})).toMatch(
      /command-1 \(exit code 3\): echo .*\ncommand-2 \(it still runs\): echo \$\$; sleep 1000; printenv$/,
    );
    expect(await call('stop_command', { id: 'command-2' })).toBe('(nothing new)\n(stopped)');
    expect(await areGone([Number(/\d+$/.exec(endless)?.[0])], 5000)).toBe(true);
    expect(await call('command_output', { id: 'none' })).toContain('There is no command "none".\ncommand-1');
    expect(questions.slice(asked)).toEqual([]);
  });
});

describe('a file outside the workspace', () => {
  it('is read, written and put back when the person allows it', async () => {
    const other = await makeProject({ 'notes.txt': 'mine' });
    const { session, call, questions } = await openSession({});
    const path = join(other.path, 'notes.txt');
    expect(await call('read_file', { path })).toBe('    1  mine');
    expect(await call('edit_file', { path, old_text: 'mine', new_text: 'ours' })).toContain('Edited');
    expect(await call('write_file', { path: join(other.path, 'new/a.txt'), content: 'new' })).toContain('Created');
    expect(await call('list_files', { path: other.path, recursive: true })).toBe('new/\nnew/a.txt\nnotes.txt');
    expect(await other.read('notes.txt')).toBe('ours');
    expect(questions).toHaveLength(4);
    await session.prompt('/undo').result;
    expect(existsSync(join(other.path, 'new/a.txt'))).toBe(false);
    expect(questions[0]).toContain(path);
  });

  it('stays closed when the person does not', async () => {
    const other = await makeProject({ 'notes.txt': 'mine' });
    const { call, questions } = await openSession({}, 'reject');
    const path = join(other.path, 'notes.txt');
    expect(await call('read_file', { path })).toContain('Not allowed');
    expect(await call('edit_file', { path, old_text: 'yours', new_text: 'ours' })).toContain('Not allowed');
    expect(await call('search_files', { path: other.path, pattern: 'mine' })).toContain('Not allowed');
    expect(questions).toHaveLength(3);
  });
});

describe('files that are no plain text in UTF-8', () => {
  it('are read, and edited in their own encoding', async () => {
    const latin = Buffer.from('gr\u00fcn\n', 'latin1');
    const wide = Buffer.from('\uFEFFgr\u00fcn\r\n', 'utf16le');
    const { project, asked } = await callTools({ 'latin.txt': latin, 'wide.txt': wide }, [
      ['read_file', { path: 'latin.txt' }],
      ['edit_file', { path: 'latin.txt', old_text: 'gr\u00fcn', new_text: '\u20acs\u00fc\u00df' }],
      ['edit_file', { path: 'wide.txt', old_text: 'gr\u00fcn', new_text: '\u6f22' }],
      ['edit_file', { path: 'latin.txt', old_text: 's', new_text: '\u6f22' }],
    ]);
    expect(asked).toContain('    1  gr\u00fcn');
    expect(await readFile(join(project.path, 'latin.txt'))).toEqual(Buffer.from([0x80, 0x73, 0xfc, 0xdf, 0x0a]));
    expect(await readFile(join(project.path, 'wide.txt'))).toEqual(Buffer.from('\uFEFF\u6f22\r\n', 'utf16le'));
    expect(asked).toContain('is in Windows-1252, which has no');
  });

  it('are shown as cells where they are notebooks', async () => {
    const cells = [
      { cell_type: 'markdown', source: ['# Title\n', 'text'] },
      {
        cell_type: 'code',
        id: 'c1',
        source: 'print(1)',
        outputs: [{ text: ['1\n'] }, { data: { 'image/png': 'AAAA', 'text/plain': '<Figure>' } }],
      },
    ];
    const { call } = await openSession({ 'a.ipynb': JSON.stringify({ cells }) });
    const shown = await call('read_file', { path: 'a.ipynb' });
    expect(shown.replace(/^ *\d+ {2}/gm, '')).toBe(
      '(a notebook of 2 cells; edit_file changes its JSON, which "raw" shows)\n\n--- cell 1 (markdown)\n# Title\ntext\n\n' +
        '--- cell 2 (code, id c1)\nprint(1)\n--- its output\n1\n<Figure>\n[image/png]',
    );
    expect(await call('read_file', { path: 'a.ipynb', raw: true })).toContain('{"cells":[');
  });

  it('are read to their end where a line is very long', async () => {
    const { call } = await openSession({ 'min.js': `a\n${'x'.repeat(50_000)}END\nb\n` });
    const shown = await call('read_file', { path: 'min.js' });
    expect(shown).toContain('(line 2 has 50003 characters; read on with line: 2, limit: 1, column: 2001)\n    3  b');
    const next = await call('read_file', { path: 'min.js', line: 2, limit: 1, column: 2001 });
    const [, column] = /column: (\d+)\)/.exec(next) ?? [];
    expect(await call('read_file', { path: 'min.js', line: 2, limit: 1, column })).toMatch(/^ {4}2 {2}x+END\n\(1 more/);
  });
});
