import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { formatAddress } from '@parley/client';
import {
  CliError,
  type CommandContext,
  EXIT_CODES,
  type Finding,
  fail,
  note,
  ok,
  warn,
} from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import { requireReachable } from './listen/listen-place.ts';
import { listenTokenFile, readListenToken } from './listen/listen-token.ts';
import { expiryOf, readTls, type TlsMaterial } from './listen/tls-files.ts';
import { portTaken } from './port-owner.ts';
import { OWNER, readPrincipals } from './principals.ts';
import type { ServeContext } from './serve-context.ts';
import type { ServedAgents } from './served-agents.ts';
import type { ServerSettings } from './server-settings.ts';

/** `parley serve --check`: would it start, and what is wrong? Opens nothing for others; returns 1 when something is wrong. */
export async function checkServer<Settings extends ServerSettings, Agents extends ServedAgents>(
  flags: { readonly json?: boolean },
  context: ServeContext<Settings, Agents>,
): Promise<number> {
  const findings: Finding[] = [];
  const add = (found: readonly Finding[]): void => {
    findings.push(...found);
    if (!flags.json) for (const finding of found) context.printFinding(finding);
  };
  const settings = await attempt('settings', () => context.readSettings());
  if ('verdict' in settings) add([settings]);
  else {
    const { config } = settings.places;
    add([existsSync(config) ? ok('settings', config) : note('settings', `none; they would be in ${config}`)]);
    add(await checkAgents(settings, context));
    add(await checkTokens(settings, context));
    const tls = await attempt('certificate', () => readTls(settings.tls));
    add(tls === undefined ? [] : 'verdict' in tls ? [tls] : [describeTls(tls, settings)]);
    add([await checkPlace(settings, tls !== undefined, context)]);
    add([await checkStore(settings, context)]);
    add(await checkFiles({ log: settings.log.file, audit: settings.auditFile }));
  }
  const hasFailed = findings.some(({ verdict }) => verdict === 'fail');
  if (flags.json) context.stdout.write(`${JSON.stringify({ schema: 1, isHealthy: !hasFailed, findings })}\n`);
  return hasFailed ? EXIT_CODES.failed.code : EXIT_CODES.ok.code;
}

/** What was found, or the finding that says why it was not. */
async function attempt<Result>(name: string, work: () => Promise<Result>): Promise<Result | Finding> {
  try {
    return await work();
  } catch (error) {
    return toFinding(name, error);
  }
}

function toFinding(name: string, error: unknown): Finding {
  const [help] = error instanceof CliError ? error.next : [];
  const { message } = error as Error;
  return help === undefined ? { name, verdict: 'fail', says: message } : fail(name, message, help);
}

async function checkAgents<Settings extends ServerSettings, Agents extends ServedAgents>(
  settings: Settings,
  context: ServeContext<Settings, Agents>,
): Promise<readonly Finding[]> {
  const problems: Finding[] = [];
  const onProblem = (error: CliError): void => void problems.push(toFinding('agent', error));
  const hosted = await attempt('agents', () => context.chooseAgents(settings, onProblem));
  if ('verdict' in hosted) return [...problems, hosted];
  const { agents, defaultAgent, leftOut } = hosted;
  return [
    ...agents.map(({ name, agent, problem }) => {
      const line = agent ? formatAddress(agent.address) : 'in the process of the server';
      const says = `${name}${name === defaultAgent ? ' (the default)' : ''}: ${line}`;
      const help = shellLine`parley agents show ${name}`;
      return problem === undefined ? ok('agent', says) : fail('agent', `${says}: ${problem}`, help);
    }),
    ...leftOut.map(({ name, problem }) => warn('agent', `${name} is left out: ${problem}`, 'parley config edit')),
    ...problems,
  ];
}

async function checkTokens(settings: ServerSettings, context: CommandContext): Promise<readonly Finding[]> {
  const { places, serve } = settings;
  const file = listenTokenFile(settings, places, context);
  const own =
    file !== undefined && !existsSync(file)
      ? note('token', `none yet; the first start makes one in ${file}`)
      : await attempt('token', async () => {
          await readListenToken(settings, places, context);
          return ok('token', file ?? 'that of PARLEY_TOKEN');
        });
  const findings: Finding[] = [own];
  for (const [name, token] of Object.entries(serve.tokens ?? {})) {
    const from = { tokens: { [name]: token }, ownToken: OWNER, places, env: context.env };
    const read = await attempt('token', () => readPrincipals(from));
    if ('verdict' in read) findings.push(read);
    else if (read.warnings[0] === undefined) findings.push(ok('token', `of ${name}`));
    else findings.push(warn('token', read.warnings[0], `chmod 600 ${token.tokenFile}`));
  }
  return findings;
}

const SOON_MS = 14 * 24 * 3600_000;

function describeTls(tls: TlsMaterial, { tls: files }: ServerSettings): Finding {
  const expiry = expiryOf(tls);
  const says = `${files.cert}, good until ${expiry.toISOString().slice(0, 10)}`;
  return expiry.getTime() - Date.now() < SOON_MS ? warn('certificate', says, 'renew it soon') : ok('certificate', says);
}

/** Opens the port for a moment, which nobody can use meanwhile. */
async function checkPlace(
  { place, mayBeRemote }: ServerSettings,
  isEncrypted: boolean,
  context: CommandContext,
): Promise<Finding> {
  if ('socketPath' in place) {
    const folder = dirname(place.socketPath);
    return attempt('socket', async () => {
      await access(folder, constants.W_OK);
      return ok('socket', place.socketPath);
    });
  }
  const where = `${place.host}:${place.port}`;
  return attempt('port', async () => {
    requireReachable(place, { command: 'parley serve', isAllowed: mayBeRemote, isEncrypted });
    const server = createServer().listen({ host: place.host, port: place.port });
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      throw await portTaken(where, place.port, error, context);
    } finally {
      server.close();
    }
    return ok('port', `${where} is free`);
  });
}

async function checkStore<Settings extends ServerSettings, Agents extends ServedAgents>(
  settings: Settings,
  context: ServeContext<Settings, Agents>,
): Promise<Finding> {
  const { shownStore } = settings;
  if (shownStore === undefined) return note('store', 'in memory; sessions are gone with the server');
  return attempt('store', async () => {
    await using _store = await context.openStore(settings);
    return ok('store', shownStore);
  });
}

async function checkFiles(files: Readonly<Record<string, string | undefined>>): Promise<readonly Finding[]> {
  const { requireWritable } = await import('./operations.ts');
  return Promise.all(
    Object.entries(files).flatMap(([name, path]) => {
      if (path === undefined) return [];
      return [
        attempt(name, async () => {
          await requireWritable(name, path);
          return ok(name, path);
        }),
      ];
    }),
  );
}
