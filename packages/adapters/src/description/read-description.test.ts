import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseDescription, readDescription } from '../index.ts';

const MINIMAL = {
  version: 1,
  name: 'sample',
  command: ['sample'],
  sessionMode: 'stream',
  prompt: { flag: '-p' },
  output: { flag: '--output', value: 'json' },
  outputEvents: [
    { match: { path: '$.type', value: 'text' }, emitAs: 'message', extract: { content: '$.text' } },
    { match: { path: '$.items[*].type', value: ['a', 'b'] }, emitAs: 'tool_call', extract: { title: "'Tool'" } },
  ],
  result: { matchPath: '$.type', matchValue: 'result', contentPath: '$.result' },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-description-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a description', () => {
  it('is read from its file', async () => {
    const file = join(folder, 'sample.json');
    writeFileSync(file, JSON.stringify({ $schema: 'x', ...MINIMAL }));
    expect(await readDescription(file)).toEqual({ $schema: 'x', ...MINIMAL });
  });

  it('says of a missing file that it is missing', async () => {
    await expect(readDescription(join(folder, 'none.json'))).rejects.toMatchObject({
      code: 'description_unreadable',
      message: expect.stringContaining('there is no such file'),
    });
  });

  it('says where it is no JSON', () => {
    expect(() => parseDescription('{\n  "version": 1,\n  "name": ,\n}', 'x.json')).toThrow(
      'x.json is not JSON:\n  x.json:3:11 expected a value',
    );
  });

  it('names line, column and field of each problem, what is allowed, and what was meant', () => {
    const text = `{
  "version": 2,
  "name": "x",
  "command": [],
  "sesionMode": "stream",
  "sessionMode": "steam",
  "prompt": { "flag": 5 },
  "output": { "flag": "", "value": "" },
  "outputEvents": [
    { "match": { "path": "type" }, "emitAs": "mesage", "extract": { "contents": "$.a" } },
    { "match": { "path": "$.a[" }, "emitAs": "plan" }
  ]
}`;
    expect(() => parseDescription(text, 'x.json')).toThrow(
      [
        'x.json is not a description that can be used:',
        '  x.json:2:3 version: expected one of 1',
        '  x.json:4:3 command: expected a list of at least 1',
        '  x.json:5:3 sesionMode: is not a field of a description; did you mean "sessionMode"?',
        '  x.json:6:3 sessionMode: expected one of stream, iterative, persistent; did you mean "stream"?',
        '  x.json:7:15 prompt.flag: expected a string',
        '  x.json:10:18 outputEvents[0].match.path: must begin with "$", such as $.type, or be a \'literal\'',
        '  x.json:10:36 outputEvents[0].emitAs: expected one of thought, tool_call, message, plan, tool_result,',
      ].join('\n'),
    );
    expect(() => parseDescription(text, 'x.json')).toThrow('did you mean "content"?');
    expect(() => parseDescription(text, 'x.json')).toThrow('cannot be read from "[" on');
  });

  it('says what is missing, and what it would be for', () => {
    expect(() => parseDescription('{"version":1,"name":"x"}', 'x.json')).toThrow(
      '  x.json:1:1 command: is missing: the program and its first arguments',
    );
  });

  it('tolerates other names to extract, as the first readers of this format do', () => {
    const mapping = { ...MINIMAL.outputEvents[0], extract: { content: '$.text', whatever: '$.x' } };
    const description = { ...MINIMAL, outputEvents: [mapping] };
    expect(parseDescription(JSON.stringify(description), 'x.json')).toEqual(description);
  });

  it.each([
    [{ prompt: { flag: '-p', stdin: true } }, 'prompt.stdin: excludes a flag'],
    [{ prompt: { stdin: true, message: {} } }, 'prompt.message: needs stdinFormat "json"'],
    [{ prompt: { stdinFormat: 'json' } }, 'prompt.stdinFormat: needs stdin true'],
    [{ sessionMode: 'persistent' }, 'prompt.stdin: must be true in persistent mode'],
    [{ resume: { flag: '-r' } }, 'resume: needs sessionIdPath'],
    [{ resume: { sessionIdPath: '$.id' } }, 'resume: needs flag, args or command'],
    [{ images: {} }, 'images: needs exactly one of flag, mention and block'],
    [{ modes: [{ id: 'a' }, { id: 'a' }] }, 'modes[1].id: there is another mode "a"'],
    [{ models: { flag: '-m', values: ['a'], default: 'b' } }, 'models.default: expected one of a'],
    [{ outputEvents: undefined, result: undefined }, 'outputEvents: is missing'],
    [{ outputEvents: [{ match: { path: '$.q' }, emitAs: 'permission' }] }, 'outputEvents[0]: needs `answer`'],
  ])('refuses fields that do not go together: %j', (changes, problem) => {
    expect(() => parseDescription(JSON.stringify({ ...MINIMAL, ...changes }), 'x.json')).toThrow(problem);
  });
});
