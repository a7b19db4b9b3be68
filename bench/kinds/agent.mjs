// Parley's agent runtime, as somebody who writes an agent uses it; at the other end, Parley's connection.
import { agent } from '@parley/agent';
import { eventFromV1 } from '@parley/session';
import { ownStdio } from '@parley/transports/stdio';

export { startClient } from './parley.mjs';

/** The updates of the benchmark in the words of the runtime: its author has them ready, as the others' authors have theirs. */
const events = new WeakMap();

function eventOf(update) {
  if (!events.has(update)) events.set(update, eventFromV1(update));
  return events.get(update);
}

export function startAgent({ onPrompt }) {
  return agent({ name: 'bench', version: '1' })
    .onPrompt(async (turn) => {
      await onPrompt({ prompt: turn.content }, ({ update }) => turn.update(eventOf(update)));
      return 'end_turn';
    })
    .serve(ownStdio());
}
