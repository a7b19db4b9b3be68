import { type LineFormat, USAGE } from '../format.ts';

export const DROID: LineFormat = {
  usage: {
    words: ['exec'],
    values: [
      '--output-format',
      '-o',
      '--session-id',
      '-s',
      '--model',
      '-m',
      '--auto',
      '--cwd',
      '--reasoning-effort',
      '-r',
    ],
    switches: ['--skip-permissions-unsafe', '--use-spec'],
    resume: '--session-id',
    needs: ['--output-format=stream-json'],
  },
  shell: 'Execute',
  hasAnswerInResult: true,
  hasResult: true,
  begin: ({ sessionId, prompt, cwd }) => [
    { type: 'system', subtype: 'init', cwd, session_id: sessionId, tools: ['Execute'], model: 'fake-model' },
    { type: 'message', role: 'user', id: 'm0', text: prompt, timestamp: 0, session_id: sessionId },
  ],
  thought: ({ sessionId }, text) => {
    const line = { type: 'reasoning', id: 'm1', text, timestamp: 0, session_id: sessionId };
    // The real one writes it twice.
    return [line, line];
  },
  text: ({ sessionId, newId }, pieces) => [
    { type: 'message', role: 'assistant', id: newId(), text: pieces.join(''), timestamp: 0, session_id: sessionId },
  ],
  toolStart: ({ sessionId }, { id, name, input }) => [
    { type: 'tool_call', id, messageId: 'm1', toolId: name, toolName: name, parameters: input, session_id: sessionId },
  ],
  toolEnd: ({ sessionId }, { id, name, output, isError }) => [
    { type: 'tool_result', id, messageId: 'm2', toolId: name, isError, value: output, session_id: sessionId },
  ],
  end: ({ sessionId }, answer) => [
    {
      type: 'completion',
      finalText: answer,
      numTurns: 2,
      durationMs: 1,
      session_id: sessionId,
      usage: { input_tokens: USAGE.input, output_tokens: USAGE.output, cache_read_input_tokens: 0 },
    },
  ],
  fail: ({ sessionId }, message) => [{ type: 'error', source: 'agent_loop', message, session_id: sessionId }],
};
