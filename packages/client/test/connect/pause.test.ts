import { sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { useScriptedAgents } from '../support/scripted.ts';

const agents = useScriptedAgents();

describe('a paused connection', () => {
  it('takes nothing from the agent until it is resumed, and loses nothing', async () => {
    const { connection, session } = await agents.open({
      on: { 'session/prompt': [{ do: 'say', text: 'first' }, ...sayAndEnd(', second')] },
    });
    await using _ = connection;
    const heard: string[] = [];
    session.on('event', ({ type }) => heard.push(type));
    connection.pause();
    const turn = session.prompt('go');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(heard).toEqual(['turn_started']);
    connection.resume();
    expect(await turn.result).toMatchObject({ text: 'first, second', stopReason: 'end_turn' });
  });

  it('can be closed as it is', async () => {
    const { connection, session } = await agents.open({ on: { 'session/prompt': sayAndEnd('said') } });
    connection.pause();
    session.prompt('go');
    await connection.close();
    expect(connection.state).toBe('closed');
  });
});

describe('what is done before a prompt', () => {
  it('is finished when the agent gets it, and comes after the turn has begun', async () => {
    const order: string[] = [];
    const { connection, session } = await agents.open(
      { on: { 'session/prompt': sayAndEnd('said') } },
      {
        trace: {
          write: ({ message }) => {
            if ((message as { method?: string }).method === 'session/prompt') order.push('sent');
          },
        },
      },
    );
    await using _ = connection;
    session.on('event', ({ type }) => type === 'turn_started' && order.push(type));
    const stop = session.beforePrompt(async () => {
      order.push('writing');
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('written');
    });
    await session.prompt('go').result;
    expect(order).toEqual(['turn_started', 'writing', 'written', 'sent']);
    stop();
    await session.prompt('again').result;
    expect(order.slice(4)).toEqual(['turn_started', 'sent']);
  });

  it('fails the turn when it fails, and nothing is sent', async () => {
    const { connection, session } = await agents.open({ on: { 'session/prompt': sayAndEnd('said') } });
    await using _ = connection;
    session.beforePrompt(() => Promise.reject(new Error('the disk is full')));
    await expect(session.prompt('go').result).rejects.toThrow('the disk is full');
    expect(session.state).toBe('idle');
  });
});
