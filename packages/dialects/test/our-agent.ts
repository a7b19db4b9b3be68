import { type Connection, createConnection, RpcError, type Transport } from '@parley/jsonrpc';
import { v1 } from '@parley/protocol';

export interface OurAgentOptions {
  /** Tells whether the person has logged in. Default: nobody needs to. */
  readonly isLoggedIn?: () => boolean;
}

const SESSION = 's-1';
const modes = {
  currentModeId: 'full',
  availableModes: [
    { id: 'full', name: 'Full' },
    { id: 'safe', name: 'Safe' },
  ],
};
const text = (value: string) => ({ type: 'text' as const, text: value });

/** A canonical agent that knows of no dialect. Everything that reaches it is validated as ACP v1. */
export function serveOurAgent(transport: Transport, options: OurAgentOptions = {}): Connection {
  const { isLoggedIn = () => true } = options;
  const connection = createConnection(transport);
  let offers: { fs?: { readTextFile?: boolean }; terminal?: boolean } = {};
  let stop: (() => void) | undefined;

  connection.onRequest('initialize', ({ params }) => {
    const { clientCapabilities } = v1.parseParams('initialize', params);
    offers = (clientCapabilities ?? {}) as typeof offers;
    return {
      protocolVersion: 1,
      agentInfo: { name: 'ours', version: '1' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
      },
      authMethods: [{ id: 'key', name: 'Key' }],
    };
  });
  connection.onRequest('authenticate', ({ params }) => {
    const { methodId } = v1.parseParams('authenticate', params);
    if (methodId === 'magic') throw RpcError.invalidParams('methodId: unknown');
    return {};
  });
  connection.onRequest('session/new', ({ params }) => {
    v1.parseParams('session/new', params);
    if (!isLoggedIn()) throw new RpcError(-32000, 'Authentication required');
    return { sessionId: SESSION, modes };
  });
  connection.onRequest('session/load', ({ params }) => {
    const { sessionId } = v1.parseParams('session/load', params);
    if (sessionId !== SESSION) throw new RpcError(-32002, 'No such session', { sessionId });
    say({ sessionUpdate: 'user_message_chunk', content: text('work') });
    say({ sessionUpdate: 'agent_message_chunk', content: text('Done') });
    return { modes };
  });
  connection.onRequest('session/set_mode', ({ params }) => {
    v1.parseParams('session/set_mode', params);
    return {};
  });
  connection.onRequest('session/set_config_option', ({ params }) => {
    v1.parseParams('session/set_config_option', params);
    return { configOptions: [] };
  });
  connection.onNotification('session/cancel', () => stop?.());
  connection.onRequest('session/prompt', async ({ params }) => {
    const { prompt } = v1.parseParams('session/prompt', params);
    if (stop) throw RpcError.invalidRequest('A prompt is running');
    const [first] = prompt;
    if (first?.type !== 'text' || first.text !== 'wait') return { stopReason: await work() };
    await new Promise<void>((resolve) => {
      stop = resolve;
    });
    stop = undefined;
    return { stopReason: 'cancelled' };
  });
  return connection;

  function say(update: object): void {
    void connection.notify('session/update', v1.parseParams('session/update', { sessionId: SESSION, update }));
  }

  async function ask<Method extends keyof typeof v1.requests>(method: Method, params: object) {
    return v1.parseResult(method, await connection.request(method, { sessionId: SESSION, ...params }));
  }

  async function work(): Promise<string> {
    say({ sessionUpdate: 'agent_thought_chunk', content: text('Hm.') });
    say({ sessionUpdate: 'plan', entries: [{ content: 'Edit a.txt', priority: 'high', status: 'in_progress' }] });
    const toolCallId = 'call-1';
    const locations = [{ path: '/w/a.txt', line: 1 }];
    const call = {
      toolCallId,
      title: 'Edit a.txt',
      name: 'edit_file',
      kind: 'edit',
      status: 'pending',
      rawInput: 'a.txt',
    };
    say({ sessionUpdate: 'tool_call', ...call, locations });
    const { outcome } = await ask('session/request_permission', {
      toolCall: { toolCallId, title: 'Edit a.txt', content: [{ type: 'content', content: text('Adds a word.') }] },
      options: [
        { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
        { optionId: 'always', name: 'Always', kind: 'allow_always' },
        { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
      ],
    });
    if (outcome.outcome !== 'selected' || outcome.optionId !== 'allow') throw new Error('not allowed');
    say({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
    await edit();
    const printed = await run();
    const diff = { type: 'diff', path: '/w/a.txt', oldText: 'one', newText: 'one and two' };
    say({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content: [diff] });
    say({ sessionUpdate: 'agent_message_chunk', content: text('Done') });
    say({ sessionUpdate: 'agent_message_chunk', content: text(`: ${printed}`) });
    return 'end_turn';
  }

  async function edit(): Promise<void> {
    if (!offers.fs?.readTextFile) return;
    const { content } = await ask('fs/read_text_file', { path: '/w/a.txt', line: 1, limit: 100 });
    await ask('fs/write_text_file', { path: '/w/a.txt', content: `${content} and two` });
  }

  async function run(): Promise<string> {
    if (!offers.terminal) return '';
    const env = [{ name: 'CI', value: '1' }];
    const { terminalId } = await ask('terminal/create', { command: 'npm', args: ['test'], env });
    const { exitCode } = await ask('terminal/wait_for_exit', { terminalId });
    if (exitCode !== 0) throw new Error('the command failed');
    await ask('terminal/output', { terminalId });
    await ask('terminal/release', { terminalId });
    return 'Hello Terminal\n';
  }
}
