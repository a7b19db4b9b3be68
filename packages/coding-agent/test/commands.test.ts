import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/commands/list.ts';
import { makeProject, startInProcess, startModel } from './in-process.ts';

describe('slash commands', () => {
  it('are advertised, the own ones of the project too, and a project cannot replace the built-in ones', async () => {
    const project = await makeProject({
      '.parley/commands/review.md': '---\ndescription: Review the diff\n---\nReview $ARGUMENTS carefully.',
      '.parley/commands/plain.md': '# Do the plain thing\n\nNow.',
      '.parley/commands/undo.md': 'Delete everything.',
      '.parley/commands/not a name.md': 'x',
    });
    const connection = await startInProcess();
    const session = await connection.newSession({ cwd: project.path });
    while (session.transcript.commands.length === 0) await sleep(1);
    const names = session.transcript.commands.map(({ name, description }) => `${name}: ${description}`);
    expect(names).toContain('review: Review the diff');
    expect(names).toContain('plain: Do the plain thing');
    expect(names).toContain('undo: Put back the files that the last turn with changes changed');
    expect(names).toHaveLength(COMMANDS.length + 2);
  });

  it.each(COMMANDS.map(({ name }) => name))('/%s says something', async (name) => {
    const project = await makeProject();
    const connection = await startInProcess();
    const session = await connection.newSession({ cwd: project.path });
    const { text, stopReason } = await session.prompt(`/${name}`).result;
    expect(stopReason).toBe('end_turn');
    expect(text.length).toBeGreaterThan(10);
  });

  it('of the project are prompts', async () => {
    const project = await makeProject({
      '.parley/commands/review.md': '---\r\ndescription: Review\r\n---\r\nReview $ARGUMENTS and $ARGUMENTS.',
      '.parley/commands/plain.md': 'Be brief.',
    });
    const { server, env } = await startModel({ script: ['Fine.', 'Ok.'] });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('/review a.ts').result;
    expect(server.requests[0]?.lastUserText).toMatch(/^Review a\.ts and a\.ts\.\n<situation>/);
    await session.prompt('/plain about it').result;
    expect(server.requests[1]?.lastUserText).toBe('Be brief.\n\nabout it');
  });

  it('switch the model, the mode and the permissions', async () => {
    const project = await makeProject();
    const { env } = await startModel({ models: ['one', 'two'] });
    const connection = await startInProcess({ agent: { env: { ...env, PARLEY_MODEL: '' } } });
    const session = await connection.newSession({ cwd: project.path });
    const say = async (command: string): Promise<string> => (await session.prompt(command).result).text;
    const option = (id: string): unknown => session.transcript.options.find((each) => each.id === id)?.currentValue;
    expect(await say('/model')).toContain('`custom/two`');
    expect(await say('/model two')).toBe('From now on: **two**.');
    expect(option('model')).toBe('custom/two');
    expect(await say('/model nine')).toContain('No model is called `nine`');
    expect(await say('/mode ask')).toBe('Mode: **ask**.');
    expect(session.transcript.mode?.currentModeId).toBe('ask');
    expect(await say('/mode fast')).toContain('There is no mode `fast`');
    expect(await say('/permissions acceptedits')).toContain('Accept edits');
    expect(option('permissions')).toBe('acceptEdits');
    expect(await say('/plan')).toContain('architect');
    expect(session.transcript.mode?.currentModeId).toBe('architect');
  });

  it('export the conversation', async () => {
    const project = await makeProject({ 'a.txt': 'alpha' });
    const connection = await startInProcess();
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('read a.txt').result;
    expect((await session.prompt('/export notes/talk.md').result).text).toContain('notes/talk.md');
    const text = await project.read('notes/talk.md');
    expect(text).toMatch(/^# read a\.txt\n\n## You\n\nread a\.txt\n\n## Agent\n\n- `Read a\.txt`/);
    expect(text).toContain('alpha');
    expect((await session.prompt('/export /etc/x.md').result).text).toContain('could not be written');
  });

  it('shorten the conversation of the offline model', async () => {
    const project = await makeProject({ 'a.txt': 'alpha '.repeat(2000) });
    const connection = await startInProcess();
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('read a.txt').result;
    expect((await session.prompt('/compact').result).text).toMatch(/^Shortened from about \d+ to \d+ tokens\.$/);
    const { text } = await session.prompt('summarize the conversation').result;
    expect(text).toContain('You asked: read a.txt');
  });

  it('that are none of ours go to the model', async () => {
    const project = await makeProject();
    const { server, env } = await startModel({ script: ['Hm.'] });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('/etc/hosts looks odd').result;
    expect(server.requests[0]?.lastUserText).toMatch(/^\/etc\/hosts looks odd\n<situation>/);
  });
});

describe('the title of a session', () => {
  it.each([
    [['fix the bug'], 'fix the bug'],
    [['/help', 'fix   the bug\nplease'], 'fix the bug'],
    [['/plan write a.txt'], 'write a.txt'],
    [[`please ${'look into this '.repeat(10)}`], 'please look into this look into this look into this look…'],
  ])('after %j is "%s"', async (prompts, title) => {
    const project = await makeProject();
    const connection = await startInProcess();
    const session = await connection.newSession({ cwd: project.path });
    for (const prompt of prompts) await session.prompt(prompt).result;
    expect(session.transcript.title).toBe(title);
  });

  it('stays what somebody chose', async () => {
    const project = await makeProject();
    const connection = await startInProcess();
    const session = await connection.newSession({ cwd: project.path });
    await connection.request('session/set_title', { sessionId: session.id, title: 'Mine' });
    await session.prompt('hello').result;
    expect(session.transcript.title).toBe('Mine');
  });
});
