import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs, program } from '@parley/testing/needs';
import { describe, expect, it } from 'vitest';
import { LANGUAGES, SCAFFOLD_KINDS } from '../../src/new/scaffolds.ts';
import { useParley } from '../support/parley.ts';

const parley = useParley();

/** A command in a new project; its words are shown when it fails. */
function runThere(folder: string, command: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(command, [...args], {
    cwd: join(parley.folder, folder),
    env: { ...parley.env, PYTHONDONTWRITEBYTECODE: '1' },
    encoding: 'utf8',
    input,
  });
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  return stdout + stderr;
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(join(parley.folder, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(parley.folder, folder).length + 1))
    .sort();
}

function read(...path: readonly string[]): string {
  return readFileSync(join(parley.folder, ...path), 'utf8');
}

describe('parley new', () => {
  it('says what it made and what to do next', async () => {
    const { code, stdout } = await parley.run(['new', 'agent', 'word-counter']);
    expect(code).toBe(0);
    expect(stdout).toContain('Made word-counter, an agent in TypeScript:');
    for (const file of listFiles('word-counter')) expect(stdout).toContain(`  ${join('word-counter', file)}\n`);
    expect(stdout).toContain('  cd word-counter\n  npm install ');
    expect(stdout).toContain('npm run check');
    expect(read('word-counter', 'src', 'main.ts')).toContain("name: 'word-counter'");
    expect(read('word-counter', '.gitignore')).toContain('node_modules/');
    expect(listFiles('word-counter').filter((file) => read('word-counter', file).includes('my-agent'))).toEqual([]);
  });

  it('links to the packages of a checkout, and says so', async () => {
    const { stdout } = await parley.run(['new', 'client', 'linked']);
    expect(stdout).toContain('links into this checkout');
    expect(read('linked', 'README.md')).toContain('## The packages of Parley are links');
    const { dependencies, devDependencies } = JSON.parse(read('linked', 'package.json'));
    for (const place of Object.values<string>({ ...dependencies, ...devDependencies })) {
      expect(existsSync(join(place.replace(/^file:/, ''), 'package.json'))).toBe(true);
    }
  });

  it('writes only what runs with --minimal, and where it is told', async () => {
    const { stdout } = await parley.run(['new', 'agent', '@me/small', '--minimal', '-o', 'deep/down/here']);
    expect(stdout).toContain(`cd ${join('deep', 'down', 'here')}`);
    expect(stdout).not.toContain('npm test');
    expect(listFiles('deep/down/here')).toEqual(['package.json', join('src', 'main.ts'), 'tsconfig.json']);
    const { name, bin, scripts, devDependencies } = JSON.parse(read('deep/down/here', 'package.json'));
    expect({ name, bin }).toEqual({ name: '@me/small', bin: { small: 'dist/main.js' } });
    expect(Object.keys(scripts)).toEqual(['prepare', 'build', 'check']);
    expect(Object.keys(devDependencies)).toEqual(['@parley/cli', '@types/node', 'typescript']);
  });

  it('leaves a folder or a file alone that exists', async () => {
    mkdirSync(join(parley.folder, 'taken'));
    writeFileSync(join(parley.folder, 'taken', 'mine.txt'), 'mine');
    writeFileSync(join(parley.folder, 'file'), 'mine');
    for (const name of ['taken', 'file']) {
      const { code, stderr } = await parley.run(['new', 'agent', name]);
      expect(code).toBe(2);
      expect(stderr).toContain('exists already');
      expect(stderr).toContain(`parley new agent ${name} -o`);
    }
    expect(listFiles('taken')).toEqual(['mine.txt']);
  });

  it.each([
    { args: ['agnet', 'x1'], says: 'Did you mean "agent"?' },
    { args: ['spaceship', 'x1'], says: `There are ${SCAFFOLD_KINDS.join(', ')}.` },
    { args: ['agent', 'x1', '--language', 'pyton'], says: 'Did you mean "python"?' },
    { args: ['agent', 'x1', '--language', 'cobol'], says: 'There are ts and python.' },
    { args: ['agent', 'My Agent'], says: 'parley new agent my-agent' },
    { args: ['agent', './some/place'], says: 'parley new agent place -o ./some/place' },
    { args: ['agent', '../..'], says: 'cannot be the name of a package' },
    { args: ['agent', 'x'.repeat(215)], says: 'cannot be the name of a package' },
    { args: ['agent', 'node_modules'], says: 'parley new agent my-node_modules' },
    { args: ['agent', 'fs'], says: 'npm and Node keep for themselves' },
    { args: ['agent', 'json', '-l', 'python'], says: 'would hide a module of Python' },
    { args: ['agent', 'acp-agent', '-l', 'python'], says: 'would hide a module of Python' },
    { args: ['agent', '3d-agent', '-l', 'python'], says: 'cannot be the name of a Python module' },
    { args: ['agent', '@me/x1', '-l', 'python'], says: 'which only npm packages have' },
    { args: ['agent'], says: "missing required argument 'name'" },
  ])('refuses $args in words', async ({ args, says }) => {
    const before = readdirSync(parley.folder);
    const { code, stderr } = await parley.run(['new', ...args]);
    expect(stderr).toContain(says);
    expect(code).toBe(2);
    expect(readdirSync(parley.folder)).toEqual(before);
  });

  it('makes an adapter whose sample passes, and which passes every check with a program that stands in', async () => {
    const { stdout } = await parley.run(['new', 'adapter', 'my-line']);
    expect(stdout).toContain('parley adapt test --strict my-line.json');
    expect(listFiles('my-line')).toEqual(['README.md', 'my-line.json', 'my-line.sample.jsonl', 'stand-in.mjs']);
    const description = join(parley.folder, 'my-line', 'my-line.json');
    expect(existsSync(new URL(JSON.parse(read('my-line', 'my-line.json')).$schema))).toBe(true);
    const tested = await parley.run(['adapt', 'test', '--strict', description]);
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining('5 lines, 5 seen.') });
    const answer = await parley.run(['exec', '--format', 'quiet', '--agent', description, 'say hello']);
    expect(answer.stdout).toBe('You said: say hello\n');
    const command = [process.execPath, parley.program, 'adapt', description];
    const checked = await parley.run(['check', '--', ...command]);
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringMatching(/MUST (\d+)\/\1 ✓/) });
    expect((await parley.run(['new', 'adapter', 'x1', '-l', 'ts'])).stderr).toContain('is a description in JSON');
    await parley.run(['new', 'adapter', 'small-line', '--minimal']);
    expect(listFiles('small-line')).toEqual(['small-line.json', 'stand-in.mjs']);
  }, 240_000);

  it('explains itself in 80 columns', async () => {
    const { stdout } = await parley.run(['new', '--help']);
    for (const kind of SCAFFOLD_KINDS) expect(stdout).toContain(`\n  ${kind}`);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('completes kinds and languages', async () => {
    expect((await parley.run(['__complete', 'new', ''])).stdout.trim().split('\n')).toEqual(SCAFFOLD_KINDS);
    const languages = await parley.run(['__complete', 'new', 'agent', 'x', '--language', '']);
    expect(languages.stdout.trim().split('\n')).toEqual(LANGUAGES);
  });
});

