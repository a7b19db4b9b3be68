import { agent } from '@parley/agent';
import { connect } from '@parley/client';
import { type Listener, type ListenOptions, listen } from '@parley/transports/listen';
import { webSocketAgent } from '@parley/transports/websocket';
import { TOKEN } from './raw-http.ts';

/** A real agent on a listener, whose prompts are answered with what they say. */
export interface ServedAgent extends AsyncDisposable {
  readonly listener: Listener;
  /** How many connections the agent serves now. */
  readonly served: () => number;
  /** A client that does everything right gets its answer. */
  serveGoodClient(): Promise<void>;
}

export async function serveAgent(options: Partial<ListenOptions> = {}): Promise<ServedAgent> {
  const listener = await listen({
    token: TOKEN,
    limits: { maxBodyBytes: 1024 * 1024, maxMessageBytes: 1024 * 1024 },
    ...options,
  });
  let served = 0;
  const counted = {
    close: () => listener.close(),
    connections: (async function* () {
      for await (const connection of listener.connections) {
        served += 1;
        yield connection;
      }
    })(),
  };
  const serving = agent({ name: 'malformed', version: '1' })
    .onPrompt(async (turn) => void (await turn.say(turn.text)))
    .serve(counted);
  return {
    listener,
    served: () => served,
    async serveGoodClient() {
      await using connection = await connect(webSocketAgent(`ws://127.0.0.1:${listener.port}/acp`, { token: TOKEN }));
      await using session = await connection.newSession({ cwd: '/' });
      const { text } = await session.prompt('still there?').result;
      if (text !== 'still there?') throw new Error(`The agent answered "${text}".`);
    },
    async [Symbol.asyncDispose]() {
      await listener.close({ graceMs: 500 });
      await serving;
    },
  };
}
