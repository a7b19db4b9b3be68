import { type FakeToolCall, type FakeTurn, type Heard, type LineFormat, USAGE, type Usage } from '../format.ts';

interface Variant {
  readonly usage: Usage;
  readonly shell: string;
  /** Amp writes what the person said first. */
  readonly echoesPrompt?: boolean;
  readonly canAsk?: boolean;
}

/** The lines of Claude Code, which others have taken over. */
export function claudeLines({ usage, shell, echoesPrompt = false, canAsk = false }: Variant): LineFormat {
  const common = (turn: FakeTurn) => ({ session_id: turn.sessionId, parent_tool_use_id: null });
  const assistant = (turn: FakeTurn, content: object) => ({
    type: 'assistant',
    message: { id: 'msg_fake', type: 'message', role: 'assistant', content: [content], stop_reason: null },
    ...common(turn),
  });
  const event = (turn: FakeTurn, inner: object) => ({ type: 'stream_event', event: inner, ...common(turn) });
  return {
    usage,
    shell,
    hasAnswerInResult: true,
    hasResult: true,
    begin: (turn) => [
      {
        type: 'system',
        subtype: 'init',
        cwd: turn.cwd,
        session_id: turn.sessionId,
        tools: [shell],
        mcp_servers: [],
        model: 'fake-model',
      },
      ...(echoesPrompt
        ? [
            {
              type: 'user',
              message: { role: 'user', content: [{ type: 'text', text: turn.prompt }] },
              ...common(turn),
            },
          ]
        : []),
    ],
    thought: (turn, thinking) => [
      ...(turn.hasPieces
        ? [event(turn, { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking } })]
        : []),
      assistant(turn, { type: 'thinking', thinking, signature: '' }),
    ],
    text: (turn, pieces) => [
      ...(turn.hasPieces
        ? pieces.map((text) =>
            event(turn, { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } }),
          )
        : []),
      assistant(turn, { type: 'text', text: pieces.join('') }),
    ],
    toolStart: (turn, { id, name, input }) => [assistant(turn, { type: 'tool_use', id, name, input })],
    toolEnd: (turn, { id, output, isError }) => [
      {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: output, is_error: isError }],
        },
        ...common(turn),
      },
    ],
    end: (turn, result) => [
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        num_turns: 2,
        stop_reason: 'end_turn',
        session_id: turn.sessionId,
        total_cost_usd: 0.01,
        usage: { input_tokens: USAGE.input, output_tokens: USAGE.output, cache_read_input_tokens: 0 },
        result,
      },
    ],
    fail: (turn, message) => [
      {
        type: 'result',
        subtype: 'error_during_execution',
        is_error: true,
        session_id: turn.sessionId,
        result: message,
      },
    ],
    ...(canAsk && { ask, hear }),
  };
}

function ask(_turn: FakeTurn, { id, name, input }: FakeToolCall): object {
  return {
    type: 'control_request',
    request_id: `ask_${id}`,
    request: { subtype: 'can_use_tool', tool_name: name, input, tool_use_id: id, permission_suggestions: [] },
  };
}

interface Line {
  readonly type?: string;
  readonly request_id?: string;
  readonly request?: { readonly subtype?: string };
  readonly response?: { readonly request_id?: string; readonly response?: { readonly behavior?: string } };
  readonly message?: { readonly content?: string | readonly { readonly type: string; readonly text?: string }[] };
}

function hear(line: Line): Heard {
  switch (line.type) {
    case 'user': {
      const content = line.message?.content ?? '';
      if (typeof content === 'string') return { type: 'prompt', text: content, images: 0 };
      const text = content.map((block) => block.text ?? '').join('');
      return { type: 'prompt', text, images: content.filter(({ type }) => type === 'image').length };
    }
    case 'control_response':
      return {
        type: 'answer',
        id: line.response?.request_id ?? '',
        isAllowed: line.response?.response?.behavior === 'allow',
      };
    case 'control_request': {
      const reply = { type: 'control_response', response: { subtype: 'success', request_id: line.request_id } };
      return line.request?.subtype === 'interrupt' ? { type: 'interrupt', reply } : { type: 'reply', line: reply };
    }
    default:
      return { type: 'other' };
  }
}

export const CLAUDE: LineFormat = claudeLines({
  shell: 'Bash',
  canAsk: true,
  usage: {
    values: [
      '--output-format',
      '--input-format',
      '--resume',
      '--model',
      '--permission-mode',
      '--permission-prompt-tool',
      '--mcp-config',
      '--add-dir',
    ],
    switches: ['-p', '--print', '--verbose', '--include-partial-messages', '--dangerously-skip-permissions'],
    resume: '--resume',
    needs: ['--output-format=stream-json', '--verbose'],
    linesIn: '--input-format=stream-json',
    pieces: '--include-partial-messages',
  },
});

export const QWEN: LineFormat = claudeLines({
  shell: 'run_shell_command',
  canAsk: true,
  usage: {
    values: [
      '--output-format',
      '--input-format',
      '--resume',
      '--model',
      '--approval-mode',
      '--include-directories',
      '--prompt',
      '-p',
    ],
    switches: ['--include-partial-messages', '--yolo'],
    prompts: ['--prompt', '-p'],
    resume: '--resume',
    needs: ['--output-format=stream-json'],
    linesIn: '--input-format=stream-json',
    pieces: '--include-partial-messages',
  },
});

export const AMP: LineFormat = claudeLines({
  shell: 'Bash',
  echoesPrompt: true,
  usage: {
    resumeWords: ['threads', 'continue'],
    values: ['-x', '--execute', '--mode'],
    switches: ['--stream-json', '--stream-json-thinking'],
    prompts: ['--execute', '-x'],
    needs: ['--stream-json-thinking'],
  },
});
