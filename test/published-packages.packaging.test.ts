import { execFile, type PromiseWithChild } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyRepository, link, root, runInCopy } from './support/repository-copy.ts';

/**
 * What npm would publish, packed and put into a project of somebody else. It is built in a copy of this repository: the
 * tests beside this one may be building too, and a clone that was never built shall stay one.
 */
const folder = mkdtempSync(join(tmpdir(), 'parley-published-'));
const copy = join(folder, 'parley');
const project = join(folder, 'project');

/** Sources, built code, declarations, maps of both, commands, descriptions and schemas, and what npm always takes. */
const PUBLISHED =
  /^(package\.json|README\.md|LICENSE|bin\/[\w-]+\.c?js|src\/[\w/.-]+\.tsx?|dist\/[\w/.-]+\.(c?js|d\.ts)(\.map)?|dist\/carried-licenses\.txt|(src|dist)\/page\/[\w/.-]+\.(css|html)|(descriptions|schema)\/[\w.-]+\.json)$/;

/** What new projects are made of, their tests included. */
const TEMPLATE = /^templates\/[\w/-]+(\.(test\.|sample\.)?(ts|json|md|py|toml|mjs|jsonl))?$/;

/** What a command line has written, beside the description that `parley adapt test` holds to it. */
const SAMPLE = /^descriptions\/[\w-]+\.sample\.jsonl$/;

/** Tests and what they need, benchmarks, and what a build leaves for the next one (`.tsbuildinfo`). */
const NOT_PUBLISHED = /\.(test|test-d|bench)\.|(^|\/)(test|tests|fixtures|test-support|bench|corpus)\/|(^|\/)\./;

const run = promisify(execFile);
const isWindows = process.platform === 'win32';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const manifests = readdirSync(join(root, 'packages'))
  .map((name) => readManifest(join(root, 'packages', name)))
  .filter((manifest) => manifest.private !== true);
let packed: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  copyRepository(copy);
  await inCopy('node', ['scripts/build.mjs']);
  packed = await pack();
  await install(project, manifests);
  linkModule('@types/node');
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

