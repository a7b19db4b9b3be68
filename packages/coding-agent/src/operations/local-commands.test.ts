import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs, POSIX } from '@parley/testing/needs';
import { expect, it } from 'vitest';
import { localCommands } from './local-commands.ts';

it('runs nothing that a repository which came as plain files names', needs(POSIX), async () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-embedded-'));
  const evil = join(root, 'vendor/evil');
  for (const folder of ['objects', 'refs']) mkdirSync(join(evil, folder), { recursive: true });
  writeFileSync(join(evil, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(
    join(evil, 'config'),
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = "touch PWN; false"\n',
  );
  const commands = localCommands(() => () => {});
  const running = await commands.start({
    command: 'cd vendor/evil && git status; git -C . diff; ls -a .. ../..',
    cwd: root,
    maxOutputBytes: 10_000,
  });
  await running.exit;
  expect((await running.output()).text).toContain('evil');
  for (const folder of [root, join(root, 'vendor'), evil]) expect(existsSync(join(folder, 'PWN'))).toBe(false);
  await running.stop();
});
