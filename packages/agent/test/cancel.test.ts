import '@parley/policy';
import { memoryStore } from '@parley/store/memory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Turn } from '../src/index.ts';
import { ALL_CAPABILITIES, connectRawClient, settle, testAgent, until } from './raw-client.ts';

type Step = 'say' | 'wait' | 'tool' | 'permission' | 'file' | 'terminal' | 'elicit' | 'compact' | 'throw';

const step = fc.constantFrom<Step>(
  'say',
  'wait',
  'tool',
  'permission',
  'file',
  'terminal',
  'elicit',
  'compact',
  'throw',
);

async function perform(turn: Turn, what: Step): Promise<void> {
  if (what === 'say') await turn.say('.');
  if (what === 'wait') await settle();
  if (what === 'tool') turn.toolCall({ title: 'Left open' }).start();
  if (what === 'permission') await turn.askPermission(turn.toolCall({ title: 'Ask', kind: 'other' }));
  if (what === 'file') await turn.client.readTextFile('/a');
  if (what === 'elicit') await turn.client.elicit({ message: 'Name?', form: {} });
  if (what === 'compact') turn.compaction().chunk('so far');
  if (what === 'throw' && turn.signal.aborted) throw new Error('stopped');
  if (what === 'terminal') {
    await using terminal = await turn.client.createTerminal({ command: 'sleep' });
    turn.toolCall({ title: 'Run' }).start({ terminal });
    await terminal.waitForExit();
  }
}

const schedule = fc.record({
  steps: fc.array(step, { maxLength: 8 }),
  /** How many turns of the event loop pass before the cancel; each question of the agent is answered after as many. */
  cancelAfter: fc.nat({ max: 12 }),
  answerAfter: fc.nat({ max: 4 }),
  how: fc.constantFrom('session/cancel', '$/cancel_request', 'session/close'),
  isDurable: fc.boolean(),
});

it('a turn cancelled at any moment ends in good order, and its session goes on', async () => {
  const check = fc.asyncProperty(schedule, async ({ steps, cancelAfter, answerAfter, how, isDurable }) => {
    let ended = 0;
    const { built } = testAgent(isDurable ? { store: memoryStore({ isShared: true }) } : {});
    built.onPrompt(async (turn) => {
      if (turn.text === 'after') return void turn.say('fine');
      try {
        for (const each of steps) await perform(turn, each);
      } finally {
        ended++;
      }
    });
    await using client = connectRawClient(built);
    const open = new Set<string>();
    let terminals = 0;
    client.connection.onAnyRequest(async ({ method, params }) => {
      const { terminalId } = params as { terminalId?: string };
      if (method === 'terminal/release') return void open.delete(terminalId ?? '');
      for (let turns = 0; turns < answerAfter; turns++) await settle();
      if (method === 'terminal/create') {
        const id = `t${++terminals}`;
        open.add(id);
        return { terminalId: id };
      }
      if (method === 'terminal/wait_for_exit') return { exitCode: 0 };
      if (method === 'elicitation/create') return { action: 'cancel' };
      if (method === 'fs/read_text_file') return { content: '' };
      return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
    });
    await client.initialize(ALL_CAPABILITIES);
    const { sessionId } = await client.newSession();

    const answers: { result?: { stopReason?: string }; error?: unknown }[] = [];
    client.connection.tap((direction, message) => {
      if (direction === 'in' && 'id' in (message as object) && !('method' in (message as object)))
        answers.push(message as never);
    });
    const controller = new AbortController();
    const prompt = { sessionId, prompt: [{ type: 'text', text: 'go' }] };
    const answered = client.request('session/prompt', prompt, { signal: controller.signal }).catch(() => undefined);
    for (let turns = 0; turns < cancelAfter; turns++) await settle();
    if (how === 'session/cancel') client.notify('session/cancel', { sessionId });
    if (how === '$/cancel_request') controller.abort();
    const closed = how === 'session/close' ? client.request('session/close', { sessionId }) : undefined;
    await answered;
    await closed;
    await until(() => answers.length >= (closed ? 2 : 1));

    const answer = answers.find(({ result }) => result?.stopReason !== undefined);
    expect(['cancelled', 'end_turn']).toContain(answer?.result?.stopReason);
    expect(answers.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(ended).toBe(1);
    await until(() => open.size === 0);

    const status = new Map<string, string>();
    const compactions = new Map<string, string>();
    for (const update of client.updates(sessionId)) {
      if ('toolCallId' in update && update.status) status.set(update.toolCallId, update.status);
      if (update.sessionUpdate === 'compaction_update') compactions.set(update.compactionId, update.status);
    }
    for (const last of status.values()) expect(['completed', 'failed']).toContain(last);
    expect([...compactions.values()]).not.toContain('in_progress');
    const place = client.messages.findIndex((message) => (message as typeof answer)?.result?.stopReason !== undefined);
    const later = client.messages
      .slice(place + 1)
      .filter((message) => 'update' in ((message as { params?: object }).params ?? {}));
    expect(later).toEqual([]);

    const next = how === 'session/close' ? (await client.newSession()).sessionId : sessionId;
    client.received.splice(0);
    expect(await client.prompt(next, 'after')).toEqual({ stopReason: 'end_turn' });
    expect(client.said(next)).toBe('fine');
  });
  await fc.assert(check, { seed: 80, numRuns: 300 });
});
