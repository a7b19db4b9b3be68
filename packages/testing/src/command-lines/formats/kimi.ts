import type { LineFormat } from '../format.ts';

export const KIMI: LineFormat = {
  usage: {
    values: ['--output-format', '--prompt', '-p', '--session', '-S', '-r', '--model', '-m', '--add-dir'],
    switches: ['--plan'],
    prompts: ['--prompt', '-p'],
    resume: '--session',
    needs: ['--output-format=stream-json'],
  },
  shell: 'Bash',
  hasAnswerInResult: false,
  hasResult: false,
  begin: () => [{ role: 'meta', type: 'system.version', version: '2.1.0' }],
  thought: () => [],
  text: (_turn, pieces) => [{ role: 'assistant', content: pieces.join('') }],
  toolStart: (_turn, { id, name, input }) => [
    {
      role: 'assistant',
      tool_calls: [{ type: 'function', id, function: { name, arguments: JSON.stringify(input) } }],
    },
  ],
  toolEnd: (_turn, { id, output }) => [{ role: 'tool', tool_call_id: id, content: output }],
  end: ({ sessionId }) => [
    {
      role: 'meta',
      type: 'session.resume_hint',
      session_id: sessionId,
      command: `kimi -r ${sessionId}`,
      content: `To resume this session: kimi -r ${sessionId}`,
    },
  ],
  fail: () => [],
};
