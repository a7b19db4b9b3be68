import type { CliContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { chatOptions } from '../run/chat-options.ts';
import { readRunSettings } from '../run/run-settings.ts';
import { requireSession, type SessionFlags } from './choose-session.ts';
import { claimSession } from './run-records.ts';

/** Goes on with a saved session in the chat. */
export async function resumeSession(flags: SessionFlags, context: CliContext): Promise<number> {
  await using chosen = await requireSession(flags, context);
  const { session } = chosen;
  const isTerminal = context.stdin.isTTY === true && context.stdout.isTTY === true;
  if (!isTerminal && !flags.plain) {
    throw new CliError('usage', 'The chat needs a terminal.', { next: [`parley prompt -s ${session.id} "..."`] });
  }
  const settings = await readRunSettings(chosen.flags, context);
  const claim = await claimSession({
    places: settings.loaded.places,
    sessionId: session.id,
    agent: session.agent,
    signal: new AbortController().signal,
    onWait: ({ pid }) => context.stderr.write(`waiting for process ${pid}, which works in this session\n`),
  });
  try {
    const { runChat } = await import('../chat/run-chat.ts');
    const resume = session.agentSessionId;
    return await runChat(await chatOptions({ settings, words: [], ...(resume !== undefined && { resume }) }, context));
  } finally {
    await claim.release();
  }
}
