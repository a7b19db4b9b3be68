import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientSession } from '@parley/client';
import { memoryStore } from '@parley/store/memory';
import type { FakeModelServer, Reply } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import type { CodingAgentOptions } from '../src/index.ts';
import { makeProject, startInProcess, startModel } from './in-process.ts';

type Files = Readonly<Record<string, string>>;

interface SceneOptions extends CodingAgentOptions {
  readonly files?: Files;
  /** What the person has at home. */
  readonly home?: never;
  readonly own?: Files;
  /** Where the session is, in the project. */
  readonly folder?: string;
}

async function open(script: readonly Reply[], { files = {}, own = {}, folder = '', ...options }: SceneOptions = {}) {
  const { server, env } = await startModel({ script });
  const project = await makeProject(files);
  const home = await makeProject(own);
  await mkdir(join(project.path, '.git'), { recursive: true });
  const agent = {
    env,
    store: memoryStore(),
    personal: { config: join(home.path, '.config/parley'), home: home.path },
    permissions: { mode: 'bypassPermissions' },
    ...options,
  } as const;
  const connection = await startInProcess({ agent });
  const session = await connection.newSession({ cwd: join(project.path, folder) });
  return { server, project, home: home.path, connection, session };
}

const call = (name: string, input: object) => ({ events: [{ type: 'tool_call', name, input }] }) as const;
const messagesOf = ({ requests }: FakeModelServer, index: number): readonly { role: string; content: string }[] => {
  const { messages = [] } = (requests[index]?.body ?? {}) as { messages?: { role: string; content: string }[] };
  return messages;
};
const systemOf = (server: FakeModelServer): string =>
  messagesOf(server, 0).find(({ role }) => role === 'system')?.content ?? '';
const bodyOf = ({ requests }: FakeModelServer, index: number): string => JSON.stringify(requests[index]?.body);
const noticesOf = (session: ClientSession): readonly string[] =>
  session.transcript.entries
    .toArray()
    .flatMap((entry) => (entry.type === 'notice' ? [`${entry.title}: ${entry.description}`] : []));

describe('instructions', () => {
  it('come from the person, the root of the repository and the folders down to the session, the nearest last', async () => {
    const scene = await open(['ok'], {
      own: { '.config/parley/AGENTS.md': 'Speak plainly.' },
      files: {
        'AGENTS.md': 'Root rules.',
        'CLAUDE.md': 'Not read.',
        'app/CLAUDE.md': 'App rules.',
        'app/src/a.ts': '',
      },
      folder: 'app/src',
    });
    await scene.session.prompt('hello').result;
    const system = systemOf(scene.server);
    expect(system).toMatch(/Speak plainly\.[\s\S]*Root rules\.[\s\S]*App rules\./);
    expect(system).not.toContain('Not read.');
    expect(noticesOf(scene.session).join()).toMatch(
      /Instructions that were read: .*AGENTS\.md, .*AGENTS\.md, .*CLAUDE\.md/,
    );
  });

  it('import other files of the project, not in circles, not from elsewhere and not out of code', async () => {
    const scene = await open(['ok'], {
      own: { 'secret.md': 'A secret.' },
      files: {
        'AGENTS.md': 'See @docs/style.md and @../outside.md and `@docs/code.md`, and ask @ada.\n@./a/1.md',
        'docs/style.md': 'Use tabs. @../AGENTS.md',
        'docs/code.md': 'Never.',
        ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`a/${n}.md`, `Number ${n}. @${n + 1}.md`])),
      },
    });
    await symlink(join(scene.home, 'secret.md'), join(scene.project.path, 'link.md'));
    await scene.session.prompt('hello').result;
    const system = systemOf(scene.server);
    expect(system.match(/Use tabs\./g)).toHaveLength(1);
    expect(system).toMatch(/Number 1\.[\s\S]*Number 4\./);
    expect(system).not.toMatch(/Number 5\.|Never\.|A secret\./);
    expect(noticesOf(scene.session).join()).toContain('files may import each other 4 times in a row');
  });

  it('do not follow a link out of the project, and say that what is outside is left out', async () => {
    const { path: elsewhere } = await makeProject({ 'secret.md': 'A secret.' });
    const { server, env } = await startModel({ script: ['ok'] });
    const project = await makeProject({ 'AGENTS.md': `Read @link.md and @${elsewhere}/secret.md` });
    await symlink(join(elsewhere, 'secret.md'), join(project.path, 'link.md'));
    const connection = await startInProcess({ agent: { env } });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('hello').result;
    expect(systemOf(server)).not.toContain('A secret.');
    expect(noticesOf(session).join()).toContain('which is outside of the project; it is left out');
  });

  it('of a folder are told once, when something in it is read, also after a load', async () => {
    const read = (path: string) => call('read_file', { path });
    const scene = await open([read('lib/x/a.ts'), read('lib/x/b.ts'), 'ok', read('lib/x/b.ts'), 'ok'], {
      files: { 'lib/AGENTS.md': 'Lib rules.', 'lib/x/AGENTS.md': 'X rules.', 'lib/x/a.ts': 'a', 'lib/x/b.ts': 'b' },
    });
    await scene.session.prompt('go').result;
    expect(bodyOf(scene.server, 0)).not.toContain('Lib rules.');
    expect(bodyOf(scene.server, 1)).toMatch(/<instructions>[^<]*Lib rules\.[\s\S]*<instructions>[^<]*X rules\./);
    expect(bodyOf(scene.server, 2).match(/Lib rules\./g)).toHaveLength(1);
    await scene.session.close();
    const again = await scene.connection.loadSession(scene.session.id, { cwd: scene.project.path });
    await again.prompt('again').result;
    expect(bodyOf(scene.server, 4).match(/X rules\./g)).toHaveLength(1);
    const [before, after] = [2, 3].map((index) => messagesOf(scene.server, index));
    expect(after?.slice(0, before?.length)).toEqual(before);
  });
});

