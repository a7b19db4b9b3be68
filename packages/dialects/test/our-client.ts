import { createConnection, RpcError, type Transport } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';
import type { Json } from './border.ts';

/** A canonical client that knows of no dialect. Everything that reaches it is validated as ACP v1. */
export function openOurClient(transport: Transport) {
  const connection = createConnection(transport);
  const updates: Json[] = [];
  const questions: Json[] = [];
  const files = new Map([['/w/a.txt', 'one']]);
  const terminals = new Map<string, { command: string; hasExited: boolean }>();
  let cancelQuestion: (() => void) | undefined;

  connection.onNotification('session/update', (params) => {
    updates.push(v1.parseParams('session/update', params).update as unknown as Json);
  });
  connection.onRequest('session/request_permission', ({ params }) => {
    const { options, toolCall } = v1.parseParams('session/request_permission', params);
    questions.push({ options, toolCall });
    const allow = options.find(({ kind }) => kind === 'allow_once');
    if (toolCall.toolCallId !== 't-2') return { outcome: { outcome: 'selected', optionId: allow?.optionId } };
    return new Promise((resolve) => {
      cancelQuestion = () => resolve({ outcome: { outcome: 'cancelled' } });
    });
  });
  connection.onRequest('fs/read_text_file', ({ params }) => {
    return { content: files.get(v1.parseParams('fs/read_text_file', params).path) ?? '' };
  });
  connection.onRequest('fs/write_text_file', ({ params }) => {
    const { path, content } = v1.parseParams('fs/write_text_file', params);
    files.set(path, content);
    return {};
  });
  connection.onRequest('terminal/create', ({ params }) => {
    const { command, env } = v1.parseParams('terminal/create', params);
    if (env?.[0]?.name !== 'NODE_ENV') throw RpcError.invalidParams('env: expected NODE_ENV');
    const terminalId = `term-${terminals.size + 1}`;
    terminals.set(terminalId, { command, hasExited: false });
    return { terminalId };
  });
  connection.onRequest('terminal/output', ({ params }) => {
    const { hasExited } = terminalOf(v1.parseParams('terminal/output', params).terminalId);
    if (!hasExited) return { output: 'half ', truncated: false };
    return { output: 'half and half', truncated: false, exitStatus: { exitCode: 0, signal: null } };
  });
  connection.onRequest('terminal/wait_for_exit', ({ params, signal }) => {
    const terminal = terminalOf(v1.parseParams('terminal/wait_for_exit', params).terminalId);
    if (terminal.command === 'sleep') return forever(signal);
    terminal.hasExited = true;
    return { exitCode: 0, signal: null };
  });
  connection.onRequest('terminal/kill', ({ params }) => {
    terminalOf(v1.parseParams('terminal/kill', params).terminalId);
    return {};
  });
  connection.onRequest('terminal/release', ({ params }) => {
    terminals.delete(v1.parseParams('terminal/release', params).terminalId);
    return {};
  });

  return {
    connection,
    updates,
    questions,
    files,
    ask: async <Method extends keyof typeof v1.requests>(method: Method, params: object) =>
      v1.parseResult(method, await connection.request(method, params, { timeoutMs: 10_000 })),
    cancel(sessionId: string): void {
      void connection.notify('session/cancel', { sessionId });
      cancelQuestion?.();
    },
  };

  function terminalOf(terminalId: string) {
    const terminal = terminals.get(terminalId);
    if (!terminal) throw new RpcError(-32002, 'No such terminal', { terminalId });
    return terminal;
  }
}

function forever(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
