import { describe, expect, it } from 'vitest';
import {
  createMemoryRemembered,
  createPolicy,
  decide,
  forgetSession,
  holdsAt,
  offerOptions,
  parseRemembered,
  type Remembered,
  readAnswer,
  readOptions,
  rememberedFrom,
  type ToolRequest,
} from '../index.ts';
import { requestKey } from '../memory/request-key.ts';

const workspace = { cwd: '/proj/app' };
const push: ToolRequest = { tool: 'Bash', kind: 'execute', command: { type: 'line', line: 'git push origin main' } };
const createdAt = '2025-01-01T00:00:00Z';

function answer(request: ToolRequest, optionId: string, rules: readonly string[] = []): Remembered | undefined {
  const offered = offerOptions(request, decide(createPolicy({ workspace, rules }), request), workspace.cwd, [
    'session',
    'project',
    'user',
  ]);
  const { chosen } = readAnswer(offered, { outcome: 'selected', optionId });
  return (
    chosen && rememberedFrom(chosen, { id: optionId, createdAt, place: { sessionId: 's1', project: '/proj/app' } })
  );
}

describe('a remembered decision', () => {
  it('says in its option what it will cover, and covers that', () => {
    const entry = answer(push, 'allow_always_session');
    expect(entry).toMatchObject({
      effect: 'allow',
      scope: 'session',
      belongsTo: 's1',
      shown: '`git push origin main`',
    });
    const policy = createPolicy({ workspace, remembered: entry ? [entry] : [] });
    expect(decide(policy, push)).toMatchObject({
      verdict: 'allow',
      reason: 'remembered',
      because: 'You allowed this always: `git push origin main`.',
    });
    expect(decide(policy, { ...push, command: { type: 'line', line: 'git push origin main --force' } }).verdict).toBe(
      'ask',
    );
    expect(decide(policy, { ...push, cwd: 'other' }).verdict).toBe('ask');
  });

  it('can be a rejection, which comes before an approval', () => {
    const entries = [answer(push, 'allow_always_session'), answer(push, 'reject_always_session')].filter(
      (entry) => entry !== undefined,
    );
    expect(decide(createPolicy({ workspace, remembered: entries, rules: ['Bash'] }), push)).toMatchObject({
      verdict: 'deny',
      reason: 'remembered',
    });
  });

  it('is not offered where a rule asks every time, and does not overrule it', () => {
    const rules = ['ask Bash(git push *)'];
    expect(answer(push, 'allow_always_session', rules)).toBeUndefined();
    const entry = answer(push, 'allow_always_session');
    expect(decide(createPolicy({ workspace, rules, remembered: entry ? [entry] : [] }), push).verdict).toBe('ask');
  });

  it('is not offered for what is too long to be shown whole', () => {
    const long: ToolRequest = { ...push, command: { type: 'line', line: `echo ${'x'.repeat(1000)}` } };
    expect(answer(long, 'allow_always_session')).toBeUndefined();
  });

  it("of an agent's own option is exactly this request; an approval only where it would count and was seen whole", () => {
    const options = [
      { optionId: 'yes', name: 'Always', kind: 'allow_always' },
      { optionId: 'no', name: 'Never', kind: 'reject_always' },
      { optionId: 'once', name: 'Once', kind: 'allow_once' },
      { optionId: 'hour', name: 'For an hour', kind: 'allow_hour_always' as never },
    ] as const;
    const long: ToolRequest = { ...push, command: { type: 'line', line: `echo ${'x'.repeat(1000)}` } };
    const keep = (request: ToolRequest, optionId: string, rules: readonly string[] = []) => {
      const decision = decide(createPolicy({ workspace, rules }), request);
      const offered = readOptions(options, { request, decision, scope: 'session', cwd: workspace.cwd });
      const { chosen } = readAnswer(offered, { outcome: 'selected', optionId });
      return (
        chosen && rememberedFrom(chosen, { id: optionId, createdAt, place: { sessionId: 's1', project: '/proj/app' } })
      );
    };
    expect(keep(push, 'yes')).toEqual({ ...answer(push, 'allow_always_session'), id: 'yes' });
    expect(keep(push, 'no')).toMatchObject({ effect: 'deny', what: answer(push, 'allow_always_session')?.what });
    expect(keep(push, 'once')).toBeUndefined();
    expect(keep(push, 'hour')).toBeUndefined();
    expect(keep(push, 'yes', ['ask Bash(git push *)'])).toBeUndefined();
    expect(keep(push, 'no', ['ask Bash(git push *)'])).toMatchObject({ effect: 'deny' });
    expect(keep(long, 'yes')).toBeUndefined();
    expect(keep(long, 'no')).toMatchObject({ effect: 'deny' });
  });

  it('belongs to a session or project, and is not kept where that is not known', () => {
    const decision = decide(createPolicy({ workspace }), push);
    const [, session, project] = offerOptions(push, decision, workspace.cwd);
    expect(session && rememberedFrom(session, { id: '1', createdAt, place: { project: '/proj/app' } })).toBeUndefined();
    expect(project && rememberedFrom(project, { id: '1', createdAt, place: { sessionId: 's1' } })).toBeUndefined();
  });

  it('holds in its session, its project, or everywhere', () => {
    const [session, project, user] = ['session', 'project', 'user'].map((scope) =>
      answer(push, `allow_always_${scope}`),
    );
    expect(session && holdsAt(session, { sessionId: 's1', project: '/proj/app' })).toBe(true);
    expect(session && holdsAt(session, { sessionId: 's2', project: '/proj/app' })).toBe(false);
    expect(project && holdsAt(project, { project: '/proj/app' })).toBe(true);
    expect(project && holdsAt(project, { project: '/proj/other' })).toBe(false);
    expect(user && holdsAt(user, {})).toBe(true);
    const elsewhere = createPolicy({ workspace: { cwd: '/somewhere' }, remembered: user ? [user] : [] });
    expect(decide(elsewhere, push).verdict).toBe('allow');
  });

  it('can be a rule that the person was shown as a rule', () => {
    const entry: Remembered = {
      id: 'r',
      effect: 'allow',
      scope: 'user',
      what: { type: 'rule', rule: 'Bash(npm run *)' },
      shown: 'Bash(npm run *)',
      createdAt,
    };
    expect(
      decide(createPolicy({ workspace, remembered: [entry] }), {
        ...push,
        command: { type: 'line', line: 'npm run build' },
      }).verdict,
    ).toBe('allow');
  });

  it('tells one use of a foreign tool from another', () => {
    const tool = (input: unknown): ToolRequest => ({ tool: 'mcp__db__query', input });
    expect(requestKey(tool({ a: 1, b: 2 }), '/x')).toBe(requestKey(tool({ b: 2, a: 1 }), '/x'));
    expect(requestKey(tool({ sql: 'select' }), '/x')).not.toBe(requestKey(tool({ sql: 'drop' }), '/x'));
  });
});

