import { formatAddress } from '@parley/client';
import type { EvalAgent } from '@parley/harness/command';
import { usageError } from '@parley/host/command-line';
import { redactText } from '@parley/session/traces';
import { openSource } from '../agents/open-source.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { connectOptions } from '../run/connect-options.ts';
import { readRunSettings } from '../run/settings/run-settings.ts';

/** The agent of a run, by `--agent` or by the words after `--`, and what it may do. What was allowed in other sessions does not count here. */
export async function openAgent(
  words: readonly string[],
  flags: SharedFlags,
  context: CliContext,
  say: (text: string) => void,
): Promise<EvalAgent> {
  if (words.length > 0 && flags.agent !== undefined)
    throw usageError('The agent is given twice: with --agent, and after --.');
  if (flags.trace !== undefined)
    throw usageError(
      'A trace has one agent, and a run has many; record one case by itself.',
      'parley exec --trace <file> "..."',
    );
  const [command = '', ...args] = words;
  const named = words.length > 1 ? formatAddress({ kind: 'command', command, args }) : (words[0] ?? flags.agent);
  const settings = await readRunSettings({ ...flags, ...(named !== undefined && { agent: named }) }, context, {
    isThrowaway: true,
  });
  const { agent, session, permissions } = settings;
  const { defaults, asked, cwd, ...sessionOptions } = session;
  const { auth, permissions: _permissions, limits: _limits, ...connect } = connectOptions(settings, context, say);
  const { mode, rules, deniesAll } = permissions;
  return {
    cwd,
    timeoutMs: settings.timeoutMs,
    isVerbose: settings.output.isVerbose,
    exitCodes: settings.exitCodes,
    options: {
      agent: (folder) => openSource(agent, { cwd: folder, env: context.env }),
      agentName: redactText(agent.name),
      connect: {
        ...connect,
        auth: { ...auth, terminal: false },
        permissions: {
          mode,
          rules,
          ...(deniesAll && { decide: () => ({ verdict: 'deny' as const, because: '--deny-all allows nothing.' }) }),
        },
      },
      session: sessionOptions,
      settings: {
        mode: asked?.mode ?? defaults?.mode,
        model: asked?.model ?? defaults?.model,
        settings: { ...defaults?.settings, ...asked?.settings },
      },
    },
  };
}
