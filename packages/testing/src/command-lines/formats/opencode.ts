import { type FakeTurn, type LineFormat, USAGE } from '../format.ts';

const line = ({ sessionId }: FakeTurn, type: string, part: object): object => ({
  type,
  timestamp: 1_767_225_600_000,
  sessionID: sessionId,
  part: { sessionID: sessionId, messageID: 'msg_fake', ...part },
});

export const OPENCODE: LineFormat = {
  usage: {
    words: ['run'],
    values: ['--format', '--session', '-s', '--model', '-m', '--agent', '--file', '-f', '--dir'],
    switches: ['--thinking', '--dangerously-skip-permissions', '--auto'],
    resume: '--session',
    needs: ['--format=json'],
  },
  shell: 'bash',
  hasAnswerInResult: false,
  hasResult: false,
  begin: (turn) => [line(turn, 'step_start', { id: 'prt_1', type: 'step-start' })],
  thought: (turn, text) => [line(turn, 'reasoning', { id: 'prt_2', type: 'reasoning', text })],
  text: (turn, pieces) => [line(turn, 'text', { id: turn.newId(), type: 'text', text: pieces.join('') })],
  // A call is written once, when it has ended.
  toolStart: () => [],
  toolEnd: (turn, { id, name, input, output, isError }) => [
    line(turn, 'tool_use', {
      id: 'prt_4',
      type: 'tool',
      tool: name,
      callID: id,
      state: isError
        ? { status: 'error', input, error: output }
        : { status: 'completed', input, output, title: String(input.command), metadata: { exit: 0 } },
    }),
  ],
  end: (turn) => [
    line(turn, 'step_finish', {
      id: 'prt_5',
      type: 'step-finish',
      reason: 'stop',
      cost: 0,
      tokens: {
        total: USAGE.input + USAGE.output,
        input: USAGE.input,
        output: USAGE.output,
        reasoning: 0,
        cache: { read: 0, write: 0 },
      },
    }),
  ],
  fail: ({ sessionId }, message) => [
    { type: 'error', timestamp: 0, sessionID: sessionId, error: { name: 'APIError', data: { message } } },
  ],
};
