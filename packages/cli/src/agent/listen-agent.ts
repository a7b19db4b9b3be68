import { resolve } from 'node:path';
import { createCodingAgent } from '@parley/coding-agent';
import {
  localUrl,
  readListenToken,
  readPlace,
  readTls,
  requireReachable,
  type TlsFiles,
} from '@parley/gateway/command';
import { watchInterruption } from '@parley/host/command-line';
import { announceServer } from '@parley/host/servers';
import { listen } from '@parley/transports/listen';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { dialectSetting, readDialect } from '../run/settings/dialect.ts';
import { type AgentFlags, agentOptions, createStore, readMode } from './serve-agent.ts';

/** How long clients may take to hear the last words when the server ends. */
const CLOSE_GRACE_MS = 2000;

/** Serves our coding agent on the network until a signal ends it; resolves to the exit code. */
export async function listenAgent(flags: AgentFlags, context: CliContext): Promise<number> {
  const place = readPlace(typeof flags.listen === 'string' ? flags.listen : '', flags.port);
  const tls = await readTls(tlsFiles(flags, context));
  requireReachable(place, {
    command: 'parley agent --listen',
    isAllowed: flags.allowRemote === true,
    isEncrypted: tls !== undefined,
  });
  const dialect = await readDialect(flags.dialect ?? 'auto');
  const mode = await readMode(flags.permissionMode);
  const { config, places } = await loadConfig(context);
  const { token, tokenFile, isNew } = await readListenToken(flags, places, context);
  const say = (text: string): void => void context.stderr.write(`parley: ${text}\n`);
  const store = createStore(flags);
  using interruption = watchInterruption(context);
  try {
    const agent = createCodingAgent(await agentOptions({ flags, config, places, context, mode, store }));
    await using listener = await listen({ ...place, token, ...(tls && { tls }) });
    const url = localUrl(listener.url);
    const announcement = await announceServer({ url, token }, context.env);
    try {
      if (flags.json) {
        const facts = { schema: 1, url, port: listener.port, pid: process.pid, tokenFile, portFile: announcement.path };
        context.stdout.write(`${JSON.stringify(facts)}\n`);
      } else {
        context.stdout.write(describe({ url, token, tokenFile, isNew }));
      }
      const { signal } = interruption;
      signal.addEventListener('abort', () => void listener.close({ graceMs: CLOSE_GRACE_MS }), { once: true });
      if (signal.aborted) await listener.close();
      await agent.serve(listener, {
        dialect: dialectSetting(dialect, { peer: 'A client', isVerbose: flags.verbose === true, say }),
      });
    } finally {
      await announcement.remove();
    }
    // Ctrl-C is how a server is ended.
    return 0;
  } finally {
    await store.close();
  }
}

function describe(server: {
  readonly url: string;
  readonly token: string;
  readonly tokenFile: string | undefined;
  readonly isNew: boolean;
}): string {
  const { url, token, tokenFile, isNew } = server;
  const kept = tokenFile === undefined ? 'that of PARLEY_TOKEN' : `in ${tokenFile}`;
  return [
    `The coding agent is served at ${url}; Ctrl-C ends it.`,
    isNew ? `Its token, made now and shown this once: ${token}\n  (kept ${kept})` : `Its token: ${kept}`,
    'Talk to it:  parley --agent local',
    `An editor:   parley connect ${url}${tokenFile === undefined ? '' : ` --token-file ${tokenFile}`}`,
    '',
  ].join('\n');
}

function tlsFiles({ tlsCert, tlsKey }: AgentFlags, { cwd }: CliContext): TlsFiles {
  return {
    ...(tlsCert !== undefined && { cert: resolve(cwd, tlsCert) }),
    ...(tlsKey !== undefined && { key: resolve(cwd, tlsKey) }),
  };
}
