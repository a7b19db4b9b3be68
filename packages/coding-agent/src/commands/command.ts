import type { Turn } from '@parley/agent';
import type { ContentBlock } from '@parley/protocol';
import type { Discovery } from '../models/discovery/discovery.ts';
import type { ModelOffer } from '../models/discovery/offer.ts';
import type { Model, ModelRequest } from '../models/model.ts';
import type { CodingSession } from '../session/coding-session.ts';
import type { FileOperations } from '../tools/operations.ts';

/** What a slash command gets. */
export interface CommandContext {
  readonly turn: Turn;
  readonly coding: CodingSession;
  /** What follows the command's name. */
  readonly input: string;
  readonly discovery: Discovery;
  /** The person's files, through the client where it offers that. */
  readonly files: FileOperations;
  /** The model in use; made when first asked for. */
  readonly model: () => Promise<{ readonly model: Model; readonly offer: ModelOffer }>;
  /** What a request to the model says besides the history. */
  readonly request: () => Omit<ModelRequest, 'messages'>;
}

/** A slash command. A new one is a file with one of these and a line in the list. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  /** What the model is asked in place of the command; undefined when it is not asked. Must depend on the input alone. */
  asks?(input: string): string | undefined;
  /** What the model is asked, where somebody else knows it. It is kept in the log, since the answer may change. */
  fetch?(input: string, signal: AbortSignal): Promise<readonly ContentBlock[]>;
  /** What happens before the model is asked, or instead. */
  run?(context: CommandContext): Promise<void>;
}
