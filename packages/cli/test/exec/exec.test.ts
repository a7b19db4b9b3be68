import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentScript, sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';
import { asksPermission } from '../support/scripts.ts';

const parley = useParley();

const hello = { on: { 'session/prompt': sayAndEnd('Hello there') } };
const asks = {
  on: {
    'session/prompt': [asksPermission({ echo: true }), { do: 'respond', result: { stopReason: 'end_turn' } }],
  },
} as const;
const endsWith = (stopReason: string) =>
  ({
    on: { 'session/prompt': [{ do: 'respond', result: { stopReason } }] },
  }) as const;

describe('parley exec', () => {
  it('prints what the agent says and how the turn ended', async () => {
    const { code, stdout, stderr } = await parley.run(['exec', '--agent', parley.agent(hello), 'Hi']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'Hello there\n[done] end_turn\n', stderr: '' });
  });

  it('tells what the turn took, where the agent does', async () => {
    const cost = { amount: 0.0123, currency: 'USD' };
    const usage = { inputTokens: 1234, outputTokens: 56, totalTokens: 1290 };
    const agent = parley.agent({
      on: {
        'session/prompt': [
          { do: 'update', update: { sessionUpdate: 'usage_update', used: 1290, size: 200_000, cost } },
          { do: 'respond', result: { stopReason: 'end_turn', usage } },
        ],
      },
    });
    const { stdout } = await parley.run(['exec', '--agent', agent, 'Hi']);
    expect(stdout).toBe('[done] end_turn (1.2k tokens in, 56 out, session $0.012)\n');
  });

  it('loads neither the shell parser nor what renders Markdown or dials, and no tables of characters, for a plain answer', async () => {
    const hooks = `import { writeSync } from 'node:fs';
      export async function load(url, context, next) {
        writeSync(2, url + '\\n');
        return next(url, context);
      }`;
    const asUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
    const watch = `import { register } from 'node:module';
      register(${JSON.stringify(asUrl(hooks))});
      Intl.Segmenter = class { constructor() { throw new Error('The segmenter is made, which takes milliseconds.'); } };`;
    const options = { env: { NODE_OPTIONS: `--import=${asUrl(watch)}` } };
    const { code, stdout, stderr } = await parley.run(['exec', '--agent', parley.agent(hello), 'Hi'], options);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello there\n[done] end_turn\n' });
    expect(stderr).toContain('parley.program.cjs');
    expect(stderr).not.toMatch(/node_modules\/(unbash|marked|ws|undici)\//);
  });

  it('prints the answer alone with --format quiet', async () => {
    const { stdout } = await parley.run(['--format', 'quiet', 'exec', '--agent', parley.agent(hello), 'Hi']);
    expect(stdout).toBe('Hello there\n');
  });

  it('prints every message of both directions as JSON, and the outcome last', async () => {
    const { code, stdout } = await parley.run(['exec', '--format', 'json', '--agent', parley.agent(hello), 'Hi']);
    const lines = readLines(stdout);
    expect(code).toBe(0);
    expect(lines.map(({ method, id }) => method ?? id)).toEqual([
      'initialize',
      1,
      'session/new',
      2,
      'session/prompt',
      'session/update',
      3,
      '_parley/outcome',
    ]);
    expect(lines.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(lines.at(-1)).toMatchObject({
      params: { schema: 1, exit: 'ok', exitCode: 0, stopReason: 'end_turn', text: 'Hello there', sessionId: 's1' },
    });
  });

  it('reads the prompt from stdin, from a file, and from both words and a file', async () => {
    writeFileSync(join(parley.folder, 'prompt.txt'), 'from a file\n');
    const agent = parley.agent({ on: { 'session/prompt': sayAndEnd('<$prompt>') } });
    const say = async (args: string[], input?: string) =>
      (await parley.run(['exec', '--format', 'quiet', '--agent', agent, ...args], input === undefined ? {} : { input }))
        .stdout;
    expect(await say([], 'from stdin\n')).toBe('<from stdin>\n');
    expect(await say(['-f', 'prompt.txt'])).toBe('<from a file>\n');
    expect(await say(['-f', '-', 'review', 'this'], 'a diff')).toBe('<review this\n\na diff>\n');
  });

  it('takes content blocks as JSON on stdin', async () => {
    const input = JSON.stringify([{ type: 'text', text: 'a block' }]);
    const agent = parley.agent({ on: { 'session/prompt': sayAndEnd('<$prompt>') } });
    const { stdout } = await parley.run(['exec', '--format', 'quiet', '--agent', agent], { input });
    expect(stdout).toBe('<a block>\n');
  });

  it('refuses to send an image to an agent that does not take images, before anything is sent', async () => {
    writeFileSync(join(parley.folder, 'dot.png'), 'x');
    const { code, stderr } = await parley.run(['exec', '--agent', parley.agent(hello), '--attach', 'dot.png', 'look']);
    expect(code).toBe(1);
    expect(stderr).toContain('promptCapabilities.image');
  });

  it('removes what a terminal would obey from what an agent says', async () => {
    const agent = parley.agent({
      on: { 'session/prompt': sayAndEnd('a\u001b]0;owned\u0007b\u001b[2Jc\u0007\u009b1md') },
    });
    const { stdout } = await parley.run(['exec', '--agent', agent, 'Hi'], { env: { FORCE_COLOR: '0' } });
    expect(stdout).toBe('abcd\n[done] end_turn\n');
  });

  it('sets mode, model and options before it prompts, by id or by name', async () => {
    const configOptions = [
      {
        id: 'llm',
        name: 'Model',
        category: 'model',
        type: 'select',
        currentValue: 'small',
        options: [
          { value: 'small', name: 'S' },
          { value: 'large', name: 'L' },
        ],
      },
      { id: 'deep', name: 'Deep', type: 'boolean', currentValue: false },
    ] as const;
    const agent = parley.agent({
      session: {
        modes: {
          currentModeId: 'ask',
          availableModes: [
            { id: 'ask', name: 'Ask' },
            { id: 'code', name: 'Code' },
          ],
        },
        configOptions,
      },
      on: {
        'session/set_mode': [{ do: 'respond', result: {} }],
        'session/set_config_option': [{ do: 'respond', result: { configOptions } }],
        'session/prompt': sayAndEnd('ok'),
      },
    });
    const { code, stdout, stderr } = await parley.run([
      ...['exec', '--format', 'json', '--agent', agent, '--mode', 'code', '--model', 'large', 'Hi'],
    ]);
    const sent = readLines(stdout).filter(({ method }) => String(method).startsWith('session/set_'));
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(sent.map(({ params }) => params)).toEqual([
      { sessionId: 's1', modeId: 'code' },
      { sessionId: 's1', configId: 'llm', value: 'large' },
    ]);
    const named = await parley.run([
      ...['exec', '--format', 'json', '--agent', agent, '--model', 'L', '--config-option', 'deep=on', 'Hi'],
    ]);
    const wished = readLines(named.stdout).filter(({ method }) => method === 'session/set_config_option');
    expect(wished.map(({ params }) => params)).toEqual([
      { sessionId: 's1', configId: 'llm', value: 'large' },
      { sessionId: 's1', configId: 'deep', type: 'boolean', value: true },
    ]);
    const unknown = await parley.run(['exec', '--agent', agent, '--config-option', 'depth=3', 'Hi']);
    expect(unknown.stderr).toContain('no option "depth"; it has llm, deep');
    const wrong = await parley.run(['exec', '--agent', agent, '--mode', 'fly', 'Hi']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('no mode "fly"; it has ask, code');
  });

  it('records a trace without secrets', async () => {
    const agent = parley.agent({ on: { 'session/prompt': sayAndEnd('the key is sk-abcdefghijklmnopqrstuvwx') } });
    await parley.run(['exec', '--agent', agent, '--trace', 'deep/trace.ndjson', 'Hi']);
    const lines = readLines(readFileSync(join(parley.folder, 'deep/trace.ndjson'), 'utf8'));
    expect(lines.map(({ direction }) => direction)).toEqual(['out', 'in', 'out', 'in', 'out', 'in', 'in']);
    expect(JSON.stringify(lines)).not.toContain('abcdefghijklmnop');
  });

  it('leaves out what files contain with --suppress-reads', async () => {
    const agent = parley.agent({
      on: {
        'session/prompt': [
          {
            do: 'request',
            method: 'fs/read_text_file',
            params: { sessionId: '$sessionId', path: join(parley.folder, 'prompt.txt') },
          },
          ...sayAndEnd('read it'),
        ],
      },
    });
    writeFileSync(join(parley.folder, 'prompt.txt'), 'confidential');
    const args = ['exec', '--format', 'json', '--agent', agent, 'Hi'];
    expect((await parley.run(args)).stdout).toContain('confidential');
    const { stdout } = await parley.run([...args, '--suppress-reads']);
    expect(stdout).not.toContain('confidential');
    expect(stdout).toContain('[suppressed]');
  });
});

const leavesPlanMode: AgentScript = {
  on: {
    'session/prompt': [
      {
        do: 'request',
        method: 'session/request_permission',
        params: {
          sessionId: '$sessionId',
          toolCall: { toolCallId: 't', title: 'Ready to code?', kind: 'switch_mode' },
          options: [
            { optionId: 'bypassPermissions', name: 'Yes, and bypass permissions', kind: 'allow_always' },
            { optionId: 'acceptEdits', name: 'Yes, and accept edits', kind: 'allow_always' },
            { optionId: 'default', name: 'Yes, and ask', kind: 'allow_once' },
            { optionId: 'plan', name: 'No, keep planning', kind: 'reject_once' },
          ],
        },
        echo: true,
      },
      { do: 'respond', result: { stopReason: 'end_turn' } },
    ],
  },
};

describe('parley exec --approve-all', () => {
  it('leaves plan mode in the way that lasts least', async () => {
    const { stdout } = await parley.run(['exec', '--approve-all', '--agent', parley.agent(leavesPlanMode), 'Hi']);
    expect(stdout).toContain('"optionId":"default"');
  });
});

describe('the exit code of parley exec', () => {
  const cases: readonly [string, object, string[], number][] = [
    ['a refusal', endsWith('refusal'), [], 8],
    ['a token limit', endsWith('max_tokens'), [], 9],
    ['a request limit', endsWith('max_turn_requests'), [], 9],
    ['a turn that the agent cancelled', endsWith('cancelled'), [], 130],
    ['a refusal, as acpx has it', endsWith('refusal'), ['--exit-codes', 'acpx'], 0],
    ['a permission that nobody gave', asks, [], 5],
    ['a permission that a rule gives', asks, ['--allow', 'Bash(npm test)'], 0],
    ['a permission with --approve-all', asks, ['--approve-all'], 0],
    ['a denied permission in spite of --approve-all', asks, ['--approve-all', '--deny', 'Bash(npm *)'], 5],
    ['a permission with --deny-all', asks, ['--deny-all'], 5],
    ['leaving plan mode with --approve-all', leavesPlanMode, ['--approve-all'], 0],
    ['leaving plan mode that nobody allowed', leavesPlanMode, ['--permission-mode', 'acceptEdits'], 5],
    ['a permission that fails the run', asks, ['--non-interactive-permissions', 'fail'], 5],
    ['a policy in our words', asks, ['--policy', '{"allow":["Bash(npm test)"]}'], 0],
    ["a policy in acpx's words", asks, ['--policy', '{"autoApprove":["execute"]}'], 0],
    [
      'an agent that wants a login',
      { on: { 'session/new': [{ do: 'fail', code: -32000, message: 'log in' }] } },
      [],
      7,
    ],
    ['an agent that fails', { on: { 'session/prompt': [{ do: 'fail', code: -32603, message: 'no' }] } }, [], 1],
    ['an agent that takes too long', { on: { 'session/prompt': [] } }, ['--timeout', '0.4'], 3],
  ];
  it.concurrent.each(cases)('tells %s', async (_name, script, flags, expected) => {
    const { code, stderr } = await parley.run(['exec', '--agent', parley.agent(script), ...flags, 'Hi']);
    expect(code, stderr).toBe(expected);
  });

  it.concurrent.each([
    ['an unknown flag', ['exec', '--fromat', 'json', 'Hi'], '--format'],
    ['a flag with a wrong value', ['exec', '--format', 'xml', 'Hi'], 'text, json, quiet'],
    ['flags that contradict each other', ['exec', '--approve-all', '--deny-all', 'Hi'], 'contradict'],
    ['a rule that cannot be read', ['exec', '--allow', 'Bash(', 'Hi'], 'column'],
    ['a folder that is not there', ['exec', '--cwd', 'nowhere', 'Hi'], 'no folder'],
    ['no prompt', ['exec'], 'no prompt'],
    ['an unknown agent', ['exec', '--agent', 'gemimi', 'Hi'], '"gemini"'],
    ['an unknown command', ['exce', 'Hi'], '"exec"'],
    ['an unknown command of sessions', ['sessions', 'exprot'], 'no command "sessions exprot". Did you mean "export"?'],
    ['an unknown command of agents', ['agents', 'bogus'], 'no command "agents bogus"'],
    ['an unknown command of permissions', ['permissions', 'bogus'], 'no command "permissions bogus"'],
    ['a flag without its value', ['--agent'], '--agent <name> is given without its value: an agent by name'],
    ['an unknown flag before a word', ['-z', 'hi'], 'parley has no flag "-z"'],
    ['a flag of a command before it', ['-s', 'nightly', 'hi'], 'parley has no flag "-s"'],
    ['a timeout that is none', ['exec', '--timeout', 'soon', 'Hi'], 'seconds'],
  ])('is 2 for %s, with a hint', async (_name, args, hint) => {
    const { code, stderr, stdout } = await parley.run(args);
    expect(code, stderr).toBe(2);
    expect(stderr).toContain(hint);
    expect(stdout).toBe('');
  });
});
