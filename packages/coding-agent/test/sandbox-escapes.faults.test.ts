import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bubblewrap, needs, ROOT } from '@parley/testing/needs';
import { areGone, isRunning } from '@parley/testing/processes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Confine, SandboxProfile } from '../src/sandbox/confine.ts';
import { openSandbox } from '../src/sandbox/open-sandbox.ts';

const NOBODY = 65_534;

const BUBBLEWRAP = bubblewrap();

/** A machine in a folder: a home with credentials, a workspace with protected names, a folder outside, and servers. */
interface Scene {
  readonly folder: string;
  readonly work: string;
  readonly home: string;
  readonly outside: string;
  readonly victim: ChildProcess;
  readonly servers: readonly Server[];
  readonly port: number;
  readonly abstract: string;
  readonly confine: Readonly<Record<SandboxProfile, Confine>>;
}

const FILES = {
  'home/.ssh/id_rsa': 'SECRET',
  'home/.aws/credentials': 'SECRET',
  'home/.config/parley/keys.json': 'SECRET',
  'home/.config/gh/hosts.yml': 'SECRET',
  'home/.claude/.credentials.json': 'SECRET',
  'home/.npmrc': 'SECRET',
  'home/.local/state/parley/sessions.db': 'SECRET',
  'home/.config/google-chrome/Default/Cookies': 'SECRET',
  'home/dotfiles/gnupg/key': 'SECRET',
  'work/a.txt': 'mine',
  'work/.git/HEAD': 'ref: refs/heads/main',
  'work/.git/config': '[core]',
  'work/.git/hooks/pre-commit.sample': '',
  'work/.mcp.json': '{}',
  'work/.parleyrc.json': '{}',
  'work/.claude/settings.json': '{}',
  'work/.github/workflows/ci.yml': '',
};

