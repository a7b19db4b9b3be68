import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolCallEvent } from '@parley/session';
import { memoryStore } from '@parley/store/memory';
import type { FakeEvent, Reply } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { makeProject, startInProcess, startModel } from './in-process.ts';

const write: FakeEvent = {
  type: 'tool_call',
  name: 'write_file',
  rawArguments: '{"path":"a.txt","content":"long"}',
  chunkChars: 17,
};

async function open(script: readonly Reply[]) {
  const { server, env } = await startModel({ script });
  const project = await makeProject();
  const agent = { env, store: memoryStore(), permissions: { mode: 'bypassPermissions' } } as const;
  const connection = await startInProcess({ agent });
  const session = await connection.newSession({ cwd: project.path });
  const events: ToolCallEvent[] = [];
  session.on('event', (event) => {
    if (event.type === 'tool_call') events.push(event);
  });
  return { server, project, connection, session, events };
}

describe('a tool call', () => {
  it('is announced with its name, says what it is about while its arguments come, and is one call of the model after a load', async () => {
    const events: FakeEvent[] = [write, { type: 'text', text: 'And that is it.' }];
    const scene = await open([{ events }, 'Written.', 'Again.']);
    const { toolCalls } = await scene.session.prompt('go').result;
    expect(toolCalls).toMatchObject([{ title: 'Write a.txt', status: 'completed', kind: 'edit' }]);
    const titles = scene.events.flatMap(({ title }) => title ?? []);
    expect(titles.at(-1)).toBe('Write a.txt');
    expect(titles.every((title) => title === 'Write a.txt' || title === 'Write file')).toBe(true);
    await scene.session.close();
    const again = await scene.connection.loadSession(scene.session.id, { cwd: scene.project.path });
    await again.prompt('and?').result;
    const [, before, after] = scene.server.requests.map(({ body }) => (body as { messages: unknown[] }).messages);
    expect(after?.slice(0, before?.length)).toEqual(before);
  });

  it('stays while the answer that makes it is tried again, and is ended when it is never made', async () => {
    const wait: FakeEvent = { type: 'wait', ms: 200 };
    const beginning: FakeEvent = { ...write, rawArguments: '{"path":"a.txt",' };
    const scene = await open([
      { events: [beginning, wait, { type: 'cut' }] },
      { events: [write] },
      'Written.',
      { events: [beginning, wait, { type: 'cut' }] },
      'I will not.',
    ]);
    expect((await scene.session.prompt('go').result).toolCalls).toMatchObject([{ status: 'completed' }]);
    expect(scene.events[0]).toMatchObject({ title: 'Write file', status: 'pending' });
    expect(await scene.project.read('a.txt')).toBe('long');
    const { toolCalls, text } = await scene.session.prompt('more').result;
    expect(text).toBe('I will not.');
    expect(toolCalls.map(({ status }) => status)).not.toContain('pending');
    expect(toolCalls[0]?.status).not.toBe('completed');
  });
});

describe('an edit', () => {
  it('of a large file shows the changed lines with some around them, and shows them once', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}`).join('\n');
    const edit: FakeEvent = {
      type: 'tool_call',
      name: 'edit_file',
      input: { path: 'big.txt', old_text: 'line 2000\n', new_text: 'line two thousand\n' },
    };
    const scene = await open([{ events: [edit] }, 'Edited.']);
    await writeFile(join(scene.project.path, 'big.txt'), lines);
    const { toolCalls } = await scene.session.prompt('go').result;
    const [diff] = toolCalls[0]?.content ?? [];
    expect(diff).toMatchObject({ type: 'diff', _meta: { 'parley/firstLine': 1990 } });
    expect(diff?.type === 'diff' && diff.newText).toMatch(/^line 1990\n[\s\S]*line two thousand\n[\s\S]*line 2010\n$/);
    expect(scene.events.filter(({ content }) => content?.some(({ type }) => type === 'diff'))).toHaveLength(1);
    expect(JSON.stringify(scene.server.requests[1]?.body)).toContain('Edited big.txt (3000 lines)');
  });
});
