import { type LineFormat, USAGE } from '../format.ts';

export const CODEX: LineFormat = {
  usage: {
    words: ['exec'],
    resumeWord: 'resume',
    values: ['--model', '-m', '--sandbox', '-s', '--cd', '-C', '--add-dir', '--image', '-i', '-c', '--config'],
    switches: ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    needs: ['--json'],
  },
  shell: 'command_execution',
  hasAnswerInResult: false,
  hasResult: true,
  begin: ({ sessionId }) => [{ type: 'thread.started', thread_id: sessionId }, { type: 'turn.started' }],
  thought: (_turn, text) => [{ type: 'item.completed', item: { id: 'item_thought', type: 'reasoning', text } }],
  text: (_turn, pieces) => [
    { type: 'item.completed', item: { id: 'item_text', type: 'agent_message', text: pieces.join('') } },
  ],
  toolStart: (_turn, { id, input }) => [
    {
      type: 'item.started',
      item: {
        id,
        type: 'command_execution',
        command: input.command,
        aggregated_output: '',
        exit_code: null,
        status: 'in_progress',
      },
    },
  ],
  toolEnd: (_turn, { id, input, output, isError }) => [
    {
      type: 'item.completed',
      item: {
        id,
        type: 'command_execution',
        command: input.command,
        aggregated_output: output,
        exit_code: isError ? 1 : 0,
        status: isError ? 'failed' : 'completed',
      },
    },
  ],
  end: () => [
    {
      type: 'turn.completed',
      usage: {
        input_tokens: USAGE.input,
        cached_input_tokens: 0,
        output_tokens: USAGE.output,
        reasoning_output_tokens: 0,
      },
    },
  ],
  fail: (_turn, message) => [
    { type: 'error', message },
    { type: 'turn.failed', error: { message } },
  ],
};
