import fc from 'fast-check';
import type { SessionEvent } from '../src/event.ts';
import type { Content, ToolCallContent } from '../src/parts.ts';

// Any event that an agent can tell, over few ids, so that events meet.

const id = fc.constantFrom('a', 'b', 'c');
const word = fc.string({ maxLength: 12, unit: 'binary' });
const name = fc.string({ minLength: 1, maxLength: 12 });
const meta = fc.dictionary(fc.constantFrom('x', 'y'), fc.oneof(word, fc.integer()), { minKeys: 1 });
const open = (...words: string[]): fc.Arbitrary<string> => fc.constantFrom(...words, '_own');

/** Fields that are not required may be left out. */
function fields(model: Record<string, fc.Arbitrary<unknown>>, ...requiredKeys: string[]): fc.Arbitrary<unknown> {
  return fc.record(model, { requiredKeys });
}

const address = fc.constantFrom('file:///a/b', 'https://example.com/x', '/home/me/a b.ts', 'C:\\me\\a.ts', 'src/a.ts');

const block = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('text'), text: word }) },
  fc.record({ type: fc.constant('text'), text: word, annotations: fc.constant({ priority: 1 }) }),
  fc.record({ type: fc.constant('image'), data: fc.constant('AAAA'), mimeType: fc.constant('image/png') }),
  fc.record({ type: fc.constant('resource_link'), name, uri: address }),
  fc.record({ type: fc.constant('resource'), resource: fc.record({ uri: address, text: word }) }),
) as fc.Arbitrary<Content>;

const blocks = fc.array(block, { maxLength: 3 });
const text = fc
  .array(fc.constantFrom('one\n', 'two\n', '\n', 'three'), { maxLength: 8 })
  .map((lines) => lines.join(''));
const path = fc.constantFrom('/project/a.ts', '/project/b c.ts');
const operation = fc.constantFrom('add', 'delete', 'modify');

const change = fc.oneof(
  fc.record({ operation, path }),
  fc.record({ operation: fc.constantFrom('move', 'copy'), oldPath: path, path, fileType: fc.constant('text') }),
  fc.record({ operation: fc.constant('_swap'), path, with: path }),
);

const shown = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant('content'), content: block }) },
  fc.record({ type: fc.constant('diff'), path, oldText: fc.option(text), newText: text }),
  fields({ type: fc.constant('changes'), changes: fc.array(change, { maxLength: 3 }), patch: word }, 'type', 'changes'),
  fc.record({ type: fc.constant('terminal'), terminalId: id }),
  fc.record({
    type: fc.constant('unknown'),
    raw: fc.record({ type: fc.constant('_chart'), points: fc.array(fc.nat()) }),
  }),
) as fc.Arbitrary<ToolCallContent>;

const location = fields({ path, line: fc.nat({ max: 3 }) }, 'path');
const status = open('pending', 'in_progress', 'paused', 'completed', 'failed', 'cancelled');

const toolCall = fields(
  {
    type: fc.constant('tool_call'),
    toolCallId: id,
    title: fc.option(name),
    name: fc.option(name),
    kind: open('read', 'edit', 'execute', 'other'),
    status,
    content: fc.array(shown, { maxLength: 3 }),
    locations: fc.array(location, { maxLength: 2 }),
    rawInput: fc.jsonValue({ maxDepth: 1 }),
    rawOutput: fc.jsonValue({ maxDepth: 1 }),
    canCancel: fc.boolean(),
    meta: fc.option(meta),
  },
  'type',
  'toolCallId',
);

const step = fc.record({
  content: name,
  priority: open('high', 'medium', 'low'),
  status: open('pending', 'in_progress', 'completed', 'cancelled'),
});
const planId = fc.option(id, { nil: undefined });
const plan = fc.oneof(
  fields({ type: fc.constant('plan'), planId: id, entries: fc.array(step, { maxLength: 3 }) }, 'type', 'entries'),
  fc.record({
    type: fc.constant('plan'),
    planId,
    entries: fc.constant([]),
    document: fc.oneof(fc.record({ uri: fc.constant('file:///plan.md') }), fc.record({ markdown: word })),
  }),
  fc.record({ type: fc.constant('plan'), planId, entries: fc.constant([]), isRemoved: fc.constant(true) }),
);

const value = fields({ value: name, name, description: word }, 'value', 'name');
const group = fc.record({ group: id, name, options: fc.array(value, { maxLength: 2 }) });
const option = fc.oneof(
  fc.record({ id, name, type: fc.constant('boolean'), currentValue: fc.boolean() }),
  fields(
    {
      id,
      name,
      category: open('mode', 'model'),
      type: fc.constant('select'),
      currentValue: name,
      options: fc.oneof(fc.array(value, { maxLength: 3 }), fc.array(group, { maxLength: 3 })),
    },
    'id',
    'name',
    'type',
    'currentValue',
    'options',
  ),
);

