import { describe, expect, it } from 'vitest';
import { collectAnswer, messageOf } from '../model/answer.ts';
import { type HistoryMessage, type ToolCallPart, type ToolResult, textOf, toolCallsOf } from '../model/history.ts';
import type { ModelRequest, ToolDefinition } from '../model/model.ts';
import { createOfflineModel } from './offline-model.ts';

/** A tool as the coding agent offers it; the properties tell the model what its arguments are called. */
function tool(name: string, ...properties: string[]): ToolDefinition {
  return {
    name,
    description: name,
    inputSchema: { type: 'object', properties: Object.fromEntries(properties.map((property) => [property, {}])) },
  };
}

const READ_ONLY = [
  tool('read_file', 'path', 'start_line', 'end_line'),
  tool('list_files', 'path', 'pattern'),
  tool('search_files', 'pattern', 'path'),
];
const TOOLS = [
  ...READ_ONLY,
  tool('write_file', 'path', 'content'),
  tool('edit_file', 'path', 'old_text', 'new_text', 'replace_all'),
  tool('delete_file', 'path'),
  tool('move_file', 'from', 'to'),
  tool('run_command', 'command', 'background'),
  tool('ask_user', 'question'),
  tool('mcp__demo__echo', 'text'),
];
const PLANNING = [...TOOLS, tool('update_plan', 'entries')];

type World = (call: ToolCallPart) => string | Error;

interface Run {
  readonly text: string;
  /** The calls of each round. */
  readonly rounds: readonly (readonly ToolCallPart[])[];
  readonly history: readonly HistoryMessage[];
}

/** The loop in small: asks the model, runs its calls in a scripted world, until it stops by itself. */
async function converse(
  prompt: string,
  {
    tools = TOOLS,
    world = () => 'ok',
    history = [],
  }: {
    tools?: readonly ToolDefinition[] | ((round: number) => readonly ToolDefinition[]);
    world?: World;
    history?: readonly HistoryMessage[];
  } = {},
): Promise<Run> {
  const model = createOfflineModel();
  const messages: HistoryMessage[] = [...history, { role: 'user', content: [{ type: 'text', text: prompt }] }];
  const rounds: (readonly ToolCallPart[])[] = [];
  for (let round = 0; round < 20; round++) {
    const offered = typeof tools === 'function' ? tools(round) : tools;
    const answer = await collectAnswer(model.stream({ messages, tools: offered }));
    const message = messageOf(answer);
    messages.push(message);
    const calls = toolCallsOf(message);
    expect(answer.stopReason).toBe(calls.length > 0 ? 'tool_use' : 'end_turn');
    if (calls.length === 0) return { text: textOf(message.content), rounds, history: messages };
    for (const { name } of calls) expect(offered.map((offer) => offer.name)).toContain(name);
    rounds.push(calls);
    messages.push({ role: 'tool', results: calls.map((call) => resultOf(call, world(call))) });
  }
  throw new Error('the model never stopped');
}

function resultOf({ id, name }: ToolCallPart, outcome: string | Error): ToolResult {
  const text = typeof outcome === 'string' ? outcome : outcome.message;
  return { toolCallId: id, toolName: name, content: [{ type: 'text', text }], isError: outcome instanceof Error };
}

const names = ({ rounds }: Run): string[][] => rounds.map((calls) => calls.map(({ name }) => name));

