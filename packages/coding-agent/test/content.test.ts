import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

const PIXEL = PNG.sync.write(new PNG({ width: 1, height: 1 })).toString('base64');

describe('content in a prompt', () => {
  it('reaches a model that takes it: images, audio, files and links', async () => {
    const project = await makeProject({ 'docs/readme.md': '# Hello' });
    const { server } = await startModel({ script: ['I see.'] });
    const env = { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: server.url, PARLEY_MODEL: 'gemini/fake-model' };
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt([
      { type: 'text', text: 'Look:' },
      { type: 'image', mimeType: 'image/png', data: PIXEL },
      { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
      { type: 'resource', resource: { uri: 'file:///x/notes.txt', text: 'remember the milk' } },
      { type: 'resource_link', name: 'readme.md', uri: `file://${project.path}/docs/readme.md` },
    ]).result;
    const body = JSON.stringify(server.requests[0]?.body);
    for (const part of ['Look:', '[image-1.png]', PIXEL, 'UklGRg==', '[notes.txt]', 'remember the milk']) {
      expect(body).toContain(part);
    }
    expect(body).toContain('[readme.md]: the file docs/readme.md');
  });

  it('is named to a model that does not take it', async () => {
    const project = await makeProject();
    const connection = await startInProcess();
    const session = await connection.newSession({ cwd: project.path });
    const { text } = await session.prompt([
      { type: 'text', text: 'help' },
      { type: 'image', mimeType: 'image/png', data: PIXEL },
    ]).result;
    expect(text).toContain('You attached image; I have no way to look at that.');
  });

  it('lets "it" mean the attached file', async () => {
    const project = await makeProject({ 'docs/readme.md': '# Hello' });
    const connection = await startInProcess();
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls, text } = await session.prompt([
      { type: 'text', text: 'read it' },
      { type: 'resource_link', name: 'readme.md', uri: `file://${project.path}/docs/readme.md` },
    ]).result;
    expect(toolCalls).toMatchObject([{ title: 'Read docs/readme.md', status: 'completed' }]);
    expect(text).toContain('# Hello');
  });
});

describe('content out of tools', () => {
  it('shows an image to the person and to the model', async () => {
    const project = await makeProject({ 'p.png': Buffer.from(PIXEL, 'base64') });
    const { server } = await startModel({
      script: [{ events: [{ type: 'tool_call', name: 'read_file', input: { path: 'p.png' } }] }, 'A pixel.'],
    });
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url, PARLEY_MODEL: 'anthropic/fake-model' };
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls } = await session.prompt('look at p.png').result;
    expect(toolCalls[0]?.content).toMatchObject([
      { type: 'content', content: { type: 'text' } },
      { type: 'content', content: { type: 'image', mimeType: 'image/png', data: PIXEL } },
    ]);
    expect(JSON.stringify(server.requests[1]?.body)).toContain(PIXEL);
  });
});

describe('what the project tells agents', () => {
  it('is read from AGENTS.md, else from CLAUDE.md, of every root', async () => {
    const project = await makeProject({ 'AGENTS.md': 'Rule one.', 'CLAUDE.md': 'Rule two.' });
    const other = await makeProject({ 'CLAUDE.md': 'Rule three.' });
    const { server, env } = await startModel({ script: ['Yes.'] });
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path, additionalDirectories: [other.path] });
    await session.prompt('hello').result;
    const body = JSON.stringify(server.requests[0]?.body);
    expect(body).toContain('Rule one.');
    expect(body).not.toContain('Rule two.');
    expect(body).toContain('Rule three.');
    expect(body).toContain(`Other directories you may use: ${other.path}`);
  });
});

describe('questions to the person', () => {
  const ask = (choices?: readonly string[]) =>
    ({
      events: [
        { type: 'tool_call', name: 'ask_user', input: { question: 'Which port?', ...(choices && { choices }) } },
      ],
    }) as const;

  it('are put as a form, and the answer reaches the model', async () => {
    const project = await makeProject();
    const { server, env } = await startModel({ script: [ask(), 'Good.'] });
    const forms: unknown[] = [];
    const connection = await startInProcess({
      agent: { env },
      elicitation: {
        form: (question) => {
          forms.push(question);
          return { action: 'accept', content: { answer: '8080' } };
        },
      },
    });
    const session = await connection.newSession({ cwd: project.path });
    const { toolCalls } = await session.prompt('go').result;
    expect(JSON.stringify(forms)).toContain('Which port?');
    expect(toolCalls).toMatchObject([{ title: 'Ask: Which port?', kind: 'think', status: 'completed' }]);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('The person answered: 8080');
  });

  it('are put as options to a client without forms', async () => {
    const project = await makeProject();
    const { server, env } = await startModel({ script: [ask(['80', '8080']), 'Good.'] });
    const connection = await startInProcess({
      agent: { env },
      permissions: {
        ask: ({ options }) => ({ optionId: options.find(({ name }) => name === '8080')?.optionId ?? '' }),
      },
    });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('go').result;
    expect(JSON.stringify(server.requests[1]?.body)).toContain('The person answered: 8080');
  });

  it('that are declined leave the decision to the model', async () => {
    const project = await makeProject();
    const { server, env } = await startModel({ script: [ask(), 'I will take 80.'] });
    const connection = await startInProcess({ agent: { env }, elicitation: { form: () => ({ action: 'decline' }) } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('go').result;
    expect(JSON.stringify(server.requests[1]?.body)).toContain('gave no answer');
  });
});
