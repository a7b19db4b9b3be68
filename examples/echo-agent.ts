// The smallest agent that any ACP client accepts: it says what you said.
// Let an editor start it: node --import tsx --conditions=source examples/echo-agent.ts
import { agent } from '@parley/agent';
import { ownStdio } from '@parley/transports/stdio';

await agent({ name: 'echo', version: '1.0.0' })
  .onPrompt(async (turn) => {
    await turn.say(`You said: ${turn.text}`);
    return 'end_turn';
  })
  .serve(ownStdio());
