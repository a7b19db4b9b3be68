import type { ClientSession, PermissionQuestion } from '@parley/client';
import type { FakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

const COMMANDS = ['run_command', 'command_output', 'stop_command'];
const READING = ['read_file', 'list_files', 'search_files'];
const CHANGING = ['edit_file', 'write_file', 'delete_file', 'move_file'];
const TALKING = ['task', 'update_plan', 'ask_user'];

/** The tools that the model may use when the person says something now: those of the list, less those it is warned of. */
async function toolsNow(session: ClientSession, server: FakeModelServer): Promise<readonly string[]> {
  server.add('Hello.');
  await session.prompt('hello').result;
  const { tools = [] } = server.requests.at(-1) ?? {};
  const unusable = unusableIn(server);
  return tools.filter((name) => !unusable.includes(name));
}

/** What the model was told last that it cannot use. */
function unusableIn(server: FakeModelServer): readonly string[] {
  const body = JSON.stringify(server.requests.at(-1)?.body);
  const [situation = ''] = body.match(/<situation>.*?<\/situation>/g)?.slice(-1) ?? [];
  return /Cannot be used now: ([^.]*)\./.exec(situation)?.[1]?.split(', ') ?? [];
}

describe('modes and presets', () => {
  it.each([
    ['code', 'full', [...READING, ...CHANGING, ...COMMANDS, 'fetch_url', ...TALKING]],
    ['ask', 'full', [...READING, ...CHANGING, ...COMMANDS, 'fetch_url', ...TALKING]],
    ['architect', 'full', [...READING, 'fetch_url', ...TALKING, 'exit_plan_mode']],
    ['code', 'read-only', [...READING, 'fetch_url', ...TALKING]],
    ['code', 'safe', [...READING, ...CHANGING, 'fetch_url', ...TALKING]],
    ['architect', 'safe', [...READING, 'fetch_url', ...TALKING, 'exit_plan_mode']],
    [
      'code',
      'sandbox',
      ['fetch_url', ...TALKING, ...[...READING, ...CHANGING, ...COMMANDS].map((name) => `sandbox_${name}`)],
    ],
    ['architect', 'sandbox', ['fetch_url', ...TALKING, 'exit_plan_mode', ...READING.map((name) => `sandbox_${name}`)]],
  ])('in %s with %s tools the model has these and no others', async (mode, preset, expected) => {
    const project = await makeProject();
    const { server, env } = await startModel();
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.setMode(mode);
    await session.setOption('preset', preset);
    expect([...(await toolsNow(session, server))].sort()).toEqual([...expected].sort());
  });

  it('refuse a call to a tool that the mode leaves out, however the model knows of it', async () => {
    const project = await makeProject();
    const { env } = await startModel({
      script: [{ events: [{ type: 'tool_call', name: 'write_file', input: { path: 'a', content: 'b' } }] }, 'Oh.'],
    });
    const connection = await startInProcess({ agent: { env, permissions: { mode: 'bypassPermissions' } } });
    const session = await connection.newSession({ cwd: project.path });
    await session.setMode('architect');
    const { toolCalls } = await session.prompt('write').result;
    expect(toolCalls).toMatchObject([{ status: 'failed' }]);
    await expect(project.read('a')).rejects.toThrow('ENOENT');
  });

  it('tell the model how to behave', async () => {
    const project = await makeProject();
    const { server, env } = await startModel();
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.setMode('architect');
    await toolsNow(session, server);
    expect(JSON.stringify(server.requests[0]?.body)).toContain('You are planning');
    await session.setMode('code');
    await session.setOption('preset', 'sandbox');
    await toolsNow(session, server);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('You work in a sandbox');
  });

  it('stay when the session is opened again, as do model and thinking', async () => {
    const project = await makeProject();
    const { server, env } = await startModel({ models: ['one', 'two'] });
    const connection = await startInProcess({ agent: { env: { ...env, PARLEY_MODEL: 'one' } } });
    const session = await connection.newSession({ cwd: project.path });
    await session.setMode('ask');
    await session.setOption('thinking', 'high');
    await session.setOption('preset', 'safe');
    await toolsNow(session, server);
    await session.close();
    const again = await connection.loadSession(session.id, { cwd: project.path });
    expect(again.transcript.mode?.currentModeId).toBe('ask');
    const values = again.transcript.options.map(({ id, currentValue }) => [id, currentValue]);
    expect(values).toContainEqual(['thinking', 'high']);
    expect(values).toContainEqual(['preset', 'safe']);
    expect(values).toContainEqual(['model', 'custom/one']);
  });
});

describe('permissions', () => {
  const edit = { type: 'tool_call', name: 'write_file', input: { path: 'a.txt', content: 'x' } } as const;
  const run = { type: 'tool_call', name: 'run_command', input: { command: 'node -p 1' } } as const;
  const look = { type: 'tool_call', name: 'run_command', input: { command: 'ls -la' } } as const;
  const read = { type: 'tool_call', name: 'read_file', input: { path: 'c.txt' } } as const;

  it.each([
    ['code', 'default', ['Write a.txt', 'node -p 1']],
    ['code', 'acceptEdits', ['node -p 1']],
    ['code', 'bypassPermissions', []],
    ['code', 'plan', []],
    ['ask', 'acceptEdits', ['Write a.txt', 'node -p 1', 'ls -la']],
  ])('in %s with %s ask for exactly what they should', async (mode, permission, expected) => {
    const project = await makeProject({ 'c.txt': 'c' });
    const { env } = await startModel({ script: [{ events: [read, edit, run, look] }, 'Done.'] });
    const asked: string[] = [];
    const connection = await startInProcess({
      agent: { env },
      permissions: {
        ask: ({ toolCall }) => {
          asked.push(toolCall.title ?? '');
          return 'allow';
        },
      },
    });
    const session = await connection.newSession({ cwd: project.path });
    await session.setMode(mode);
    await session.setOption('permissions', permission);
    const { toolCalls } = await session.prompt('go').result;
    expect(asked).toEqual(expected);
    const isPlan = permission === 'plan';
    expect(toolCalls.map(({ status }) => status)).toEqual(
      isPlan ? ['completed', 'failed', 'failed', 'failed'] : ['completed', 'completed', 'completed', 'completed'],
    );
  });

  it('never ask once tools are approved automatically, but deny rules hold', async () => {
    const project = await makeProject({ '.env': 'SECRET=1' });
    const secret = { type: 'tool_call', name: 'read_file', input: { path: '.env' } } as const;
    const { env } = await startModel({ script: [{ events: [edit, run, secret] }, 'Done.'] });
    const connection = await startInProcess({ agent: { env, permissions: { rules: ['deny Read(.env)'] } } });
    const session = await connection.newSession({ cwd: project.path });
    await session.setOption('autoApproveTools', true);
    const { toolCalls } = await session.prompt('go').result;
    expect(toolCalls.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
  });

  it('do not let a failing edit tell what may not be read', async () => {
    const project = await makeProject({ '.env': 'SECRET = 12345\n' });
    const { env, server } = await startModel({
      script: [
        {
          events: [
            {
              type: 'tool_call',
              name: 'edit_file',
              input: { path: '.env', old_text: 'secret  = 12345', new_text: 'x' },
            },
          ],
        },
        'Done.',
      ],
    });
    const connection = await startInProcess({ agent: { env, permissions: { rules: ['deny Read(.env)'] } } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('go').result;
    expect(JSON.stringify(server.requests[1]?.body)).not.toContain('SECRET = 12345');
  });

  it('remember an answer with "always" for what it covers, and not for more', async () => {
    const project = await makeProject();
    const command = (line: string) => ({ type: 'tool_call' as const, name: 'run_command', input: { command: line } });
    const { env } = await startModel({
      script: [{ events: [command('node -p 1'), command('node -p 1'), command('node -p 1; rm -rf x')] }, 'Done.'],
    });
    const asked: PermissionQuestion[] = [];
    const connection = await startInProcess({
      agent: { env },
      permissions: {
        ask: (question) => {
          asked.push(question);
          return asked.length === 1 ? 'allow_always' : 'reject';
        },
      },
    });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls } = await session.prompt('go').result;
    expect(asked.map(({ toolCall }) => toolCall.title)).toEqual(['node -p 1', 'node -p 1; rm -rf x']);
    expect(toolCalls.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
  });

  it('carry the level and how to undo it', async () => {
    const project = await makeProject({ 'a.txt': 'x' });
    const { env } = await startModel({
      script: [{ events: [{ type: 'tool_call', name: 'delete_file', input: { path: 'a.txt' } }] }, 'Done.'],
    });
    const metas: unknown[] = [];
    const connection = await startInProcess({
      agent: { env },
      permissions: {
        ask: ({ toolCall }) => {
          metas.push(toolCall.meta);
          return 'reject';
        },
      },
    });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('go').result;
    expect(metas).toMatchObject([
      { safetyLevel: 3, approvalHints: { rollbackSteps: expect.stringContaining('/undo') } },
    ]);
    expect(await project.read('a.txt')).toBe('x');
  });
});

describe('planning first', () => {
  const plan = '1. Write a.txt';
  const script = [
    { events: [{ type: 'tool_call', name: 'exit_plan_mode', input: { plan } }] },
    { events: [{ type: 'tool_call', name: 'write_file', input: { path: 'a.txt', content: 'x' } }] },
    'Done.',
  ] as const;

  it.each([
    ['acceptEdits', 'code', 'acceptEdits', 1],
    ['default', 'code', 'default', 2],
  ])('goes on in code with the permission that the person chose: %s', async (optionId, mode, permission, questions) => {
    const project = await makeProject();
    const { env, server } = await startModel({ script });
    const asked: PermissionQuestion[] = [];
    const connection = await startInProcess({
      agent: { env },
      permissions: {
        ask: (question) => {
          asked.push(question);
          return question.toolCall.kind === 'switch_mode' ? { optionId } : 'allow';
        },
      },
    });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls, text } = await session.prompt('/plan write a.txt').result;
    expect(text).toBe('Done.');
    expect(asked).toHaveLength(questions);
    expect(asked[0]?.toolCall).toMatchObject({ kind: 'switch_mode', title: 'Carry out this plan?' });
    expect(JSON.stringify(asked[0]?.toolCall.content)).toContain(plan);
    expect(asked[0]?.options.map(({ kind }) => kind)).toEqual(['allow_always', 'allow_once', 'reject_once']);
    expect(toolCalls.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'switch_mode completed',
      'edit completed',
    ]);
    expect(await project.read('a.txt')).toBe('x');
    expect(session.transcript.mode?.currentModeId).toBe(mode);
    expect(session.transcript.options.find(({ id }) => id === 'permissions')?.currentValue).toBe(permission);
    expect(JSON.stringify(server.requests[0]?.body)).toContain('You are planning');
    expect(unusableIn(server)).toEqual(['exit_plan_mode']);
    // Thoughts are bound to the beginning of a request, so it stays the same.
    expect(server.requests[1]?.tools).toEqual(server.requests[0]?.tools);
  });

  it('stays in architect when the person wants to keep planning', async () => {
    const project = await makeProject();
    const { env } = await startModel({ script: [script[0], 'What should be different?'] });
    const connection = await startInProcess({ agent: { env }, permissions: { ask: () => ({ optionId: 'plan' }) } });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls } = await session.prompt('/plan write a.txt').result;
    expect(toolCalls).toMatchObject([{ kind: 'switch_mode', status: 'failed' }]);
    expect(session.transcript.mode?.currentModeId).toBe('architect');
  });

  it('works with the permission mode plan as it does with architect', async () => {
    const project = await makeProject();
    const { env } = await startModel({ script });
    const connection = await startInProcess({ agent: { env }, permissions: { ask: () => 'allow' } });
    const session = await connection.newSession({ cwd: project.path });
    await session.setOption('permissions', 'plan');
    await session.prompt('write a.txt').result;
    expect(await project.read('a.txt')).toBe('x');
    expect(session.transcript.options.find(({ id }) => id === 'permissions')?.currentValue).toBe('default');
  });
});
