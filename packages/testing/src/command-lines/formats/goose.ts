import { type LineFormat, USAGE } from '../format.ts';

const message = (role: string, content: object): object => ({
  type: 'message',
  message: {
    id: 'msg_fake',
    role,
    created: 1_767_225_600,
    content: [content],
    metadata: { userVisible: true, agentVisible: true },
  },
});

export const GOOSE: LineFormat = {
  usage: {
    words: ['run'],
    values: ['--output-format', '--text', '-t', '--name', '-n', '--session-id', '--model', '--provider', '--system'],
    switches: ['--resume', '-r', '--quiet', '-q', '--no-session'],
    prompts: ['--text', '-t'],
    resume: '--name',
    resumeSwitch: '--resume',
    needs: ['--output-format=stream-json'],
  },
  shell: 'developer__shell',
  hasAnswerInResult: false,
  hasResult: true,
  begin: () => [],
  thought: (_turn, thinking) => [message('assistant', { type: 'thinking', thinking, signature: '' })],
  text: (_turn, pieces) => pieces.map((text) => message('assistant', { type: 'text', text })),
  toolStart: (_turn, { id, name, input }) => [
    message('assistant', {
      type: 'toolRequest',
      id,
      toolCall: { status: 'success', value: { name, arguments: input } },
    }),
  ],
  toolEnd: (_turn, { id, output, isError }) => [
    message('user', {
      type: 'toolResponse',
      id,
      toolResult: isError
        ? { status: 'error', error: output }
        : { status: 'success', value: { content: [{ type: 'text', text: output }], isError: false } },
    }),
  ],
  end: () => [
    {
      type: 'complete',
      total_tokens: USAGE.input + USAGE.output,
      input_tokens: USAGE.input,
      output_tokens: USAGE.output,
    },
  ],
  fail: (_turn, error) => [{ type: 'error', error }],
};
