import type { Description } from '../description/description.ts';
import { fillText } from './templates.ts';

/** What one start of the command is for. */
export interface CommandUse {
  readonly cwd: string;
  /** The prompt, where it is an argument. */
  readonly prompt?: string | undefined;
  /** The session of the command to go on with. */
  readonly resumes?: string | undefined;
  /** The id that a new session of the command is to have. */
  readonly newId?: string | undefined;
  readonly mode?: string | undefined;
  readonly model?: string | undefined;
  readonly images?: readonly string[];
  readonly mcpServers?: Readonly<Record<string, unknown>> | undefined;
  readonly directories?: readonly string[];
}

/** The value of a model option that passes no flag. */
export const DEFAULT_MODEL = 'default';

/** The whole command line of one start, in the order that the format prescribes; our own arguments stand before the resume flag. */
export function buildArguments(description: Description, use: CommandUse): readonly string[] {
  const { output, cwdFlag, models, images, mcp, directoryFlag, resume, prompt } = description;
  const { cwd, model, resumes, newId, mcpServers, directories = [] } = use;
  return [
    ...(resumes !== undefined && resume?.command ? fill(resume.command, resumes) : description.command),
    ...pair(output.flag, output.value === '' ? undefined : output.value, output.flag !== ''),
    ...approvals(description, use.mode),
    ...pair(models?.flag, model, models !== undefined && model !== undefined && model !== DEFAULT_MODEL),
    ...pair(mcp?.flag, JSON.stringify({ mcpServers }), mcp !== undefined && mcpServers !== undefined),
    ...(directoryFlag === undefined ? [] : directories.flatMap((path) => [directoryFlag, path])),
    ...(images?.flag === undefined ? [] : (use.images ?? []).flatMap((path) => [images.flag as string, path])),
    ...pair(cwdFlag, cwd, cwdFlag !== undefined && cwdFlag !== ''),
    ...(resumes === undefined
      ? pair(resume?.newIdFlag, newId, newId !== undefined)
      : resumeWords(description, resumes)),
    // No system passes a NUL in an argument.
    ...(use.prompt === undefined ? [] : promptWords(prompt, use.prompt.replaceAll('\0', '\uFFFD'))),
  ];
}

function resumeWords({ resume }: Description, id: string): readonly string[] {
  if (resume?.args) return fill(resume.args, id);
  return pair(resume?.flag, id, resume?.flag !== undefined && resume.flag !== '');
}

/** A mode says itself whether nothing is asked in it. */
function approvals({ autoApprove = [], modes }: Description, mode: string | undefined): readonly string[] {
  const chosen = modes?.find(({ id }) => id === mode);
  if (!chosen) return modes ? [] : autoApprove;
  return [...(chosen.autoApprove ? autoApprove : []), ...(chosen.args ?? [])];
}

/** A prompt that begins with a dash must not become an option: a joined flag and a separator see to it, a space does elsewhere. */
function promptWords({ flag = '', separator }: Description['prompt'], prompt: string): readonly string[] {
  if (flag.endsWith('=')) return [flag + prompt];
  if (flag === '' && separator !== undefined) return [separator, prompt];
  const word = prompt.startsWith('-') ? ` ${prompt}` : prompt;
  return flag === '' ? [word] : [flag, word];
}

function pair(flag: string | undefined, value: string | undefined, isWanted: boolean): readonly string[] {
  if (!isWanted) return [];
  return [flag, value].filter((word) => word !== undefined);
}

function fill(words: readonly string[], sessionId: string): readonly string[] {
  return words.map((word) => fillText(word, { sessionId }));
}
