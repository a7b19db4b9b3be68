import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const inFolder = (name: string): string => join(parley.folder, name);

/** A command line of its own format. It works for as long as the prompt says, so that it can be cancelled. */
const SAMPLE = `
const words = process.argv.slice(2);
const prompt = words[words.indexOf('-p') + 1];
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
say({ type: 'init', session_id: 'own-1' });
say({ type: 'message', text: 'You said: ' });
say({ type: 'tool_call', id: 't1', name: 'Read', input: { path: 'a.txt' } });
await wait(/long|slow|wait|cancel/i.test(prompt) ? 3000 : 20);
say({ type: 'tool_result', id: 't1', output: 'text' });
say({ type: 'message', text: prompt });
say({ type: 'strange', value: 1 });
say({ type: 'result', result: prompt });
`;
const DESCRIPTION = {
  version: 1,
  name: 'sample',
  command: [process.execPath, 'set below'],
  sessionMode: 'stream',
  prompt: { flag: '-p' },
  output: { flag: '', value: '' },
  resume: { flag: '--resume', sessionIdPath: '$.session_id' },
  outputEvents: [
    { match: { path: '$.type', value: 'message' }, emitAs: 'message', extract: { content: '$.text' } },
    {
      match: { path: '$.type', value: 'tool_call' },
      emitAs: 'tool_call',
      extract: { id: '$.id', name: '$.name', input: '$.input' },
    },
    {
      match: { path: '$.type', value: 'tool_result' },
      emitAs: 'tool_result',
      extract: { id: '$.id', output: '$.output' },
    },
    { match: { path: '$.type', value: 'never' }, emitAs: 'thought', extract: { content: '$.text' } },
    { match: { path: '$.type', value: 'init' }, emitAs: 'ignore' },
  ],
  result: { matchPath: '$.type', matchValue: 'result', contentPath: '$.result' },
};

beforeAll(() => {
  writeFileSync(inFolder('sample.mjs'), SAMPLE);
  writeFileSync(
    inFolder('sample.json'),
    JSON.stringify({ ...DESCRIPTION, command: [process.execPath, inFolder('sample.mjs')] }),
  );
});

