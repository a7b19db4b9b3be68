// An agent on the official SDK that serves both versions of ACP, as somebody else would write it. Its prompts in version 2: `everything` shows
// every kind of update, `ask` asks for a permission and a form, `wait` waits to be cancelled, `work` lets a tool call be cancelled, `fail` fails.
import { Readable, Writable } from 'node:stream';
import { agent as agent1, methods as methods1 } from '@agentclientprotocol/sdk';
import {
  type AgentContext,
  agent,
  agentProtocolRouter,
  methods,
  ndJsonStream,
  RequestError,
  type SessionConfigOption,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/experimental/v2';

const version1 = agent1({ name: 'sdk-agent' })
  .onRequest(methods1.agent.initialize, () => ({
    protocolVersion: 1,
    agentInfo: { name: 'sdk-agent', version: '1.0.0' },
  }))
  .onRequest(methods1.agent.session.new, () => ({ sessionId: 'one' }))
  .onRequest(methods1.agent.session.prompt, () => ({ stopReason: 'end_turn' as const }));

const cancels = new Map<string, () => void>();
const settings: Record<string, string | boolean> = { mode: 'ask', fast: false };
let sessions = 0;
let messages = 0;

const listOptions = (): SessionConfigOption[] => [
  {
    configId: 'mode',
    name: 'Mode',
    category: 'mode',
    type: 'select',
    currentValue: String(settings.mode),
    options: [
      { value: 'ask', name: 'Ask' },
      { value: 'code', name: 'Code', description: 'Writes' },
    ],
  },
  { configId: 'fast', name: 'Fast', type: 'boolean', currentValue: settings.fast === true },
];

const version2 = agent({ name: 'sdk-agent' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 2,
    info: { name: 'sdk-agent', version: '2.0.0' },
    capabilities: { session: { prompt: { image: {} }, mcp: { stdio: {} }, delete: {} } },
    authMethods: [{ type: 'agent', methodId: 'key', name: 'Key' }],
  }))
  .onRequest(methods.agent.auth.login, () => ({}))
  .onRequest(methods.agent.auth.logout, () => ({}))
  .onRequest(methods.agent.session.new, () => {
    sessions += 1;
    return {
      sessionId: `sdk-${process.pid}-${sessions}`,
      configOptions: listOptions(),
      availableCommands: [
        { type: 'command', name: 'plan', description: 'Plans', input: { type: 'text', hint: 'what' } },
      ],
    };
  })
  .onRequest(methods.agent.session.resume, async ({ params, client }) => {
    if (params.sessionId !== 'stored') throw RequestError.resourceNotFound(params.sessionId);
    const tell = teller(client, params.sessionId);
    if (params.replayFrom?.type === 'start') {
      await tell({ sessionUpdate: 'user_message', messageId: 'u1', content: [{ type: 'text', text: 'old question' }] });
      await tell({ sessionUpdate: 'agent_message', messageId: 'a1', content: [{ type: 'text', text: 'old answer' }] });
    }
    await tell({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' });
    return { configOptions: listOptions() };
  })
  .onRequest(methods.agent.session.list, ({ params }) => {
    const page = Number(params.cursor ?? 1);
    return { sessions: [{ sessionId: `page-${page}`, cwd: '/' }], ...(page < 3 && { nextCursor: String(page + 1) }) };
  })
  .onRequest(methods.agent.session.close, () => ({}))
  .onRequest(methods.agent.session.delete, ({ params }) => {
    if (params.sessionId === 'gone') throw RequestError.resourceNotFound(params.sessionId);
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    settings[params.configId] = params.value as string | boolean;
    return { configOptions: listOptions() };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
  .onRequest(methods.agent.toolCall.cancel, ({ params }) => {
    cancels.get(params.toolCallId)?.();
    return {};
  })
  .onRequest(methods.agent.session.prompt, ({ params, client }) => {
    const { sessionId, prompt } = params;
    const text = prompt.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('');
    messages += 1;
    const messageId = `message-${messages}`;
    const tell = teller(client, sessionId);
    void tell({ sessionUpdate: 'user_message', messageId, content: prompt });
    // What comes of it is told behind the answer.
    setImmediate(() => void work(text, { tell, client, sessionId }));
    return { messageId };
  });

agentProtocolRouter()
  .withV1(version1)
  .withV2(version2)
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>));

type Tell = (update: SessionUpdate) => Promise<void>;

interface Work {
  readonly tell: Tell;
  readonly client: AgentContext;
  readonly sessionId: string;
}

function teller(client: AgentContext, sessionId: string): Tell {
  return (update) => client.notify(methods.client.session.update, { sessionId, update });
}

async function work(text: string, { tell, client, sessionId }: Work): Promise<void> {
  const end = (stopReason: string): Promise<void> =>
    tell({ sessionUpdate: 'state_update', state: 'idle', stopReason } as SessionUpdate);
  const say = (said: string): Promise<void> =>
    tell({
      sessionUpdate: 'agent_message_chunk',
      messageId: `says-${messages}`,
      content: { type: 'text', text: said },
    });
  await tell({ sessionUpdate: 'state_update', state: 'running' });
  if (text === 'fail') {
    const error = { code: -32050, message: 'no model answers' };
    return await tell({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'error', error });
  }
  if (text === 'wait') {
    const cancelled = new Promise<void>((resolve) => cancels.set(sessionId, resolve));
    await say('waiting');
    await cancelled;
    return await end('cancelled');
  }
  if (text === 'everything') await showEverything(tell, say);
  else if (text === 'ask') await say(JSON.stringify(await ask(client, tell, sessionId)));
  else if (text === 'work') {
    const cancelled = new Promise<void>((resolve) => cancels.set('w1', resolve));
    await tell({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'w1',
      title: 'Work',
      status: 'in_progress',
      capabilities: { cancel: {} },
    });
    await cancelled;
    await tell({ sessionUpdate: 'tool_call_update', toolCallId: 'w1', status: 'cancelled', capabilities: {} });
    await say('went on');
  } else await say(`You said: ${text}`);
  await end('end_turn');
}

async function showEverything(tell: Tell, say: (text: string) => Promise<void>): Promise<void> {
  await tell({
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ type: 'command', name: 'go', description: 'Goes' }],
  });
  await tell({ sessionUpdate: 'agent_thought', messageId: 't1', content: [{ type: 'text', text: 'thinking' }] });
  await tell({
    sessionUpdate: 'plan_update',
    plan: { type: 'items', planId: 'p', entries: [{ content: 'step', priority: 'high', status: 'completed' }] },
  });
  await tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', title: 'Edit', kind: 'edit', status: 'pending' });
  const patch = { format: 'git_patch' as const, text: 'diff --git a/x b/x\n' };
  await tell({
    sessionUpdate: 'tool_call_content_chunk',
    toolCallId: 'c1',
    content: { type: 'diff', changes: [{ operation: 'modify', path: '/x' }], patch },
  });
  await tell({ sessionUpdate: 'terminal_update', terminalId: 'sh', command: 'echo', cwd: '/' });
  const bytes = Buffer.from('grüß\n');
  for (const piece of [bytes.subarray(0, 3), bytes.subarray(3)])
    await tell({ sessionUpdate: 'terminal_output_chunk', terminalId: 'sh', data: piece.toString('base64') });
  await tell({ sessionUpdate: 'terminal_update', terminalId: 'sh', exitStatus: { exitCode: 0 } });
  await tell({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' });
  await tell({ sessionUpdate: 'usage_update', used: 5, size: 100 });
  await tell({ sessionUpdate: 'session_info_update', title: 'A title' });
  await tell({ sessionUpdate: '_vendor', anything: true } as SessionUpdate);
  await say('Hello from ');
  await say('the SDK');
}

async function ask(client: AgentContext, tell: Tell, sessionId: string): Promise<object> {
  await tell({ sessionUpdate: 'state_update', state: 'requires_action' });
  const permission = await client.request(methods.client.session.requestPermission, {
    sessionId,
    title: 'May the tests run?',
    description: 'They write to /tmp.',
    subject: { type: 'command', command: 'npm test', cwd: '/work' },
    options: [
      { optionId: 'go', name: 'Go', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  });
  const form = await client.request(methods.client.elicitation.create, {
    mode: 'form',
    sessionId,
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  });
  await tell({ sessionUpdate: 'state_update', state: 'running' });
  return { permission: permission.outcome, form };
}
