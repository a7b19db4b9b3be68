// What the coding agent's turns are compared with: the runtime alone, each update logged and sent by itself.
import { agent } from '@parley/agent';
import { sqliteStore } from '@parley/store/sqlite';
import { ownStdio } from '@parley/transports/stdio';

const store = sqliteStore();
await agent({ name: 'plain', version: '1', store })
  .onPrompt(async (turn) => {
    const { count, text } = JSON.parse(turn.text);
    for (let said = 0; said < count; said++) {
      // Pieces of one message would be joined; the runtime's price of an update is that of one that is not.
      const content = { type: 'text', text };
      const slow = turn.update({ type: 'message_chunk', speaker: 'agent', messageId: `m${said}`, content });
      if (slow) await slow;
    }
  })
  .serve(ownStdio());
await store.close();
