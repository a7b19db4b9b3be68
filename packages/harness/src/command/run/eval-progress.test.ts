import { PassThrough } from 'node:stream';
import type { CommandContext } from '@parley/host/command-line';
import { expect, it } from 'vitest';
import { createEvalProgress } from './eval-progress.ts';
import { Tally } from './tally.ts';

it('shows what happened to an agent, however long its command is', () => {
  const stderr = new PassThrough();
  const tally = new Tally();
  tally.add({ failure: 'died', pass: undefined });
  using progress = createEvalProgress({ env: {}, stderr } as unknown as CommandContext, {
    tally,
    total: 3,
    isSilent: false,
  });
  const because = `/home/me/${'deep/'.repeat(100)}agent\n--flag exited with code 3 during session/prompt.`;
  progress.onAttempt({ name: 'dead', verdict: 'error', ms: 100, because });
  expect(String(stderr.read())).toMatch(
    /^1\/3 dead error in 0\.1 s: \/home\/me\/.{80,100} \.\.\. .{20,100} --flag exited with code 3 during session\/prompt\.\n$/,
  );
});
