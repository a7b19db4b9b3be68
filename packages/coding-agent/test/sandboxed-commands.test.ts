import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionMode } from '@parley/policy';
import { bubblewrap, needs } from '@parley/testing/needs';
import { describe, expect, it } from 'vitest';
import type { CodingAgentOptions } from '../src/coding-agent-options.ts';
import { makeProject, startInProcess, startModel } from './in-process.ts';

const BUBBLEWRAP = bubblewrap();

interface SessionSetup {
  readonly mode?: PermissionMode;
  readonly sandbox?: CodingAgentOptions['sandbox'];
  readonly answer?: 'allow' | 'reject';
  readonly files?: Readonly<Record<string, string>>;
}

/** A session whose model makes one call per prompt, and the questions that the user was asked. */
async function openSession({ mode, sandbox, answer = 'allow', files = {} }: SessionSetup = {}) {
  const project = await makeProject({ 'a.txt': 'mine\n', ...files });
  const { env, server } = await startModel({ script: [] });
  const questions: string[] = [];
  const connection = await startInProcess({
    agent: { env, ...(mode && { permissions: { mode } }), ...(sandbox && { sandbox }) },
    permissions: {
      ask: ({ toolCall }) => {
        questions.push(toolCall.title ?? '');
        return answer;
      },
    },
  });
  const session = await connection.newSession({ cwd: project.path });
  const run = async (command: string, input: object = {}): Promise<string> => {
    server.add({ events: [{ type: 'tool_call', name: 'run_command', input: { command, ...input } }] }, 'Done.');
    await session.prompt('go').result;
    const body = server.requests.at(-1)?.body as { messages: { role: string; content: string }[] } | undefined;
    return body?.messages.findLast(({ role }) => role === 'tool')?.content ?? '';
  };
  const setting = () => session.transcript.options.find(({ id }) => id === 'sandbox')?.currentValue;
  const shown = () => JSON.stringify(session.transcript);
  return { project, run, questions, setting, shown };
}

describe('a command that nobody was asked about', needs(BUBBLEWRAP), () => {
  it('runs in the sandbox, without a word of it where it works', async () => {
    const { run, questions, setting } = await openSession();
    expect(await run('cat a.txt; ps -e | wc -l')).toMatch(/^mine\n\d\n\(exit code 0\)$/);
    expect(questions).toEqual([]);
    expect(setting()).toBe('unasked');
  });

  it('works in a repository as before', async () => {
    const { run, project } = await openSession({ mode: 'bypassPermissions' });
    await run('git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm first && touch a.txt');
    expect(await run('git status --short && git log --oneline | wc -l')).toBe('1\n(exit code 0)');
    expect(existsSync(join(project.path, '.git/index.lock'))).toBe(false);
  });

  it('changes the workspace with acceptEdits, and no protected names', async () => {
    const { run, project, questions } = await openSession({ mode: 'acceptEdits', files: { 'hook.json': '{}' } });
    expect(await run('mkdir sub && mv a.txt sub/b.txt')).toContain('(exit code 0)');
    expect(await project.read('sub/b.txt')).toBe('mine\n');
    expect(questions).toEqual([]);
  });
});

describe('a command that the user allowed', needs(BUBBLEWRAP), () => {
  it('runs outside the sandbox', async () => {
    const { run, project, questions } = await openSession();
    expect(await run('touch made')).toContain('(exit code 0)');
    expect(existsSync(join(project.path, 'made'))).toBe(true);
    expect(questions).toEqual(['touch made']);
  });

  it('runs in the sandbox with the setting `always`, and may change the workspace but no protected names', async () => {
    const { run, project, shown } = await openSession({ sandbox: 'always' });
    expect(await run('touch made && mkdir .vscode && touch .vscode/tasks.json')).toContain(
      `The sandbox moved new files with protected names to: ${join(project.path, '.vscode.blocked-1')}`,
    );
    expect(existsSync(join(project.path, 'made'))).toBe(true);
    expect(existsSync(join(project.path, '.vscode'))).toBe(false);
    expect(await run('touch /var/tmp/parley-made')).toContain(
      'It ran in a sandbox: it can change files of the workspace',
    );
    expect(shown()).toContain('It ran in a sandbox, which may be why it failed');
    expect(existsSync('/var/tmp/parley-made')).toBe(false);
  });

  it('runs outside with the setting `off`', async () => {
    const { run } = await openSession({ sandbox: 'off' });
    process.env.PARLEY_TEST_PLACE = 'outside';
    const text = await run('echo $PARLEY_TEST_PLACE');
    delete process.env.PARLEY_TEST_PLACE;
    expect(text).toBe('outside\n(exit code 0)');
  });
});

describe('a command that asks to leave the sandbox', needs(BUBBLEWRAP), () => {
  it('is put to the user each time, though a built-in rule allows it', async () => {
    const { run, questions } = await openSession();
    expect(await run('cat a.txt', { outside_sandbox: true })).toBe('mine\n(exit code 0)');
    await run('cat a.txt', { outside_sandbox: true });
    expect(questions).toEqual(['Outside the sandbox: cat a.txt', 'Outside the sandbox: cat a.txt']);
  });

  it('does not run when the user rejects it', async () => {
    const { run } = await openSession({ answer: 'reject' });
    expect(await run('cat a.txt', { outside_sandbox: true })).toContain('Not allowed');
  });
});

describe('a machine without a sandbox', () => {
  it('runs the command outside, and shows that in the settings of the session', async () => {
    const path = process.env.PATH;
    const { run, setting } = await openSession();
    process.env.PATH = '/nowhere';
    const said = await run('echo here').finally(() => {
      process.env.PATH = path;
    });
    expect(said).toBe('here\n(exit code 0)');
    expect(setting()).toBe('unavailable');
  });
});
