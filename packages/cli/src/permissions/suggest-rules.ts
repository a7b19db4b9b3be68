import { isAbsolute, relative, resolve } from 'node:path';
import { type QuestionedToolCall, toolCallToV1 } from '@parley/session';

export interface RulePlace {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly home?: string | undefined;
}

/** Rules that would allow exactly this tool call; none where no rule could, or only a needlessly wide one. */
export async function suggestRules(toolCall: QuestionedToolCall, place: RulePlace): Promise<readonly string[]> {
  const { createPolicy, decide, requestFromToolCall } = await import('@parley/policy');
  const { cwd, additionalDirectories = [], home } = place;
  const workspace = { cwd, additionalDirectories, ...(home !== undefined && { home }) };
  const request = requestFromToolCall(toolCallToV1(toolCall));
  const { parts } = decide(createPolicy({ workspace }), request);
  const open = parts.filter(({ verdict }) => verdict !== 'allow').map(({ text }) => text);
  const rules = [...new Set(wordRules(request, open, cwd))];
  try {
    return decide(createPolicy({ workspace, rules }), request).verdict === 'allow' ? rules : [];
  } catch {
    // What cannot be written as a rule is not offered as one.
    return [];
  }
}

type Request = ReturnType<typeof import('@parley/policy')['requestFromToolCall']>;

function wordRules({ command, paths, url, kind, tool }: Request, open: readonly string[], cwd: string): string[] {
  if (command) return open.map((part) => `Bash(${part})`);
  if (paths)
    return paths.map((path) => `${kind === 'read' || kind === 'search' ? 'Read' : 'Edit'}(${wordPath(path, cwd)})`);
  if (url !== undefined) return URL.canParse(url) ? [`Fetch(domain:${new URL(url).hostname})`] : [];
  return tool === '' ? [] : [tool];
}

function wordPath(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  const isOutside = inside === '' || inside.startsWith('..') || isAbsolute(inside);
  return (isOutside ? path : inside).replaceAll(/[\\*?]/g, String.raw`\$&`);
}
