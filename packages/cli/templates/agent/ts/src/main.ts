#!/usr/bin/env node
// my-agent: an agent that any ACP client can start. Standard output is the wire; print to standard error only.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agent, type Turn, type TurnResult } from '@parley/agent';
import { ownStdio } from '@parley/transports/stdio';

await agent({ name: 'my-agent', version: '0.1.0' })
  .command({ name: 'count', description: 'Count the words of a file', hint: 'path' }, count)
  .command({ name: 'wait', description: 'Wait, to try how a turn is cancelled', hint: 'seconds' }, wait)
  .onPrompt(async (turn) => {
    await turn.say('You said: ');
    await turn.say(turn.text);
    return 'end_turn';
  })
  .serve(ownStdio());

/** Shows a tool call, asks before it reads, and reads through the client where the client serves files. */
async function count(turn: Turn): Promise<TurnResult> {
  const path = resolve(turn.session.cwd, turn.command?.input || 'README.md');
  const call = turn.toolCall({ title: `Count the words of ${path}`, kind: 'read', locations: [path] });
  const decision = await turn.askPermission(call);
  if (!decision.allowed) {
    call.fail(decision.because);
    await turn.say('Then I leave it alone.');
    return 'end_turn';
  }
  call.start();
  try {
    const text = turn.client.offers.readTextFile ? await turn.client.readTextFile(path) : await readFile(path, 'utf8');
    const words = text.split(/\s+/).filter((word) => word !== '').length;
    call.complete({ text: `${words} words` });
    await turn.say(`It has ${words} words.`);
  } catch (error) {
    turn.signal.throwIfAborted();
    call.fail(String(error));
    await turn.say(`I could not read ${path}.`);
  }
  return 'end_turn';
}

/** A turn ends when its signal is aborted; the answer is `cancelled`, whatever is returned here. */
async function wait(turn: Turn): Promise<TurnResult> {
  await turn.say('Waiting. Cancel me!');
  await sleep(Number(turn.command?.input || 10) * 1000, undefined, { signal: turn.signal });
  return 'end_turn';
}
