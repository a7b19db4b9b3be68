import { type LineFormat, USAGE } from '../format.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

export const GEMINI: LineFormat = {
  usage: {
    values: [
      '--output-format',
      '-o',
      '--prompt',
      '-p',
      '--model',
      '-m',
      '--resume',
      '-r',
      '--approval-mode',
      '--sandbox',
      '--include-directories',
    ],
    switches: ['--yolo', '--skip-trust'],
    prompts: ['--prompt', '-p'],
    resume: '--resume',
    needs: ['--output-format=stream-json'],
  },
  shell: 'run_shell_command',
  hasAnswerInResult: false,
  hasResult: true,
  begin: ({ sessionId, prompt }) => [
    { type: 'init', timestamp, session_id: sessionId, model: 'fake-model' },
    { type: 'message', timestamp, role: 'user', content: prompt },
  ],
  thought: () => [],
  text: (_turn, pieces) =>
    pieces.map((content) => ({ type: 'message', timestamp, role: 'assistant', content, delta: true })),
  toolStart: (_turn, { id, name, input }) => [
    { type: 'tool_use', timestamp, tool_name: name, tool_id: id, parameters: input },
  ],
  toolEnd: (_turn, { id, output, isError }) => [
    isError
      ? { type: 'tool_result', timestamp, tool_id: id, status: 'error', error: { type: 'shell', message: output } }
      : { type: 'tool_result', timestamp, tool_id: id, status: 'success', output },
  ],
  end: () => [
    {
      type: 'result',
      timestamp,
      status: 'success',
      stats: {
        total_tokens: USAGE.input + USAGE.output,
        input_tokens: USAGE.input,
        output_tokens: USAGE.output,
        cached: 0,
        tool_calls: 1,
      },
    },
  ],
  fail: (_turn, message) => [{ type: 'result', timestamp, status: 'error', error: { type: 'Error', message } }],
};
