import { type CommandContext, EXIT_CODES, type Interruption, watchInterruption } from '@parley/host/command-line';
import { reapInBackground } from '@parley/host/process';
import { announceServer } from '@parley/host/servers';
import type { Gateway, GatewayListener, GatewayListenOptions } from '../gateway-options.ts';
import { localUrl, remoteUrls } from './listen/dialled-url.ts';
import { requireReachable } from './listen/listen-place.ts';
import { readListenToken } from './listen/listen-token.ts';
import { readTls } from './listen/tls-files.ts';
import { openOperations } from './operations.ts';
import { portTaken } from './port-owner.ts';
import { type Principals, readPrincipals } from './principals.ts';
import type { ServeContext, ServerFlags } from './serve-context.ts';
import type { ServedAgents } from './served-agents.ts';
import type { ServerSettings } from './server-settings.ts';
import { describeServer, serverFacts } from './show-server.ts';
import { removeStaleSocket } from './stale-socket.ts';
import { tellEvents } from './tell-events.ts';

/** How long clients may take to hear the last words when the server ends. */
const CLOSE_GRACE_MS = 2000;

/** Hosts agents on the network until a signal ends it; resolves to the exit code. */
export async function runServer<Settings extends ServerSettings, Agents extends ServedAgents>(
  flags: ServerFlags,
  context: ServeContext<Settings, Agents>,
): Promise<number> {
  const settings = await context.readSettings();
  const hosted = await context.chooseAgents(settings);
  const tls = await readTls(settings.tls);
  if ('host' in settings.place)
    requireReachable(settings.place, {
      command: 'parley serve',
      isAllowed: settings.mayBeRemote,
      isEncrypted: tls !== undefined,
    });
  const token = await readListenToken(settings, settings.places, context);
  const readAll = (): Promise<Principals> =>
    readPrincipals({
      tokens: settings.serve.tokens,
      ownToken: token.token,
      ownTokenFile: token.tokenFile,
      places: settings.places,
      env: context.env,
    });
  let principals = await readAll();
  const secrets = [...principals.secrets];
  const say = (text: string): void => void context.stderr.write(`parley: ${text}\n`);
  for (const warning of principals.warnings) say(warning);
  for (const { name, problem } of hosted.leftOut) say(`the agent "${name}" is left out: ${problem}`);

  await using _reaping = reapInBackground();
  await using operations = await openOperations({
    settings,
    secrets,
    isTerminal: context.stderr.isTTY === true,
    tell: tellEvents({ isVerbose: flags.verbose === true, say }),
  });
  await using store = await context.openStore(settings);
  using interruption = watchInterruption(context, {
    // Without a terminal that was closed, it is how a service is told to read its files again.
    ...(!context.stdin.isTTY && {
      onHangup: () => {
        readAll().then(
          (read) => {
            principals = read;
            secrets.push(...read.secrets);
            say(`tokens read again: ${read.names.join(', ')}`);
          },
          (error: Error) => say(`tokens are as they were: ${error.message}`),
        );
      },
    }),
  });
  await using server = await context.createGateway({
    settings,
    hosted,
    store,
    onEvent: operations.onEvent,
    secrets,
  });
  await using listener = await openPort(
    server,
    {
      ...settings.place,
      authorize: ({ token: given }) => {
        const principal = principals.find(given);
        return principal === undefined ? undefined : { principal };
      },
      ...(tls && { tls }),
      ...(settings.serve.hosts && { hosts: settings.serve.hosts }),
      ...(settings.serve.origins && { origins: settings.serve.origins }),
      dialect: 'auto',
      routes: { ...operations.routesFor(server), ...(settings.hasPage && (await context.pageRoutes(server))) },
    },
    context,
  );
  const url = localUrl(listener.url);
  const linkTo = (target: string): string => context.formatLink({ url: target, token: token.token });
  const isSocket = 'socketPath' in settings.place;
  const announcement = isSocket
    ? undefined
    : await announceServer({ url, token: token.token, agents: server.names }, context.env);
  try {
    const shown = {
      url,
      port: listener.port,
      urlOf: (name: string) => localUrl(listener.urlOf(name)),
      pageUrl: settings.hasPage && !isSocket ? new URL('/', url).href : undefined,
      linkTo,
      isOpened: flags.open === true,
      elsewhere: remoteUrls(listener.url),
      hosted,
      token,
      principals: principals.names,
      storePath: settings.shownStore,
      portFile: announcement?.path,
    };
    context.stdout.write(flags.json ? serverFacts(shown) : describeServer(shown, context, flags));
    if (flags.open && shown.pageUrl !== undefined) {
      const { openPage } = await import('@parley/host/programs');
      openPage(linkTo(shown.pageUrl));
    }
    // Whoever looks for a server should not find one that is about to end.
    interruption.signal.addEventListener('abort', () => void announcement?.remove(), { once: true });
    return await serveUntilEnd({ server, listener, interruption, drainMs: settings.drainMs, say });
  } finally {
    await announcement?.remove();
  }
}

async function openPort(
  server: Gateway,
  options: GatewayListenOptions,
  context: CommandContext,
): Promise<GatewayListener> {
  if (options.socketPath !== undefined) await removeStaleSocket(options.socketPath);
  try {
    return await server.listen(options);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    const { host = '', port = 0, socketPath } = options;
    if (code !== 'EADDRINUSE' || socketPath !== undefined) throw error;
    throw await portTaken(`${host.includes(':') ? `[${host}]` : host}:${port}`, port, error, context);
  }
}

interface ServingParts {
  readonly server: Gateway;
  readonly listener: GatewayListener;
  readonly interruption: Interruption;
  readonly drainMs: number;
  readonly say: (text: string) => void;
}

/** Waits for a signal. The first lets turns that run come to their end, the second ends everything at once. */
async function serveUntilEnd({ server, listener, interruption, drainMs, say }: ServingParts): Promise<number> {
  const { signal, insisted } = interruption;
  await aborted(signal);
  const { turns } = server.state;
  if (turns > 0 && drainMs > 0) {
    const what = turns === 1 ? 'the turn that runs' : `the ${turns} turns that run`;
    say(`waiting up to ${drainMs / 1000} s for ${what}; Ctrl-C again ends at once`);
  }
  await Promise.race([server.drain({ graceMs: drainMs }), aborted(insisted)]);
  if (insisted.aborted) {
    void listener.close({ graceMs: 0 });
    return EXIT_CODES[interruption.exit ?? 'interrupted'].code;
  }
  await Promise.race([listener.close({ graceMs: CLOSE_GRACE_MS }), aborted(insisted)]);
  return EXIT_CODES.ok.code;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
