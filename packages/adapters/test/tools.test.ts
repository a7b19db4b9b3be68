import { describe, expect, it } from 'vitest';
import type { Description } from '../src/index.ts';
import { Scene } from './scene.ts';

const BLOCKS: Description['outputEvents'] = [
  { match: { path: '$.content[*].type', value: 'text' }, emitAs: 'message', extract: { content: '$.text' } },
  {
    match: { path: '$.content[*].type', value: 'tool_use' },
    emitAs: 'tool_call',
    extract: { id: '$.id', name: '$.name', input: '$.input' },
  },
  {
    match: { path: '$.content[*].type', value: 'tool_result' },
    emitAs: 'tool_result',
    extract: { id: '$.tool_use_id', output: '$.content', isError: '$.is_error' },
  },
];
const TOOLS: Description['tools'] = {
  Read: { kind: 'read', title: 'Read {{file_path}}', locations: '$.file_path' },
  Edit: { kind: 'edit', locations: '$.file_path', diff: { path: '$.file_path', old: '$.old', new: '$.new' } },
  TodoWrite: { plan: '$.todos' },
  'mcp__*': { kind: 'fetch' },
};

describe('the tool calls of a command line', () => {
  it('are calls with ids, kinds, files and diffs, in the order of the line, from their start to their end', async () => {
    using scene = new Scene(`
      say({ content: [
        { type: 'text', text: 'First' },
        { type: 'tool_use', id: 'item_0', name: 'Read', input: { file_path: 'a.txt' } },
        { type: 'tool_use', id: 'item_1', name: 'Edit', input: { file_path: '/b.txt', old: 'x', new: 'y' } },
        { type: 'text', text: 'Then' },
        { type: 'tool_use', id: 'item_2', name: 'mcp__x', input: {} },
      ] });
      say({ content: [{ type: 'tool_result', tool_use_id: 'item_1', content: [{ type: 'text', text: 'edited' }] }] });
      say({ content: [{ type: 'tool_result', tool_use_id: 'item_0', content: 'no such file', is_error: true }] });
      say({ type: 'result', text: 'Then' });`);
    await using client = await scene.connect({ outputEvents: BLOCKS, tools: TOOLS });
    await client.prompt(await client.newSession(), 'go');
    const ids = client.of('tool_call').map(({ toolCallId }) => toolCallId);
    expect(new Set(ids).size).toBe(3);
    const shown = client.updates.filter(({ sessionUpdate }) => /tool_call|message/.test(sessionUpdate));
    expect(shown).toMatchObject([
      { content: { text: 'First' } },
      { title: 'Read a.txt', kind: 'read', status: 'in_progress', locations: [{ path: `${scene.folder}/a.txt` }] },
      { title: 'Edit', kind: 'edit', content: [{ type: 'diff', path: '/b.txt', oldText: 'x', newText: 'y' }] },
      { content: { text: 'Then' } },
      { title: 'mcp__x', kind: 'fetch', status: 'in_progress' },
      { toolCallId: ids[1], status: 'completed', content: [{ type: 'diff' }, { content: { text: 'edited' } }] },
      { toolCallId: ids[0], status: 'failed', content: [{ content: { text: 'no such file' } }] },
      { toolCallId: ids[2], status: 'completed' },
    ]);
  });

  it('have ids of their own in each turn, also where the command counts anew', async () => {
    using scene = new Scene(`
      say({ content: [{ type: 'tool_use', id: 'item_0', name: 'Read', input: {} }] });
      say({ type: 'result', text: 'ok' });`);
    await using client = await scene.connect({ outputEvents: BLOCKS });
    const sessionId = await client.newSession();
    await client.prompt(sessionId, 'one');
    await client.prompt(sessionId, 'two');
    expect(new Set(client.of('tool_call').map(({ toolCallId }) => toolCallId)).size).toBe(2);
  });

  it('may be a plan', async () => {
    using scene = new Scene(`
      say({ content: [{ type: 'tool_use', id: '1', name: 'TodoWrite', input: { todos: [
        { content: 'a', status: 'completed' }, { content: 'b', status: 'in_progress', priority: 'high' }] } }] });
      say({ content: [{ type: 'tool_result', tool_use_id: '1', content: 'ok' }] });
      say({ type: 'result', text: 'ok' });`);
    await using client = await scene.connect({ outputEvents: BLOCKS, tools: TOOLS });
    await client.prompt(await client.newSession(), 'go');
    expect(client.of('plan')[0]).toMatchObject({
      entries: [
        { content: 'a', status: 'completed', priority: 'medium' },
        { content: 'b', status: 'in_progress', priority: 'high' },
      ],
    });
    expect(client.of('tool_call')).toEqual([]);
  });

  it('are told apart without ids: what began first ends first', async () => {
    using scene = new Scene(`
      say({ type: 'tool_use', name: 'Read', input: { n: 1 } });
      say({ type: 'tool_use', name: 'Read', input: { n: 2 } });
      say({ type: 'tool_result', name: 'Read', content: 'one' });
      say({ type: 'tool_result', name: 'Read', content: 'two' });
      say({ type: 'result', text: 'ok' });`);
    await using client = await scene.connect({
      outputEvents: [
        {
          match: { path: '$.type', value: 'tool_use' },
          emitAs: 'tool_call',
          extract: { title: '$.name', status: "'pending'", input: '$.input' },
        },
        {
          match: { path: '$.type', value: 'tool_result' },
          emitAs: 'tool_call',
          extract: { title: '$.name', status: "'completed'", output: '$.content' },
        },
      ],
    });
    await client.prompt(await client.newSession(), 'go');
    const [first, second] = client.of('tool_call');
    expect(client.of('tool_call')).toMatchObject([{ rawInput: { n: 1 } }, { rawInput: { n: 2 } }]);
    expect(client.of('tool_call_update')).toMatchObject([
      { toolCallId: first?.toolCallId, status: 'completed', rawOutput: 'one' },
      { toolCallId: second?.toolCallId, status: 'completed', rawOutput: 'two' },
    ]);
  });
});

