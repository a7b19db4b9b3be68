import type { PlanEntry } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { PromptHandler } from '../src/index.ts';
import { connectRawClient, type RawClient, testAgent, until } from './raw-client.ts';

const step = (content: string, status: PlanEntry['status']): PlanEntry => ({ content, status, priority: 'medium' });
const BEGUN = [step('read', 'completed'), step('change', 'in_progress'), step('test', 'pending')];

async function open(handler: PromptHandler) {
  const { built } = testAgent();
  const client = connectRawClient(built.onPrompt(handler));
  await client.initialize();
  const { sessionId } = await client.newSession();
  return { client, sessionId, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

/** How each step of the last plan stands. */
function stepsOf(client: RawClient): string[] {
  const plan = client.updates().findLast((update) => update.sessionUpdate === 'plan');
  return plan?.sessionUpdate === 'plan' ? plan.entries.map(({ status }) => status) : [];
}

describe('the plan of a turn that has ended', () => {
  it('has the step done that it was at when the turn came to its end, and nothing that was never begun', async () => {
    await using test = await open(async (turn) => {
      void turn.plan(BEGUN);
    });
    await test.client.prompt(test.sessionId, 'go');
    expect(stepsOf(test.client)).toEqual(['completed', 'completed', 'pending']);
  });

  it('has the step to be begun again when the turn did not come to its end', async () => {
    await using test = await open(async (turn) => {
      void turn.plan(BEGUN);
      return 'max_tokens';
    });
    await test.client.prompt(test.sessionId, 'go');
    expect(stepsOf(test.client)).toEqual(['completed', 'pending', 'pending']);
  });

  it('has the step to be begun again when the turn is cancelled', async () => {
    await using test = await open(async (turn) => {
      void turn.plan(BEGUN);
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
    });
    const answer = test.client.prompt(test.sessionId, 'go');
    await until(() => stepsOf(test.client).length > 0);
    test.client.notify('session/cancel', { sessionId: test.sessionId });
    expect(await answer).toEqual({ stopReason: 'cancelled' });
    expect(stepsOf(test.client)).toEqual(['completed', 'pending', 'pending']);
  });

  it('is told once when no step is in progress', async () => {
    await using test = await open(async (turn) => {
      void turn.plan([step('read', 'completed'), step('test', 'pending')]);
    });
    await test.client.prompt(test.sessionId, 'go');
    expect(test.client.updates().filter(({ sessionUpdate }) => sessionUpdate === 'plan')).toHaveLength(1);
  });
});
