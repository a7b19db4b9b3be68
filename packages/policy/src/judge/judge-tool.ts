import type { ToolKind } from '@parley/protocol';
import { matchesText } from '../glob.ts';
import { matchUrl } from '../pattern/url-pattern.ts';
import type { ToolRequest } from '../request/request.ts';
import { isMcpName } from '../request/tool-class.ts';
import { type Finding, strictest } from './decision.ts';
import type { CompiledRule, Policy } from './policy.ts';

/** Judges a tool of which only the name and the kind are known: an MCP tool, a thought, anything of its own. */
export function judgeName(policy: Policy, request: ToolRequest, kinds: readonly ToolKind[]): Finding {
  return judgeBy(policy, request, (compiled, isWide) => {
    if (compiled.nameGlob !== undefined) return compiled.globs === undefined && compiled.url === undefined;
    // An MCP tool says itself what kind it is; that may forbid it, not allow it.
    if (!isWide && isMcpName(request.tool)) return false;
    return compiled.rule.pattern === undefined && kinds.some((kind) => compiled.kinds?.includes(kind));
  });
}

/** Judges a fetch by its address. */
export function judgeFetch(policy: Policy, request: ToolRequest): Finding {
  const { url } = request;
  return judgeBy(policy, request, (compiled, isWide) => {
    if (compiled.nameGlob === undefined && !compiled.kinds?.includes('fetch')) return false;
    if (compiled.url === undefined) return compiled.rule.pattern === undefined;
    return url === undefined ? isWide : matchUrl(compiled.url, url, isWide);
  });
}

type Matches = (compiled: CompiledRule, isWide: boolean) => boolean;

function judgeBy(policy: Policy, request: ToolRequest, matches: Matches): Finding {
  const text = request.url ?? (request.tool || (request.title ?? 'this tool'));
  const isNamed = (compiled: CompiledRule, isWide: boolean) =>
    compiled.nameGlob === undefined ||
    matchesText(compiled.nameGlob, isWide ? request.tool.toLowerCase() : request.tool);
  const findings = (['deny', 'ask'] as const).flatMap((effect) =>
    policy.rules[effect]
      .filter((compiled) => isNamed(compiled, true) && matches(compiled, true))
      .map((compiled): Finding => ({ verdict: effect, reason: 'rule', text, rule: compiled.rule })),
  );
  const hard = strictest(findings);
  if (hard) return hard;
  const rule = policy.rules.allow.find((compiled) => isNamed(compiled, false) && matches(compiled, false));
  return rule
    ? { verdict: 'allow', reason: 'rule', text, rule: rule.rule }
    : { verdict: 'ask', reason: 'no-rule', text };
}
