import type { Turn } from '@parley/agent';
import type { Discovery, ModelOffer } from '@parley/models/discovery';
import type { Model, ModelRequest } from '@parley/models/model';
import type { FileOperations } from '../operations/operations.ts';
import type { PromptCommand } from '../prompt/prompt-command.ts';
import type { CodingSession } from '../session/coding-session.ts';

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

/** A slash command of the agent. A new one is a file with one of these and a line in the list. */
export interface SlashCommand extends PromptCommand {
  /** What happens before the model is asked, or instead. */
  run?(context: CommandContext): Promise<void>;
}
