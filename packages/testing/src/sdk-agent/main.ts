// An agent on the official SDK, as somebody else would write it. Its prompts: `everything` shows every kind of update, `use the
// client` asks for everything that a client can be asked for, `ask` asks for a permission, `wait` waits to be cancelled.
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  type AgentContext,
  agent,
  methods,
  ndJsonStream,
  RequestError,
  type SessionConfigOption,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';

const cwds = new Map<string, string>();
const cancels = new Map<string, () => void>();
let sessions = 0;
const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};
const settings: Record<string, string | boolean> = { model: 'small', fast: false };
const listOptions = (): SessionConfigOption[] => [
  {
    id: 'model',
    name: 'Model',
    category: 'model',
    type: 'select',
    currentValue: String(settings.model),
    options: [
      {
        group: 'g',
        name: 'All',
        options: [
          { value: 'small', name: 'Small' },
          { value: 'large', name: 'Large' },
        ],
      },
    ],
  },
  { id: 'fast', name: 'Fast', type: 'boolean', currentValue: settings.fast === true },
];

agent({ name: 'sdk-agent' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentInfo: { name: 'sdk-agent', version: '1.0.0' },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
  }))
  .onRequest(methods.agent.session.new, ({ params }) => {
    sessions += 1;
    const sessionId = `sdk-${process.pid}-${sessions}`;
    cwds.set(sessionId, params.cwd);
    return { sessionId, modes, configOptions: listOptions() };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    if (params.sessionId !== 'stored') throw RequestError.resourceNotFound(params.sessionId);
    const tell = teller(client, params.sessionId);
    await tell({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'old question' } });
    await tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'old answer' } });
    return {};
  })
  .onRequest(methods.agent.session.resume, () => ({}))
  .onRequest(methods.agent.session.list, ({ params }) => {
    const page = Number(params.cursor ?? 1);
    return { sessions: [{ sessionId: `page-${page}`, cwd: '/' }], ...(page < 3 && { nextCursor: String(page + 1) }) };
  })
  .onRequest(methods.agent.session.close, () => ({}))
  .onRequest(methods.agent.session.delete, () => ({}))
  .onRequest(methods.agent.session.setMode, () => ({}))
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    settings[params.configId] = params.value as string | boolean;
    return { configOptions: listOptions() };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const text = prompt.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('');
    const tell = teller(client, sessionId);
    const say = (said: string): Promise<void> =>
      tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } });
    if (text === 'everything') await showEverything(tell, say);
    else if (text === 'use the client') await say(JSON.stringify(await useClient(client, sessionId)));
    else if (text === 'ask') await say(await askPermission(client, sessionId));
    else if (text === 'wait') {
      const cancelled = new Promise<void>((resolve) => cancels.set(sessionId, resolve));
      await say('waiting');
      await cancelled;
      return { stopReason: 'cancelled' };
    } else await say(`You said: ${text}`);
    return { stopReason: 'end_turn' };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>));

type Tell = (update: SessionUpdate) => Promise<void>;

function teller(client: AgentContext, sessionId: string): Tell {
  return (update) => client.notify(methods.client.session.update, { sessionId, update });
}

async function showEverything(tell: Tell, say: (text: string) => Promise<void>): Promise<void> {
  await tell({
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ name: 'plan', description: 'Plans' }],
  });
  await tell({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'thinking' } });
  await tell({ sessionUpdate: 'plan', entries: [{ content: 'step', priority: 'high', status: 'completed' }] });
  await tell({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Edit', kind: 'edit', status: 'pending' });
  await tell({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c1',
    status: 'completed',
    content: [{ type: 'diff', path: '/x', oldText: 'a', newText: 'b' }],
  });
  await tell({ sessionUpdate: 'usage_update', used: 5, size: 100 });
  await tell({ sessionUpdate: 'session_info_update', title: 'A title' });
  await say('Hello from ');
  await say('the SDK');
}

async function askPermission(client: AgentContext, sessionId: string): Promise<string> {
  const { outcome } = await client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall: { toolCallId: 't1', title: 'npm test', kind: 'execute', rawInput: { command: 'npm test' } },
    options: [
      { optionId: 'go', name: 'Go', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  });
  return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
}

async function useClient(client: AgentContext, sessionId: string): Promise<object> {
  const cwd = cwds.get(sessionId) ?? '';
  const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path: join(cwd, 'in.txt') });
  await client.request(methods.client.fs.writeTextFile, { sessionId, path: join(cwd, 'out.txt'), content: 'written' });
  const permission = await client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall: { toolCallId: 'c2', title: 'echo hi', kind: 'execute' },
    options: [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  });
  const terminal = await client.createTerminal({ sessionId, command: 'echo', args: ['hi'] });
  const exit = await terminal.waitForExit();
  const { output } = await terminal.currentOutput();
  await terminal.release();
  const answer = await client.request(methods.client.elicitation.create, {
    mode: 'form',
    sessionId,
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  });
  return { read: content, permission: permission.outcome, terminal: { output, exitCode: exit.exitCode }, answer };
}
