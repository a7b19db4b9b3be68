import { spawn } from '@lydell/node-pty';
import { type AgentScript, END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { permission } from '../support/scripts.ts';

const parley = useParley();

const asks = (params: object): AgentScript => ({
  on: {
    'session/prompt': [
      { do: 'request', method: 'elicitation/create', params: { sessionId: '$sessionId', ...params }, echo: true },
      END_TURN,
    ],
    'session/cancel': [],
  },
});
const form = asks({
  mode: 'form',
  message: 'Set up the server\u001b[2J',
  requestedSchema: {
    type: 'object',
    properties: {
      port: { type: 'integer', title: 'Port', minimum: 1, maximum: 65535 },
      name: { type: 'string', title: 'Name', minLength: 3, default: 'main' },
      kind: {
        type: 'string',
        title: 'Kind',
        oneOf: [
          { const: 'd', title: 'Dev' },
          { const: 'p', title: 'Prod' },
        ],
      },
      safe: { type: 'boolean', title: 'Safe', default: true },
      note: { type: 'string', title: 'Note' },
    },
    required: ['port', 'name', 'kind'],
  },
});
const page = asks({ mode: 'url', message: 'Log in there', elicitationId: 'e1', url: 'https://example.com/login?a=1' });

/** Runs `parley exec` in a terminal and answers one prompt after the other. */
async function answer(script: AgentScript, answers: readonly string[], flags: readonly string[] = []) {
  const args = ['exec', ...flags, '--agent', parley.agent(script), 'Hi'];
  const terminal = spawn(process.execPath, [parley.program, ...args], {
    cols: 120,
    rows: 40,
    cwd: parley.folder,
    env: { ...parley.env, TERM: 'xterm-256color', NO_COLOR: '1' },
  });
  let output = '';
  let given = 0;
  terminal.onData((data) => {
    output += data;
    const prompts = output.match(/(?:answer|number|yes or no|choose)(?: \[[^\]]*\])?: /g)?.length ?? 0;
    for (; given < prompts; given += 1) terminal.write(answers[given] ?? '');
  });
  const code = await new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  return { code, output };
}

describe('a question with fields in parley exec', () => {
  it('is asked field by field, and each answer is checked', async () => {
    const { code, output } = await answer(form, [
      'many\r',
      '70000\r',
      '8080\r',
      'ab\r',
      '\r',
      '3\r',
      '2\r',
      'n\r',
      '\r',
    ]);
    expect(code, output).toBe(0);
    expect(output).toContain('Waiting for you: Set up the server\r\n');
    expect(output).toContain('This is not a number.');
    expect(output).toContain('at most 65535');
    expect(output).toContain('at least 3 characters');
    expect(output).toContain('answer [main]: ');
    expect(output).toContain('yes or no [yes]: ');
    expect(output).toContain('Note (optional)');
    expect(output.replaceAll(/\r\n/g, '')).toContain('{"port":8080,"name":"main","kind":"p","safe":false}');
    expect(output).toContain('"action":"accept"');
  });

  it('is declined with a word, and dismissed with Ctrl-D', async () => {
    expect((await answer(form, ['8080\r', '!no\r'])).output).toContain('{"action":"decline"}');
    const dismissed = await answer(form, ['\u0004']);
    expect(dismissed.output).toContain('{"action":"cancel"}');
    expect(dismissed.code).toBe(0);
  });

  it('stops with the turn at Ctrl-C', async () => {
    const { code, output } = await answer(form, ['\u0003']);
    expect(output).toContain('{"action":"cancel"}');
    expect(code).toBe(130);
  });

  it('waits for the permission that is being asked', async () => {
    const both: AgentScript = {
      on: {
        'session/prompt': [
          { do: 'ask', method: 'session/request_permission', params: permission() },
          ...(page.on?.['session/prompt'] ?? []),
        ],
      },
    };
    const { code, output } = await answer(both, ['1\r', '2\r']);
    expect(code).toBe(0);
    expect(output.indexOf('npm test')).toBeLessThan(output.indexOf('Log in there'));
    expect(output).toContain('{"action":"accept"}');
  });
});

describe('a page to visit in parley exec', () => {
  it('shows the whole address and opens nothing by itself', async () => {
    const { code, output } = await answer(page, ['9\r', '2\r']);
    expect(code).toBe(0);
    expect(output).toContain('  https://example.com/login?a=1\r\n');
    expect(output).toContain('Type a number from 1 to 3.');
    expect(output).toContain('{"action":"accept"}');
  });

  it('can be declined', async () => {
    expect((await answer(page, ['3\r'])).output).toContain('{"action":"decline"}');
  });

  it('is not offered with --format json, where nobody is asked', async () => {
    const { output } = await answer(page, [], ['--format', 'json']);
    expect(output).toContain('declined, as nobody can be asked here: Log in there');
    expect(output).not.toContain('"elicitation":');
  });
});