/** A way out as a shell script that succeeds where it gets out. `$1` is the workspace, `$2` the folder outside. */
const WAYS: readonly (readonly [title: string, profile: SandboxProfile | 'both', script: string])[] = [
  ['write outside the workspace', 'both', 'echo x > "$2/made"'],
  ['write to the home folder', 'both', 'echo x > "$HOME/made"'],
  ['write to /etc', 'both', 'echo x > /etc/parley-escape'],
  ['write to /usr', 'both', 'echo x > /usr/parley-escape'],
  ['write to the workspace of a command that only reads', 'reading', 'echo x > "$1/made"'],
  ['delete a file of the workspace of a command that only reads', 'reading', 'rm -f "$1/a.txt"'],
  ['add a git hook', 'both', 'echo x > "$1/.git/hooks/pre-commit"'],
  ['change the git configuration', 'both', 'echo x >> "$1/.git/config"'],
  ['add a common folder to the repository', 'both', 'echo ../evil > "$1/.git/commondir"'],
  ['replace the repository', 'both', 'mv "$1/.git" "$1/git2"'],
  ['delete the repository', 'both', 'rm -rf "$1/.git/hooks"'],
  ['change MCP servers', 'both', 'echo x > "$1/.mcp.json"'],
  ['replace MCP servers', 'both', 'cd "$1" && echo x > new.json && mv -f new.json .mcp.json'],
  ['change protected files by a hard link', 'both', 'cd "$1" && ln .mcp.json copy && echo x > copy'],
  ['change protected files by a symbolic link', 'both', 'cd "$1" && ln -s .git/hooks link && echo x > link/pre-commit'],
  ['change settings of Parley', 'both', 'echo x > "$1/.parleyrc.json"'],
  ['change settings of another agent', 'both', 'echo x > "$1/.claude/settings.json"'],
  ['change a workflow', 'both', 'echo x > "$1/.github/workflows/ci.yml"'],
  ['remount the root', 'both', 'mount -o remount,bind,rw / && echo x > /usr/parley-escape'],
  [
    'remount /usr as in T-12',
    'both',
    'mount -o remount,bind,rw,nosuid,nodev,relatime /usr && echo x > /usr/parley-escape',
  ],
  ['remount a protected name', 'both', 'mount -o remount,bind,rw "$1/.git"'],
  ['unmount a protected name', 'both', 'umount "$1/.git" || umount -l "$1/.git"'],
  ['unmount what hides credentials', 'both', 'umount "$HOME/.ssh" || umount -l "$HOME/.ssh"'],
  ['mount a new file system', 'both', 'mount -t tmpfs none /mnt'],
  ['mount a folder elsewhere', 'both', 'mkdir -p /tmp/m && mount --bind /usr /tmp/m'],
  ['make a user namespace', 'both', 'unshare --user true'],
  ['make a user namespace with root rights', 'both', 'unshare --user --map-root-user --mount true'],
  ['make a mount namespace', 'both', 'unshare --mount true'],
  ['enter the namespaces of process 1', 'both', 'nsenter --target 1 --mount --pid true'],
  ['change the root folder', 'both', 'chroot /proc/1/root true'],
  ['make a device', 'both', 'mknod /tmp/disk b 8 0 || mknod "$1/disk" b 8 0'],
  ['read the memory of the machine', 'both', 'head -c 1 /dev/mem || head -c 1 /dev/kmem || head -c 1 /dev/sda'],
  ['see the host through /proc/1/root', 'both', 'ls "/proc/1/root$2" | grep secret'],
  ['see a process of the host', 'both', 'test -e "/proc/$3/environ"'],
  ['read the memory of a process of the host', 'both', 'head -c 1 "/proc/$3/mem"'],
  ['see the host through a process of it', 'both', 'ls "/proc/$3/root/"'],
  ['signal a process of the host', 'both', 'kill -0 "$3"'],
  ['kill a process of the host', 'both', 'kill -9 "$3"'],
  ['reach a server by TCP', 'both', 'exec 3<> "/dev/tcp/127.0.0.1/$4"'],
  ['reach the network', 'both', 'exec 3<> /dev/tcp/192.0.2.1/80'],
  ['reach a server by a socket in /tmp', 'both', '"$5" -e "$6" "$2/socket"'],
  ['reach a server by a socket in the workspace', 'both', '"$5" -e "$6" "$1/socket"'],
  ['reach a server by an abstract socket', 'both', '"$5" -e "$6" "@$7"'],
  ['gain rights from setuid programs', 'both', `grep '^NoNewPrivs:.*0' /proc/self/status`],
  ['have capabilities', 'both', `grep '^Cap[A-Z][a-z]*:.*[1-9a-f]' /proc/self/status`],
  ['make a setuid program', 'reading', 'cp /bin/true "$1/run" && chmod u+s "$1/run"'],
  ['change settings of the kernel', 'both', 'true >> /proc/sys/kernel/core_pattern'],
  ['reach the keys of the kernel', 'both', 'true >> /proc/sysrq-trigger'],
  ['make a control group', 'both', 'mkdir /sys/fs/cgroup/parley-escape'],
  ['read a secret of our environment', 'both', 'env | grep SECRET'],
  ['read a secret of the environment of process 1', 'both', 'grep -z SECRET /proc/1/environ'],
  ['read the passwords of the system', 'both', 'grep : /etc/shadow'],
  ['see other files in /tmp', 'both', 'ls /tmp | grep outside || cat "$2/secret"'],
  ...Object.keys(FILES)
    .filter((name) => name.startsWith('home/'))
    .map((name) => [`read ${name}`, 'both', `grep SECRET "$HOME/${name.slice(5)}"`] as const)
    .filter(([title]) => !title.includes('dotfiles')),
  ['read credentials that are a link', 'both', 'grep -r SECRET "$HOME/.gnupg/" "$HOME/dotfiles"'],
];

const CONNECT = `
const path = process.argv[1].replace(/^@/, '\\0');
require('node:net').connect({ path }).on('connect', () => process.exit(0)).on('error', () => process.exit(1));
`;

describe.each([
  ['root', 0, needs(BUBBLEWRAP, ROOT)],
  ['a normal user', process.getuid?.() === 0 ? NOBODY : (process.getuid?.() ?? NOBODY), needs(BUBBLEWRAP)],
] as const)('inside the sandbox, %s', (_name, uid, options) => {
  describe('cannot', options, () => {
    let scene: Scene;

    beforeAll(async () => {
      scene = await createScene(uid);
    });

    afterAll(async () => {
      scene.victim.kill('SIGKILL');
      for (const server of scene.servers) server.close();
      for (const path of [scene.folder, scene.outside]) await rm(path, { recursive: true, force: true });
    });

    const ways = WAYS.flatMap(([title, profile, script]) =>
      (profile === 'both' ? (['reading', 'workspace'] as const) : [profile]).map(
        (each) => [title, each, script] as const,
      ),
    );
    it.each(ways)('%s (%s)', (_title, profile, script) => {
      const { status, stdout, stderr } = runInside(scene, uid, profile, script);
      expect(stderr).toMatch(/^inside\n/);
      expect(`${status} ${stdout}`).not.toMatch(/^0 /);
      expect(stdout).not.toContain('SECRET');
      expectUnharmed(scene);
    });

    it('leave a process behind', async () => {
      const { stdout } = runInside(scene, uid, 'workspace', '(setsid sleep 4329 > /dev/null 2>&1 &) ; echo started');
      expect(stdout).toBe('started\n');
      // The kernel kills it with the sandbox, a moment after the command has ended.
      const left = spawnSync('pgrep', ['-f', 'sleep 432[9]'], { encoding: 'utf8' }).stdout.split('\n');
      expect(await areGone(left.filter(Boolean).map(Number), 10_000)).toBe(true);
    });

    it('be kept from its work: it reads, has a private /tmp, and writes to the workspace where it may', () => {
      const reading = runInside(
        scene,
        uid,
        'reading',
        'cat "$1/a.txt" && echo x > /tmp/x && ls /tmp/x && "$5" --version',
      );
      expect(reading).toMatchObject({ status: 0, stdout: `mine/tmp/x\n${process.version}\n` });
      const writing = runInside(
        scene,
        uid,
        'workspace',
        'cd "$1" && mkdir sub && echo x > sub/b && cat sub/b && rm -r sub',
      );
      expect(writing).toMatchObject({ status: 0, stdout: 'x\n' });
    });
  });
});

