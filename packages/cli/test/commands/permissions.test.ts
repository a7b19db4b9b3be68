import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRememberedFile } from '../../src/permissions/remembered-file.ts';
import { useParley } from '../support/parley.ts';
import { asksPermission } from '../support/scripts.ts';

const parley = useParley();
const file = join(parley.home, 'state/parley/permissions.json');

/** The bundled model, which does what it is told. */
const OFFLINE = { PARLEY_MODEL: 'offline' };

const entry = (id: string, shown: string) =>
  ({
    id,
    effect: 'allow',
    scope: 'user',
    what: { type: 'rule', rule: 'Bash(npm test)' },
    shown,
    createdAt: '2026-01-01T00:00:00.000Z',
  }) as const;

describe('parley permissions explain', () => {
  const explain = async (...args: string[]) =>
    JSON.parse((await parley.run(['permissions', 'explain', '--json', ...args])).stdout);

  it('tells the decision, the rule and the part of the command that decided', async () => {
    expect(await explain('--rule', 'Bash(git *)', '--command', 'git status; rm -rf /')).toMatchObject({
      schema: 1,
      verdict: 'ask',
      part: 'rm -rf /',
      parts: [
        { text: 'git status', verdict: 'allow', rule: { text: 'Bash(git *)', effect: 'allow' } },
        { text: 'rm -rf /', verdict: 'ask' },
      ],
    });
    expect(
      await explain('--rule', 'Bash(git *)', '--rule', 'deny Bash(rm *)', '--command', 'git status; rm -rf /'),
    ).toMatchObject({
      verdict: 'deny',
      rule: { text: 'Bash(rm *)', effect: 'deny' },
      part: 'rm -rf /',
    });
  });

  it('names the constructs of the line and the form by which each program is known', async () => {
    const command = 'cd src && grep -n a *.ts | mytool > out.txt';
    expect(await explain('--rule', 'Bash(grep *)', '--command', command)).toMatchObject({
      grammar: ['list', 'change of folder', 'pipeline', 'simple command', 'glob', 'redirection'],
      programs: [
        { name: 'cd', form: 'own reader' },
        { name: 'grep', form: 'listed options' },
        { name: 'mytool', form: 'unknown' },
      ],
    });
    const { stdout } = await parley.run(['permissions', 'explain', '--command', 'x=1; echo $x']);
    expect(stdout).toContain('`x=1` sets a variable, so it cannot be checked.');
    expect(stdout).toContain('grammar:  list, assignment, simple command, other variable');
  });

  it('knows files, addresses, modes and the rules of the settings', async () => {
    expect(await explain('--kind', 'edit', '--path', 'a.ts')).toMatchObject({ verdict: 'ask' });
    expect(await explain('--kind', 'edit', '--path', 'a.ts', '--permission-mode', 'acceptEdits')).toMatchObject({
      verdict: 'allow',
    });
    expect(await explain('--url', 'https://example.com')).toMatchObject({ verdict: 'ask' });
    await parley.run(['config', 'set', 'permissions.deny', '["Read(.env)"]']);
    expect(await explain('--path', '.env')).toMatchObject({ verdict: 'deny' });
    expect(await explain('--path', '.env', '--only-rules')).toMatchObject({ verdict: 'ask' });
  });

  it('says where a rule cannot be read', async () => {
    const { code, stderr } = await parley.run(['permissions', 'explain', '--rule', 'Bash(git', '--command', 'ls']);
    expect(code).toBe(2);
    expect(stderr).toContain('column 9');
  });
});

describe('answers "always"', () => {
  it('are listed and revoked by the beginning of their id', async () => {
    mkdirSync(join(parley.home, 'state/parley'), { recursive: true });
    writeFileSync(file, JSON.stringify([entry('aaaa1111', 'run npm test'), entry('bbbb2222', 'run npm start')]));
    const { stdout } = await parley.run(['permissions', 'list']);
    expect(stdout).toContain('aaaa1111');
    expect(stdout).toContain('run npm start');
    expect(stdout).toMatch(/mode +built in +default: Approves nothing[\s\S]*allow +built in +Read\n/);
    expect((await parley.run(['permissions', 'revoke', 'aaaa'])).stdout).toBe('revoked: run npm test\n');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([entry('bbbb2222', 'run npm start')]);
    expect((await parley.run(['permissions', 'revoke', 'cccc'])).code).toBe(2);
  });

  it('of a session end with it, when it is closed, deleted or pruned', async () => {
    const agent = parley.agent({ on: { 'session/new': [{ do: 'respond', result: { sessionId: 'theirs' } }] } });
    const inSession = { ...entry('eeee5555', 'run npm test'), scope: 'session', belongsTo: 'theirs' };
    const other = { ...inSession, id: 'ffff6666', belongsTo: 'another' };
    const ways = { close: ['close'], delete: ['delete'], prune: ['--older-than', '0'] };
    for (const [verb, args] of Object.entries(ways)) {
      await parley.run(['sessions', 'new', '--agent', agent, '-s', verb]);
      const answers = [inSession, other].map((each) => ({ ...each, agent, folder: parley.folder }));
      writeFileSync(file, JSON.stringify(answers));
      expect((await parley.run(['sessions', verb, ...args])).code).toBe(0);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(answers.slice(1));
    }
  });

  it('decide the next time, and are kept to their owner', async () => {
    const asks = parley.agent({
      on: {
        'session/prompt': [asksPermission(), { do: 'respond', result: { stopReason: 'end_turn' } }],
      },
    });
    writeFileSync(file, '[]');
    expect((await parley.run(['exec', '--agent', asks, 'Hi'])).code).toBe(5);
    await createRememberedFile(file).save(entry('dddd', 'npm test'));
    expect((await parley.run(['exec', '--agent', asks, 'Hi'])).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // --deny-all stands above what is remembered, in whatever way a prompt is given.
    const denied = await parley.run(['exec', '--deny-all', '--agent', asks, 'Hi']);
    expect(denied.code).toBe(5);
    expect((await parley.run(['prompt', '--deny-all', '--agent', asks, 'Hi'])).code).toBe(5);
    const chat = await parley.run(['chat', '--plain', '--deny-all', '--agent', asks], { input: 'Hi\n1\n' });
    expect(chat.stdout).not.toContain('permission: waiting for you');
  });

  it('and rules of the settings count for nothing with --deny-all, for our own agent too', async () => {
    const runs = (...flags: string[]) => parley.run(['exec', ...flags, 'run touch made-by-agent'], { env: OFFLINE });
    const made = join(parley.folder, 'made-by-agent');
    await createRememberedFile(file).save({
      ...entry('eeee', 'touch made-by-agent'),
      what: { type: 'rule', rule: 'Bash(touch *)' },
    });
    expect((await runs('--deny-all')).code).toBe(5);
    expect(existsSync(made)).toBe(false);
    expect((await runs()).code).toBe(0);
    expect(existsSync(made)).toBe(true);
  });

  it('of many processes at once are all kept', async () => {
    const path = join(parley.home, 'many.json');
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const what = { type: 'rule', rule: `Bash(npm run ${index})` } as const;
        return createRememberedFile(path).save({ ...entry(`id${index}`, 'x'), what });
      }),
    );
    expect(await createRememberedFile(path).all()).toHaveLength(20);
  });

  it('are not guessed at when their file is damaged', async () => {
    writeFileSync(file, '[{"id": 1}]');
    const { code, stderr } = await parley.run(['permissions', 'list']);
    expect(code).toBe(2);
    expect(stderr).toContain('permissions.json cannot be read');
    writeFileSync(file, '[]');
  });
});
