import type { ClientSession } from '@parley/client';
import { shellLine } from '@parley/host/terminal';
import type { ChatOptions } from '../chat-options.ts';
import type { CliContext } from '../context.ts';
import { hasColor } from '../output/styles.ts';
import { connectOptions } from './connect-options.ts';
import { openTrace } from './open-trace.ts';
import type { RunSettings } from './run-settings.ts';

export interface ChatRequest {
  readonly settings: RunSettings;
  readonly words: readonly string[];
  readonly resume?: string;
  readonly pastTurns?: ChatOptions['pastTurns'];
  /** Told of every session that the chat opens. */
  readonly onSession?: (session: ClientSession) => void;
  /** Writes down what was told so far; undefined when all of it is. */
  readonly save?: () => Promise<void> | undefined;
}

/** What the chat is given, from flags and settings. */
export async function chatOptions(
  { settings, words, resume, pastTurns, onSession, save }: ChatRequest,
  context: CliContext,
): Promise<ChatOptions> {
  const { agent, source, cwd, additionalDirectories, mcpServers, meta, mode, model, flags, loaded } = settings;
  const { stdout, env } = context;
  const prompt = words.join(' ');
  const trace = flags.trace === undefined ? undefined : openTrace(flags.trace, context.cwd);
  return {
    agent,
    source,
    connect: (say) => ({
      ...connectOptions(settings, context, say),
      ...(trace && { trace }),
    }),
    mayAsk: settings.permissions.mayAsk,
    permissionMode: settings.permissions.deniesAll ? 'denyAll' : settings.permissions.mode,
    cwd,
    additionalDirectories,
    mcpServers,
    ...(meta && { meta }),
    ...(mode !== undefined && { mode }),
    ...(model !== undefined && { model }),
    isPlain: flags.plain ?? loaded.config.plain ?? (!stdout.isTTY || env.TERM === 'dumb'),
    hasColor: hasColor(context, stdout, flags),
    ...(loaded.config.notify && { notify: { by: loaded.config.notify } }),
    ...(prompt !== '' && { prompt }),
    ...(resume !== undefined && { resume }),
    ...(pastTurns && { pastTurns }),
    ...(onSession && { onSession }),
    ...(save && { save }),
    resumeCommand: (sessionId) => shellLine`parley sessions resume ${sessionId}`,
  };
}
