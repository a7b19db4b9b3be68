import { formatAddress } from '@parley/client';
import type { AgentOptions } from '@parley/harness';
import { redactText } from '@parley/session/traces';
import { openSource } from '../../agents/open-source.ts';
import type { CliContext } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { connectOptions } from '../../run/connect-options.ts';
import { type RunSettings, readRunSettings } from '../../run/settings/run-settings.ts';
import type { EvalFlags } from './run-flags.ts';

export interface EvalAgent {
  readonly settings: RunSettings;
  readonly options: AgentOptions & { readonly agentName: string };
}

/** The agent of a run, by `--agent` or by the words after `--`, and what it may do. What was allowed in other sessions does not count here. */
export async function openAgent(
  words: readonly string[],
  flags: EvalFlags,
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
  const { defaults, asked, cwd: _cwd, ...sessionOptions } = session;
  const { auth, permissions: _permissions, limits: _limits, ...connect } = connectOptions(settings, context, say);
  const { mode, rules, deniesAll } = permissions;
  return {
    settings,
    options: {
      agent: (cwd) => openSource(agent, { cwd, env: context.env }),
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
