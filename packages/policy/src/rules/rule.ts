import { RuleSyntaxError } from '../errors.ts';
import { GLOBSTAR, type Glob } from '../glob.ts';
import { type CommandPattern, type PatternProblem, parseCommandPattern } from '../pattern/command-pattern.ts';
import { type PathPattern, parsePathPattern } from '../pattern/path-pattern.ts';
import { parseUrlPattern, type UrlPattern } from '../pattern/url-pattern.ts';
import {
  findToolClass,
  isMcpName,
  languageOfName,
  type PatternLanguage,
  type ToolClass,
} from '../request/tool-class.ts';

export type Effect = 'allow' | 'ask' | 'deny';

/** Where a rule was written, so that a decision can say whose rule it was. */
export interface RuleSource {
  readonly scope: 'built-in' | 'user' | 'project' | 'session' | 'command-line';
  /** The file it stands in, as a person knows it. */
  readonly file?: string;
}

/** What a rule is about: a family of tools, or tools by name (`mcp__github__*`). */
export type RuleTarget =
  | { readonly type: 'class'; readonly toolClass: ToolClass }
  | { readonly type: 'name'; readonly name: string; readonly glob: Glob };

export interface Rule {
  readonly effect: Effect;
  /** The rule without its effect, as written: `Bash(git *)`. */
  readonly text: string;
  readonly target: RuleTarget;
  readonly pattern?: CommandPattern | PathPattern | UrlPattern;
  readonly source: RuleSource;
}

/** Rules as a configuration file groups them. */
export interface RuleLists {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** Longest rule that is read. */
export const MAX_RULE_CHARS = 4096;

const DEFAULT_SOURCE: RuleSource = { scope: 'session' };

/** Reads `Tool`, `Tool(pattern)` or `deny Tool(pattern)`; without an effect a rule allows. Throws RuleSyntaxError. */
export function parseRule(text: string, source: RuleSource = DEFAULT_SOURCE, defaultEffect: Effect = 'allow'): Rule {
  if (text.length > MAX_RULE_CHARS) {
    throw new RuleSyntaxError(
      `${text.slice(0, 40)}...`,
      MAX_RULE_CHARS,
      `a rule has at most ${MAX_RULE_CHARS} characters`,
    );
  }
  const end = text.trimEnd().length;
  const first = text.length - text.trimStart().length;
  const effectWord = /^(allow|ask|deny)[ \t]+/.exec(text.slice(first))?.[0] ?? '';
  const effect = effectWord === '' ? defaultEffect : (effectWord.trim() as Effect);
  const start = first + effectWord.length;
  const name = /^[^(\s]*/.exec(text.slice(start, end))?.[0] ?? '';
  const open = start + name.length;
  const target = readTarget(text, start, name);
  const shown = text.slice(start, end);
  if (open === end) return { effect, text: shown, target, source };

  if (text[open] !== '(')
    throw new RuleSyntaxError(text, open + 1, 'expected "(" or the end of the rule after the tool');
  if (text[end - 1] !== ')') throw new RuleSyntaxError(text, end + 1, 'expected ")" at the end of the rule');
  const inside = text.slice(open + 1, end - 1);
  const pattern = readPattern(languageOf(target), inside);
  if ('problem' in pattern) throw new RuleSyntaxError(text, open + 2 + pattern.offset, pattern.problem);
  return { effect, text: shown, target, pattern, source };
}

/** Reads the lists of a configuration file; the error of the first unreadable rule is thrown. */
export function parseRules(lists: RuleLists, source: RuleSource): Rule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((effect) =>
    (lists[effect] ?? []).map((text) => parseRule(text, source, effect)),
  );
}

/** `deny Read(.env) from parley.json`: the rule as a person reads it. */
export function formatRule(rule: Rule): string {
  const origin = rule.source.file ?? `${rule.source.scope} rules`;
  return `${rule.effect} ${rule.text} (${origin})`;
}

function readTarget(text: string, start: number, name: string): RuleTarget {
  if (name === '')
    throw new RuleSyntaxError(text, start + 1, 'expected a tool such as Read, Edit, Bash or mcp__server__tool');
  const bad = /[^A-Za-z0-9_.\-/:*]/.exec(name);
  if (bad)
    throw new RuleSyntaxError(text, start + 1 + bad.index, `a tool name may not contain ${JSON.stringify(bad[0])}`);
  const toolClass = findToolClass(name);
  if (toolClass && !isMcpName(name)) return { type: 'class', toolClass };
  const glob = [...name].map((character) => (character === '*' ? GLOBSTAR : character.charCodeAt(0)));
  return { type: 'name', name, glob };
}

function languageOf(target: RuleTarget): PatternLanguage {
  return target.type === 'class' ? target.toolClass.pattern : languageOfName(target.name);
}

function readPattern(
  language: PatternLanguage,
  inside: string,
): CommandPattern | PathPattern | UrlPattern | PatternProblem {
  if (inside.trim() === '')
    return { offset: 0, problem: 'expected a pattern; leave out the parentheses to mean every use' };
  if (language === 'command') return parseCommandPattern(inside);
  if (language === 'path') return parsePathPattern(inside);
  if (language === 'url') return parseUrlPattern(inside);
  return { offset: -1, problem: 'this tool takes no pattern; only commands, files and addresses have one' };
}