describe('the offline model', () => {
  it('calls the tool that was asked for and shows what came of it', async () => {
    const run = await converse('read src/a.ts', { world: () => 'const a = 1;\n' });
    expect(run.rounds).toMatchObject([[{ name: 'read_file', input: { path: 'src/a.ts' } }]]);
    expect(run.text).toContain('const a = 1;');
  });

  it('names arguments as the tool at hand does', async () => {
    const tools = [tool('edit_file', 'file_path', 'old_string', 'new_string'), tool('run_command', 'cmd')];
    const run = await converse('replace "a" with "b" in c.ts, then run ls', { tools });
    expect(run.rounds).toMatchObject([
      [{ input: { file_path: 'c.ts', old_string: 'a', new_string: 'b' } }],
      [{ input: { cmd: 'ls' } }],
    ]);
  });

  it('does the steps in order, and "it" is the file spoken of', async () => {
    const run = await converse('read a.ts, then replace "X" with "Y" in it, then run npm test');
    expect(run.rounds.map((calls) => calls.map(({ name, input }) => [name, input]))).toEqual([
      [['read_file', { path: 'a.ts' }]],
      [['edit_file', { path: 'a.ts', old_text: 'X', new_text: 'Y', replace_all: true }]],
      [['run_command', { command: 'npm test' }]],
    ]);
  });

  it('looks at several things side by side, but changes one at a time', async () => {
    const run = await converse('read a.ts, read b.ts, search for "x", delete c.ts, delete d.ts');
    expect(names(run)).toEqual([['read_file', 'read_file', 'search_files'], ['delete_file'], ['delete_file']]);
  });

  it('keeps a plan of several steps up to date', async () => {
    const run = await converse('read a.ts, then run npm test', { tools: PLANNING });
    expect(names(run)).toEqual([['update_plan', 'read_file'], ['update_plan', 'run_command'], ['update_plan']]);
    const plans = run.rounds.map(([plan]) => (plan?.input.entries ?? []) as readonly { readonly status: string }[]);
    const statuses = plans.map((entries) => entries.map(({ status }) => status));
    expect(statuses).toEqual([
      ['in_progress', 'pending'],
      ['completed', 'in_progress'],
      ['completed', 'completed'],
    ]);
  });

  it('makes no plan for a single step', async () => {
    expect(names(await converse('run ls', { tools: PLANNING }))).toEqual([['run_command']]);
  });

  it('plans without doing, and does the plan when told', async () => {
    const planned = await converse('plan: delete a.ts, then run npm test', { tools: PLANNING });
    expect(names(planned)).toEqual([['update_plan']]);
    expect(planned.text).toContain('do it');
    const done = await converse('do it', { tools: PLANNING, history: planned.history });
    expect(names(done)).toEqual([['update_plan', 'delete_file'], ['update_plan', 'run_command'], ['update_plan']]);
  });

  it('asks to leave plan mode when a step needs a tool that the mode withholds', async () => {
    const locked = [...READ_ONLY, tool('update_plan', 'entries'), tool('exit_plan_mode', 'plan')];
    const run = await converse('plan to read a.ts, then delete it, and then do it', {
      tools: (round) => (round < 2 ? locked : PLANNING),
    });
    expect(names(run)).toEqual([
      ['update_plan', 'read_file'],
      ['exit_plan_mode'],
      ['update_plan', 'delete_file'],
      ['update_plan'],
    ]);
    expect(run.rounds[1]?.[0]?.input.plan).toContain('Delete `a.ts`');
  });

  it('changes nothing when the plan is not approved', async () => {
    const run = await converse('delete a.ts', {
      tools: [...READ_ONLY, tool('exit_plan_mode', 'plan')],
      world: () => new Error('rejected by the person'),
    });
    expect(names(run)).toEqual([['exit_plan_mode']]);
    expect(run.text).toMatch(/not approved/);
  });

  it('says which tool is missing in a mode that cannot be left', async () => {
    const run = await converse('delete a.ts', { tools: READ_ONLY });
    expect(run.rounds).toEqual([]);
    expect(run.text).toContain('delete_file');
  });

  it('stops at the first failure and says so honestly', async () => {
    const world: World = ({ name }) => (name === 'edit_file' ? new Error('old_text was not found in a.ts') : 'ok');
    const run = await converse('replace "X" with "Y" in a.ts, then run npm test', { world });
    expect(names(run)).toEqual([['edit_file']]);
    expect(run.text).toContain('could not replace');
    expect(run.text).toContain('old_text was not found in a.ts');
    expect(run.text).toContain('did not run `npm test`');
  });

  it('remembers the file of an earlier prompt', async () => {
    const first = await converse('read src/a.ts');
    const second = await converse('delete it', { history: first.history });
    expect(second.rounds).toMatchObject([[{ name: 'delete_file', input: { path: 'src/a.ts' } }]]);
  });

  it('calls MCP tools by name', async () => {
    const run = await converse('call mcp__demo__echo with {"text": "hi"}', { world: () => 'hi back' });
    expect(run.rounds).toMatchObject([[{ name: 'mcp__demo__echo', input: { text: 'hi' } }]]);
    expect(run.text).toContain('hi back');
  });

  it('appends through the shell where writing would replace the file', async () => {
    const run = await converse(`append "it's here" to a.txt`);
    expect(run.rounds).toMatchObject([
      [{ name: 'run_command', input: { command: `printf '%s\\n' 'it'\\''s here' >> 'a.txt'` } }],
    ]);
    const better = await converse('append "x" to a.txt', { tools: [tool('write_file', 'path', 'content', 'append')] });
    expect(better.rounds).toMatchObject([
      [{ name: 'write_file', input: { path: 'a.txt', content: 'x\n', append: true } }],
    ]);
  });

  it('repeats the answer to its question', async () => {
    const run = await converse('ask me "Which port?"', { world: () => '8080' });
    expect(run.text).toContain('8080');
  });

  it.each(['help', 'hello', 'write me a compiler for Haskell', 'what is the meaning of life', ''])(
    'says what it is and how to connect a real model when asked %j',
    async (prompt) => {
      const { text, rounds } = await converse(prompt);
      expect(rounds).toEqual([]);
      expect(text).toContain('offline model');
      expect(text).toContain('ANTHROPIC_API_KEY');
    },
  );

  it('explains itself once, however much it did not understand', async () => {
    const { text } = await converse(
      'hello\nplease make it nicer\n- teach the parser\n- paint the shed\n- make it nicer\nhelp',
    );
    expect(text).toMatch(/^I did not understand `make it nicer`, `teach the parser` or `paint the shed`\. /);
    expect(text.match(/ANTHROPIC_API_KEY/g)).toHaveLength(1);
    expect(text.match(/I did not understand/g)).toHaveLength(1);
    const many = await converse(Array.from({ length: 9 }, (_, index) => `- paint shed ${index}`).join('\n'));
    expect(many.text).toContain('`paint shed 4` and 4 more. I am');
    const half = await converse('read a.ts\n- teach the parser\n- paint the shed', { world: () => 'const a = 1;' });
    expect(half.text).toContain('const a = 1;');
    expect(half.text.match(/I did not understand|ANTHROPIC_API_KEY/g)).toHaveLength(2);
  });

  it('admits that it cannot see attachments', async () => {
    const messages: HistoryMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is this' },
          { type: 'image', mimeType: 'image/png', data: '' },
        ],
      },
    ];
    const { content } = await collectAnswer(createOfflineModel().stream({ messages }));
    expect(textOf(content)).toContain('image');
  });

  it('sums up a conversation mechanically', async () => {
    const first = await converse('read src/a.ts', { world: () => new Error('no such file') });
    const second = await converse('summarize the conversation', { history: first.history });
    expect(second.text).toContain('read src/a.ts');
    expect(second.text).toContain('(failed)');
  });

  it('answers the same request with the same events', async () => {
    const request: ModelRequest = {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'read a, then run ls' }] }],
      tools: PLANNING,
    };
    const model = createOfflineModel({ newId: () => 'id' });
    const [first, second] = await Promise.all([
      collectAnswer(model.stream(request)),
      collectAnswer(model.stream(request)),
    ]);
    expect(first).toEqual(second);
    expect(first.content[0]).toMatchObject({ type: 'thought' });
  });

  it('cannot have its fences closed by what it shows', async () => {
    const { text } = await converse('read a.md', { world: () => '```js\nx\n```' });
    expect(text).toContain('````\n```js\nx\n```\n````');
  });

  it('stops at once when the signal fires', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const stream = createOfflineModel().stream(
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'help' }] }] },
      { signal: controller.signal },
    );
    const run = (async () => {
      for await (const event of stream) if (event.type === 'text') controller.abort(reason);
    })();
    await expect(run).rejects.toBe(reason);
  });
});
