import type { Transport } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { describe, expect, it } from 'vitest';
import { type Agent, agent } from '../../src/index.ts';
import { ALL_CAPABILITIES, CWD, createRawClient, type RawClient, settle, until } from '../raw-client.ts';

/** An agent that uses most of what version 1 can say. */
function busyAgent(): Agent {
  return agent({ name: 'exchange', version: '1.0.0', title: 'Exchange', onDiagnostic: () => {} })
    .mode({ id: 'ask', name: 'Ask' })
    .mode({ id: 'code', name: 'Code', description: 'Writes files' })
    .option({ id: 'model', name: 'Model', category: 'model', values: ['small', 'large'] })
    .option({ id: 'web', name: 'Web', default: false })
    .command({ name: 'review', description: 'Reviews', hint: 'what' })
    .auth({ id: 'key', name: 'Key' }, () => {})
    .onLogout(() => {})
    .onPrompt(async (turn) => {
      if (turn.text === 'fail') throw new Error('hidden');
      if (turn.text === 'wait') {
        turn.toolCall({ title: 'Wait', kind: 'execute' }).start();
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        return;
      }
      turn.think('Let me ');
      turn.think('see.');
      turn.say('I will ');
      turn.say('look.');
      turn.update({ type: 'message_chunk', speaker: 'agent', content: { type: 'text', text: 'without an id' } });
      turn.plan([
        { content: 'Look', priority: 'high', status: 'in_progress' },
        { content: 'Write', priority: 'low', status: 'pending' },
      ]);
      const call = turn.toolCall({
        title: 'Write notes.md',
        kind: 'edit',
        name: 'write',
        rawInput: { path: 'notes.md' },
      });
      const { allowed } = await turn.askPermission(call);
      call.start({ locations: ['notes.md'] });
      if (allowed) call.complete({ diff: { path: `${CWD}/notes.md`, oldText: null, newText: 'hello\n' } });
      else call.fail('Not allowed.');
      turn.usage({ used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } });
      turn.notice({ severity: 'info', title: 'Heads up' });
      turn.mode('code');
      turn.title('Notes');
      turn.say('Done.');
    });
}

/** Every message of both directions in its order, with names in place of what is random. */
function record(transport: Transport, lines: string[]): Transport {
  const names = new Map<string, string>();
  const nameOf = (kind: string, random: string): string => {
    const name = names.get(random) ?? `<${kind}-${names.size + 1}>`;
    names.set(random, name);
    return name;
  };
  const write = (arrow: string, message: unknown): void => {
    const text = JSON.stringify(message)
      .replaceAll(/sess_[0-9a-f-]{36}/g, (id) => nameOf('session', id))
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}(?![0-9a-f-])/g, (id) => nameOf('turn', id))
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}(?=-\d+")/g, (id) => nameOf('turn', id))
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
    lines.push(`${arrow} ${text}`);
  };
  return {
    ...transport,
    send: (message) => {
      write('->', message);
      return transport.send(message);
    },
    onMessage: (listener) =>
      transport.onMessage((message) => {
        write('<-', message);
        listener(message);
      }),
    onFault: (listener) => transport.onFault(listener),
    onClose: (listener) => transport.onClose(listener),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    close: () => transport.close(),
  };
}

async function exchange(client: RawClient): Promise<void> {
  client.connection.onRequest('session/request_permission', () => ({
    outcome: { outcome: 'selected', optionId: 'allow_once' },
  }));
  await client.initialize(ALL_CAPABILITIES);
  await client.request('authenticate', { methodId: 'key' });
  const { sessionId } = await client.newSession();
  await settle();
  await client.prompt(sessionId, 'Write the notes');
  await client.request('session/set_mode', { sessionId, modeId: 'ask' });
  await client.request('session/set_config_option', { sessionId, configId: 'model', value: 'large' });
  const waiting = client.prompt(sessionId, 'wait');
  await until(() => client.updates().some((update) => 'title' in update && update.title === 'Wait'));
  client.notify('session/cancel', { sessionId });
  await waiting;
  await client.prompt(sessionId, 'fail').catch(() => {});
  await client.request('session/list', {});
  await client.request('session/close', { sessionId });
  await client.request('session/load', { sessionId, cwd: CWD, mcpServers: [] });
  await settle();
  await client.request('session/resume', { sessionId, cwd: CWD });
  await settle();
  await client.request('session/prompt', { sessionId, prompt: [] }).catch(() => {});
  await client.request('session/new', { cwd: 'relative', mcpServers: [] }).catch(() => {});
  await client.request('no/such', {}).catch(() => {});
  await client.request('session/delete', { sessionId });
  await client.request('logout', {});
}

describe('an exchange in version 1', () => {
  it('is what it was, message by message', async () => {
    const [near, far] = createMemoryPair();
    const lines: string[] = [];
    await using client = createRawClient(record(near, lines), busyAgent().serve(far));
    await exchange(client);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./exchange.jsonl');
  });
});
