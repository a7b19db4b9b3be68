import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agent } from '@parley/agent';
import { gateway } from '@parley/gateway';
import { memoryStore } from '@parley/store/memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangesReply, FilesReply, FoldersReply } from '../src/api/index.ts';
import { webRoutes } from '../src/server/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-web-server-'));
const root = join(folder, 'root');
const repository = join(root, 'repository');
const git = (...args: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: repository,
    stdio: 'ignore',
  });
};

describe('what serves the page', () => {
  let origin: string;
  let close: () => Promise<void>;

  const get = (path: string, query: Record<string, string> = {}, token = 'secret-1'): Promise<Response> =>
    fetch(`${origin}${path}?${new URLSearchParams(query)}`, { headers: { authorization: `Bearer ${token}` } });
  const read = async <Reply>(path: string, query: Record<string, string>): Promise<Reply> =>
    (await (await get(path, query)).json()) as Reply;

  beforeAll(async () => {
    mkdirSync(repository, { recursive: true });
    const echo = agent({ name: 'echo', version: '1' }).onPrompt(async (turn) => void turn.say(turn.text));
    const server = gateway({ store: memoryStore({ isShared: true }), agents: { echo } });
    const port = await server.listen({
      tokens: { ada: 'secret-1', ben: 'secret-2' },
      routes: webRoutes({ gateway: server, cwd: root, roots: [root] }),
    });
    origin = new URL(port.url).origin;
    close = async () => {
      await port.close({ graceMs: 0 });
      await server.close();
    };
  });
  afterAll(async () => {
    await close?.();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gives the page to anyone, under a strict policy and without a secret, and what it asks for only with a token', async () => {
    const page = await fetch(`${origin}/`);
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const html = await page.text();
    expect(html).not.toContain('secret-');
    const [script = ''] = /\/assets\/main-[\w-]+\.js/.exec(html) ?? [];
    const asset = await fetch(`${origin}${script}`);
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(asset.headers.get('cache-control')).toContain('immutable');
    for (const path of ['/assets/none.js', '/assets/../index.html', '/assets/%2e%2e/%2e%2e/package.json'])
      expect((await fetch(`${origin}${path}`)).status).not.toBe(200);
    for (const path of ['agents', 'sessions', 'watch', 'files', 'folders', 'changes'])
      expect((await fetch(`${origin}/api/${path}`)).status).toBe(401);
    const own = { origin, authorization: 'Bearer secret-1' };
    expect((await fetch(`${origin}/api/agents`, { headers: own })).status).toBe(200);
    const foreign = { origin: 'https://elsewhere.example', authorization: 'Bearer secret-1' };
    expect((await fetch(`${origin}/api/agents`, { headers: foreign })).status).toBe(403);
  });

  it('tells the changes of a repository, whatever its files are called, and runs nothing of it', async () => {
    git('init', '-q', '-b', 'main');
    const names = ['plain.txt', '-rf', 'a\nb.txt', '<img src=x>.md', 'old name.txt', 'gone.txt', 'bytes.bin'];
    for (const name of names) writeFileSync(join(repository, name), `${name} one\ntwo\nthree\nfour\n`);
    writeFileSync(join(repository, 'bytes.bin'), Buffer.from([0, 1, 2]));
    writeFileSync(join(repository, '.gitignore'), 'ignored/\n');
    writeFileSync(join(repository, '.gitattributes'), '*.txt filter=evil diff=evil\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
    const ran = join(folder, 'ran');
    const evil = join(folder, 'evil.sh');
    writeFileSync(evil, `#!/bin/sh\necho ran >> ${ran}\ncat\n`);
    chmodSync(evil, 0o755);
    for (const [key, value] of Object.entries({
      'filter.evil.clean': evil,
      'filter.evil.smudge': evil,
      'filter.evil.required': 'true',
      'diff.evil.textconv': evil,
      'diff.evil.command': evil,
      'diff.external': evil,
      'core.fsmonitor': evil,
      'core.pager': evil,
    }))
      git('config', key, value);
    for (const name of ['plain.txt', '-rf', 'a\nb.txt', '<img src=x>.md'])
      writeFileSync(join(repository, name), `${name} one\nTWO\nthree\nfour\n`);
    writeFileSync(join(repository, 'bytes.bin'), Buffer.from([0, 9, 9]));
    rmSync(join(repository, 'gone.txt'));
    mkdirSync(join(repository, 'ignored'));
    writeFileSync(join(repository, 'ignored', 'x'), 'x');
    writeFileSync(join(repository, 'new.txt'), 'new');
    rmSync(ran, { force: true });
    const changes = await read<ChangesReply>('/api/changes', { cwd: repository });
    expect(existsSync(ran)).toBe(false);
    expect(changes).toMatchObject({ isRepository: true, branch: 'main', isCapped: false });
    const byPath = new Map(changes.files.map((file) => [file.path, file]));
    for (const name of ['plain.txt', '-rf', 'a\nb.txt', '<img src=x>.md']) {
      expect(byPath.get(name)).toMatchObject({ status: 'modified', added: 1, removed: 1 });
      expect(byPath.get(name)?.patch).toContain('+TWO');
    }
    expect(byPath.get('bytes.bin')).toMatchObject({ status: 'modified', isBinary: true });
    expect(byPath.get('gone.txt')).toMatchObject({ status: 'deleted', removed: 4 });
    expect(byPath.get('new.txt')).toMatchObject({ status: 'untracked', added: 1 });
    expect(byPath.get('new.txt')?.patch).toContain('\\ No newline at end of file');
    expect([...byPath.keys()].some((path) => path.startsWith('ignored'))).toBe(false);
    const { files } = await read<FilesReply>('/api/files', { cwd: repository, query: 'txt' });
    expect(files).toContain('plain.txt');
    expect((await read<FilesReply>('/api/files', { cwd: repository, query: '' })).files).not.toContain('ignored/x');
    expect(existsSync(ran)).toBe(false);
    expect(await read('/api/changes', { cwd: root })).toEqual({ isRepository: false, files: [], isCapped: false });
  });

  it('completes folders and files below its roots, and looks nowhere else, also not through links', async () => {
    const other = join(folder, 'other');
    mkdirSync(join(root, 'apple'), { recursive: true });
    mkdirSync(join(root, '.hidden'), { recursive: true });
    mkdirSync(join(other, 'inner'), { recursive: true });
    symlinkSync(other, join(root, 'link'));
    const folders = async (prefix: string) => (await read<FoldersReply>('/api/folders', { prefix })).folders;
    expect(await folders(join(root, 'ap'))).toEqual([join(root, 'apple')]);
    expect(await folders(`${root}/`)).toEqual([join(root, 'apple'), repository]);
    expect(await folders(join(root, '.h'))).toEqual([join(root, '.hidden')]);
    for (const prefix of ['', '/', 'relative', `${other}/`, `${join(root, 'link')}/`, `${root}/../`])
      expect(await folders(prefix)).toEqual([]);
    for (const cwd of ['', '/', '/etc', other, join(root, 'link'), join(root, '..'), join(root, 'none')]) {
      expect((await get('/api/files', { cwd, query: '' })).status).toBe(404);
      expect((await get('/api/changes', { cwd })).status).toBe(404);
    }
  });
});
