import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, fail, note, ok, warn } from '@parley/host/command-line';
import { makeFolder } from '@parley/host/places';
import { reapStrays } from '@parley/host/process';
import { findProgram } from '@parley/host/programs';
import { hasColor } from '@parley/terminal';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { findPlaces, type Places } from '../places.ts';

/** One thing to look at; it never throws. */
type Check = (context: CliContext, places: Places) => Promise<Finding | readonly Finding[]>;

const MIN_NODE = [20, 19] as const;

/** What this machine must have, in the order in which it is told. */
const CHECKS: readonly Check[] = [
  checkNode,
  checkSettings,
  checkState,
  checkStore,
  checkStrays,
  checkServers,
  checkModel,
  checkTools,
  checkSandbox,
  checkTerminal,
  checkProxy,
];

export async function checkMachine(context: CliContext): Promise<readonly Finding[]> {
  const places = findPlaces(context.env);
  const findings: Finding[] = [];
  for (const check of CHECKS) findings.push(...[await check(context, places)].flat());
  return findings;
}

async function checkNode(): Promise<Finding> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return isEnough
    ? ok('node', `${process.versions.node} at ${process.execPath}`)
    : fail(
        'node',
        `${process.versions.node} is older than ${MIN_NODE.join('.')}`,
        'install Node 22 from https://nodejs.org',
      );
}

async function checkSettings(context: CliContext): Promise<readonly Finding[]> {
  try {
    const { user, project, untrusted, places } = await loadConfig(context);
    return [
      user ? ok('settings', user.path) : note('settings', `none yet; they would be in ${places.config}`),
      ...(project ? [ok('project settings', project.path)] : []),
      ...(untrusted.length > 0
        ? [warn('project settings', `${untrusted.join(', ')} are left out until you trust them`, 'parley config trust')]
        : []),
    ];
  } catch (error) {
    return [fail('settings', (error as Error).message, 'parley config edit')];
  }
}

async function checkState(_context: CliContext, { state }: Places): Promise<Finding> {
  const probe = join(state, `.doctor-${process.pid}`);
  try {
    await makeFolder(state);
    await writeFile(probe, '');
    await rm(probe);
    return ok('state folder', state);
  } catch (error) {
    return fail(
      'state folder',
      `${state} cannot be written: ${(error as Error).message}`,
      `mkdir -p ${state} && chmod u+rwx ${state}`,
    );
  }
}

async function checkStore(_context: CliContext, { state }: Places): Promise<Finding> {
  const path = join(state, 'sessions.db');
  try {
    const { sqliteStore } = await import('@parley/store/sqlite');
    await using store = sqliteStore({ path });
    const { sessions } = await store.log().list({ limit: 1 });
    return ok('session store', `${path}${sessions.length === 0 ? ', empty' : ''}`);
  } catch (error) {
    return fail('session store', (error as Error).message, `mv ${path} ${path}.broken`);
  }
}

/** Agents whose client was killed are ended by a watchdog; this is for when that was killed too. */
async function checkStrays(): Promise<Finding> {
  try {
    const reaped = await reapStrays();
    if (reaped.length === 0) return ok('stray agents', 'none');
    return note(
      'stray agents',
      `ended ${reaped.length} whose client was gone: ${reaped.map(({ command }) => command).join(', ')}`,
    );
  } catch (error) {
    return warn('stray agents', (error as Error).message, 'ps -ef');
  }
}

/** A server of this person that runs, since `--agent local` is that one. */
async function checkServers({ env }: CliContext): Promise<readonly Finding[]> {
  const { findServers } = await import('@parley/host/servers');
  return (await findServers(env)).map(({ url, pid, agents = [], startedAt }) => {
    const hosted = agents.length === 0 ? '' : `, hosts ${agents.join(', ')}`;
    return ok('server', `${url}${hosted}, pid ${pid}, since ${startedAt.slice(0, 16).replace('T', ' ')}`);
  });
}

/** What our own agent begins with; nobody is asked over the network. */
async function checkModel(context: CliContext): Promise<Finding> {
  try {
    const { findModels } = await import('../models/find-models.ts');
    const { preferred, notices, loaded } = await findModels({ offline: true }, context);
    if (notices[0] !== undefined) return warn('model', notices[0], 'parley models');
    if (preferred.id !== 'offline') {
      const { wordKey } = await import('../login/word-key.ts');
      const key = await wordKey(preferred.provider, context.env, loaded.places);
      return ok('model', `${preferred.id}${key}; parley models lists the others`);
    }
    return note(
      'model',
      'none, so our own agent follows plain commands only; parley login stores a key, a variable such as ANTHROPIC_API_KEY has one, and settings describe a server (parley models)',
    );
  } catch (error) {
    return fail('model', (error as Error).message, 'parley config edit');
  }
}

async function checkTools(context: CliContext): Promise<readonly Finding[]> {
  const purposes = {
    git: 'projects',
    npx: 'agents from npm',
    uvx: 'agents from PyPI',
    rg: 'faster search',
    pdftotext: 'PDF on models that take none',
  };
  return Object.entries(purposes).map(([program, purpose]) => {
    const path = findProgram(program, context);
    return path === undefined ? note(program, `not found; only needed for ${purpose}`) : ok(program, path);
  });
}

/** Whether commands that nobody was asked about are confined. The sandbox is tried, not only looked for. */
async function checkSandbox({ env, cwd }: CliContext): Promise<Finding> {
  const { openSandbox } = await import('@parley/coding-agent/sandbox');
  const state = await openSandbox({ roots: [cwd], profile: 'reading', path: env.PATH ?? '' });
  if (!state.isThere) {
    const { because, missingPackage } = state;
    const says = `${because} Commands that nobody was asked about run without one`;
    return missingPackage === undefined
      ? note('sandbox', says)
      : warn('sandbox', says, `apt-get install ${missingPackage}`);
  }
  const version = await versionOf(state.command);
  const gap = state.hasUserNamespaces ? '; commands inside can make user namespaces (bubblewrap 0.8 denies them)' : '';
  return ok('sandbox', `${version} at ${state.command}, proven to hold${gap}`);
}

/** What a program says of itself, such as `bubblewrap 0.8.0`. */
async function versionOf(command: string): Promise<string> {
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    execFile(command, ['--version'], (error, stdout) => resolve(error ? 'found' : stdout.trim()));
  });
}

async function checkTerminal(context: CliContext): Promise<Finding> {
  const { stdout, env } = context;
  if (!stdout.isTTY) return note('terminal', 'none here; the chat needs one, or --plain');
  const colours = hasColor(context, stdout) ? (env.COLORTERM ?? 'colours') : 'no colours';
  if (env.TERM === 'dumb') return warn('terminal', 'TERM is dumb', 'parley --plain');
  const isUtf8 = /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
  if (!isUtf8 && process.platform !== 'win32')
    return warn('terminal', 'the locale is not UTF-8; some characters will look wrong', 'export LANG=C.UTF-8');
  return ok('terminal', `${env.TERM ?? 'unknown'}, ${stdout.columns || 80} columns, ${colours}`);
}

async function checkProxy({ env }: CliContext): Promise<readonly Finding[]> {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY'].filter((name) => env[name]);
  return names.length === 0
    ? []
    : [note('proxy', `${names.join(', ')} is set; our own agent reaches its models by it`)];
}