describe('skills', () => {
  const skill = (name: string, body = 'Do it so.'): string =>
    `---\nname: ${name}\ndescription: How to ${name}\n---\n${body}`;

  it('are listed by name and description, and read when they are needed, with the files in their folder and no others', async () => {
    const scene = await open(
      [
        call('skill', { name: 'release' }),
        call('skill', { name: 'release', file: 'scripts/tag.sh' }),
        call('skill', { name: 'release', file: '../../../AGENTS.md' }),
        'ok',
      ],
      {
        own: { '.claude/skills/mine/SKILL.md': skill('mine') },
        files: {
          'AGENTS.md': 'Root rules.',
          '.agents/skills/release/SKILL.md': skill('release', 'First tag.'),
          '.agents/skills/release/scripts/tag.sh': 'git tag',
          '.parley/skills/broken/SKILL.md': 'no description',
        },
        isTrusted: ({ text }) => text.includes('First tag.'),
      },
    );
    await scene.session.prompt('go').result;
    const system = systemOf(scene.server);
    expect(system).toContain('- mine: How to mine\n- release: How to release');
    expect(system).not.toContain('First tag.');
    expect(bodyOf(scene.server, 1)).toMatch(/First tag\.[\s\S]*Its other files: scripts\/tag\.sh\./);
    expect(bodyOf(scene.server, 2)).toContain('git tag');
    expect(messagesOf(scene.server, 3).at(-1)?.content).not.toContain('Root rules.');
    expect(scene.session.transcript.commands.map(({ name }) => name)).toContain('release');
  });

  it('say what the person has trusted, whatever their file says by now', async () => {
    const scene = await open([call('skill', { name: 'release' }), 'ok'], {
      files: { '.claude/skills/release/SKILL.md': skill('release', 'First tag.') },
      isTrusted: ({ text }) => text.includes('First tag.'),
    });
    await writeFile(join(scene.project.path, '.claude/skills/release/SKILL.md'), skill('release', 'Delete all tags.'));
    await scene.session.prompt('go').result;
    expect(bodyOf(scene.server, 1)).toContain('First tag.');
    expect(bodyOf(scene.server, 1)).not.toContain('Delete all tags.');
  });

  it('of a project that is not trusted are not used, and the person is told', async () => {
    const scene = await open(['ok'], { files: { '.claude/skills/evil/SKILL.md': skill('evil') } });
    await scene.session.prompt('go').result;
    expect(bodyOf(scene.server, 0)).not.toContain('evil');
    expect(noticesOf(scene.session).join()).toMatch(/not used until you trust them \(`parley config trust`\): evil\./);
  });
});

