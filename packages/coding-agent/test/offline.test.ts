import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { person, useAgentProcesses } from './agent-process.ts';

const agents = useAgentProcesses();

describe('the agent without a model', () => {
  it('says what it is, and how to connect a real one', async () => {
    const project = await agents.project();
    const { connection } = await agents.start();
    const session = await connection.newSession({ cwd: project.path });
    const { text } = await session.prompt('What is the meaning of life?').result;
    expect(text).toContain("I am Parley's offline model");
    expect(text).toContain('ANTHROPIC_API_KEY');
    const model = session.transcript.options.find(({ id }) => id === 'model');
    expect(model).toMatchObject({ category: 'model', currentValue: 'offline' });
  });

  it('fixes a bug in a small repository: looks, edits, tests', async () => {
    const project = await agents.project({
      'sum.mjs': 'export const sum = (a, b) => a - b;\n',
      'test.mjs':
        "import { sum } from './sum.mjs';\nif (sum(1, 2) !== 3) throw new Error('wrong');\nconsole.log('ok');\n",
    });
    const { asked, permissions } = person('allow');
    const { connection } = await agents.start({ permissions });
    const session = await connection.newSession({ cwd: project.path });
    const turn = session.prompt('read sum.mjs, then replace "a - b" with "a + b" in it, then run `node test.mjs`');
    const result = await turn.result;
    expect(result.stopReason).toBe('end_turn');
    expect(await project.read('sum.mjs')).toBe('export const sum = (a, b) => a + b;\n');
    expect(asked).toEqual(['Edit sum.mjs', 'node test.mjs']);
    expect(result.text).toContain('ok');
    expect(result.toolCalls.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'read completed',
      'edit completed',
      'execute completed',
    ]);
    expect(result.plan.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    const edit = result.toolCalls[1];
    expect(edit?.content).toContainEqual(expect.objectContaining({ type: 'diff', path: project.at('sum.mjs') }));
    expect(edit?.locations).toEqual([{ path: project.at('sum.mjs'), line: 1 }]);
  });

  it('does nothing of what the person rejects, and says where it stopped', async () => {
    const project = await agents.project({ 'a.txt': 'before' });
    const { asked, permissions } = person('reject');
    const { connection } = await agents.start({ permissions });
    const session = await connection.newSession({ cwd: project.path });
    const { text, stopReason, toolCalls } = await session.prompt(
      'replace "before" with "after" in a.txt, then delete a.txt',
    ).result;
    expect(stopReason).toBe('end_turn');
    expect(asked).toEqual(['Edit a.txt']);
    expect(toolCalls).toMatchObject([{ status: 'failed' }]);
    expect(text).toContain('It was rejected');
    expect(text).toContain('did not delete `a.txt`');
    expect(await project.read('a.txt')).toBe('before');
  });

  it('does everything that it says it can', async () => {
    const project = await agents.project({ 'src/main.ts': 'function parseConfig() {}\n', 'old.txt': 'x' });
    const { connection } = await agents.start({ permissions: person('allow').permissions });
    const session = await connection.newSession({ cwd: project.path });
    const say = async (prompt: string): Promise<string> => (await session.prompt(prompt).result).text;
    expect(await say('list the files in src')).toContain('main.ts');
    expect(await say('search for "parseConfig" in src')).toContain('src/main.ts:1');
    expect(await say('show @old.txt and src/main.ts')).toMatch(/read `old\.txt`.*read `src\/main\.ts`.*parseConfig/s);
    expect(await say('create notes.md with "Hello"')).toContain('Done');
    expect(await say('append "World" to notes.md')).toContain('Done');
    expect(await project.read('notes.md')).toBe('HelloWorld\n');
    await say('move notes.md to docs/notes.md');
    expect(existsSync(project.at('docs/notes.md'))).toBe(true);
    await say('delete old.txt');
    expect(existsSync(project.at('old.txt'))).toBe(false);
    expect(await say('fetch http://127.0.0.1:1/')).toContain('private network');
    expect(await say('help')).toContain('read or show files');
  });

  it('plans a change, and does it once the person agrees', async () => {
    const project = await agents.project({ 'a.txt': 'one' });
    const { asked, permissions } = person('allow_always');
    const { connection } = await agents.start({ permissions });
    const session = await connection.newSession({ cwd: project.path });
    const planned = await session.prompt('/plan replace "one" with "two" in a.txt').result;
    expect(planned.text).toContain('Nothing has been changed yet');
    expect(planned.plan).toHaveLength(1);
    expect(await project.read('a.txt')).toBe('one');
    await session.prompt('do it').result;
    expect(asked).toEqual(['Carry out this plan?']);
    expect(session.transcript.mode?.currentModeId).toBe('code');
    expect(await project.read('a.txt')).toBe('two');
  });

  it('works in the sandbox, or says that there is none', async () => {
    const project = await agents.project({ 'a.txt': 'alpha' });
    const { connection } = await agents.start({ permissions: person('allow').permissions });
    const session = await connection.newSession({ cwd: project.path });
    await session.setOption('preset', 'sandbox');
    const { toolCalls, text } = await session.prompt('read a.txt').result;
    expect(toolCalls).toMatchObject([{ title: 'In the sandbox: Read a.txt' }]);
    expect(text).toMatch(/alpha|There is no sandbox/);
  });

  it('reads a file that a chat mentions or attaches', async () => {
    const project = await agents.project({ 'src/retry.ts': 'export const retries = 3;\n' });
    const { connection } = await agents.start();
    const session = await connection.newSession({ cwd: project.path });
    expect((await session.prompt('read @src/retry.ts').result).text).toContain('retries = 3');
    const uri = pathToFileURL(project.at('src/retry.ts')).href;
    const attached = await session.prompt([
      { type: 'text', text: 'show it' },
      { type: 'resource', resource: { uri, text: 'export const retries = 3;\n' } },
    ]).result;
    expect(attached.toolCalls).toMatchObject([{ title: 'Read src/retry.ts', status: 'completed' }]);
  });

  it('says in whole Markdown what it did not understand', async () => {
    const project = await agents.project();
    const { connection } = await agents.start();
    const session = await connection.newSession({ cwd: project.path });
    const { text } = await session.prompt('frobnicate `a` **b').result;
    expect(text).toContain('I did not understand `` frobnicate `a` **b ``.');
    expect((await session.prompt('help').result).text).not.toContain('\\`');
  });

  it('hears why there is no sandbox, also when it wanted to write', async () => {
    const project = await agents.project();
    const { connection } = await agents.start({ env: { PATH: '' }, permissions: person('allow').permissions });
    const session = await connection.newSession({ cwd: project.path });
    await session.setOption('preset', 'sandbox');
    const { toolCalls } = await session.prompt('create a.txt with "x"').result;
    expect(JSON.stringify(toolCalls[0]?.content)).toContain('There is no sandbox: ');
  });
});