describe('an answer for a session', () => {
  it('is for that session of that agent in that folder, and for no other of the same id', () => {
    const [, forSession] = offerOptions(push, decide(createPolicy({ workspace }), push), workspace.cwd);
    const place = { sessionId: 's1', project: '/proj/app', agent: 'codex' };
    const entry = forSession && rememberedFrom(forSession, { id: '1', createdAt, place });
    expect(entry).toMatchObject({ belongsTo: 's1', agent: 'codex', folder: '/proj/app' });
    const holds = (other: object) => entry !== undefined && holdsAt(entry, { ...place, ...other });
    expect([holds({}), holds({ agent: 'gemini' }), holds({ project: '/proj/other' })]).toEqual([true, false, false]);
    expect(parseRemembered(JSON.parse(JSON.stringify(entry)))).toEqual(entry);
  });

  it('is forgotten when a new session has its id', async () => {
    const store = createMemoryRemembered();
    const place = { sessionId: 's1', project: '/proj/app' };
    for (const scope of ['session', 'project', 'user']) {
      const entry = answer(push, `allow_always_${scope}`);
      if (entry) await store.save(entry);
    }
    await forgetSession(store, place);
    expect((await store.list(place)).map(({ scope }) => scope)).toEqual(['project', 'user']);
  });
});

describe('the store in memory', () => {
  it('lists what holds at a place and revokes by id', async () => {
    const store = createMemoryRemembered();
    const entry = answer(push, 'allow_always_project');
    if (entry) await store.save(entry);
    expect(await store.list({ project: '/proj/app' })).toEqual([entry]);
    expect(await store.list({ project: '/proj/other' })).toEqual([]);
    expect(await store.remove('allow_always_project')).toBe(true);
    expect(await store.remove('allow_always_project')).toBe(false);
    expect(await store.list({ project: '/proj/app' })).toEqual([]);
  });
});

describe('parseRemembered', () => {
  it('reads what was written and refuses anything else with its path', () => {
    const entry = answer(push, 'allow_always_user');
    expect(parseRemembered(JSON.parse(JSON.stringify(entry)))).toEqual(entry);
    expect(() => parseRemembered({ ...entry, effect: 'maybe' })).toThrow('effect: expected "allow" or "deny"');
    expect(() => parseRemembered({ ...entry, what: { type: 'rule', rule: 'Bash(' } })).toThrow('column');
    expect(() => parseRemembered(null)).toThrow('an object');
  });
});
