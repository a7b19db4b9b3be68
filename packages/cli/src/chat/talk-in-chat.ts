import { join } from 'node:path';
import type { ChatEnd, ChatEnvironment, ChatOptions, ChatTarget } from '@parley/chat';
import { EXIT_CODES } from '@parley/host/command-line';
import { reapInBackground } from '@parley/host/process';
import { shellLine } from '@parley/host/terminal';
import { hasColor } from '@parley/terminal';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { connectOptions } from '../run/connect-options.ts';
import { isOffline } from '../run/offline-model.ts';
import { openSession } from '../run/open-session.ts';
import { openTrace } from '../run/open-trace.ts';
import type { RunSettings } from '../run/settings/run-settings.ts';
import { shortId } from '../sessions/choice/word-session.ts';
import { type ChatRecords, createChatRecords } from '../sessions/records/chat-records.ts';
import type { SavedSession } from '../sessions/records/saved-session.ts';

export interface ChatRequest {
  readonly settings: RunSettings;
  /** What the settings were read from. */
  readonly flags: SharedFlags;
  readonly words: readonly string[];
  readonly resume?: SavedSession;
  readonly pastTurns?: ChatOptions['pastTurns'];
}

/** Runs the chat, and keeps what is said in it; resolves to the exit code. */
export async function talkInChat(request: ChatRequest, context: CliContext): Promise<number> {
  const { runChat } = await import('@parley/chat');
  await using _reaping = reapInBackground();
  const records = createChatRecords(request.settings.places);
  try {
    return exitCodeOf(await runChat(await chatOptions(request, records, context), environmentOf(request)));
  } catch (error) {
    const { reportError } = await import('../output/report-error.ts');
    return reportError(error, context, { agent: request.settings.agent.name });
  } finally {
    await records.close();
  }
}

/** The terminal, or the pipes, of this process. */
function environmentOf({ settings }: ChatRequest): ChatEnvironment {
  const { stdin: input, stdout: output, env } = process;
  return { input, output, env, historyFile: join(settings.places.state, 'prompt-history') };
}

function exitCodeOf(end: ChatEnd): number {
  switch (end) {
    case 'left':
      return EXIT_CODES.ok.code;
    case 'hungUp':
      return HUNG_UP;
    case 'readerGone':
      return EXIT_CODES.failed.code;
    default:
      return EXIT_CODES[end].code;
  }
}

/** The exit code of a program that SIGHUP has ended. */
const HUNG_UP = 129;

async function chatOptions(
  { settings, flags, words, resume, pastTurns }: ChatRequest,
  records: ChatRecords,
  context: CliContext,
): Promise<ChatOptions> {
  const resumed = resume && (await records.expect(resume));
  const { chat, output, traceFile } = settings;
  const { stdout, env } = context;
  const prompt = words.join(' ');
  const trace = traceFile === undefined ? undefined : openTrace(traceFile, context.cwd);
  const targetOf = (each: RunSettings): ChatTarget => {
    const { defaults: _defaults, asked: _asked, forget: _forget, ...session } = each.session;
    return {
      agent: each.agent,
      source: each.source,
      connect: (say) => ({ ...connectOptions(each, context, say), ...(trace && { trace }) }),
      mayAsk: each.permissions.mayAsk,
      permissionMode: each.permissions.deniesAll ? 'denyAll' : each.permissions.mode,
      session,
      connectTo: records.connectTo(each.agent),
      openSession: (connection, { stored, keepsSettings = false, say }) =>
        openSession(connection, keepsSettings ? session : each.session, {
          stored,
          wantsConversation: true,
          onProblem: (error) => say(error instanceof Error ? error.message : String(error)),
          say,
        }),
      isOffline: (opened) => isOffline(opened, each.agent),
      onSession: (opened, say) => records.onSession(opened, each.agent, say),
    };
  };
  const { createChatDirectory } = await import('./chat-directory.ts');
  const directory = createChatDirectory({ settings, flags, context, targetOf });
  return {
    ...targetOf(settings),
    directory: {
      ...directory,
      async openSession(id) {
        const destination = await directory.openSession(id);
        return { ...destination, resume: await records.expect(destination.resume) };
      },
    },
    isPlain: chat.isPlain ?? (!stdout.isTTY || env.TERM === 'dumb'),
    hasColor: hasColor(context, stdout, output),
    ...(chat.notify && { notify: { by: chat.notify } }),
    ...(chat.theme && { theme: chat.theme }),
    ...(chat.keys && { keys: chat.keys }),
    ...(prompt !== '' && { prompt }),
    ...(resumed && { resume: resumed }),
    ...(pastTurns && { pastTurns }),
    shownId: (sessionId) => shortId(records.idOf(sessionId) ?? sessionId),
    rename: records.rename,
    async resumeCommand(sessionId) {
      const id = await records.findId(sessionId);
      return id === undefined ? undefined : shellLine`parley sessions resume ${id}`;
    },
  };
}
