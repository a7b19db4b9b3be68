import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject, startInProcess } from './in-process.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj << /Type /Page >> endobj\n%%EOF');
const LONG_PDF = Buffer.from(`%PDF-1.4\n${'<< /Type /Page >>\n'.repeat(101)}%%EOF`);
const { PATH } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
});

const WIRES = [
  ['anthropic', (url: string) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url }), '"type":"document"'],
  [
    'responses',
    (url: string) => ({ PARLEY_BASE_URL: `${url}/v1`, PARLEY_WIRE: 'responses', PARLEY_MODEL: 'r' }),
    '"type":"input_file"',
  ],
  ['gemini', (url: string) => ({ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url }), '"mimeType":"application/pdf"'],
] as const;

/** A program of this name that says what the real one would, in front of the others. */
async function standIn(folder: string, text: string): Promise<void> {
  const path = join(folder, 'pdftotext');
  await writeFile(path, `#!/bin/sh\ncat > /dev/null\nprintf '%s' '${text}'\n`);
  await chmod(path, 0o755);
  process.env.PATH = `${folder}${delimiter}${PATH}`;
}

async function start(envFor: (url: string) => Record<string, string>, files: Record<string, Buffer> = {}) {
  const project = await makeProject(files);
  const server = await startFakeModelServer({ fallback: 'Read.' });
  const connection = await startInProcess({ agent: { env: envFor(server.url) } });
  const session = await connection.newSession({ cwd: project.path });
  const lastBody = (): string => JSON.stringify(server.requests.at(-1)?.body);
  return { project, server, session, connection, lastBody, [Symbol.asyncDispose]: () => server.close() };
}

const chat = (url: string) => ({ PARLEY_BASE_URL: `${url}/v1`, PARLEY_MODEL: 'plain' });
const attachment = {
  type: 'resource',
  resource: { uri: 'file:///tmp/paper.pdf', mimeType: 'application/pdf', blob: PDF.toString('base64') },
} as const;

describe('a PDF', () => {
  it.each(WIRES)('is sent as it is where the wire has documents: %s', async (_, envFor, sent) => {
    await using scene = await start(envFor, { 'paper.pdf': PDF });
    scene.server.add({ events: [{ type: 'tool_call', name: 'read_file', input: { path: 'paper.pdf' } }] });
    await scene.session.prompt('read paper.pdf').result;
    expect(scene.lastBody()).toContain(sent);
    expect(scene.lastBody()).toContain(PDF.toString('base64'));
    await scene.session.prompt([{ type: 'text', text: 'and this' }, attachment]).result;
    expect(scene.lastBody().split(PDF.toString('base64'))).toHaveLength(3);
  });

  it('is told as text where it has none, and in words where nothing can read it', async () => {
    await using scene = await start(chat);
    process.env.PATH = scene.project.path;
    await scene.session.prompt([{ type: 'text', text: 'this' }, attachment]).result;
    expect(scene.lastBody()).toContain('The document paper.pdf was left out');
    expect(scene.lastBody()).toContain('pdftotext');
    await standIn(scene.project.path, 'What the paper says.');
    const other = await scene.connection.newSession({ cwd: scene.project.path });
    await other.prompt([{ type: 'text', text: 'this' }, attachment]).result;
    expect(scene.lastBody()).toContain('What the paper says.');
    expect(scene.lastBody()).not.toContain(PDF.toString('base64'));
  });

  it('is read by lines where it has too many pages, and refused in words without a program for it', async () => {
    await using scene = await start(WIRES[0][1], { 'long.pdf': LONG_PDF });
    const call = { events: [{ type: 'tool_call', name: 'read_file', input: { path: 'long.pdf', limit: 2 } }] } as const;
    process.env.PATH = scene.project.path;
    scene.server.add(call);
    await scene.session.prompt('read it').result;
    expect(scene.lastBody()).toContain('it has 101 pages, and 100 are the most that can be sent');
    await standIn(scene.project.path, 'one\ntwo\nthree');
    scene.server.add(call);
    await scene.session.prompt('again').result;
    expect(scene.lastBody()).toContain('(1 more lines; read on with line: 3)');
  });
});
