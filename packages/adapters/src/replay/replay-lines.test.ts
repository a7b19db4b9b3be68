import { describe, expect, it } from 'vitest';
import { type Description, formatRecorded, parseDescription, readRecorded, replayLines } from '../index.ts';

const BASE = {
  version: 1,
  name: 'x',
  command: ['x'],
  sessionMode: 'stream',
  prompt: {},
  output: { flag: '', value: '' },
};

function replay(changes: object, lines: readonly unknown[]) {
  const description: Description = parseDescription(JSON.stringify({ ...BASE, ...changes }), 'x.json');
  return replayLines(
    description,
    lines.map((line) => JSON.stringify(line)),
  );
}

const textsOf = (found: ReturnType<typeof replay>): unknown[] =>
  found.lines.flatMap(({ events }) => events.map((event) => (event.type === 'message_chunk' ? event.content : event)));

describe('a path', () => {
  it.each([
    ['$.a.b', 'b'],
    ['$.list[1].text', 'two'],
    ['$.list[-1].text', 'two'],
    ['$.list[*].text', 'onetwo'],
    ["$['odd name']", 'odd'],
    ["'literal'", 'literal'],
  ])('%s finds its text', (path, text) => {
    const outputEvents = [{ match: { path: '$.a' }, emitAs: 'message', extract: { content: path } }];
    const line = { a: { b: 'b' }, list: [{ text: 'one' }, { text: 'two' }], 'odd name': 'odd' };
    expect(textsOf(replay({ outputEvents }, [line]))).toEqual([{ type: 'text', text }]);
  });

  it('of an item starts at the item, and $$ at the line', () => {
    const outputEvents = [
      { match: { path: '$.list[*]', value: 'say' }, emitAs: 'message', extract: { content: '$.text' } },
      {
        match: { path: '$.list[*].type', value: 'call' },
        emitAs: 'tool_call',
        extract: { name: '$$.name', id: '$.id' },
      },
    ];
    const { lines } = replay({ outputEvents }, [
      {
        name: 'Read',
        list: [
          { type: 'call', id: '1' },
          { type: 'say', text: 'hi' },
        ],
      },
    ]);
    expect(lines[0]?.events).toMatchObject([{ type: 'tool_call', name: 'Read' }, { type: 'message_chunk' }]);
  });
});

describe('mappings', () => {
  it('are all applied, with several conditions, several values and exceptions', () => {
    const outputEvents = [
      { match: { path: '$.type', value: ['a', 'b'] }, emitAs: 'message', extract: { content: "'one'" } },
      { match: { path: '$.type' }, emitAs: 'thought', extract: { content: '$.type' } },
      {
        match: [
          { path: '$.type', value: 'b' },
          { path: '$.n', value: '2' },
        ],
        emitAs: 'ignore',
      },
      { match: { path: '$.type', not: 'a' }, emitAs: 'ignore' },
    ];
    const found = replay({ outputEvents }, [{ type: 'a' }, { type: 'b', n: 2 }, { other: 1 }]);
    expect(found.lines.map(({ seenBy }) => seenBy)).toEqual([
      ['outputEvents[0]', 'outputEvents[1]'],
      ['outputEvents[0]', 'outputEvents[1]', 'outputEvents[2]', 'outputEvents[3]'],
      ['outputEvents[3]'],
    ]);
  });

  it('take no echo of the prompt for an answer', () => {
    const outputEvents = [
      { match: { path: '$.type', value: 'message' }, emitAs: 'message', extract: { content: '$.content' } },
    ];
    const found = replay({ outputEvents }, [
      { type: 'message', role: 'user', content: 'the prompt' },
      { type: 'message', role: 'assistant', content: 'Hel', delta: true },
      { type: 'message', role: 'assistant', content: 'lo', delta: true },
    ]);
    expect(textsOf(found)).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
    ]);
    expect(
      new Set(found.lines.flatMap(({ events }) => events.map((event) => 'messageId' in event && event.messageId))).size,
    ).toBe(1);
  });
});

describe('passthrough', () => {
  it('takes lines that are named as updates, or translated into them', () => {
    const found = replay(
      {
        outputMode: 'passthrough',
        passthroughTypeMap: { typeField: 'kind', typeValues: { reply: 'message', todo: 'plan' } },
      },
      [
        { kind: 'thought', content: 'hm' },
        { kind: 'reply', content: 'hi' },
        { kind: 'tool_call', name: 'Read', status: 'completed', input: { path: '/a' }, output: 'text' },
        { kind: 'todo', content: [{ content: 'step', status: 'done' }] },
        { kind: 'unknown' },
      ],
    );
    expect(found.lines.slice(0, 4).map(({ events }) => events[0])).toMatchObject([
      { type: 'thought_chunk', content: { text: 'hm' } },
      { type: 'message_chunk', content: { text: 'hi' } },
      {
        type: 'tool_call',
        title: 'Read',
        kind: 'read',
        status: 'completed',
        rawOutput: 'text',
        locations: [{ path: '/a' }],
      },
      { type: 'plan', entries: [{ content: 'step', status: 'completed' }] },
    ]);
    expect(found.lines[4]?.seenBy).toEqual([]);
  });
});

it('recorded lines are read with their times and without', () => {
  const kept = formatRecorded([{ ms: 3, line: '{"ms":1,"line":"x","more":true}' }]);
  expect(readRecorded(`${kept}plain\r\n\n{"a":1}`)).toEqual(['{"ms":1,"line":"x","more":true}', 'plain', '{"a":1}']);
});
