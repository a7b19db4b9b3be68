export type { ChatEnvironment } from './conversation/chat-environment.ts';
export type {
  ChatAgent,
  ChatDestination,
  ChatDirectory,
  ChatEnd,
  ChatOptions,
  ChatSession,
  ChatTarget,
  ConnectTo,
  ListedSession,
  OpenChatSessionOptions,
} from './conversation/chat-options.ts';
export { runChat } from './run-chat.ts';
