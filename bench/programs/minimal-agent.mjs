// The smallest agent on Parley's runtime, written as its README shows.
import { agent } from '@parley/agent';
import { ownStdio } from '@parley/transports/stdio';

await agent({ name: 'echo', version: '1.0.0' })
  .onPrompt(async (turn) => {
    await turn.say(`You said: ${turn.text}`);
    return 'end_turn';
  })
  .serve(ownStdio());
