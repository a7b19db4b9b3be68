// An agent for the tests of my-client.
import { agent } from '@parley/agent';
import { ownStdio } from '@parley/transports/stdio';

await agent({ name: 'echo', version: '0.1.0' })
  .onPrompt(async (turn) => {
    await turn.say(`You said: ${turn.text}`);
    return 'end_turn';
  })
  .serve(ownStdio());
