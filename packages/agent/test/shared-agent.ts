import { sqliteStore } from '@parley/store';
import { ownStdio } from '@parley/transports/stdio';
import { agent } from '../src/index.ts';

/**
 * An agent whose sessions lie in the file that it is told, so that several of them share it. `count` counts the turns of
 * the session, `wait` says so in the midst
 * of a tool call and goes on until it is cancelled, anything else is said back.
 */
const [path = ''] = process.argv.slice(2);

await agent({ name: 'shared-agent', version: '1', store: sqliteStore({ path }) })
  .mode({ id: 'ask', name: 'Ask' })
  .mode({ id: 'code', name: 'Code' })
  .onPrompt(async (turn) => {
    const { session, text, signal } = turn;
    if (text === 'count') {
      session.state.turns = Number(session.state.turns ?? 0) + 1;
      await turn.say(`turn ${session.state.turns} in mode ${session.mode}`);
    } else if (text === 'wait') {
      turn.toolCall({ id: 'wait', title: 'Wait' }).start();
      await turn.say('waiting');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    } else if (text === 'history') {
      for await (const event of session.history()) {
        if (event.type === 'message_chunk' && event.content.type === 'text') await turn.say(`${event.content.text};`);
      }
    } else await turn.say(`You said: ${text}`);
  })
  .serve(ownStdio());
