import type { LineFormat } from '../format.ts';

const line = (type: string, data: object, isEphemeral = false): object => ({
  type,
  data,
  ...(isEphemeral && { ephemeral: true }),
  id: 'fake-event',
  timestamp: '2026-01-01T00:00:00.000Z',
});

export const COPILOT: LineFormat = {
  usage: {
    values: ['--output-format', '--prompt', '-p', '--resume', '--model', '--stream', '--add-dir', '--attachment'],
    switches: ['--allow-all-tools', '--allow-all-paths', '--allow-all'],
    prompts: ['--prompt', '-p'],
    resume: '--resume',
    needs: ['--output-format=json'],
  },
  shell: 'bash',
  hasAnswerInResult: false,
  hasResult: true,
  begin: ({ prompt }) => [
    line('session.tools_updated', { model: 'fake-model' }, true),
    line('user.message', { content: prompt, messageId: 'm0' }),
    line('assistant.turn_start', { turnId: '0' }),
  ],
  thought: (_turn, text) => [
    line('assistant.reasoning_delta', { reasoningId: 'r1', deltaContent: text }, true),
    line('assistant.reasoning', { reasoningId: 'r1', content: text }, true),
  ],
  text: (turn, pieces) => {
    const messageId = turn.newId();
    return [
      ...pieces.map((deltaContent) => line('assistant.message_delta', { messageId, deltaContent }, true)),
      line('assistant.message', { messageId, content: pieces.join(''), toolRequests: [] }),
    ];
  },
  toolStart: (_turn, { id, name, input }) => [
    line('tool.execution_start', { toolCallId: id, toolName: name, arguments: input, toolTitle: 'Running command' }),
  ],
  toolEnd: (_turn, { id, output, isError }) => [
    line('tool.execution_partial_result', { toolCallId: id, partialOutput: output }, true),
    line('tool.execution_complete', {
      toolCallId: id,
      success: !isError,
      ...(isError
        ? { error: { message: output } }
        : { result: { content: `${output}\n<exited with exit code 0>`, detailedContent: output } }),
    }),
  ],
  end: ({ sessionId }) => [
    line('assistant.turn_end', { turnId: '0' }),
    { type: 'result', timestamp: '2026-01-01T00:00:00.000Z', sessionId, exitCode: 0, usage: { premiumRequests: 0 } },
  ],
  fail: ({ sessionId }, message) => [
    line('session.error', { errorType: 'query', message }),
    { type: 'result', timestamp: '2026-01-01T00:00:00.000Z', sessionId, exitCode: 1 },
  ],
};
