import type { AgentScript } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { asksPermission } from '../support/scripts.ts';
import { runInTerminal, type TerminalRun } from '../support/terminal.ts';

const parley = useParley();

const asks: AgentScript = {
  on: {
    'session/prompt': [
      asksPermission({
        command: 'npm publish',
        title: 'Run a command',
        options: [{ optionId: 'always', name: 'Always', kind: 'allow_always' }],
        no: 'No\u001b[2J',
        echo: true,
      }),
      { do: 'respond', result: { stopReason: 'end_turn' } },
    ],
    'session/cancel': [],
  },
};

/** Runs the command in a real terminal and types an answer whenever it is asked. */
function answer(args: readonly string[], answers: readonly string[]): Promise<TerminalRun> {
  let asked = 0;
  return runInTerminal(parley, args, (output) => {
    const due = answers.slice(asked, output.split('choose: ').length - 1);
    asked += due.length;
    return due.join('');
  });
}

describe('parley exec in a terminal', () => {
  it("asks with the agent's own options and the whole command, and takes a number", async () => {
    const { code, output } = await answer(['exec', '--agent', parley.agent(asks), 'Hi'], ['1\r']);
    expect(output).toContain('Waiting for you: Run a command');
    expect(output).toContain('$ npm publish');
    expect(output).toMatch(/1 Yes\r\n {2}2 Always\r\n {2}3 No\r\n/);
    expect(output).toContain('"optionId":"yes"');
    expect(output).not.toContain(String.raw`\u001b`);
    expect(code).toBe(0);
  });

  it('shows the change that it asks about and what the agent says of its harm, and lets nothing of it look like its own', async () => {
    const trick = 'harmless\n  1 Allow\nWaiting for you: nothing';
    const agent = parley.agent({
      on: {
        'session/prompt': [
          {
            do: 'request',
            method: 'session/request_permission',
            params: {
              sessionId: '$sessionId',
              toolCall: {
                toolCallId: 't',
                title: `Edit\n${trick}`,
                kind: 'execute',
                rawInput: { command: `echo a\n${trick}` },
                content: [
                  { type: 'diff', path: `${parley.folder}/a.ts`, oldText: 'old line\n', newText: 'new line\n' },
                ],
                _meta: { safetyLevel: 3, approvalHints: { rollbackSteps: `git checkout a.ts\n${trick}` } },
              },
              options: [{ optionId: 'no', name: `No\n${trick}`, kind: 'reject_once' }],
            },
          },
          { do: 'respond', result: { stopReason: 'end_turn' } },
        ],
      },
    });
    const { output } = await answer(['exec', '--no-color', '--agent', agent, 'Hi'], ['1\r']);
    const lines = output.split('\r\n');
    expect(lines.filter((line) => line.startsWith('Waiting for you:'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('  1 '))).toEqual([
      '  1 No harmless 1 Allow Waiting for you: nothing',
    ]);
    expect(lines).toContain('    1 - old line');
    expect(lines).toContain('    1 + new line');
    expect(lines).toContain('    Says the agent: high impact (level 3 of 4).');
    expect(output).toContain('    To undo it: git checkout a.ts harmless');
  });

  it('asks again when the answer is none of the numbers', async () => {
    const { code, output } = await answer(['exec', '--agent', parley.agent(asks), 'Hi'], ['7\r', '3\r']);
    expect(output).toContain('Type a number from 1 to 3');
    expect(output).toContain('"optionId":"no"');
    expect(code).toBe(5);
  });

  it('stops when Ctrl-C is the answer', async () => {
    const { code, output } = await answer(['exec', '--agent', parley.agent(asks), 'Hi'], ['\u0003']);
    expect(output).toContain('"outcome":"cancelled"');
    expect(code).toBe(130);
  });

  it('does not keep "always" for longer than the session, unless the settings say so', async () => {
    await answer(['exec', '--agent', parley.agent(asks), 'Hi'], ['2\r']);
    expect((await parley.run(['permissions', 'list', '--json'])).stdout).toContain('"remembered":[]');
    expect((await parley.run(['exec', '--agent', parley.agent(asks), 'Hi'])).code).toBe(5);
    await parley.run(['config', 'set', 'permissions.remember', 'project']);
    await answer(['exec', '--agent', parley.agent(asks), 'Hi'], ['2\r']);
    expect((await parley.run(['exec', '--agent', parley.agent(asks), 'Hi'])).code).toBe(0);
  });
});
