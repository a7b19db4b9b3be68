import { RpcError } from '@parley/jsonrpc';
import { describe, expect, it } from 'vitest';
import {
  conversation,
  idle,
  openRaw,
  prompted,
  requiresAction,
  running,
  says,
  until,
  whole,
} from '../support/raw-v2.ts';
import { createTestClock } from '../support/test-clock.ts';

describe('the turn of a version 2 prompt', () => {
  it('goes on when the prompt is answered, and ends with the idle state behind it', async () => {
    const { session, turn, prompt, tell } = await prompted();
    await prompt.answer({ messageId: 'm1' });
    tell(whole('user_message', 'm1', 'go'));
    tell(running);
    tell(says('all '));
    tell(says('of it'));
    tell(idle('max_tokens'));
    expect(await turn.result).toMatchObject({ stopReason: 'max_tokens', text: 'all of it' });
    expect(session.state).toBe('idle');
    expect(conversation(session)).toEqual(['user: go', 'agent: all of it']);
    expect(session.transcript.entries.at(0)).toMatchObject({ messageId: 'm1' });
  });

  it('ends as turns do where the agent gives no reason, and with the very reason where it is a new one', async () => {
    const { session, turn, prompt, tell, prompted: next } = await prompted();
    await prompt.answer({ messageId: 'm1' });
    tell(running);
    tell(idle());
    expect((await turn.result).stopReason).toBe('end_turn');
    const second = session.prompt('more');
    await (await next(2)).answer({ messageId: 'm2' });
    tell(running);
    tell(idle('_budget'));
    expect((await second.result).stopReason).toBe('_budget');
  });

  it('ends with an idle that says why although nobody said that it ran', async () => {
    const { session, turn, prompt, tell } = await prompted();
    await prompt.answer({ messageId: 'm1' });
    await until(session, () => session.transcript.entries.at(0)?.type === 'message');
    tell(says('quick'));
    tell(idle('end_turn'));
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'quick' });
  });

  it('is not ended by idle states that are told again', async () => {
    const { session, turn, prompt, tell } = await prompted();
    tell(idle('end_turn'));
    tell(idle('cancelled'));
    await prompt.answer({ messageId: 'm1' });
    tell(idle());
    tell(says('mine'));
    tell(running);
    tell(idle('end_turn'));
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'mine' });
    tell(idle('end_turn'));
    tell(idle('cancelled'));
    tell(says('by itself', 'a2'));
    await until(session, () => conversation(session).length === 3);
    expect(session.transcript.turns.length).toBe(1);
    expect(session.transcript.turns.at(0)).toMatchObject({ status: 'ended', stopReason: 'end_turn' });
  });

  it('is not ended by the end of what the session worked on before', async () => {
    const raw = await openRaw();
    const { session, tell } = raw;
    tell(running);
    await until(session, () => session.state === 'running');
    const turn = session.prompt('go');
    const prompt = await raw.prompted(1);
    tell(requiresAction);
    tell(running);
    tell(idle('cancelled'));
    await prompt.answer({ messageId: 'm1' });
    tell(running);
    tell(says('mine'));
    tell(idle('end_turn'));
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'mine' });
  });

  it('is over when its prompt is answered behind its end', async () => {
    const { turn, prompt, tell, session } = await prompted();
    tell(running);
    tell(says('early'));
    tell(idle('end_turn'));
    await until(session, () => conversation(session).includes('agent: early'));
    expect(session.turn).toBeDefined();
    await prompt.answer({ messageId: 'm1' });
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'early' });
  });

  it('is over with the work that its prompt became part of, although the answer comes behind that', async () => {
    const raw = await openRaw();
    const { session, tell } = raw;
    tell(running);
    await until(session, () => session.state === 'running');
    const turn = session.prompt('go');
    const prompt = await raw.prompted(1);
    tell(whole('user_message', 'm1', 'go'));
    tell(says('both at once'));
    tell(idle('end_turn'));
    await prompt.answer({ messageId: 'm1' });
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'both at once' });
  });

  it('is not over with work that only somebody else’s same words were part of', async () => {
    const raw = await openRaw();
    const { session, tell } = raw;
    tell(running);
    await until(session, () => session.state === 'running');
    const turn = session.prompt('go');
    const prompt = await raw.prompted(1);
    tell(whole('user_message', 'theirs', 'go'));
    tell(idle('cancelled'));
    await prompt.answer({ messageId: 'm1' });
    tell(running);
    tell(says('mine'));
    tell(idle('end_turn'));
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'mine' });
  });

  it('goes by the name of the turn where the agent gives one', async () => {
    const { turn, prompt, tell } = await prompted();
    const named = (turnId: string): object => ({ _meta: { 'parley/state': { turnId } } });
    tell(running);
    tell(idle('cancelled', named('theirs')));
    await prompt.answer({ messageId: 'prompt-ours' });
    tell(idle('refusal', named('theirs')));
    tell(says('mine'));
    tell(idle('end_turn', named('ours')));
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'mine' });
  });

  it('fails with the error that the agent ends it with, or says that it gave none', async () => {
    const { session, turn, prompt, tell, prompted: next } = await prompted();
    await prompt.answer({ messageId: 'm1' });
    tell(running);
    tell(idle('error', { error: { code: -32050, message: 'no model answers' } }));
    await expect(turn.result).rejects.toMatchObject({ code: -32050, message: 'no model answers' });
    expect(session.transcript.turns.at(-1)).toMatchObject({ status: 'failed', error: 'no model answers' });
    const second = session.prompt('again');
    await (await next(2)).answer({ messageId: 'm2' });
    tell(running);
    tell(idle('error'));
    await expect(second.result).rejects.toThrow('not why');
  });

  it('fails when the prompt is refused, and then shows what others said meanwhile', async () => {
    const { session, turn, prompt, tell } = await prompted();
    tell(whole('user_message', 'theirs', 'from elsewhere'));
    await prompt.fail(new RpcError(-32602, 'too long'));
    await expect(turn.result).rejects.toMatchObject({ code: -32602 });
    expect(conversation(session)).toEqual(['user: go', 'user: from elsewhere']);
  });

  it('is cancelled when the agent says so, or answers the prompt with -32800', async () => {
    const { session, turn, prompt, tell, prompted: next } = await prompted();
    await prompt.answer({ messageId: 'm1' });
    tell(running);
    tell(says('working'));
    await until(session, () => conversation(session).length === 2);
    const cancelled = session.cancel();
    expect(session.state).toBe('cancelling');
    tell(idle('cancelled'));
    await cancelled;
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
    const waiting = session.prompt('second');
    const second = await next(2);
    void session.cancel();
    await second.fail(new RpcError(-32800, 'Request cancelled'));
    expect(await waiting.result).toMatchObject({ stopReason: 'cancelled', isForced: false });
    // Another client has cancelled what had not begun.
    const third = session.prompt('third');
    await (await next(3)).fail(new RpcError(-32800, 'Request cancelled'));
    expect(await third.result).toMatchObject({ stopReason: 'cancelled' });
  });

  it('is given up after the grace time, and its late end is nobody’s', async () => {
    const clock = createTestClock();
    const raw = await openRaw({ clock });
    const { session, tell } = raw;
    const turn = session.prompt('go');
    await (await raw.prompted(1)).answer({ messageId: 'm1' });
    tell(running);
    tell(says('stubborn'));
    await until(session, () => conversation(session).length === 2);
    const cancelled = session.cancel();
    await clock.runAll();
    await cancelled;
    expect(await turn.result).toMatchObject({ stopReason: 'cancelled', isForced: true });
    const next = session.prompt('next');
    const prompt = await raw.prompted(2);
    tell(idle('cancelled'));
    await prompt.answer({ messageId: 'm2' });
    tell(running);
    tell(says('mine', 'a2'));
    tell(idle('end_turn'));
    expect(await next.result).toMatchObject({ stopReason: 'end_turn', text: 'mine' });
  });

  it('is read although its prompt is answered without a name, and that is told', async () => {
    const { session, turn, prompt, tell, diagnostics } = await prompted();
    await prompt.answer({});
    tell(whole('user_message', 'm1', 'go'));
    tell(running);
    tell(says('fine'));
    tell(idle('end_turn'));
    expect(await turn.result).toMatchObject({ stopReason: 'end_turn', text: 'fine' });
    expect(conversation(session)).toEqual(['user: go', 'agent: fine']);
    expect(diagnostics).toMatchObject([{ kind: 'invalid_message', method: 'session/prompt' }]);
  });

  it('tells its tokens where the idle state has them', async () => {
    const { turn, prompt, tell } = await prompted();
    await prompt.answer({ messageId: 'm1' });
    tell(running);
    tell(idle('end_turn', { usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 }, _meta: { note: 1 } }));
    expect(await turn.result).toMatchObject({ usage: { totalTokens: 3 }, meta: { note: 1 } });
  });
});
