import { randomUUID } from 'node:crypto';
import type { Session } from '@parley/agent';
import type { Description } from '../description/description.ts';
import { buildArguments, type CommandUse } from '../invocation/build-arguments.ts';
import { readHistory, withHistory } from '../invocation/history.ts';
import { toServerMap } from '../invocation/mcp-servers.ts';
import { formatPrompt } from '../invocation/prompt-message.ts';
import type { PromptParts } from '../invocation/prompt-parts.ts';
import { fillText } from '../invocation/templates.ts';
import { readState } from './session-state.ts';

export interface PrepareTurnOptions {
  readonly description: Description;
  readonly session: Session;
  readonly parts: PromptParts;
  /** Where its images are, for commands that take paths. */
  readonly imagePaths: readonly string[];
}

/** How a turn begins with a new process. */
export interface PreparedStart {
  readonly argv: readonly string[];
  /** What is written to stdin first. */
  readonly input: string | undefined;
  /** The id that the new session of the command was given. */
  readonly newId: string | undefined;
}

/** The command line and the input of a new process, with all that was said before where it cannot resume. */
export async function prepareStart(options: PrepareTurnOptions): Promise<PreparedStart> {
  const { description, session, imagePaths } = options;
  const { sessionMode, resume, prompt } = description;
  const { sessionId, turns } = readState(session);
  const resumes = sessionMode !== 'iterative' && resume ? sessionId : undefined;
  const newId = resume?.newIdFlag !== undefined && resumes === undefined ? randomUUID() : undefined;
  const parts = withMentions(options);
  const text =
    sessionMode === 'iterative' || (resumes === undefined && turns > 0)
      ? withHistory(description, await readHistory(session.history()), parts.text)
      : parts.text;
  return {
    argv: argumentsFor(options, { resumes, newId, images: imagePaths, prompt: prompt.stdin ? undefined : text }),
    input: prompt.stdin
      ? formatPrompt(description, { ...parts, text, sessionId: resumes ?? newId, cwd: session.cwd, isFirst: true })
      : undefined,
    newId,
  };
}

/** What is written to a process that has stayed since the last turn. */
export function prepareInput(options: PrepareTurnOptions): string {
  const { description, session } = options;
  const { sessionId } = readState(session);
  return formatPrompt(description, { ...withMentions(options), sessionId, cwd: session.cwd, isFirst: false });
}

/** Tells whether a process that stays was started with the settings that the session has now. */
export function settingsKey(options: Pick<PrepareTurnOptions, 'description' | 'session'>): string {
  return JSON.stringify(argumentsFor(options, {}));
}

function argumentsFor(
  { description, session }: Pick<PrepareTurnOptions, 'description' | 'session'>,
  use: Omit<CommandUse, 'cwd'>,
): readonly string[] {
  const { model } = session.options;
  return buildArguments(description, {
    cwd: session.cwd,
    mode: session.mode,
    model: typeof model === 'string' ? model : undefined,
    mcpServers: toServerMap(session.mcpServers),
    directories: session.roots.slice(1),
    ...use,
  });
}

function withMentions({ description, parts, imagePaths }: PrepareTurnOptions): PromptParts {
  const { mention } = description.images ?? {};
  if (mention === undefined || imagePaths.length === 0) return parts;
  return { ...parts, text: [parts.text, ...imagePaths.map((path) => fillText(mention, { path }))].join('\n') };
}
