import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresStore } from '@parley/store/postgres';
import { needs } from '@parley/testing/needs';
import { POSTGRES, startPostgres } from '@parley/testing/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { startServer, writeSettings } from './serving.ts';

const parley = useParley();

describe('sessions in PostgreSQL', needs(POSTGRES), () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let place = '';
  beforeAll(async () => {
    server = await startPostgres();
    place = ((await server?.newDatabase()) ?? '').replace('parley@', 'parley:secret-word@');
  });
  afterAll(async () => server?.[Symbol.asyncDispose]());

  it('are those of every server that names the database, and are looked at without one', async () => {
    const agent = `told=${parley.agent({})}`;
    const first = await startServer(parley, ['--store', place, agent]);
    expect(first.facts.store).toBe(place.replace(':secret-word', ''));
    expect(await parley.run(['sessions', 'new', '--agent', 'local', '-s', 'kept'])).toMatchObject({ code: 0 });
    expect(await parley.run(['prompt', '--agent', 'local', '-s', 'kept', 'One'])).toMatchObject({ code: 0 });
    first.process.kill('SIGTERM');
    const ended = await first.finished;
    expect(ended.stderr + ended.stdout).not.toContain('secret-word');

    await using second = await startServer(parley, ['--store', place, agent]);
    expect(second.facts.defaultAgent).toBe('told');
    expect(await parley.run(['prompt', '--agent', 'local', '-s', 'kept', 'Two'])).toMatchObject({ code: 0 });
    const looked = ['--store', place, '--agent', 'told'];
    const listed = await parley.run(['sessions', 'list', '--all', '--json', ...looked]);
    expect(listed).toMatchObject({ code: 0 });
    const [session] = (JSON.parse(listed.stdout) as { readonly sessions: readonly { readonly id: string }[] }).sessions;
    const history = await parley.run(['sessions', 'history', session?.id ?? '', ...looked]);
    expect(history).toMatchObject({ code: 0, stdout: expect.stringMatching(/One[\s\S]*Two/) });
  }, 120_000);

  it('are copied from a file and back, and a copy that is made again leaves what is there', async () => {
    const agent = `told=${parley.agent({})}`;
    const file = join(parley.home, 'first.db');
    const source = await startServer(parley, ['--store', file, agent]);
    expect(await parley.run(['sessions', 'new', '--agent', 'local', '-s', 'moved'])).toMatchObject({ code: 0 });
    expect(await parley.run(['prompt', '--agent', 'local', '-s', 'moved', 'Remember this'])).toMatchObject({ code: 0 });
    source.process.kill('SIGTERM');
    await source.finished;

    const target = (await server?.newDatabase()) ?? '';
    const copy = async (from: string, to: string) =>
      JSON.parse((await parley.run(['sessions', 'copy', '--from', from, '--to', to, '--json'])).stdout);
    const copied = await copy(file, target);
    expect(copied).toMatchObject({ copied: 1, known: 0, held: 0 });
    expect(copied.events).toBeGreaterThan(3);
    expect(await copy(file, target)).toMatchObject({ copied: 0, known: 1 });
    const back = join(parley.home, 'back.db');
    expect(await copy(target, back)).toMatchObject({ copied: 1, events: copied.events });

    await using served = await startServer(parley, ['--store', target, agent]);
    expect(served.facts.store).toBe(target);
    expect(await parley.run(['prompt', '--agent', 'local', '-s', 'moved', 'Go on'])).toMatchObject({ code: 0 });
    const history = await parley.run(['sessions', 'history', '-s', 'moved']);
    expect(history.stdout).toMatch(/Remember this[\s\S]*Go on/);
  }, 120_000);

  it('are deleted when nobody has used them for long, and say what to do when the place is wrong', async () => {
    const scheme = await parley.run(['serve', '--store', 'mysql://host/x']);
    expect(scheme).toMatchObject({ code: 2, stderr: expect.stringContaining('postgres://user@host:5432/database') });
    const pruned = await parley.run(['sessions', 'prune', '--store', place, '--older-than', '1']);
    expect(pruned).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('deleted 0 sessions') });
    const all = ['sessions', 'prune', '--store', place, '--older-than', '0'];
    const shown = await parley.run([...all, '--dry-run']);
    expect(shown).toMatchObject({
      stdout: expect.stringContaining('told/local'),
      stderr: expect.stringContaining('would delete 1 '),
    });
    expect(await parley.run(all)).toMatchObject({ code: 0, stderr: expect.stringContaining('deleted 1 sessions') });
    expect(await parley.run(all)).toMatchObject({ stderr: expect.stringContaining('deleted 0 sessions') });
    const nowhere = await parley.run(['serve', '--port', '0', '--store', place.replace(/\/[^/]*$/, '/nowhere')]);
    expect(nowhere.code).not.toBe(0);
    expect(nowhere.stderr).toContain('createdb');
    expect(nowhere.stderr).not.toContain('secret-word');
    const same = await parley.run(['sessions', 'copy', '--from', place, '--to', place]);
    expect(same).toMatchObject({ code: 2, stderr: expect.stringContaining('the same store') });
  }, 120_000);

  it('take prompts without a server, messages for the turn that runs, and its end, with the lease of the settings', async () => {
    writeSettings(parley, { serve: { leaseSeconds: 600 } });
    const looked = ['--store', place, '--agent', 'parley'];
    const prompt = ['prompt', ...looked, '--approve-all'];
    const first = parley.start([...prompt, 'run until [ -e go ]; do sleep 0.1; done']);
    await first.sees('(running)');
    await using store = postgresStore({ url: place });
    const log = store.log('parley/local');
    const { id = '', lease } = (await log.list()).sessions[0] ?? {};
    expect((lease?.leaseUntilMs ?? 0) - Date.now()).toBeGreaterThan(300_000);

    const second = parley.start([...prompt, '--steer', '-s', id, 'run sleep 600']);
    await second.sees('sent to process', 'stderr');
    for await (const { kind } of log.follow(id)) if (kind === 'prompt') break;
    writeFileSync(join(parley.folder, 'go'), '');
    await second.sees('sleep 600 (running)');
    expect(await parley.run(['sessions', 'close', id, ...looked])).toMatchObject({ stdout: `closed ${id}\n` });
    const refused = await parley.run(['sessions', 'delete', id, ...looked]);
    expect(refused.stderr).toMatch(
      /Another process works[\s\S]*parley cancel -s \S+ --store postgres:\S+ --agent parley/,
    );
    expect(await parley.run(['cancel', '-s', id, ...looked])).toMatchObject({ stdout: `cancelled ${id}\n` });
    const ended = await Promise.all([first.finished, second.finished]);
    expect(ended).toMatchObject([{ code: 130 }, { code: 130 }]);
    expect(ended.map(({ stderr }) => stderr).join() + refused.stderr).not.toMatch(
      /secret-word|could not be given back/,
    );
    expect(await log.get(id)).toMatchObject({ isArchived: true, isHeld: false });
  }, 120_000);
});
