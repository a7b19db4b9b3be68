// The echo agent on the network, for whoever has the token: WebSocket, streamable HTTP and more at one address.
// Start it: AGENT_TOKEN=secret node --import tsx --conditions=source examples/network-agent.ts 7700
// Talk to it: parley --agent local
// Try it with nothing but curl: sh examples/network-smoke.sh http://127.0.0.1:7700/acp secret
import { randomUUID } from 'node:crypto';
import { agent } from '@parley/agent';
import { announceServer } from '@parley/host/servers';
import { listen } from '@parley/transports/listen';

const { AGENT_TOKEN: token = randomUUID() } = process.env;
const listener = await listen({ port: Number(process.argv[2] ?? 7700), token });
console.log(`${listener.url} waits for clients with the token ${token}`);
// `parley --agent local` finds it by this.
const announcement = await announceServer({ url: listener.url, token });
process.once('SIGTERM', () => void listener.close());
process.once('SIGINT', () => void listener.close());

await agent({ name: 'echo', version: '1.0.0' })
  .onPrompt(async (turn) => {
    await turn.say(`You said: ${turn.text}`);
    return 'end_turn';
  })
  .serve(listener);
await announcement.remove();