const command = fields({ name, description: word, input: fc.option(fc.record({ hint: word })) }, 'name', 'description');

/** Some characters come in halves. */
const output = fc.oneof(word, fc.constantFrom('\ud83d', '\ude00', 'ü', '漢字', '😀'));

const terminal = fields(
  {
    type: fc.constant('terminal'),
    terminalId: id,
    command: fc.option(name),
    cwd: fc.option(path),
    output,
    exitCode: fc.option(fc.integer()),
    signal: fc.option(fc.constant('SIGTERM')),
    size: fc.option(fc.record({ cols: fc.integer({ min: 1, max: 300 }), rows: fc.integer({ min: 1, max: 99 }) })),
    canCancel: fc.boolean(),
    meta: fc.option(meta),
  },
  'type',
  'terminalId',
);

const background = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('terminal'), terminalId: id }),
    fc.record({ type: fc.constant('tool_call'), toolCallId: id }),
    fc.record({ type: fc.constant('unknown'), raw: fc.record({ type: fc.constant('_swarm'), of: fc.nat() }) }),
  ),
  { maxLength: 2 },
);

const state = fc.oneof(
  fields(
    { type: fc.constant('state'), state: fc.constantFrom('running', 'requires_action'), turnId: id, background },
    'type',
    'state',
  ),
  fields(
    { type: fc.constant('state'), state: fc.constant('idle'), turnId: id, stopReason: open('end_turn', 'cancelled') },
    'type',
    'state',
  ),
  fc.record({
    type: fc.constant('state'),
    state: fc.constant('idle'),
    error: fc.record({ code: fc.constant(-32603), message: word }),
  }),
);

const speaker = fc.constantFrom('user', 'agent');

export const anyEvent: fc.Arbitrary<SessionEvent> = fc.oneof(
  fields(
    { type: fc.constant('message_chunk'), speaker, messageId: id, content: block, meta },
    'type',
    'speaker',
    'content',
  ),
  fields({ type: fc.constant('thought_chunk'), messageId: id, content: block, meta }, 'type', 'content'),
  fields(
    { type: fc.constant('whole_message'), speaker, messageId: id, content: blocks, meta },
    'type',
    'speaker',
    'messageId',
  ),
  fields({ type: fc.constant('whole_thought'), messageId: id, content: blocks, meta }, 'type', 'messageId'),
  { weight: 3, arbitrary: toolCall },
  fc.record({ type: fc.constant('tool_call_chunk'), toolCallId: id, content: shown }),
  plan,
  fc.record({ type: fc.constant('commands'), commands: fc.array(command, { maxLength: 2 }) }),
  fc.record({ type: fc.constant('mode'), modeId: id }),
  fc.record({ type: fc.constant('config'), options: fc.array(option, { maxLength: 3 }) }),
  fields(
    { type: fc.constant('info'), title: fc.option(word), updatedAt: fc.option(fc.constant('2026-01-02T03:04:05Z')) },
    'type',
  ),
  fields(
    {
      type: fc.constant('usage'),
      used: fc.nat(),
      size: fc.nat(),
      cost: fc.record({ amount: fc.constant(0.5), currency: fc.constant('EUR') }),
    },
    'type',
    'used',
    'size',
  ),
  fields(
    { type: fc.constant('notice'), severity: open('info', 'error'), title: name, description: word, meta },
    'type',
    'severity',
    'title',
  ),
  fields(
    {
      type: fc.constant('compaction'),
      compactionId: id,
      status: open('in_progress', 'completed'),
      summary: blocks,
      error: word,
    },
    'type',
    'compactionId',
    'status',
  ),
  fc.record({ type: fc.constant('compaction_chunk'), compactionId: id, content: block }),
  state,
  { weight: 2, arbitrary: terminal },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('terminal_output'), terminalId: id, text: output }) },
  fields(
    {
      type: fc.constant('subagent'),
      sessionId: id,
      title: fc.option(name),
      description: fc.option(word),
      state: fc.option(fc.constant({ state: 'running' })),
      cwd: fc.option(path),
      capabilities: fc.option(fc.constant({ cancel: {} })),
    },
    'type',
    'sessionId',
  ),
  fields(
    {
      type: fc.constant('session_message'),
      messageId: id,
      senderSessionId: id,
      recipientSessionId: id,
      content: blocks,
    },
    'type',
    'messageId',
    'content',
  ),
  fc.record({
    type: fc.constant('session_message'),
    messageId: id,
    content: fc.array(block, { minLength: 1, maxLength: 1 }),
    isChunk: fc.constant(true),
  }),
  fc
    .record({ sessionUpdate: fc.constantFrom('_own', 'of_tomorrow'), data: fc.jsonValue({ maxDepth: 1 }) })
    .map((raw) => ({ type: 'unknown', variant: raw.sessionUpdate, raw })),
) as fc.Arbitrary<SessionEvent>;
