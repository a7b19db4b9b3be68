import { assertNever } from '@parley/jsonrpc';
import { PERMISSION_MODES, type PermissionMode } from '../modes/permission-modes.ts';
import { SAFETY_LEVELS } from '../request/safety.ts';
import { formatRule } from '../rules/rule.ts';
import { showText } from '../shell/check-text.ts';
import type { Decision, Finding } from './decision.ts';

/** Longest piece of a command that stands in a sentence. */
const MAX_SHOWN_CHARS = 120;

/** The sentence for one finding: what happens to which part, and why. */
export function explainFinding(finding: Finding, mode: PermissionMode = 'default'): string {
  const part = quote(finding);
  const detail = finding.detail === undefined ? '' : shorten(finding.detail);
  const rule = finding.rule ? formatRule(finding.rule) : '';
  switch (finding.reason) {
    case 'rule':
      return finding.verdict === 'allow'
        ? `${part} is allowed by the rule ${rule}.`
        : `${part} falls under the rule ${rule}.`;
    case 'mode':
      return finding.verdict === 'allow'
        ? `The mode ${PERMISSION_MODES[mode].name} allows ${part}.`
        : `The mode ${PERMISSION_MODES[mode].name} does not run ${part}.`;
    case 'no-rule':
      return `No rule allows ${part}.`;
    case 'may-be-denied':
      return rule === '' ? `${part} ${detail}, so a deny rule may apply.` : `${part} may fall under the rule ${rule}.`;
    case 'opaque':
      return `${part} ${detail}, so it cannot be checked.`;
    case 'not-covered':
      return rule === '' ? `In ${part}, ${detail}.` : `The rule ${rule} does not cover all of ${part}: ${detail}.`;
    case 'outside':
      return rule === '' ? `${part} ${detail}.` : `The rule ${rule} covers the workspace only: ${detail}.`;
    case 'protected':
      if (finding.isRead) return `${part} reads ${detail}, which may hold logins or keys.`;
      return `${part} changes ${detail}, which decides what may run later.`;
    case 'harmless':
      return `${part} does nothing by itself.`;
    case 'remembered':
      return finding.verdict === 'allow'
        ? `You allowed this always: ${detail}.`
        : `You rejected this always: ${detail}.`;
    case 'tool-set':
      return finding.verdict === 'deny' ? `There is no tool ${part} in ${detail}.` : `${detail} asks before ${part}.`;
    case 'level':
      return `${part} only reads.`;
    case 'mode-switch':
      return `${part} would change the mode, which only you can do.`;
    case 'nobody-to-ask':
      return `Nobody can be asked: ${detail}`;
    default:
      return assertNever(finding.reason);
  }
}

/** The sentence for a whole request: of the part that decided, or of all parts when each is allowed. */
export function explainAll(findings: readonly Finding[], mode: PermissionMode, decisive: Finding): string {
  const isByRules = decisive.verdict === 'allow' && decisive.reason === 'rule' && findings.length > 1;
  if (!isByRules) return explainFinding(decisive, mode);
  const used = new Set(findings.flatMap((finding) => finding.rule ?? []));
  const rules = [...new Set([...used].map(formatRule))];
  return `All ${findings.length} parts are allowed by the ${rules.length === 1 ? 'rule' : 'rules'} ${rules.join(', ')}.`;
}

/** A decision in one line: the verdict and its sentence. */
export function explain(decision: Decision): string {
  const verb = { allow: 'Allowed', ask: 'Asks', deny: 'Denied' }[decision.verdict];
  return `${verb}. ${decision.because}`;
}

/** A decision as data, for `--json`: no functions, no parsed patterns. */
export function explainAsData(decision: Decision): Readonly<Record<string, unknown>> {
  const { verdict, reason, because, rule, part, detail, canRemember, level, hints } = decision;
  return {
    verdict,
    reason,
    because,
    ...(rule ? { rule: { effect: rule.effect, text: rule.text, source: rule.source } } : {}),
    ...(part === undefined ? {} : { part }),
    ...(detail === undefined ? {} : { detail }),
    parts: decision.parts.map((finding) => ({
      text: finding.text,
      verdict: finding.verdict,
      reason: finding.reason,
      ...(finding.rule
        ? { rule: { effect: finding.rule.effect, text: finding.rule.text, source: finding.rule.source } }
        : {}),
      ...(finding.detail === undefined ? {} : { detail: finding.detail }),
    })),
    canRemember,
    level: { number: level, means: SAFETY_LEVELS[level] },
    ...(hints ? { hints } : {}),
  };
}

/** Commands and files stand in backquotes; names of tools do not need them. */
function quote(finding: Finding): string {
  const text = shorten(finding.text);
  return finding.reason === 'tool-set' || finding.reason === 'mode-switch' ? text : `\`${text}\``;
}

function shorten(text: string): string {
  const shown = showText(text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}...` : text);
  return shown.replaceAll(/\s*\n\s*/g, ' ⏎ ');
}