describe('custom commands', () => {
  it('are the person’s and the project’s, with numbered arguments; the nearest counts', async () => {
    const scene = await open(['ok', 'ok'], {
      own: {
        '.claude/commands/a.md': 'Mine.',
        '.config/parley/commands/b.md': '---\nargument-hint: <file>\n---\nLook at $1.',
      },
      files: { '.claude/commands/a.md': 'Root of $2.', 'app/.parley/commands/git/save.md': 'Save it.', 'app/x': '' },
      folder: 'app',
    });
    await scene.session.prompt('/a one two').result;
    expect(scene.server.requests[0]?.lastUserText).toMatch(/^Root of two\./);
    const commands = scene.session.transcript.commands;
    expect(commands).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'b', input: { hint: '<file>' } }),
        expect.objectContaining({ name: 'git:save', description: 'Save it.' }),
        expect.objectContaining({ name: 'init' }),
      ]),
    );
    await scene.session.prompt('/init').result;
    expect(scene.server.requests[1]?.lastUserText).toContain('write AGENTS.md');
  });
});

describe('hooks', () => {
  const write = (path: string) => call('write_file', { path, content: 'x' });
  const node = (script: string): string => `${JSON.stringify(process.execPath)} -e ${JSON.stringify(script)}`;

  it('block a call with their words, hear of the others with JSON on stdin, and see no secrets', async () => {
    const look =
      "const c = JSON.parse(require('fs').readFileSync(0, 'utf8')); if (c.input.path === 'no.txt') { console.error('Leave it.'); process.exit(2); } require('fs').writeFileSync('heard.json', JSON.stringify({ ...c, env: process.env.HOOK_TOKEN ?? null }));";
    process.env.HOOK_TOKEN = 'sk-ant-secret-1234567890';
    const scene = await open([write('no.txt'), write('yes.txt'), call('read_file', { path: 'yes.txt' }), 'ok'], {
      hooks: () => ({ beforeTool: [{ command: node(look), tools: ['write_*'] }] }),
    }).finally(() => delete process.env.HOOK_TOKEN);
    const { toolCalls } = await scene.session.prompt('go').result;
    expect(toolCalls.map(({ status }) => status)).toEqual(['failed', 'completed', 'completed']);
    expect(bodyOf(scene.server, 1)).toContain('A hook blocked it: Leave it.');
    await expect(scene.project.read('no.txt')).rejects.toThrow('ENOENT');
    expect(JSON.parse(await scene.project.read('heard.json'))).toMatchObject({
      event: 'beforeTool',
      tool: 'write_file',
      kind: 'edit',
      input: { path: 'yes.txt', content: 'x' },
      cwd: scene.project.path,
      env: null,
    });
  });

  it('tell the model something afterwards, and a hook that fails or hangs stops nothing', async () => {
    const scene = await open([write('a.txt'), 'ok'], {
      hooks: () => ({
        beforeTool: [{ command: 'exit 1' }, { command: 'sleep 60', timeoutMs: 50 }],
        afterTool: [{ command: 'echo "Format it."; exit 2' }],
      }),
    });
    await scene.session.prompt('go').result;
    expect(await scene.project.read('a.txt')).toBe('x');
    expect(bodyOf(scene.server, 1)).toContain('[A hook says: Format it.]');
    expect(noticesOf(scene.session).join()).toMatch(
      /`exit 1` failed \(exit code 1\)[\s\S]*`sleep 60` was ended after 0\.05 s/,
    );
  });
});
