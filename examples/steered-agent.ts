// An agent that counts, one number after the other, and heeds what the person says meanwhile: "stop at 7", or just "stop".
// Let a chat start it: parley chat --agent "node --import tsx --conditions=source examples/steered-agent.ts"
import { setTimeout as pause } from 'node:timers/promises';
import { agent } from '@parley/agent';
import { ownStdio } from '@parley/transports/stdio';

const counter = agent({ name: 'counter', version: '0.1.0', steering: true }).onPrompt(async (turn) => {
  let last = Number(/\d+/.exec(turn.text)?.[0] ?? 100);
  for (let number = 1; number <= last && !turn.signal.aborted; number++) {
    await turn.say(`${number} `);
    await pause(100, undefined, { signal: turn.signal }).catch(() => {});
    for (const { text } of turn.takeMessages()) {
      last = Number(/\d+/.exec(text)?.[0] ?? number);
      await turn.say(`(until ${last}) `);
    }
  }
  return 'end_turn';
});

await counter.serve(ownStdio());