describe('what is published', () => {
  it.each(manifests.map(({ name }) => name))('of %s is no test and nothing that only tests and builds need', (name) => {
    const files = packed[name] ?? [];
    expect(files.filter((file) => /\.d\.ts$/.test(file)).length).toBeGreaterThan(0);
    expect(files.filter((file) => /\.js$/.test(file)).length).toBeGreaterThan(0);
    const others = files.filter((file) => !TEMPLATE.test(file) && !SAMPLE.test(file));
    expect(others.filter((file) => !PUBLISHED.test(file) || NOT_PUBLISHED.test(file))).toEqual([]);
  });

  it.each(manifests)('of $name imports only what $name declares', ({ name, ...each }) => {
    const dependencies = { ...each.dependencies, ...each.peerDependencies };
    const files = (packed[name] ?? []).filter((file) => /^(dist|bin)\/.*\.c?js$/.test(file));
    const imported = files.flatMap((file) => importsOf(readFileSync(join(installed(name), file), 'utf8')));
    expect([...new Set(imported)].filter((other) => other !== name && !(other in dependencies))).toEqual([]);
  });

  it('has a command that runs', async () => {
    const parley = join(installed('@parley/cli'), readManifest(installed('@parley/cli')).bin?.parley ?? '');
    const { version } = JSON.parse(readFileSync(join(installed('@parley/cli'), 'package.json'), 'utf8'));
    expect((await inProject(process.execPath, [parley, '--version'])).stdout).toContain(version);
    const { stdout } = await inProject(process.execPath, [parley, 'exec', '--format', 'quiet', 'Hello there']);
    expect(stdout.trim()).not.toBe('');
  });

  it('has a command that prints no warning of Node, and takes its prompts from a pipe', async () => {
    const parley = join(installed('@parley/cli'), 'bin', 'parley.cjs');
    const commands = [['--version'], ['exec', 'Hello there'], ['doctor'], ['chat', '--plain']];
    for (const args of commands) {
      const running = inProject(process.execPath, [parley, ...args]);
      running.child.stdin?.end('Hello there\n');
      const { stdout, stderr } = await running;
      if (args[0] === 'chat') expect(stdout).toContain('you: Hello there');
      expect(stderr, args.join(' ')).not.toMatch(/\(node:\d+\)|Warning:/);
    }
  });

  it('has an agent and a checker that run by themselves, and load what they need later', async () => {
    const agent = join(installed('@parley/coding-agent'), 'dist/parley-agent.program.js');
    const check = join(installed('@parley/conformance'), 'dist/parley-check.program.js');
    // A prompt needs all that comes late.
    const args = [check, '--only', 'PROMPT-01', '--', process.execPath, agent];
    expect((await inProject(process.execPath, args)).stdout).toContain('MUST 1/1');
  });

  it('has a command that loads one script at its start, and says whose code is in it', async () => {
    const cli = installed('@parley/cli');
    const args = ['--import', tellsWhatIsLoaded(), '--require', tellsWhatIsRequired(), join(cli, 'bin/parley.cjs')];
    const words = ['exec', '--format', 'quiet', '--agent', `${process.execPath} -e 0`, 'Hello'];
    const { stderr } = await inProject(process.execPath, [...args, ...words]).catch((error) => error);
    const loaded = [...stderr.matchAll(/(required )?\S*\/dist\/(\S+)/g)];
    const namesOf = (isRequired: boolean) =>
      loaded.filter(([, required]) => (required !== undefined) === isRequired).map(([, , name]) => name);
    expect(namesOf(true)).toEqual(['parley.program.cjs', 'exec.program.cjs']);
    // The agent ends, so that the words for it are loaded.
    expect(namesOf(false).filter((name) => !/^chunks\/exec-|^exec\.program\.js$/.test(name ?? ''))).toEqual([]);
    expect(readFileSync(join(cli, 'dist/carried-licenses.txt'), 'utf8')).toContain('commander');
  });

  it('knows a validation error whichever entry point of the protocol it comes from', async () => {
    const code = `import { ValidationError } from '@parley/protocol';
      import { parseInitialize, ValidationError as Other } from '@parley/protocol/initialize';
      const problem = { path: [], expected: 'text', received: '5', kind: 'mismatch' };
      const thrown = [new ValidationError(problem)];
      try { parseInitialize([]); } catch (error) { thrown.push(error); }
      console.log(thrown.map((error) => [error instanceof ValidationError, error instanceof Other].join()).join(' '));`;
    const { stdout } = await inProject(process.execPath, ['--input-type=module', '-e', code]);
    expect(stdout.trim()).toBe('true,true true,true');
  });

  it('makes an agent that is ready once it has opened six files, so that it starts fast and stays small', async () => {
    // The second request needs all that comes behind the answer to the first.
    const { answers, stderr } = await askSmallAgent(['unheard/of']);
    expect(answers).toMatchObject([
      { id: 0, result: {} },
      { id: 1, error: { code: -32601 } },
    ]);
    const loaded = [...stderr.matchAll(/@parley\/(\w+)\/dist\//g)].map(([, name]) => name).sort();
    expect(loaded).toEqual(['agent', 'agent', 'agent', 'agent', 'jsonrpc', 'transports']);
  });

  it('makes an agent and a client without the drivers of databases, and names the driver that a store needs', async () => {
    const place = join(folder, 'without-drivers');
    onTestFinished(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
    await install(place, withDependencies(['@parley/agent', '@parley/client']));
    expect(['libsql', 'pg'].filter((name) => existsSync(installed(name, place)))).toEqual([]);
    writeFileSync(join(place, 'main.mjs'), WITHOUT_DRIVERS);
    const { stdout } = await inProject(process.execPath, [join(place, 'main.mjs')]);
    expect(stdout.trim().split('\n')).toEqual([
      'You said: Hello',
      expect.stringMatching(/^driver_missing .*"libsql".*npm install libsql/),
      expect.stringMatching(/^driver_missing .*"pg".*npm install pg/),
    ]);
  });

  it('refuses wrong params alike, whether an agent carries the validator inside or loads it', async () => {
    const { answers } = await askSmallAgent(['session/new', 'session/set_title']);
    expect(answers.slice(1)).toMatchObject([{ error: { code: -32602 } }, { error: { code: -32602 } }]);
  });

  it('makes an agent and a client, which compile against the published declarations', async () => {
    for (const name of ['echo-agent.ts', 'client.ts']) cpSync(join(root, 'examples', name), join(project, name));
    const options = { module: 'NodeNext', target: 'ES2023', lib: ['ES2023', 'ESNext.Disposable'], types: ['node'] };
    const checks = { strict: true, noUncheckedIndexedAccess: true };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...options, ...checks, outDir: 'out' }, include: ['*.ts'] }),
    );
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    await inProject(process.execPath, [tsc, '-p', 'tsconfig.json']).catch(({ stdout }) => expect(stdout).toBe(''));
    // By a command of its own, since for `node` the example takes the echo agent from source.
    const agent = isWindows ? ['cmd', '/c', 'node', 'out/echo-agent.js'] : ['env', 'node', 'out/echo-agent.js'];
    const { stdout } = await inProject(process.execPath, ['out/client.js', 'Hello out there!', ...agent]);
    expect(stdout).toBe('You said: Hello out there!\necho: end_turn, 0 tool calls\n');
  });

  it('makes a new project for published packages, which compiles and passes its test and every check', async () => {
    const parley = join(installed('@parley/cli'), 'bin', 'parley.cjs');
    await inProject(process.execPath, [parley, 'new', 'agent', 'my-own']);
    const place = join(project, 'my-own');
    const { version } = JSON.parse(readFileSync(join(installed('@parley/cli'), 'package.json'), 'utf8'));
    expect(readManifest(place).dependencies).toMatchObject({ '@parley/agent': `^${version}` });
    expect(readFileSync(join(place, 'README.md'), 'utf8')).not.toContain('checkout');
    // Its packages are found in the folder above, where a registry would have put them.
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    await inProject(process.execPath, [tsc, '-p', place]).catch(({ stdout }) => expect(stdout).toBe(''));
    await inProject(process.execPath, ['--test', join(place, 'dist', 'main.test.js')]);
    await inProject(process.execPath, [parley, 'check', '--', 'node', join(place, 'dist', 'main.js')]);
  }, 240_000);

  it('links its command when a clone is installed, before there is a build', () => {
    for (const { bin = {} } of manifests.filter((manifest) => manifest.bin)) {
      for (const [name, file] of Object.entries(bin)) expect([`./bin/${name}.js`, `./bin/${name}.cjs`]).toContain(file);
    }
  });

  it('says what to do where the command is not built', async () => {
    const bin = join(folder, 'unbuilt', 'bin', 'parley.cjs');
    cpSync(join(root, 'packages', 'cli', 'bin', 'parley.cjs'), bin, { recursive: true });
    writeFileSync(join(folder, 'unbuilt', 'package.json'), '{ "type": "module" }');
    const failure = await run(process.execPath, [bin, '--version']).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining('Run "npm run build"') });
  });
});

