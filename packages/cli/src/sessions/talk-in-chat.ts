import type { CliContext } from '../context.ts';
import { type ChatRequest, chatOptions } from '../run/chat-options.ts';
import { reapInBackground } from '../run/reap-in-background.ts';
import { createChatKeeper } from './chat-keeper.ts';

/** Runs the chat, and keeps what is said in it; resolves to the exit code. */
export async function talkInChat(request: ChatRequest, context: CliContext): Promise<number> {
  const { runChat } = await import('../chat/run-chat.ts');
  await using _reaping = reapInBackground();
  const keeper = createChatKeeper(request.settings);
  try {
    return await runChat(await chatOptions({ ...request, onSession: keeper.onSession, save: keeper.save }, context));
  } catch (error) {
    const { reportError } = await import('../output/report-error.ts');
    return reportError(error, context, { agent: request.settings.agent.name });
  } finally {
    await keeper.close();
  }
}
