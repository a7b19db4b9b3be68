import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, useServing } from '../support/serving.ts';

const serving = useServing();

describe('files', () => {
  it('are read and written for the agent within the session', async () => {
    const { answers, offered } = await serving.answersTo(
      [
        ask('fs/read_text_file', { path: join(serving.cwd, 'a.txt'), line: 2, limit: 1 }),
        ask('fs/write_text_file', { path: join(serving.cwd, 'new', 'b.txt'), content: 'hello' }),
        ask('fs/read_text_file', { path: join(serving.cwd, 'new', 'b.txt') }),
      ],
      { workspace: {} },
    );
    expect(offered).toMatchObject({ fs: { readTextFile: true, writeTextFile: true }, terminal: false });
    expect(answers).toEqual([{ result: { content: 'two\n' } }, { result: {} }, { result: { content: 'hello' } }]);
    expect(await readFile(join(serving.cwd, 'new', 'b.txt'), 'utf8')).toBe('hello');
  });

  it('that cannot be had are told with a code and a reason', async () => {
    const { answers } = await serving.answersTo(
      [
        ask('fs/read_text_file', { path: join(serving.cwd, 'missing.txt') }),
        ask('fs/read_text_file', { path: 'a.txt' }),
        ask('fs/read_text_file', { path: '/etc/passwd' }),
        ask('fs/read_text_file', { path: join(serving.cwd, 'a.txt'), line: 0 }),
        ask('fs/read_text_file', { path: join(serving.cwd, 'a.txt'), sessionId: 'other' }),
        ask('fs/write_text_file', { path: join(serving.cwd, 'x') }),
      ],
      { workspace: {} },
    );
    expect(answers.map(({ error }) => error?.code)).toEqual([-32002, -32602, -32603, -32602, -32002, -32602]);
    expect(answers[0]?.error?.data).toMatchObject({ reason: 'file_not_found' });
    expect(answers[2]?.error).toMatchObject({ data: { kind: 'permission_denied', reason: 'path_forbidden' } });
  });

  it('may be read only, or not offered at all', async () => {
    const write = ask('fs/write_text_file', { path: join(serving.cwd, 'x'), content: 'x' });
    const readOnly = await serving.answersTo([write], { workspace: { isReadOnly: true } });
    expect(readOnly.offered).toMatchObject({ fs: { readTextFile: true, writeTextFile: false } });
    expect(readOnly.answers).toMatchObject([{ error: { code: -32601 } }]);
    const none = await serving.answersTo([write], {});
    expect(none.offered).toMatchObject({ fs: { readTextFile: false, writeTextFile: false } });
    expect(none.answers).toMatchObject([{ error: { code: -32601 } }]);
  });

  it('that decide what may run later are only written when the person says so', async () => {
    const hook = join(serving.cwd, '.git', 'hooks', 'pre-commit');
    const steps = [ask('fs/write_text_file', { path: hook, content: 'evil' })];
    const nobody = await serving.answersTo(steps, { workspace: {} });
    expect(nobody.answers).toMatchObject([{ error: { data: { kind: 'permission_denied' } } }]);
    const questions: unknown[] = [];
    const allowed = await serving.answersTo(steps, {
      workspace: {},
      permissions: {
        ask: (question) => {
          questions.push(question);
          return 'allow';
        },
      },
    });
    expect(questions).toMatchObject([{ toolCall: { title: `Write ${hook}`, kind: 'edit' } }]);
    expect(allowed.answers).toEqual([{ result: {} }]);
  });

  it('that a rule asks about need a word of the person each time, whether or not the agent asks', async () => {
    const steps = [
      ask('fs/write_text_file', { path: join(serving.cwd, 'asked.txt'), content: 'x' }),
      ask('terminal/create', { command: 'rm', args: ['-f', join(serving.cwd, 'asked.txt')] }),
      ask('terminal/create', { command: 'rm', args: ['-f', join(serving.cwd, 'asked.txt')] }),
    ];
    const rules = { allow: ['Read'], ask: ['Edit(asked.txt)', 'Bash(rm *)'] };
    const offered = { workspace: {}, terminals: true };
    const nobody = await serving.answersTo(steps, { ...offered, permissions: { rules } });
    expect(nobody.answers.map(({ error }) => error?.data)).toMatchObject(
      steps.map(() => ({ kind: 'permission_denied' })),
    );
    const titles: unknown[] = [];
    const person = await serving.answersTo(steps, {
      ...offered,
      permissions: {
        rules,
        ask: ({ toolCall }) => {
          titles.push(toolCall.title);
          return titles.length < 3 ? 'allow' : 'reject';
        },
      },
    });
    const remove = `rm -f ${join(serving.cwd, 'asked.txt')}`;
    expect(titles).toEqual([`Write ${join(serving.cwd, 'asked.txt')}`, remove, remove]);
    expect(person.answers.map(({ error }) => error !== undefined)).toEqual([false, false, true]);
  });

  it('are not asked about twice when the agent has asked for permission itself', async () => {
    const toolCall = {
      toolCallId: 'c1',
      title: 'Remove it',
      kind: 'execute',
      rawInput: { command: 'rm -f asked.txt' },
    };
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const create = ask('terminal/create', { command: '/bin/sh', args: ['-c', 'rm -f asked.txt'] });
    const titles: unknown[] = [];
    const { answers } = await serving.answersTo(
      [ask('session/request_permission', { toolCall, options }), create, create],
      {
        terminals: true,
        permissions: {
          rules: { ask: ['Bash(rm *)'] },
          ask: (question) => {
            titles.push(question.toolCall.title);
            return titles.length === 1 ? 'allow' : 'reject';
          },
        },
      },
    );
    expect(titles).toEqual(['Remove it', '/bin/sh -c rm -f asked.txt']);
    expect(answers.map(({ error }) => error !== undefined)).toEqual([false, false, true]);
  });

  it('with names longer than any path, and commands that cannot be, are refused at once with a reason', async () => {
    const env = [{ name: 'A', value: 'a\u0000b' }];
    const { answers } = await serving.answersTo(
      [
        ask('fs/read_text_file', { path: `${serving.cwd}/$fill:400000` }),
        ask('terminal/create', { command: '' }),
        ask('terminal/create', { command: 'echo', args: ['a\u0000b'] }),
        ask('terminal/create', { command: 'echo', env }),
        ask('terminal/create', { command: 'echo', args: ['$fill:4000000'] }),
      ],
      { workspace: {}, terminals: true, permissions: { mode: 'bypassPermissions' } },
    );
    expect(answers.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602, -32602, -32602]);
    expect(answers[1]?.error?.message).toMatch(/its name is empty, or .* holds a NUL/);
    expect(answers[4]?.error?.message).toContain('longer than the system takes');
  });

  it('that a rule denies stay closed, whether or not the agent asks', async () => {
    const { answers } = await serving.answersTo(
      [
        ask('fs/read_text_file', { path: join(serving.cwd, 'a.txt') }),
        ask('terminal/create', { command: 'rm', args: ['-rf', serving.cwd] }),
      ],
      {
        workspace: {},
        terminals: true,
        permissions: { rules: { deny: ['Read(a.txt)', 'Bash(rm *)'] } },
      },
    );
    expect(answers.map(({ error }) => error?.data)).toMatchObject([
      { kind: 'permission_denied' },
      { kind: 'permission_denied' },
    ]);
  });
});
