import type { ClientSession } from '@parley/client';
import { safeForTerminal } from '@parley/host/terminal';
import type { ChatEnvironment } from './conversation/chat-environment.ts';
import type { ChatEnd, ChatOptions } from './conversation/chat-options.ts';
import { InteractiveChat } from './interactive/interactive-chat.ts';
import { PlainChat } from './plain/plain-chat.ts';
import { loadHistory } from './prompt/history-file.ts';

/**
 * Talks with an agent until the person leaves; resolves to how the chat ended. In a terminal it is the interactive chat, and
 * with `isPlain`, or where there is no terminal, plain lines. Rejects when the agent cannot be talked to at all.
 */
export async function runChat(options: ChatOptions, environment: ChatEnvironment): Promise<ChatEnd> {
  const { input, output, env, historyFile } = environment;
  if (options.isPlain || !input.isTTY || !output.isTTY || env.TERM === 'dumb') {
    const chat = new PlainChat(options, environment);
    return await sayGoodbye(chat, options, environment);
  }
  const history = historyFile === undefined ? [] : await loadHistory(historyFile);
  return await sayGoodbye(new InteractiveChat(options, environment, history), options, environment);
}

interface Chat {
  run(): Promise<ChatEnd>;
  readonly conversation: { readonly session: ClientSession | undefined };
}

/** Whoever leaves shall find the way back, also to a session that was still being loaded. */
async function sayGoodbye(chat: Chat, options: ChatOptions, { output }: ChatEnvironment): Promise<ChatEnd> {
  const end = await chat.run();
  const id = chat.conversation.session?.id ?? options.resume?.agentSessionId;
  const resume = id === undefined ? undefined : await options.resumeCommand?.(id);
  if (resume !== undefined) {
    const line = `Resume with: ${resume}\n`;
    output.write(output.isTTY ? safeForTerminal(line) : line);
  }
  return end;
}
