import { readFileSync } from 'node:fs';
import { createPolicy, type Decision, decide, type Policy, type Verdict } from '../src/index.ts';

/** One line of a corpus: what is asked under which rules, what must come out, and why. */
export interface CorpusCase {
  readonly line: number;
  readonly verdicts: readonly Verdict[];
  readonly rules: string;
  readonly command: string;
  readonly reason: string;
}

/** Reads `verdict <tab> rules <tab> command <tab> reason`; a command that starts with `json:` is a JSON string. */
export function readCorpus(name: string): CorpusCase[] {
  const text = readFileSync(new URL(`../corpus/${name}`, import.meta.url), 'utf8');
  return text.split('\n').flatMap((row, index): CorpusCase[] => {
    if (row === '' || row.startsWith('#')) return [];
    const [verdicts, rules, command, reason, ...more] = row.split('\t');
    if (!verdicts || !rules || !command || !reason || more.length > 0)
      throw new Error(`${name}:${index + 1}: expected four columns`);
    const parsed: unknown = command.startsWith('json:') ? JSON.parse(command.slice('json:'.length)) : command;
    return [{ line: index + 1, verdicts: verdicts.split('|') as Verdict[], rules, command: String(parsed), reason }];
  });
}

const RULE_SETS: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('../corpus/rule-sets.json', import.meta.url), 'utf8'),
);
const policies = new Map<string, Policy>();

/** The policy that a line's rules stand for: a set by name, or rules separated by `; `. */
export function corpusPolicy(rules: string): Policy {
  const known = policies.get(rules);
  if (known) return known;
  const list = RULE_SETS[rules] ?? rules.split('; ');
  const policy = createPolicy({ workspace: { cwd: '/proj/app', home: '/home/me' }, rules: list });
  policies.set(rules, policy);
  return policy;
}

export function decideCase({ rules, command }: CorpusCase): Decision {
  return decide(corpusPolicy(rules), { tool: 'Bash', kind: 'execute', command: { type: 'line', line: command } });
}
