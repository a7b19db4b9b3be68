import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentScript, type Step, sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';

const parley = useParley();

const info = { name: 'second', version: '2.0.0' };
const update = (fields: object): Step => ({ do: 'update', update: fields });
const text = (words: string) => ({ type: 'text', text: words });
const base64 = (words: string): string => Buffer.from(words).toString('base64');

/** An agent that speaks version 2 and nothing else; what it does in its turn is given. */
function second(...steps: readonly Step[]): AgentScript {
  return {
    on: {
      initialize: [{ do: 'respond', result: { protocolVersion: 2, info, capabilities: { session: {} } } }],
      'session/resume': [update({ sessionUpdate: 'state_update', state: 'idle' }), { do: 'respond', result: {} }],
      'session/prompt': [
        { do: 'respond', result: { messageId: 'p1' } },
        update({ sessionUpdate: 'user_message', messageId: 'p1', content: [text('$prompt')] }),
        update({ sessionUpdate: 'state_update', state: 'running' }),
        ...steps,
        update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' }),
      ],
    },
  };
}

const patch = { format: 'git_patch', text: '--- a/w/a.ts\n+++ b/w/a.ts\n@@ -1 +1 @@\n-one\n+two\n' };
const rich = second(
  update({ sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: text('Loo') }),
  update({ sessionUpdate: 'agent_message_chunk', messageId: 'm1', content: text('king.') }),
  update({
    sessionUpdate: 'plan_update',
    plan: { type: 'items', planId: 'a', entries: [{ content: 'Edit', priority: 'high', status: 'cancelled' }] },
  }),
  update({
    sessionUpdate: 'plan_update',
    plan: { type: 'items', planId: 'b', entries: [{ content: 'Test', priority: 'low', status: 'pending' }] },
  }),
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c1',
    title: 'Edit a.ts',
    kind: 'edit',
    status: 'in_progress',
  }),
  update({
    sessionUpdate: 'tool_call_content_chunk',
    toolCallId: 'c1',
    content: { type: 'diff', changes: [{ operation: 'modify', path: '/w/a.ts' }], patch },
  }),
  update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' }),
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c2',
    title: 'Deploy',
    kind: 'execute',
    status: 'cancelled',
  }),
  update({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c3',
    title: 'Beam',
    kind: 'other',
    status: 'completed',
    content: [{ type: '_hologram', beam: 9 }],
  }),
  update({ sessionUpdate: 'terminal_update', terminalId: 't', command: 'npm test' }),
  update({ sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: base64('all ') }),
  update({ sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: base64('well\n') }),
  update({ sessionUpdate: 'terminal_update', terminalId: 't', exitStatus: { exitCode: 0 } }),
  update({ sessionUpdate: 'agent_message', messageId: 'm2', content: [text('Told as a whole.')] }),
  update({ sessionUpdate: '_weather', rain: true }),
);

const SHOWN = [
  'Looking.',
  '[plan b]',
  '[tool] Edit a.ts (completed, +1 -1)',
  '- one',
  '+ two',
  '[tool] Deploy (cancelled)',
  '[content of type _hologram] {"beam":9}',
  '[terminal] npm test (exit 0)',
  'all well',
  'Told as a whole.',
];

describe('parley exec --protocol', () => {
  it('speaks version 2, and shows what only version 2 can say', async () => {
    const { code, stdout, stderr } = await parley.run(['exec', '--protocol', '2', '--agent', parley.agent(rich), 'Hi']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const words of [...SHOWN, '[done] end_turn']) expect(stdout).toContain(words);
  });

  it('takes the best that the agent speaks with auto', async () => {
    const run = async (script: AgentScript, name: string) => {
      const trace = join(parley.folder, name);
      const { code, stdout, stderr } = await parley.run([
        'exec',
        '--protocol',
        'auto',
        '--format',
        'quiet',
        '--trace',
        trace,
        '--agent',
        parley.agent(script),
        'Hi',
      ]);
      const answers = readLines(readFileSync(trace, 'utf8')).flatMap(({ message }) => {
        const { result } = (message ?? {}) as { readonly result?: { readonly protocolVersion?: number } };
        return result?.protocolVersion ?? [];
      });
      return { code, stdout, stderr, answers };
    };
    const new2 = second(update({ sessionUpdate: 'agent_message', messageId: 'm', content: [text('two')] }));
    expect(await run(new2, 'auto-2.ndjson')).toEqual({ code: 0, stdout: 'two\n', stderr: '', answers: [2] });
    const old1: AgentScript = { on: { 'session/prompt': sayAndEnd('one') } };
    expect(await run(old1, 'auto-1.ndjson')).toEqual({ code: 0, stdout: 'one\n', stderr: '', answers: [1] });
  });

  it('is said in the settings too, for all agents or for one', async () => {
    const [command = '', ...args] = parley.agentWords(
      second(update({ sessionUpdate: 'agent_message', messageId: 'm', content: [text('two')] })),
    );
    const home = { XDG_CONFIG_HOME: join(parley.home, 'second-config') };
    const file = (await parley.run(['config', 'path'], { env: home })).stdout.trim().split('\n')[0] ?? '';
    mkdirSync(dirname(file), { recursive: true });
    const write = (settings: object): void => writeFileSync(file, JSON.stringify(settings));
    write({ agents: { second: { command, args, protocol: 2 } } });
    const one = await parley.run(['exec', '--format', 'quiet', '--agent', 'second', 'Hi'], { env: home });
    expect(one).toMatchObject({ code: 0, stdout: 'two\n' });
    write({ agents: { second: { command, args } }, protocol: 'auto' });
    const all = await parley.run(['exec', '--format', 'quiet', '--agent', 'second', 'Hi'], { env: home });
    expect(all).toMatchObject({ code: 0, stdout: 'two\n' });
    write({ protocol: 3 });
    const wrong = await parley.run(['config', 'get', 'model'], { env: home });
    expect(wrong.stderr).toContain('protocol: expected one of 1, 2, auto');
  });

  it('is refused, with what it may be, where it is something else', async () => {
    const { code, stderr } = await parley.run(['exec', '--protocol', '3', '--agent', parley.agent(rich), 'Hi']);
    expect(stderr).toContain('--protocol is one of 1, 2, auto, not "3"');
    expect(code).toBe(2);
  });

  it('records what version 2 says, so that it is shown again from the record', async () => {
    const agent = parley.agent(rich);
    const opened = await parley.run(['sessions', 'new', '--protocol', '2', '--agent', agent, '-s', 'second']);
    expect(opened.code, opened.stderr).toBe(0);
    const made = await parley.run(['prompt', '--protocol', '2', '--agent', agent, '--session', 'second', 'Hi']);
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
    const { stdout } = await parley.run(['sessions', 'history', 'second', '--agent', agent]);
    for (const words of [
      '> Hi',
      'Looking.',
      '[tool] Edit a.ts (completed, +1 -1)',
      '+ two',
      '[tool] Deploy (cancelled)',
      'Told as a whole.',
    ])
      expect(stdout).toContain(words);
    const exported = (await parley.run(['sessions', 'export', 'second', '--agent', agent])).stdout;
    expect(exported).toContain('Told as a whole.');
  });
});