describe('a question of a command line', () => {
  const ASKS = `
    say({ type: 'ask', request: 'r1', tool: 'Bash', call: 't1', input: { command: 'ls' } });
    for await (const line of lines()) {
      note(JSON.parse(line));
      say({ type: 'text', text: JSON.parse(line).answer ?? 'prompt' });
      if (JSON.parse(line).answer) { say({ type: 'result', text: '' }); break; }
    }`;
  const description: Partial<Description> = {
    prompt: { stdin: true, stdinFormat: 'json', message: { prompt: '{{prompt}}' } },
    outputEvents: [
      { match: { path: '$.type', value: 'text' }, emitAs: 'message', extract: { content: '$.text' } },
      {
        match: { path: '$.type', value: 'ask' },
        emitAs: 'permission',
        extract: { id: '$.request', toolCallId: '$.call', name: '$.tool', input: '$.input' },
        answer: {
          allow: { answer: 'yes', request: '{{id}}', input: '{{input}}' },
          reject: { answer: 'no', request: '{{id}}', because: '{{message}}' },
        },
      },
    ],
  };

  it('reaches the person with the call that it is about, and the answer reaches the command', async () => {
    using scene = new Scene(ASKS);
    await using client = await scene.connect(description);
    client.answer = ({ options }) => ({ outcome: { outcome: 'selected', optionId: options[0]?.optionId } });
    await client.prompt(await client.newSession(), 'go');
    expect(client.questions).toMatchObject([
      {
        toolCall: { title: 'Bash', kind: 'execute', rawInput: { command: 'ls' } },
        options: [{ kind: 'allow_once' }, { kind: 'reject_once' }],
      },
    ]);
    expect(scene.notes()).toEqual([{ prompt: 'go' }, { answer: 'yes', request: 'r1', input: { command: 'ls' } }]);
  });

  it('is a no when nobody answers it', async () => {
    using scene = new Scene(ASKS);
    await using client = await scene.connect(description);
    await client.prompt(await client.newSession(), 'go');
    expect(scene.notes()[1]).toEqual({ answer: 'no', request: 'r1', because: 'Nobody answered the question.' });
  });

  it('does not keep a turn from being cancelled', async () => {
    using scene = new Scene(ASKS);
    await using client = await scene.connect(description);
    const sessionId = await client.newSession();
    client.answer = () => {
      client.cancel(sessionId);
      return new Promise(() => {});
    };
    expect(await client.prompt(sessionId, 'go')).toMatchObject({ stopReason: 'cancelled' });
  });
});