describe('parley new in Python', needs(program('python3')), () => {
  it('makes an agent that passes its own test and every check', async () => {
    await parley.run(['new', 'agent', 'py-agent', '--language', 'python']);
    expect(statSync(join(parley.folder, 'py-agent', 'py_agent.py')).mode & 0o111).not.toBe(0);
    expect(runThere('py-agent', 'python3', ['-m', 'unittest'])).toContain('OK');
    const prompts = ['--prompt-for-tool-call', '/count', '--prompt-for-permission', '/count'];
    const long = ['--prompt-for-long-turn', '/wait 60', '--timeout', '60'];
    const program = join(parley.folder, 'py-agent', 'py_agent.py');
    const { code, stdout } = await parley.run(['check', '--json', ...prompts, ...long, '--', 'python3', program]);
    const { results } = JSON.parse(stdout) as { results: { id: string; outcome: string }[] };
    const outcomes = new Map(results.map(({ id, outcome }) => [id, outcome]));
    // It takes MCP servers and leaves them to whoever writes the agent.
    const failed = [...outcomes].filter(([, outcome]) => /fail|warn|flaky|error/.test(outcome)).map(([id]) => id);
    expect({ code, failed }).toEqual({ code: 0, failed: ['MCP-02'] });
    for (const id of ['PERM-02', 'TOOL-04', 'PROMPT-07', 'CANCEL-07', 'RPC-01', 'SESS-09']) {
      expect([id, outcomes.get(id)]).toEqual([id, 'pass']);
    }
  }, 240_000);

  it('makes an agent that runs from what --minimal writes', async () => {
    await parley.run(['new', 'agent', 'py-small', '--language', 'py', '--minimal']);
    expect(listFiles('py-small')).toEqual(['acp_agent.py', 'acp_connection.py', 'acp_turn.py', 'py_small.py']);
    const agent = `python3 ${join(parley.folder, 'py-small', 'py_small.py')}`;
    const { stdout } = await parley.run(['exec', '--format', 'quiet', '--agent', agent, 'hello']);
    expect(stdout).toBe('You said: hello\n');
  });

  it('makes a client that passes its own test and every check', async () => {
    await parley.run(['new', 'client', 'py-client', '--language', 'python']);
    expect(runThere('py-client', 'python3', ['-m', 'unittest'])).toContain('OK');
    const program = join(parley.folder, 'py-client', 'py_client.py');
    const { code, stdout } = await parley.run(['check', '--client', '--', 'python3', program, 'hello', '{agent}']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/MUST (\d+)\/\1 ✓.*ROBUST (\d+)\/\2 ✓/),
    });
  }, 240_000);

  it('makes a grader that passes its own test', async () => {
    await parley.run(['new', 'grader', 'py-grader', '--language', 'python']);
    expect(runThere('py-grader', 'python3', ['-m', 'unittest'])).toContain('OK');
    const input = JSON.stringify({ input: 'Which city?', output: 'Paris', hint: 'paris' });
    expect(JSON.parse(runThere('py-grader', './py_grader.py', [], input))).toMatchObject({ pass: true, score: 1 });
  });
});
