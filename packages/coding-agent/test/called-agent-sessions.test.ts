import type { ClientSession } from '@parley/client';
import { spawnAgent } from '@parley/client/node';
import { memoryStore } from '@parley/store/memory';
import { areGone } from '@parley/testing/processes';
import { type AgentScript, END_TURN, type Step } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import {
  callReviewer,
  onPrompt,
  open,
  resultOf,
  reviewer,
  rules,
  toolCall,
  useScriptedAgents,
} from './called-agent-scene.ts';

useScriptedAgents();

/** Prompts, waits until the called agent has told its process id, and cancels. */
async function cancelAtWork(session: ClientSession): Promise<number> {
  const turn = session.prompt('go');
  let pid: string | undefined;
  for await (const event of turn) {
    if (event.type === 'tool_call') pid ??= /pid (\d+)/.exec(JSON.stringify(event.toolCall.content))?.[1];
    if (pid !== undefined) break;
  }
  await turn.cancel();
  expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
  return Number(pid);
}

describe('a called agent', () => {
  it('goes on with a session: the open one, one that it loads, and else a new one', async () => {
    const script: AgentScript = {
      capabilities: { loadSession: true },
      on: { 'session/prompt': [{ do: 'tell', what: 'pid' }, END_TURN] },
    };
    const store = memoryStore();
    const scene = await open(
      [
        callReviewer(),
        callReviewer({ session: 's1' }),
        'One.',
        callReviewer({ session: 's1' }),
        'Two.',
        callReviewer({ session: 'other' }),
        'Three.',
      ],
      reviewer(script),
      { store, permissions: { rules: ['agent__*'] } },
    );
    await scene.session.prompt('go').result;
    expect(resultOf(scene, 2)).toContain('Session: s1 ');
    const pidOf = (request: number): string => /\d+/.exec(resultOf(scene, request))?.[0] ?? '';
    expect(pidOf(2)).toBe(pidOf(1));
    await scene.session.close();
    expect(await areGone([Number(pidOf(1))], 10_000)).toBe(true);
    const again = await scene.connection.loadSession(scene.session.id, { cwd: scene.path });
    await again.prompt('go').result;
    expect(resultOf(scene, 4)).toContain('Session: s1 ');
    expect(pidOf(4)).not.toBe(pidOf(1));
    await again.prompt('go').result;
    expect(resultOf(scene, 6)).toContain('No call to reviewer in this conversation had the session "other"');
  });

  it.each<[string, AgentScript, string]>([
    [
      'refuses it',
      {
        capabilities: { loadSession: true },
        on: { 'session/load': [{ do: 'fail', code: -32002, message: 'Not found' }] },
      },
      'The session "s1" could not be opened again (Not found), so this is a new one',
    ],
    ['cannot load', {}, 'reviewer cannot open the session "s1" again, so this is a new one'],
  ])('begins a new session where the agent %s', async (_, script, note) => {
    const scene = await open([callReviewer(), 'One.', callReviewer({ session: 's1' }), 'Two.'], reviewer(script), {
      store: memoryStore(),
      permissions: { rules: ['agent__*'] },
    });
    await scene.session.prompt('go').result;
    await scene.session.close();
    const again = await scene.connection.loadSession(scene.session.id, { cwd: scene.path });
    await again.prompt('go').result;
    expect(resultOf(scene, 3)).toContain('You said: Look at a.ts');
    expect(resultOf(scene, 3)).toContain(note);
  });

  it('is put into its mode only if it has that', async () => {
    const modes = {
      currentModeId: 'ask',
      availableModes: [
        { id: 'ask', name: 'Ask' },
        { id: 'plan', name: 'Plan' },
      ],
    };
    const script: AgentScript = {
      session: { modes },
      on: {
        'session/set_mode': [
          { do: 'say', text: 'Mode set. ' },
          { do: 'respond', result: {} },
        ],
        'session/prompt': [{ do: 'say', text: 'Done.' }, END_TURN],
      },
    };
    const has = await open([callReviewer(), 'ok'], reviewer(script, { mode: 'plan' }), rules);
    await has.session.prompt('go').result;
    expect(resultOf(has)).not.toContain('no mode');
    const lacks = await open([callReviewer(), 'ok'], reviewer(script, { mode: 'yolo' }), rules);
    await lacks.session.prompt('go').result;
    expect(resultOf(lacks)).toMatch(/Done\.[\s\S]*"yolo"/);
  });

  it('is stopped when it calls more tools than it may, and when it takes longer than it may', async () => {
    const cancelled: Step = { do: 'respond', result: { stopReason: 'cancelled' } };
    const busy = onPrompt(
      { do: 'repeat', times: 3, steps: [toolCall('call-$index', { status: 'completed' })] },
      { do: 'waitFor', method: 'session/cancel' },
      cancelled,
    );
    const many = await open([callReviewer(), 'ok'], reviewer(busy, { maxToolCalls: 2 }), rules);
    await many.session.prompt('go').result;
    expect(resultOf(many)).toMatch(
      /reviewer was stopped after [\d.]+ s, since it called more than the 2 tools it may call/,
    );
    const slow = onPrompt({ do: 'say', text: 'Half of it' }, { do: 'waitFor', method: 'session/cancel' }, cancelled);
    const long = await open([callReviewer(), 'ok'], reviewer(slow, { maxDurationMs: 4000 }), rules);
    await long.session.prompt('go').result;
    expect(resultOf(long)).toMatch(/^Half of it[\s\S]*since it worked for more than the 4 s it may take/);
  });

  it('hears of a cancelled turn, and can be called again', async () => {
    const script = onPrompt(
      { do: 'tell', what: 'pid' },
      { do: 'waitFor', method: 'session/cancel' },
      { do: 'respond', result: { stopReason: 'cancelled' } },
    );
    const { session } = await open([callReviewer(), callReviewer({ session: 's1' })], reviewer(script), rules);
    const pid = await cancelAtWork(session);
    expect(await cancelAtWork(session)).toBe(pid);
  });

  it('is ended when it does not heed a cancelled turn, which does not wait for that', async () => {
    const script = onPrompt({ do: 'tell', what: 'pid' }, { do: 'freeze' });
    const { session } = await open([callReviewer()], reviewer(script), rules);
    const pid = await cancelAtWork(session);
    expect(await areGone([pid], 20_000)).toBe(true);
  });

  it('ends with the session, and a start that fails is a result', async () => {
    const script = onPrompt({ do: 'tell', what: 'pid' }, END_TURN);
    const scene = await open([callReviewer(), 'ok'], reviewer(script), rules);
    await scene.session.prompt('go').result;
    const pid = Number(/\d+/.exec(resultOf(scene))?.[0]);
    await scene.session.close();
    expect(await areGone([pid], 10_000)).toBe(true);
    const missing = await open(
      [callReviewer(), 'ok'],
      { source: spawnAgent('/nowhere/agent', [], { recordsDir: false }) },
      rules,
    );
    expect((await missing.session.prompt('go').result).text).toBe('ok');
    expect(resultOf(missing)).toMatch(/^reviewer could not do it: .*nowhere/);
  });
});
