import { agent } from '@parley/agent';
import { type Listener, type ListenOptions, listen } from '@parley/transports/listen';

export const TOKEN = 'a-token-of-the-tests';

export interface NetworkAgent extends AsyncDisposable {
  readonly listener: Listener;
  /** `127.0.0.1:41234` */
  readonly host: string;
}

export interface EchoOptions extends ListenOptions {
  /** What the prompt `wait` waits for in the middle of its turn. */
  readonly goOn?: Promise<void>;
}

/** An agent behind a real port of this machine that says what it was told, and more where a prompt asks for it. */
export async function serveEcho({ goOn, ...options }: EchoOptions = {}): Promise<NetworkAgent> {
  const listener = await listen({ ...(options.authorize === undefined && { token: TOKEN }), ...options });
  const serving = agent({ name: 'echo', version: '1.0.0' })
    .onPrompt(async (turn) => {
      if (turn.text === 'read') await turn.say(await turn.client.readTextFile('note.txt'));
      else if (turn.text === 'wait') {
        await turn.say('before');
        await goOn;
        await turn.say(' after');
      } else await turn.say(`You said: ${turn.text}`);
      return 'end_turn';
    })
    .serve(listener);
  return {
    listener,
    host: `127.0.0.1:${listener.port}`,
    async [Symbol.asyncDispose]() {
      await listener.close({ graceMs: 100 });
      await serving;
    },
  };
}
