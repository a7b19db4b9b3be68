import { formatAddress, type NetworkAddress } from '@parley/client';
import { networkAgent } from '@parley/client/node';
import { EXIT_CODES } from '@parley/host/command-line';
import type { CloseReason, Transport } from '@parley/jsonrpc';
import { type OwnStdio, ownStdio } from '@parley/transports/stdio';
import type { CliContext } from '../context.ts';
import { reportError } from '../output/report-error.ts';
import { passOn } from './pass-on.ts';
import { PendingRequests } from './pending-requests.ts';

/** How long a client that has closed its side may still wait for answers. */
const LAST_ANSWERS_MS = 2000;

/**
 * Makes an agent on the network an agent on stdio: every message passes whole and in order, in both directions. Resolves to
 * the exit code: 0 when the client has left, 1 when the agent is lost.
 */
export async function connectStdio(address: NetworkAddress, name: string, context: CliContext): Promise<number> {
  const dialling = new AbortController();
  let signalled: NodeJS.Signals | undefined;
  // First of all: whatever anything prints must not end up between the messages.
  const client = ownStdio({
    keepsText: true,
    onSignal(signal) {
      signalled = signal;
      dialling.abort();
    },
  });
  try {
    const source = networkAgent(address, { env: context.env, keepsText: true });
    const { transport: agent } = await source.open(dialling.signal);
    const lost = await relay(client, agent, (text) => void context.stderr.write(`parley: ${text}\n`));
    if (signalled === undefined && lost)
      return report(lost.error ?? new Error(`${formatAddress(address)} has ended the connection.`), name, context);
  } catch (error) {
    if (signalled === undefined) return report(error, name, context);
  } finally {
    await client.close();
  }
  if (signalled === undefined) return EXIT_CODES.ok.code;
  return EXIT_CODES[signalled === 'SIGINT' ? 'interrupted' : 'terminated'].code;
}

/** Resolves when either side is gone and the other is closed; with the reason when it was the agent. */
async function relay(
  client: OwnStdio,
  agent: Transport,
  say: (text: string) => void,
): Promise<CloseReason | undefined> {
  const pending = new PendingRequests();
  const [clientGone, agentGone] = [client, agent].map(
    (side) => new Promise<CloseReason>((resolve) => side.onClose(resolve)),
  ) as [Promise<CloseReason>, Promise<CloseReason>];
  passOn({
    from: agent,
    to: client,
    onMessage: (value) => pending.onAnswer(value),
    onFault: ({ detail }) => say(`the agent sent something that is no message: ${detail}`),
  });
  passOn({
    from: client,
    to: agent,
    onMessage: (value) => pending.onRequest(value),
    // As an agent on stdio would answer.
    onFault: ({ kind, detail }) => {
      const code = kind === 'invalid_json' ? -32700 : -32600;
      void client.send({ jsonrpc: '2.0', id: null, error: { code, message: detail } });
    },
  });
  const lost = await Promise.race([agentGone, clientGone.then(() => undefined)]);
  if (!lost) await Promise.race([pending.settled(LAST_ANSWERS_MS), agentGone]);
  await agent.close();
  return lost;
}

/** What went wrong out there is one thing to whoever started us; a command line that is wrong is another. */
function report(error: unknown, name: string, context: CliContext): number {
  const code = reportError(error, context, { agent: name });
  return code === EXIT_CODES.usage.code ? code : EXIT_CODES.failed.code;
}