async function createScene(uid: number): Promise<Scene> {
  // Not in /tmp, which is another one inside.
  const folder = await realpath(await mkdtemp('/var/tmp/parley-escape-'));
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'parley-outside-')));
  const [work, home] = [join(folder, 'work'), join(folder, 'home')];
  writeFileSync(join(outside, 'secret'), 'SECRET');
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  symlinkSync(join(home, 'dotfiles/gnupg'), join(home, '.gnupg'));
  const abstract = `parley-escape-${process.pid}-${uid}`;
  const servers = [createServer(), createServer(), createServer(), createServer()] as const;
  const places = [{ port: 0, host: '127.0.0.1' }, join(outside, 'socket'), join(work, 'socket'), `\0${abstract}`];
  await Promise.all(servers.map((server, index) => once(server.listen(places[index]), 'listening')));
  const { port } = servers[0].address() as { readonly port: number };
  if (process.getuid?.() === 0) for (const each of [folder, outside]) giveTo(uid, each);
  const victim = spawn('sleep', ['1000'], { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid }) });
  vi.stubEnv('HOME', home);
  const confine = {
    reading: await openConfine('reading', work),
    workspace: await openConfine('workspace', work),
    isolated: await openConfine('isolated', work),
  };
  return { folder, work, home, outside, victim, servers, port, abstract, confine };
}

async function openConfine(profile: SandboxProfile, work: string): Promise<Confine> {
  const state = await openSandbox({ roots: [work], profile });
  if (!state.isThere) throw new Error(state.because);
  const filter = join(dirname(work), 'filter');
  return (program, cwd) => {
    const { command, args } = state.confine(program, cwd);
    // Another user cannot open a file of our process.
    const words = args.map((word) => {
      if (!/^\/proc\/\d+\/fd\/\d+$/.test(word)) return word;
      writeFileSync(filter, readFileSync(word));
      return filter;
    });
    return { command, args: words };
  };
}

function giveTo(uid: number, path: string): void {
  lchownSync(path, uid, uid);
  const names = readdirSync(path, { withFileTypes: true });
  for (const entry of names) {
    if (entry.isDirectory()) giveTo(uid, join(path, entry.name));
    else lchownSync(join(path, entry.name), uid, uid);
    if (entry.isSocket()) chmodSync(join(path, entry.name), 0o777);
  }
}

function runInside(
  { work, home, outside, victim, port, abstract, confine }: Scene,
  uid: number,
  profile: SandboxProfile,
  script: string,
) {
  const words = [work, outside, String(victim.pid), String(port), process.execPath, CONNECT, abstract];
  vi.stubEnv('HOME', home);
  const { command, args } = confine[profile](
    { command: '/bin/bash', args: ['-c', `echo inside >&2; ${script}`, 'bash', ...words] },
    work,
  );
  vi.unstubAllEnvs();
  const asUser =
    process.getuid?.() === 0 && uid !== 0 ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : [];
  const [program = command, ...rest] = [...asUser, command, ...args];
  return spawnSync(program, rest, { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: home }, timeout: 20_000 });
}

/** Nothing on the host has changed. */
function expectUnharmed({ folder, work, outside, home, victim }: Scene): void {
  for (const [name, content] of Object.entries(FILES))
    expect(readFileSync(join(folder, name), 'utf8'), name).toBe(content);
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('SECRET');
  const made = [
    join(outside, 'made'),
    join(home, 'made'),
    '/etc/parley-escape',
    '/usr/parley-escape',
    join(work, '.git/hooks/pre-commit'),
  ];
  expect(made.filter((path) => existsSync(path))).toEqual([]);
  expect(isRunning(victim.pid ?? 0)).toBe(true);
}
