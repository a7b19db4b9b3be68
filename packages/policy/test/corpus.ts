import { readFileSync } from 'node:fs';
import {
  createPolicy,
  type Decision,
  decide,
  isPermissionMode,
  LOOKING_RULES,
  type Policy,
  type Shell,
  type Verdict,
} from '../src/index.ts';
import type { MemoryDisk } from './memory-disk.ts';

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

const WRITTEN_SETS: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('../corpus/rule-sets.json', import.meta.url), 'utf8'),
);
const RULE_SETS: Readonly<Record<string, readonly string[]>> = {
  ...WRITTEN_SETS,
  '@looking': LOOKING_RULES,
  '@looking-without-env': [...LOOKING_RULES, 'deny Read(.env)'],
  '@all': [...LOOKING_RULES, ...(WRITTEN_SETS['@everyday'] ?? []), ...(WRITTEN_SETS['@careless'] ?? [])],
};
const policies = new Map<string, Policy>();

/** How a line is decided: by which shell it is run, and whether the disk can be looked at. */
export interface Circumstances {
  readonly shell?: Shell;
  readonly disk?: MemoryDisk;
}

/** The policy that a line's rules stand for: a set by name, or rules separated by `; `, after a mode and a colon. */
export function corpusPolicy(rules: string, { shell, disk }: Circumstances = {}): Policy {
  const key = `${shell} ${disk?.name} ${rules}`;
  const known = policies.get(key);
  if (known) return known;
  const [, mode = 'default', text = rules] = /^(acceptEdits|bypassPermissions|default):(.*)$/.exec(rules) ?? [];
  const list = RULE_SETS[text] ?? (text === '' ? [] : text.split('; '));
  const policy = createPolicy({
    workspace: {
      cwd: '/proj/app',
      home: '/home/me',
      ...(disk && { realPath: disk.realPath }),
      ...(disk?.listFolder && { listFolder: disk.listFolder }),
    },
    rules: list,
    ...(isPermissionMode(mode) && { mode }),
    ...(shell && { shell }),
  });
  policies.set(key, policy);
  return policy;
}

export function decideCase({ rules, command }: CorpusCase, circumstances: Circumstances = {}): Decision {
  const policy = corpusPolicy(rules, circumstances);
  return decide(policy, { tool: 'Bash', kind: 'execute', command: { type: 'line', line: command } });
}