/** An agent and a client in one process, in memory, and what becomes of stores on disk. */
const WITHOUT_DRIVERS = `
  import { agent } from '@parley/agent';
  import { connect } from '@parley/client';
  import { postgresStore } from '@parley/store/postgres';
  import { sqliteStore } from '@parley/store/sqlite';
  import { createMemoryPair } from '@parley/transports/memory';

  const echo = agent({ name: 'echo', version: '1' }).onPrompt(async (turn) => {
    await turn.say('You said: ' + turn.text);
    return 'end_turn';
  });
  const open = async () => {
    const [near, far] = createMemoryPair();
    void echo.serve(far);
    return { transport: near };
  };
  const connection = await connect({ name: 'echo', open });
  const session = await connection.newSession({ cwd: process.cwd() });
  console.log((await session.prompt('Hello').result).text);
  await connection.close();

  for (const store of [sqliteStore({ path: 'sessions.db' }), postgresStore({ url: 'postgres://nobody@127.0.0.1:1/none' })]) {
    await store.log().create({ id: 'a', cwd: process.cwd() }).catch(({ code, message }) => console.log(code, message));
    await store.close();
  }`;

/** The answers of an agent to `initialize` and to requests without params, in the order of their ids. */
async function askSmallAgent(methods: readonly string[]): Promise<{ answers: unknown[]; stderr: string }> {
  const file = join(project, 'small-agent.mjs');
  const code = `import { agent } from '@parley/agent';
    import { ownStdio } from '@parley/transports/stdio';
    const options = { name: 'small', version: '1', unstable: true };
    await agent(options).onPrompt(() => 'end_turn').serve(ownStdio());`;
  writeFileSync(file, code);
  const running = inProject(process.execPath, ['--import', tellsWhatIsLoaded(), file]);
  const { stdin } = running.child;
  const ask = (method: string, id: number, params: object): void =>
    void stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  ask('initialize', 0, { protocolVersion: 1 });
  methods.forEach((method, index) => {
    ask(method, index + 1, {});
  });
  const answers: { readonly id: number }[] = [];
  for await (const line of createInterface({ input: running.child.stdout as NodeJS.ReadableStream })) {
    answers.push(JSON.parse(line) as { readonly id: number });
    if (answers.length > methods.length) stdin?.end();
  }
  const { stderr } = await running;
  return { answers: answers.sort((one, other) => one.id - other.id), stderr };
}

