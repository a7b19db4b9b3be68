import { type AgentScript, END_TURN, MISBEHAVIOURS } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import type { PermissionDecision } from '../../src/permissions/permission-options.ts';
import type { ClientSession } from '../../src/session/session.ts';
import { useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();

const stopsWhenAsked: AgentScript = {
  on: {
    'session/prompt': [
      { do: 'update', update: { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'Build', status: 'in_progress' } },
      { do: 'waitFor', method: 'session/cancel' },
      { do: 'say', text: 'stopping' },
      { do: 'respond', result: { stopReason: 'cancelled' } },
    ],
  },
};

describe('cancelling a turn', () => {
  it('ends it with the stop reason cancelled, keeps late updates, and leaves the session usable', async () => {
    const { connection, session } = await agents.open({
      on: { ...stopsWhenAsked.on, 'session/set_mode': [] },
      capabilities: {},
    });
    await using _ = connection;
    const turn = session.prompt('go');
    await firstEvent(session);
    const cancelled = session.cancel();
    expect(session.state).toBe('cancelling');
    expect(session.transcript.entries.at(-1)).toMatchObject({ toolCallId: 't1', status: 'cancelled' });
    await cancelled;
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', text: 'stopping', isForced: false });
    expect(session.state).toBe('idle');
    const next = session.prompt('again');
    await firstEvent(session);
    await next.cancel();
    expect((await next.result).stopReason).toBe('cancelled');
  });

  it('right behind the prompt reaches the agent after the prompt', async () => {
    const sent: unknown[] = [];
    const answers: AgentScript = { on: { 'session/prompt': [{ do: 'respond', result: { stopReason: 'cancelled' } }] } };
    const { connection, session } = await agents.open(answers, {
      trace: { write: ({ message }) => void sent.push((message as { method?: unknown }).method) },
    });
    await using _ = connection;
    const turn = session.prompt('go');
    await turn.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
    expect(sent.filter((method) => /prompt|cancel/.test(String(method)))).toEqual(['session/prompt', 'session/cancel']);
  });

  it('before the prompt is written down sends neither', async () => {
    const sent: unknown[] = [];
    const { connection, session } = await agents.open(stopsWhenAsked, {
      trace: { write: ({ message }) => void sent.push((message as { method?: unknown }).method) },
    });
    await using _ = connection;
    let written = (): void => {};
    session.beforePrompt(
      () =>
        new Promise((resolve) => {
          written = resolve;
        }),
    );
    const turn = session.prompt('go');
    const cancelled = turn.cancel();
    written();
    await cancelled;
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
    expect(sent.filter((method) => /prompt|cancel/.test(String(method)))).toEqual([]);
  });

  it('ends it when the agent wrongly answers with an error', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.failsOnCancel);
    await using _ = connection;
    const turn = session.prompt('go');
    await firstEvent(session);
    await session.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false, text: 'on it' });
  });

  it('stops waiting after the grace time when the agent does not react', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.ignoresCancel, { limits: { cancelGraceMs: 60 } });
    await using _ = connection;
    const turn = session.prompt('go');
    await firstEvent(session);
    await session.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: true });
    expect(session.state).toBe('idle');
  });

  it('stops waiting at once on a second request', async () => {
    const { connection, session } = await agents.open(MISBEHAVIOURS.ignoresCancel, {
      limits: { cancelGraceMs: 60_000 },
    });
    await using _ = connection;
    const turn = session.prompt('go');
    await firstEvent(session);
    void session.cancel();
    await session.cancel();
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: true });
  });

  it('answers an open permission with cancelled and withdraws the question', async () => {
    const decisions: PermissionDecision[] = [];
    let wasTold = false;
    const { connection, session } = await agents.open(MISBEHAVIOURS.asksThenIsCancelled, {
      permissions: {
        ask: (_question, { signal }) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              wasTold = true;
              resolve('allow');
            }),
          ),
        onDecision: (decision) => decisions.push(decision),
      },
    });
    await using _ = connection;
    const turn = session.prompt('go');
    await new Promise((resolve) => session.on('question', resolve));
    expect(session.state).toBe('waiting');
    expect(connection.questions).toHaveLength(1);
    await session.cancel();
    const { text, stopReason } = await turn.result;
    expect(stopReason).toBe('cancelled');
    expect(JSON.parse(text)).toEqual({ result: { outcome: { outcome: 'cancelled' } } });
    expect(connection.questions).toEqual([]);
    expect(session.transcript.questions).toEqual([]);
    expect(wasTold).toBe(true);
    expect(decisions).toMatchObject([{ by: 'cancelled', outcome: 'cancelled' }]);
  });

  it('does nothing when no turn runs', async () => {
    const { connection, session } = await agents.open({});
    await using _ = connection;
    await session.cancel();
    expect((await session.prompt('still fine').result).text).toBe('You said: still fine');
  });

  it('happens when the signal of the prompt aborts', async () => {
    const { connection, session } = await agents.open(stopsWhenAsked);
    await using _ = connection;
    const controller = new AbortController();
    const turn = session.prompt('go', { signal: controller.signal });
    await firstEvent(session);
    controller.abort();
    expect((await turn.result).stopReason).toBe('cancelled');
  });
});

describe('a second prompt', () => {
  const slow: AgentScript = {
    on: { 'session/prompt': [{ do: 'say', text: '$prompt' }, { do: 'wait', ms: 30 }, END_TURN] },
  };

  it('is refused while a turn runs', async () => {
    const { connection, session } = await agents.open(slow);
    await using _ = connection;
    const turn = session.prompt('one');
    expect(() => session.prompt('two')).toThrow(/still working/);
    await turn.result;
    expect((await session.prompt('two').result).text).toBe('two');
  });

  it('waits its turn when it may queue, in order', async () => {
    const { connection, session } = await agents.open(slow);
    await using _ = connection;
    const turns = ['one', 'two', 'three'].map((text) => session.prompt(text, { whenBusy: 'queue' }));
    expect(turns.map(({ state }) => state)).toEqual(['running', 'queued', 'queued']);
    expect(session.queue).toHaveLength(2);
    const results = await Promise.all(turns.map(({ result }) => result));
    expect(results.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect(session.transcript.turns.length).toBe(3);
  });

  it('in the queue is dropped by cancel, without being sent', async () => {
    const { connection, session } = await agents.open(stopsWhenAsked);
    await using _ = connection;
    session.prompt('one');
    const second = session.prompt('two', { whenBusy: 'queue' });
    await firstEvent(session);
    await session.cancel();
    expect(await second.result).toMatchObject({ stopReason: 'cancelled', text: '' });
    expect(session.transcript.turns.length).toBe(1);
  });

  it('in the queue can be taken out alone', async () => {
    const { connection, session } = await agents.open(slow);
    await using _ = connection;
    const first = session.prompt('one');
    const second = session.prompt('two', { whenBusy: 'queue' });
    await second.cancel();
    expect((await first.result).stopReason).toBe('end_turn');
    expect(session.queue).toEqual([]);
  });

  it('beyond the limit of the queue is refused', async () => {
    const { connection, session } = await agents.open(slow, { limits: { maxQueuedPrompts: 1 } });
    await using _ = connection;
    session.prompt('one');
    session.prompt('two', { whenBusy: 'queue' });
    expect(() => session.prompt('three', { whenBusy: 'queue' })).toThrow(/1 prompts are waiting/);
  });
});

function firstEvent(session: ClientSession): Promise<void> {
  return new Promise((resolve) => {
    const stop = session.on('event', ({ type }) => {
      if (type === 'turn_started') return;
      stop();
      resolve();
    });
  });
}
