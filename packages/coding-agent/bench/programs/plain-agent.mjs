// What the coding agent's turns are compared with: the runtime alone, with the same log.
import { agent } from '@parley/agent';
import { sqliteStore } from '@parley/store';
import { ownStdio } from '@parley/transports/stdio';

const store = sqliteStore();
await agent({ name: 'plain', version: '1', store })
  .onPrompt(async (turn) => {
    const { count, text } = JSON.parse(turn.text);
    for (let said = 0; said < count; said++) {
      const slow = turn.say(text);
      if (slow) await slow;
    }
  })
  .serve(ownStdio());
await store.close();