/** For `--import`: names every file that is loaded as a module, on standard error. */
function tellsWhatIsLoaded(): string {
  const hooks = `import { writeSync } from 'node:fs';
    export async function load(url, context, next) {
      writeSync(2, url + '\\n');
      return next(url, context);
    }`;
  const asUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  return asUrl(`import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))});`);
}

/** For `--require`: names every file that was required, on standard error, when the process ends. */
function tellsWhatIsRequired(): string {
  const path = join(folder, 'tells-what-is-required.cjs');
  writeFileSync(
    path,
    `process.on('exit', () => {
       for (const file of Object.keys(require.cache)) require('node:fs').writeSync(2, 'required ' + file + '\\n');
     });`,
  );
  return path;
}

/** The packages that built code imports; programs have the packages of this repository inside. */
function importsOf(code: string): readonly string[] {
  const found = code.matchAll(/^(?:import|export)\b[^;"]*"([^"]+)";|\b(?:import|require|__load)\("([^"]+)"\)/gm);
  return [...found]
    .map(([, ahead, later]) => ahead ?? later ?? '')
    .filter((specifier) => !/^(\.|node:)/.test(specifier))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
}

function readManifest(place: string): Manifest {
  return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Manifest;
}

/** The paths in each tarball, by package. */
async function pack(): Promise<Record<string, string[]>> {
  mkdirSync(join(folder, 'tarballs'));
  const workspaces = manifests.flatMap(({ name }) => ['--workspace', name]);
  const args = ['pack', '--json', '--offline', '--pack-destination', join(folder, 'tarballs'), ...workspaces];
  const { stdout } = await inCopy('npm', args);
  const tarballs = Object.values(JSON.parse(stdout) as Record<string, Tarball>);
  return Object.fromEntries(tarballs.map(({ name, files }) => [name, files.map(({ path }) => path)]));
}

interface Tarball {
  readonly name: string;
  readonly files: readonly { readonly path: string }[];
}

/** As npm would, but from this disk alone: tarballs are unpacked, and what they declare to need is linked beside them. */
async function install(place: string, packages: readonly Manifest[]): Promise<void> {
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "name": "somebody-else", "type": "module" }');
  for (const { name, dependencies = {} } of packages) {
    const isOf = new RegExp(`^${name.replace(/@(.*)\//, '$1-')}-\\d`);
    const tarball = readdirSync(join(folder, 'tarballs')).find((file) => isOf.test(file));
    const target = installed(name, place);
    mkdirSync(target, { recursive: true });
    await run('tar', ['-xzf', join(folder, 'tarballs', tarball ?? ''), '-C', target, '--strip-components=1']);
    const others = Object.keys(dependencies).filter((dependency) => !dependency.startsWith('@parley/'));
    for (const other of others) linkModule(other, place);
  }
}

/** A package and what it declares to need of this repository. */
function withDependencies(names: readonly string[]): readonly Manifest[] {
  const found = new Set(names);
  for (const name of found) {
    const { dependencies = {} } = manifests.find((each) => each.name === name) ?? {};
    for (const other of Object.keys(dependencies)) if (other.startsWith('@parley/')) found.add(other);
  }
  return manifests.filter(({ name }) => found.has(name));
}

function installed(name: string, place = project): string {
  return join(place, 'node_modules', name);
}

function linkModule(name: string, place = project): void {
  mkdirSync(dirname(installed(name, place)), { recursive: true });
  rmSync(installed(name, place), { force: true });
  link(join(root, 'node_modules', name), installed(name, place));
}

function inCopy(command: string, args: readonly string[]): Promise<{ stdout: string }> {
  return runInCopy(copy, command, args);
}

/** With a home of its own, and without the keys of whoever runs the tests. */
function inProject(command: string, args: readonly string[]): PromiseWithChild<{ stdout: string; stderr: string }> {
  const { PATH = '', SystemRoot = '' } = process.env;
  const places = { HOME: folder, USERPROFILE: folder, XDG_STATE_HOME: join(folder, 'state') };
  return run(command, [...args], { cwd: project, env: { PATH, SystemRoot, ...places } });
}
