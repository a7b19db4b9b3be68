import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { PromptContent } from '@parley/client';
import { usageError } from '@parley/host/command-line';
import { SECRETS_FD, SECRETS_FD_VARIABLE, splitSecrets, writeSecretsPipe } from '@parley/host/secrets';
import type { CliContext } from '../../context.ts';
import { flagWords } from '../../flags/shared-flags.ts';
import { readRunSettings } from '../../run/settings/run-settings.ts';
import type { ChosenSession } from '../choice/choose-session.ts';
import { createSaved } from './prompt-in-session.ts';

export interface QueuedPrompt {
  readonly chosen: ChosenSession;
  readonly prompt: PromptContent;
  readonly name?: string | undefined;
  /** What was given with `--config-option`. */
  readonly configOptions?: readonly string[] | undefined;
  readonly steers?: boolean | undefined;
}

/** Leaves the prompt to a process of its own and returns at once; it waits for its turn, and `sessions watch` shows it. */
export async function queuePrompt(
  { chosen, prompt, name, configOptions = [], steers = false }: QueuedPrompt,
  context: CliContext,
): Promise<void> {
  const settings = await readRunSettings(chosen.flags, context);
  const { store, principal } = chosen.flags;
  if (store !== undefined && !chosen.session)
    throw usageError('With --store and --no-wait the session must be there; name it with -s.');
  const saved = chosen.session ?? (await createSaved(chosen.records, settings, name));
  const blocks = (Array.isArray(prompt) ? prompt : [prompt]).map((each) =>
    typeof each === 'string' ? { type: 'text', text: each } : each,
  );
  const storeWords =
    store === undefined
      ? []
      : ['--store', store, '--agent', saved.agent, ...(principal === undefined ? [] : ['--principal', principal])];
  const optionWords = [...(steers ? ['--steer'] : []), ...configOptions.flatMap((each) => ['--config-option', each])];
  const { command, args } = context.self;
  const { plain, secrets } = splitSecrets(context.env);
  const child = spawn(
    command,
    [...args, 'prompt', '-s', saved.id, '-f', '-', ...flagWords(chosen.flags), ...storeWords, ...optionWords],
    {
      cwd: context.cwd,
      env: { ...plain, [SECRETS_FD_VARIABLE]: String(SECRETS_FD) },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    },
  );
  child.stdin?.end(JSON.stringify(blocks));
  const handed = writeSecretsPipe(child.stdio[SECRETS_FD] as Duplex, secrets);
  await Promise.all([once(child.stdin ?? child, 'close'), handed]);
  child.unref();
  context.stdout.write(
    settings.output.format === 'json'
      ? `${JSON.stringify({ schema: 1, queued: saved.id, pid: child.pid })}\n`
      : `[queued] ${saved.id}\n`,
  );
}
