import type { SessionEvent } from '@parley/session';

/**
 * Some v1 agents run commands themselves and only show them: a tool call names a terminal that we never made, and its
 * `_meta` carries `terminal_info`, `terminal_output` and `terminal_exit`. These become terminal events, so that views
 * see one kind of terminal.
 */
export function displayTerminalEvents(event: SessionEvent): SessionEvent[] {
  if (event.type !== 'tool_call' || !event.meta) return [];
  const { terminal_info: info, terminal_output: output, terminal_exit: exit } = event.meta;
  return [...readInfo(info), ...readOutput(output), ...readExit(exit)];
}

function readInfo(value: unknown): SessionEvent[] {
  const { terminal_id: terminalId, cwd, command } = fields(value);
  if (typeof terminalId !== 'string') return [];
  return [
    {
      type: 'terminal',
      terminalId,
      isInMeta: true,
      ...(typeof cwd === 'string' && { cwd }),
      ...(typeof command === 'string' && { command }),
    },
  ];
}

function readOutput(value: unknown): SessionEvent[] {
  const { terminal_id: terminalId, data } = fields(value);
  if (typeof terminalId !== 'string' || typeof data !== 'string') return [];
  return [{ type: 'terminal_output', terminalId, isInMeta: true, text: data }];
}

function readExit(value: unknown): SessionEvent[] {
  const { terminal_id: terminalId, exit_code: exitCode, signal } = fields(value);
  if (typeof terminalId !== 'string') return [];
  return [
    {
      type: 'terminal',
      terminalId,
      isInMeta: true,
      exitCode: typeof exitCode === 'number' ? exitCode : null,
      signal: typeof signal === 'string' ? signal : null,
    },
  ];
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
