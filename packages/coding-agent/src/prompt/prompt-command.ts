import type { ContentBlock } from '@parley/protocol';

/** A slash command that stands for a prompt: the person's own, and the prompts of MCP servers. */
export interface PromptCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  /** What the model is asked in place of the command; undefined when it is not asked. Must depend on the input alone. */
  asks?(input: string): string | undefined;
  /** What the model is asked, where somebody else knows it. It is kept in the log, since the answer may change. */
  fetch?(input: string, signal: AbortSignal): Promise<readonly ContentBlock[]>;
}
