import type { Turn } from '@parley/agent';
import type { StopReason } from '@parley/protocol';
import type { Discovery } from '../models/discover.ts';
import type { Model } from '../models/model.ts';
import type { CodingSession } from '../session/coding-session.ts';

/** What a slash command gets. */
export interface CommandContext {
  readonly turn: Turn;
  readonly coding: CodingSession;
  /** What follows the command's name. */
  readonly input: string;
  readonly discovery: Discovery;
  /** The model in use; made when first asked for. */
  readonly model: () => Promise<Model>;
  /** Passes text on to the model as if the person had typed it. */
  readonly prompt: (text: string) => Promise<StopReason>;
}

/** A slash command. A new one is a file with one of these and a line in the list. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  run(context: CommandContext): Promise<StopReason | undefined>;
}
