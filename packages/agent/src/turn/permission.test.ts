import { createMemoryRemembered, TOOL_PRESETS } from '@parley/policy';
import type { PermissionOption } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { connectRawClient, type RawClient, testAgent } from '../../test/raw-client.ts';
import type { Agent, AskPermissionOptions, NewToolCall, PermissionDecision, PermissionSettings } from '../index.ts';

interface Asked {
  readonly toolCall: Record<string, unknown>;
  readonly options: PermissionOption[];
}

const command = (line: string): NewToolCall => ({ title: line, kind: 'execute', rawInput: { command: line } });

/** An agent that asks for whatever tool call a test puts before it, and a client that answers by a list. */
async function asking(permissions: PermissionSettings, configure: (built: Agent) => void = () => {}) {
  let next: { call: NewToolCall; options: AskPermissionOptions } = { call: command('ls'), options: {} };
  let decision: PermissionDecision | undefined;
  const { built, diagnostics } = testAgent({ permissions });
  configure(built);
  built.onPrompt(async (turn) => {
    const call = turn.toolCall(next.call);
    decision = await turn.askPermission(call, next.options);
    if (decision.allowed) call.complete();
    else call.fail(decision.because);
  });
  const asked: Asked[] = [];
  const connect = async (choose: (options: PermissionOption[]) => string | undefined) => {
    const client = connectRawClient(built);
    client.connection.onRequest('session/request_permission', ({ params }) => {
      const question = params as Asked;
      asked.push(question);
      const optionId = choose(question.options);
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    });
    await client.initialize();
    return client;
  };
  const ask = async (client: RawClient, sessionId: string, call: NewToolCall, options: AskPermissionOptions = {}) => {
    next = { call, options };
    await client.prompt(sessionId, 'go');
    return decision as PermissionDecision;
  };
  return { connect, ask, asked, diagnostics };
}

const always = (options: PermissionOption[]): string | undefined =>
  options.find(({ kind }) => kind === 'allow_always')?.optionId;
const never = (options: PermissionOption[]): string | undefined =>
  options.find(({ kind }) => kind === 'reject_always')?.optionId;