describe('parley adapt', () => {
  it('is an agent for every command of parley, by its file', async () => {
    const { code, stdout, stderr } = await parley.run(['exec', '--agent', 'sample.json', '--format', 'quiet', 'hello']);
    expect(stderr).toBe('');
    expect(stdout).toContain('hello');
    expect(code).toBe(0);
  });

  it('shows with --verbose what it starts, and with --debug every line', async () => {
    const verbose = await stderrOfTurn('--verbose');
    expect(verbose).toContain('"-p" "hello"');
    expect(verbose).not.toContain('"strange"');
    const debug = await stderrOfTurn('--debug');
    expect(debug).toContain('< {"type":"strange","value":1}');
    expect(debug).toContain('nothing in the description is about this line');
  });

  it('refuses a wrong description with the place and what is allowed, and exits 1', async () => {
    writeFileSync(inFolder('wrong.json'), '{\n  "version": 1,\n  "sessonMode": "stream"\n}');
    const { code, stdout, stderr } = await parley.run(['adapt', 'wrong.json']);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('wrong.json:3:3 sessonMode: is not a field of a description; did you mean "sessionMode"?');
    const missing = await parley.run(['adapt', 'claud-cli']);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean "claude-cli"') });
  });

  it.each([['1'], ['2']])(
    'passes every MUST of version %s',
    async (version) => {
      const words = [
        'check',
        '--protocol',
        version,
        '--json',
        '--',
        process.execPath,
        parley.program,
        'adapt',
        'sample.json',
      ];
      const { code, stdout, stderr } = await parley.run(words);
      const { results } = JSON.parse(stdout) as { readonly results: readonly Readonly<Record<string, string>>[] };
      expect(results.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(50);
      expect(results.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
      expect({ code, stderr }).toMatchObject({ code: 0 });
    },
    300_000,
  );
});

describe('parley adapt test', () => {
  it('says which part of a description saw which line, and what came of it', async () => {
    const lines = [
      '{"type":"message","text":"Hi"}',
      '{"type":"strange"}',
      'no json',
      '{"type":"result","result":"Hi"}',
    ];
    writeFileSync(inFolder('sample.sample.jsonl'), `${lines.join('\n')}\n`);
    const { code, stdout } = await parley.run(['adapt', 'test', 'sample.json']);
    expect(code).toBe(0);
    expect(stdout).toContain('agent_message_chunk {"content":{"type":"text","text":"Hi"}}');
    expect(stdout).toMatch(/:1 {2}outputEvents\[0\]/);
    expect(stdout).toMatch(/:4 {2}result/);
    expect(stdout).toContain('seen by nothing: lines 2, 3');
    expect(stdout).toContain('saw no line: outputEvents[1], outputEvents[2], outputEvents[3], outputEvents[4]');
    expect((await parley.run(['adapt', 'test', '--strict', 'sample.json'])).code).toBe(1);
    const json = await parley.run(['adapt', 'test', 'sample.json', '--json', '-'], { input: `${lines[0]}\n` });
    expect(JSON.parse(json.stdout.split('\n')[0] ?? '')).toMatchObject({ number: 1, seenBy: ['outputEvents[0]'] });
  });
});

describe('parley adapt record', () => {
  it('keeps what a command writes, and proposes a description that can be used at once', async () => {
    const words = [
      'adapt',
      'record',
      '-o',
      'recorded.json',
      '--',
      process.execPath,
      inFolder('sample.mjs'),
      '-p',
      'say hello',
    ];
    const { code, stderr } = await parley.run(words, { input: '' });
    expect(code).toBe(0);
    expect(stderr).toContain('Written: recorded.json, recorded.sample.jsonl');
    const { $schema, ...description } = JSON.parse(readFileSync(inFolder('recorded.json'), 'utf8'));
    expect(existsSync(new URL($schema))).toBe(true);
    expect(description).toMatchObject({
      command: [process.execPath, inFolder('sample.mjs')],
      prompt: { flag: '-p' },
      resume: { sessionIdPath: '$.session_id' },
      result: { matchPath: '$.type', matchValue: 'result', contentPath: '$.result' },
    });
    expect(description.outputEvents.map(({ emitAs }: { emitAs: string }) => emitAs)).toEqual([
      'ignore',
      'message',
      'tool_call',
      'tool_result',
    ]);
    expect((await parley.run(['adapt', 'test', 'recorded.json'])).stdout).toContain('seen by nothing: lines 6');
    const answer = await parley.run(['exec', '--agent', 'recorded.json', '--format', 'quiet', 'again']);
    expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining('again') });
    expect((await parley.run(words, { input: '' })).stderr).toContain('exists already');
  });
});

describe('ready descriptions', () => {
  it('are listed, also among the agents once their program is there', async () => {
    expect((await parley.run(['adapt', 'list'])).stdout).toMatch(/^claude-cli +missing: claude/m);
    const bin = inFolder('bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\n');
    chmodSync(join(bin, 'claude'), 0o755);
    const env = { PATH: `${bin}:${process.env.PATH}` };
    expect((await parley.run(['agents', 'list'], { env })).stdout).toMatch(
      /claude-cli +ready +adapter +parley adapt claude-cli/,
    );
    expect((await parley.run(['adapt', 'test', 'claude-cli'])).code).toBe(0);
  });
});

/** What the adapter says on stderr while a client prompts it. */
async function stderrOfTurn(flag: string): Promise<string> {
  const { process: child, sees, finished } = parley.start(['adapt', 'sample.json', flag], { input: undefined });
  const send = (id: number, method: string, params: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  let stdout = '';
  child.stdout.on('data', (text: string) => {
    stdout += text;
  });
  send(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
  send(1, 'session/new', { cwd: parley.folder, mcpServers: [] });
  await sees('"sessionId"');
  const sessionId = /"sessionId":"([^"]+)"/.exec(stdout)?.[1];
  send(2, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hello' }] });
  await sees('"stopReason"');
  child.stdin.end();
  return (await finished).stderr;
}
