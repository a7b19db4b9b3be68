import { chownSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs, ROOT } from '@parley/testing/needs';
import { sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const file = join(parley.home, 'config/parley/config.json');

describe('parley config', () => {
  it('sets, gets and unsets values, and keeps the file to its owner', async () => {
    const set = await parley.run(['config', 'set', 'permissions.allow', '["Bash(git *)"]']);
    expect(set.stdout).toBe(`permissions.allow is ["Bash(git *)"] now, in ${file}\n`);
    expect((await parley.run(['--format', 'quiet', 'config', 'set', 'format', 'quiet'])).stdout).toBe('');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      permissions: { allow: ['Bash(git *)'] },
      format: 'quiet',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await parley.run(['config', 'get', 'format'])).stdout).toBe('quiet\n');
    const unset = await parley.run(['config', 'unset', 'format']);
    expect(unset.stdout).toBe(`format is no longer set in ${file}\n`);
    await parley.run(['config', 'unset', 'permissions']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
  });

  it.each([
    ['an unknown key', ['config', 'set', 'fromat', 'text'], 'Did you mean "format"'],
    ['a wrong value', ['config', 'set', 'format', 'xml'], 'format: expected one of text, json, quiet'],
    ['a wrong value deep inside', ['config', 'set', 'agents.x.args', '"no list"'], 'agents.x.args: expected a list'],
    ['a key that is not set', ['config', 'get', 'model'], 'not set'],
  ])('refuses %s', async (_name, args, hint) => {
    const { code, stderr } = await parley.run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(hint);
  });

  it('says where a broken settings file is wrong', async () => {
    mkdirSync(join(parley.home, 'config/parley'), { recursive: true });
    writeFileSync(file, '{"timeut": 3, "agents": {"a": {"command": 7}}}');
    const { code, stderr } = await parley.run(['exec', 'Hi']);
    expect(code).toBe(2);
    expect(stderr).toContain('timeut: is not a setting; did you mean "timeout"?');
    expect(stderr).toContain('agents.a.command: expected a string');
    writeFileSync(file, '{\n  "timeout": 3,\n  "format": }\n');
    expect((await parley.run(['exec', 'Hi'])).stderr).toContain('is not JSON: line 3, column 13: expected a value.\n');
    writeFileSync(file, '{}');
  });

  it('shows everything that holds, and where it comes from', async () => {
    writeFileSync(file, '{"format":"quiet"}');
    const { stdout } = await parley.run(['config', 'show', '--format', 'json']);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'quiet',
      defaultAgent: 'parley',
      authPolicy: 'skip',
      paths: { global: file, project: null },
      loaded: { global: true, project: false },
    });
    writeFileSync(file, '{}');
  });

  it('tells no secret, but where it comes from, unless that very setting is asked for', async () => {
    const set = (key: string, value: string, ...flags: string[]) => parley.run(['config', 'set', key, value, ...flags]);
    const told = [
      await set(
        'agents.far',
        `{"url":"wss://far.example/acp","headers":{"X-Team":"hush-1","Authorization":"Bearer \${T}"}}`,
      ),
      await set('agents.far.token', 'hush-2', '--json'),
      await set('mcpServers', '{"git":{"command":"git-mcp","args":["--api-key","hush-3"],"env":{"A":"hush-4"}}}'),
      await parley.run(['config', 'show']),
      await parley.run(['config']),
      await parley.run(['config', 'get', 'agents.far', '--json']),
    ].map(({ stdout, stderr }) => stdout + stderr);
    expect(told.join()).not.toContain('hush');
    expect(told[0]).toContain(`"X-Team":"[redacted]","Authorization":"Bearer \${T}"`);
    expect(JSON.parse(told[1] ?? '')).toMatchObject({ key: 'agents.far.token', value: '[redacted]' });
    expect(told[3]).toContain('wss://far.example/acp');
    expect((await parley.run(['config', 'get', 'agents.far.token'])).stdout).toBe('hush-2\n');
    expect(readFileSync(file, 'utf8')).toContain('hush-4');
    writeFileSync(file, '{}');
  });

  it('begins a settings file once, and never overwrites one', async () => {
    const env = { PARLEY_CONFIG: join(parley.home, 'fresh', 'config.json') };
    const first = await parley.run(['config', 'init'], { env });
    expect(first).toMatchObject({ code: 0, stdout: `Created ${env.PARLEY_CONFIG}\n` });
    expect(statSync(env.PARLEY_CONFIG).mode & 0o777).toBe(0o600);
    expect((await parley.run(['config', 'get', 'defaultAgent'], { env })).stdout).toBe('parley\n');
    await parley.run(['config', 'set', 'format', 'quiet'], { env });
    const again = await parley.run(['config', 'init', '--json'], { env });
    expect(JSON.parse(again.stdout)).toEqual({ path: env.PARLEY_CONFIG, created: false });
    expect((await parley.run(['config', 'get', 'format'], { env })).stdout).toBe('quiet\n');
  });

  it('prints a schema that names every setting', async () => {
    const schema = JSON.parse((await parley.run(['config', 'schema'])).stdout);
    expect(Object.keys(schema.properties)).toEqual(
      expect.arrayContaining(['agents', 'permissions', 'format', 'deadlines']),
    );
    expect(schema.additionalProperties).toBe(false);
  });

  it('opens the settings in $EDITOR, arguments included', async () => {
    const editor = join(parley.home, 'editor.sh');
    writeFileSync(editor, `#!/bin/sh\necho '{"format":"json"}' > "$2"\n`, { mode: 0o755 });
    const { code, stderr } = await parley.run(['config', 'edit'], { env: { EDITOR: `${editor} --wait` } });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ format: 'json' });
    writeFileSync(file, '{}');
  });
});