describe('askPermission', () => {
  it('answers by rule without a question, and says which rule', async () => {
    const { connect, ask, asked } = await asking({ rules: ['Bash(git status)', 'deny Bash(rm *)'] });
    await using client = await connect(() => 'reject_once');
    const { sessionId } = await client.newSession();
    const allowed = await ask(client, sessionId, command('git status'));
    expect(allowed).toMatchObject({ allowed: true, asked: false });
    expect(allowed.because).toContain('Bash(git status)');
    expect(await ask(client, sessionId, command('rm -rf /'))).toMatchObject({ allowed: false, asked: false });
    expect(await ask(client, sessionId, command('git status; rm -rf /'))).toMatchObject({
      allowed: false,
      asked: false,
    });
    expect(asked).toEqual([]);
    expect(await ask(client, sessionId, command('git push'))).toMatchObject({ allowed: false, asked: true });
    expect(asked).toHaveLength(1);
  });

  it('asks the person when no rule says anything, and shows the whole call', async () => {
    const { connect, ask, asked } = await asking({});
    await using client = await connect(() => 'allow_once');
    const { sessionId } = await client.newSession();
    expect(await ask(client, sessionId, { ...command('npm test'), locations: ['package.json'] })).toMatchObject({
      allowed: true,
      asked: true,
      optionId: 'allow_once',
    });
    expect(asked[0]?.toolCall).toMatchObject({
      title: 'npm test',
      kind: 'execute',
      status: 'pending',
      rawInput: { command: 'npm test' },
      locations: [{ path: '/proj/project/package.json' }],
    });
    expect(asked[0]?.options.map(({ kind }) => kind)).toEqual([
      'allow_once',
      'allow_always',
      'allow_always',
      'reject_once',
      'reject_always',
    ]);
  });

  it('remembers an always for exactly what was shown, in that session only', async () => {
    const { connect, ask, asked } = await asking({});
    await using client = await connect(always);
    const { sessionId } = await client.newSession();
    expect(await ask(client, sessionId, command('npm test'))).toMatchObject({ allowed: true, remembered: true });
    expect(await ask(client, sessionId, command('npm test'))).toMatchObject({ allowed: true, asked: false });
    expect(asked).toHaveLength(1);
    await ask(client, sessionId, command('npm test -- --watch'));
    expect(asked).toHaveLength(2);
    const { sessionId: other } = await client.newSession();
    await ask(client, other, command('npm test'));
    expect(asked).toHaveLength(3);
  });

  it('asks no more about edits, or about commands that begin so, once they are allowed in the session', async () => {
    const { connect, ask, asked } = await asking({});
    await using client = await connect(
      (options) => options.find(({ optionId }) => /^allow_(edits|commands)_session$/.test(optionId))?.optionId,
    );
    const { sessionId } = await client.newSession();
    const edit = (path: string) => ({ title: `Edit ${path}`, kind: 'edit' as const, locations: [path] });
    for (const path of ['src/a.ts', 'src/b.ts']) await ask(client, sessionId, edit(path));
    for (const line of ['npm test -- a', 'npm test -- b']) await ask(client, sessionId, command(line));
    expect(asked).toHaveLength(2);
    const { sessionId: other } = await client.newSession();
    await ask(client, other, edit('src/a.ts'));
    expect(asked).toHaveLength(3);
  });

  it('remembers for the project where answers are stored, and rejections too', async () => {
    const remembered = createMemoryRemembered();
    const { connect, ask, asked } = await asking({ remembered });
    await using client = await connect(
      (options) => options.find(({ optionId }) => optionId === 'allow_always_project')?.optionId,
    );
    const { sessionId } = await client.newSession();
    await ask(client, sessionId, command('make'));
    const { sessionId: other } = await client.newSession();
    expect(await ask(client, other, command('make'))).toMatchObject({ allowed: true, asked: false });
    expect(asked).toHaveLength(1);
    await using refusing = await connect(never);
    const { sessionId: third } = await refusing.newSession();
    expect(await ask(refusing, third, command('curl x'))).toMatchObject({ allowed: false, remembered: true });
    expect(await ask(refusing, third, command('curl x'))).toMatchObject({ allowed: false, asked: false });
    expect(await remembered.list({ sessionId: third, project: '/proj/project' })).toHaveLength(2);
  });

  it('heeds the permission mode of the session mode, as the person switches it', async () => {
    const { connect, ask, asked } = await asking({}, (built) => {
      built
        .mode({ id: 'careful', name: 'Careful' })
        .mode({ id: 'edits', name: 'Edits', permissions: 'acceptEdits' })
        .mode({ id: 'plan', name: 'Plan', permissions: 'plan' })
        .mode({ id: 'look', name: 'Look', permissions: 'bypassPermissions', tools: TOOL_PRESETS['read-only'] });
    });
    await using client = await connect(() => 'reject_once');
    const { sessionId } = await client.newSession();
    const edit: NewToolCall = { title: 'Edit a.ts', kind: 'edit', locations: ['a.ts'] };
    const outcomes: unknown[] = [];
    for (const modeId of ['careful', 'edits', 'plan', 'look']) {
      await client.request('session/set_mode', { sessionId, modeId });
      const { allowed, asked: wasAsked } = await ask(client, sessionId, edit);
      outcomes.push([modeId, allowed, wasAsked]);
    }
    expect(outcomes).toEqual([
      ['careful', false, true],
      ['edits', true, false],
      ['plan', false, false],
      ['look', false, false],
    ]);
    expect(asked).toHaveLength(1);
  });

  it('puts options of the author, and gives back which was chosen', async () => {
    const { connect, ask } = await asking({});
    await using client = await connect(() => 'later');
    const { sessionId } = await client.newSession();
    const options: PermissionOption[] = [
      { optionId: 'now', name: 'Now', kind: 'allow_once' },
      { optionId: 'later', name: 'Later', kind: 'reject_once' },
    ];
    expect(await ask(client, sessionId, command('deploy'), { options })).toMatchObject({
      allowed: false,
      optionId: 'later',
    });
  });

  it('carries the level and the hints of a tool with the question', async () => {
    const { connect, ask, asked } = await asking({});
    await using client = await connect(() => undefined);
    const { sessionId } = await client.newSession();
    const hints = { rollbackSteps: 'git revert', alternativePlan: 'a branch' };
    const decision = await ask(client, sessionId, command('git push'), { request: { level: 3, hints } });
    expect(decision).toEqual({ allowed: false, because: 'Nobody answered the question.', asked: true });
    expect(asked[0]?.toolCall._meta).toEqual({ safetyLevel: 3, approvalHints: hints });
  });

  it('carries what is registered of a tool', async () => {
    const hints = { rollbackSteps: 'git revert' };
    const { connect, ask, asked } = await asking(
      {},
      (built) => void built.tool({ name: 'push', kind: 'execute', level: 4, hints }),
    );
    await using client = await connect(() => 'reject_once');
    const { sessionId } = await client.newSession();
    await ask(client, sessionId, { name: 'push', rawInput: { command: 'git push' } });
    expect(asked[0]?.toolCall).toMatchObject({ title: 'push', _meta: { safetyLevel: 4, approvalHints: hints } });
  });

  it('means no when the client cannot be asked', async () => {
    const { connect, ask, diagnostics } = await asking({});
    await using client = await connect(() => {
      throw new Error('no window');
    });
    const { sessionId } = await client.newSession();
    expect(await ask(client, sessionId, command('ls'))).toMatchObject({ allowed: false, asked: true });
    expect(diagnostics.map(({ kind }) => kind)).toContain('permission_failed');
  });
});
