import { readCount, usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import type { SharedFlags } from '../../flags/shared-flags.ts';

/** What is asked of an agent in `_meta` when a session is opened, in the words of claude-agent-acp, as acpx sends it. */
export interface SessionMeta extends Readonly<Record<string, unknown>> {
  readonly systemPrompt?: string | { readonly append: string };
  readonly claudeCode?: { readonly options: { readonly allowedTools?: readonly string[]; readonly maxTurns?: number } };
}

/** What the flags ask of the agent; undefined when they ask nothing. */
export function readSessionMeta(flags: SharedFlags): SessionMeta | undefined {
  const { systemPrompt, appendSystemPrompt } = flags;
  if (systemPrompt !== undefined && appendSystemPrompt !== undefined)
    throw usageError('--system-prompt and --append-system-prompt contradict each other; give one of them.');
  for (const [flag, text] of Object.entries({
    '--system-prompt': systemPrompt,
    '--append-system-prompt': appendSystemPrompt,
  }))
    if (text?.trim() === '') throw usageError(`${flag} is empty.`);
  const allowedTools = flags.allowedTools === undefined ? undefined : readTools(flags.allowedTools);
  const maxTurns = readCount('--max-turns', flags.maxTurns, { min: 1, max: Number.MAX_SAFE_INTEGER });
  const options = { ...(allowedTools && { allowedTools }), ...(maxTurns !== undefined && { maxTurns }) };
  const meta: SessionMeta = {
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(appendSystemPrompt !== undefined && { systemPrompt: { append: appendSystemPrompt } }),
    ...(Object.keys(options).length > 0 && { claudeCode: { options } }),
  };
  return Object.keys(meta).length > 0 ? meta : undefined;
}

/** What was asked for in a session before, with what is asked for now, which counts more. */
export function mergeMeta(kept: SessionMeta | undefined, now: SessionMeta | undefined): SessionMeta | undefined {
  if (!kept || !now) return now ?? kept;
  const options = { ...kept.claudeCode?.options, ...now.claudeCode?.options };
  const claudeCode = Object.keys(options).length > 0 && { claudeCode: { options } };
  return { ...kept, ...now, ...claudeCode };
}

function readTools(list: string): readonly string[] {
  const names = list.trim() === '' ? [] : list.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw usageError(`--allowed-tools has an empty name in "${list}".`, '--allowed-tools Read,Grep');
  return names;
}

/** Throws for a tool that our own agent does not have: a slip would leave it without the tool that was meant. */
export async function requireTools(meta: SessionMeta | undefined): Promise<void> {
  const asked = meta?.claudeCode?.options.allowedTools ?? [];
  if (asked.length === 0) return;
  const { TOOL_CLASSES } = await import('@parley/policy');
  const { TOOL_NAMES } = await import('@parley/coding-agent');
  const known = [...TOOL_CLASSES.map(({ name }) => name), ...TOOL_NAMES];
  const isKnown = (name: string): boolean => known.some((each) => each.toLowerCase() === name.toLowerCase());
  // Which tools MCP servers have is known when they are connected.
  const unknown = asked.find((name) => !isKnown(name) && !name.startsWith('mcp__'));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown, known) || ` There are ${known.join(', ')}, and mcp__server__tool.`;
  throw usageError(`--allowed-tools: our agent has no tool "${unknown}".${meant}`);
}