describe("a project's own settings", () => {
  const project = join(parley.folder, 'project');
  const deep = join(project, 'src', 'deep');

  it('hold in its folders, but choose nothing that runs before they are trusted', async () => {
    const [command, ...args] = parley.agentWords({ on: { 'session/prompt': sayAndEnd('I am the project agent') } });
    mkdirSync(deep, { recursive: true });
    mkdirSync(join(project, '.git'));
    const risky = {
      defaultAgent: 'theirs',
      agents: { theirs: { command, args } },
      format: 'quiet',
      dialect: 'canonical',
    };
    const settings = { ...risky, plain: true };
    writeFileSync(join(project, '.parleyrc.json'), JSON.stringify(settings));

    expect((await parley.run(['config', 'get', 'plain'], { cwd: deep })).stdout).toBe('true\n');
    expect((await parley.run(['config', 'get', 'format'], { cwd: deep })).stdout).toBe('text\n');
    expect((await parley.run(['config', 'get', 'defaultAgent'], { cwd: deep })).stdout).toBe('parley\n');
    const told = await parley.run(
      ['exec', '--format', 'text', '--agent', parley.agent({ on: { 'session/prompt': sayAndEnd('other') } }), 'Hi'],
      { cwd: deep },
    );
    expect(told.stderr).toContain(
      'also sets defaultAgent, agents, format, dialect; use them with: parley config trust',
    );

    const trusted = await parley.run(['config', 'trust'], { cwd: deep });
    expect(trusted.code).toBe(0);
    for (const [name, value] of Object.entries(risky))
      expect(trusted.stdout).toContain(`${name}: ${JSON.stringify(value)}`);
    expect((await parley.run(['exec', 'Hi'], { cwd: deep })).stdout).toBe('I am the project agent\n');

    writeFileSync(join(project, '.parleyrc.json'), JSON.stringify({ ...settings, model: 'other' }));
    expect((await parley.run(['config', 'get', 'defaultAgent'], { cwd: deep })).stdout).toBe('parley\n');
  });

  it.each([
    ['an unknown setting', '{"nonsense": 1, "plain": true}', 'nonsense: is not a setting'],
    ['a wrong value', '{"timeout": "soon"}', 'timeout: expected'],
    ['no JSON', '{ bad', 'is not JSON'],
  ])('are reported and ignored where a clone has %s', async (_what, text, problem) => {
    const clone = mkdtempSync(join(parley.home, 'clone-'));
    writeFileSync(join(clone, '.parleyrc.json'), text);
    const agent = parley.agent({ on: { 'session/prompt': sayAndEnd('still here') } });
    const finished = await parley.run(['exec', '--agent', agent, 'Hi'], { cwd: clone });
    expect(finished).toMatchObject({ code: 0, stdout: expect.stringContaining('still here') });
    expect(finished.stderr.split(problem)).toHaveLength(2);
    expect(finished.stderr).toContain('The file is ignored.');
    expect(await parley.run(['config', 'get', 'plain'], { cwd: clone })).toMatchObject({ code: 0, stdout: 'false\n' });
    const trusted = await parley.run(['config', 'trust'], { cwd: clone });
    expect(trusted.code).not.toBe(0);
    expect(trusted.stderr).toContain(problem);
  });

  it('are not what another user has left in a folder above', needs(ROOT), async () => {
    const shared = join(parley.folder, 'shared');
    mkdirSync(join(shared, 'work'), { recursive: true });
    writeFileSync(join(shared, '.parleyrc.json'), JSON.stringify({ plain: true }));
    expect((await parley.run(['config', 'get', 'plain'], { cwd: join(shared, 'work') })).stdout).toBe('true\n');
    chownSync(join(shared, '.parleyrc.json'), 65_534, 65_534);
    expect((await parley.run(['config', 'get', 'plain'], { cwd: join(shared, 'work') })).stdout).toBe('false\n');
  });

  it('are written with --project', async () => {
    await parley.run(['config', 'set', '--project', 'timeout', '9'], { cwd: project });
    expect(JSON.parse(readFileSync(join(project, '.parleyrc.json'), 'utf8'))).toMatchObject({ timeout: 9 });
  });
});
