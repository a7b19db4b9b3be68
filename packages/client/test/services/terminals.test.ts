import { getTerminal } from '@parley/session';
import { type AgentScript, END_TURN, type Step } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { ask, useServing } from '../support/serving.ts';

const serving = useServing();

describe('terminals', () => {
  it('serve all five methods, and show in the transcript', async () => {
    const { answers, transcript, offered } = await serving.answersTo(
      [
        ask('terminal/create', { command: 'sh', args: ['-c', 'echo hello; echo "$PWD"; exit 4'] }, 't'),
        ask('terminal/wait_for_exit', { terminalId: '$saved:t' }),
        ask('terminal/output', { terminalId: '$saved:t' }),
        ask('terminal/kill', { terminalId: '$saved:t' }),
        ask('terminal/output', { terminalId: '$saved:t' }),
        ask('terminal/release', { terminalId: '$saved:t' }),
        ask('terminal/output', { terminalId: '$saved:t' }),
        ask('terminal/release', { terminalId: '$saved:t' }),
      ],
      { terminals: true },
    );
    expect(offered).toMatchObject({ terminal: true });
    const output = { output: `hello\n${serving.cwd}\n`, truncated: false, exitStatus: { exitCode: 4, signal: null } };
    expect(answers.slice(1)).toMatchObject([
      { result: { exitCode: 4, signal: null } },
      { result: output },
      { result: {} },
      { result: output },
      { result: {} },
      { error: { code: -32002 } },
      { error: { code: -32002 } },
    ]);
    const { terminalId } = (answers[0]?.result ?? {}) as { terminalId: string };
    expect(getTerminal(transcript, terminalId)).toMatchObject({
      cwd: serving.cwd,
      output: output.output,
      exit: { exitCode: 4 },
    });
  });

  it('truncate from the start, and kill what runs', async () => {
    const { answers } = await serving.answersTo(
      [
        ask(
          'terminal/create',
          { command: 'sh', args: ['-c', 'printf 0123456789; sleep 1000'], outputByteLimit: 4 },
          't',
        ),
        { do: 'wait', ms: 200 },
        ask('terminal/kill', { terminalId: '$saved:t' }),
        ask('terminal/output', { terminalId: '$saved:t' }),
        ask('terminal/wait_for_exit', { terminalId: '$saved:t' }),
        ask('terminal/release', { terminalId: '$saved:t' }),
      ],
      { terminals: true },
    );
    expect(answers[2]).toMatchObject({
      result: { output: '6789', truncated: true, exitStatus: { signal: 'SIGTERM', exitCode: null } },
    });
    expect(answers[3]).toEqual({ result: { exitCode: null, signal: 'SIGTERM' } });
  });

  it('are refused with a relative cwd, for a foreign session, beyond the limit, and when the command is not there', async () => {
    const { answers } = await serving.answersTo(
      [
        ask('terminal/create', { command: 'true', cwd: 'relative' }),
        ask('terminal/create', { command: 'true', sessionId: 'other' }),
        ask('terminal/create', { command: 'no-such-command-here' }),
        ask('terminal/create', { command: 'sleep', args: ['1000'] }),
        ask('terminal/create', { command: 'sleep', args: ['1000'] }),
      ],
      { terminals: { maxTerminals: 1 } },
    );
    expect(answers.map(({ error }) => error?.code)).toEqual([-32602, -32002, -32602, undefined, -32603]);
  });

  it('of agents that run commands themselves show in the transcript too', async () => {
    const update = (meta: object, more: object = {}): Step => ({
      do: 'update',
      update: { sessionUpdate: 'tool_call_update', toolCallId: 't1', _meta: meta, ...more },
    });
    const script: AgentScript = {
      on: {
        'session/prompt': [
          {
            do: 'update',
            update: {
              sessionUpdate: 'tool_call',
              toolCallId: 't1',
              title: 'npm test',
              kind: 'execute',
              content: [{ type: 'terminal', terminalId: 'theirs' }],
              _meta: { terminal_info: { terminal_id: 'theirs', cwd: '/w' } },
            },
          },
          update({ terminal_output: { terminal_id: 'theirs', data: 'ok 1\n' } }),
          update({ terminal_output: { terminal_id: 'theirs', data: 'ok 2\n' } }),
          update({ terminal_exit: { terminal_id: 'theirs', exit_code: 0, signal: null } }, { status: 'completed' }),
          END_TURN,
        ],
      },
    };
    const { connection, session } = await serving.agents.open(script);
    await using _ = connection;
    await session.prompt('go').result;
    expect(getTerminal(session.transcript, 'theirs')).toMatchObject({
      cwd: '/w',
      output: 'ok 1\nok 2\n',
      exit: { exitCode: 0, signal: null },
    });
  });
});
