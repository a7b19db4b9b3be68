import { createPolicy, decide, LOOKING_RULES, type Policy } from '../src/index.ts';
import { generateEditLine, generateEffectLine } from './effect-lines.ts';
import type { PreparedFolder } from './prepared-folder.ts';
import { createRandom } from './shell-fuzz.ts';

export type EffectMode = 'default' | 'acceptEdits';

export interface EffectOptions {
  readonly folder: PreparedFolder;
  readonly seed: number;
  /** How many lines are made up for each mode. */
  readonly lines: number;
  /** Lines that are left out; the search then ends with the first wrong one. */
  readonly skips?: (line: string, mode: EffectMode) => boolean;
}

export interface Effects {
  readonly allowed: number;
  /** Lines that did more than they may, with their effects. */
  readonly wrong: readonly string[];
}

/** Makes up lines, and runs those that the policy allows with real programs. */
export function findEffects({ folder, seed, lines, skips }: EffectOptions): Effects {
  const random = createRandom(seed);
  const wrong: string[] = [];
  let allowed = 0;
  for (const [mode, generate] of [
    ['default', generateEffectLine],
    ['acceptEdits', generateEditLine],
  ] as const) {
    const policy = policyFor(folder, mode);
    const seen = new Set<string>();
    for (let count = 0; count < lines; count += 1) {
      const line = generate(random);
      if (seen.has(line) || !isAllowed(policy, line) || skips?.(line, mode)) continue;
      seen.add(line);
      allowed += 1;
      const effects = folder.run('bash', line, mode);
      if (effects.length > 0) wrong.push(`${mode}: ${JSON.stringify(line)}: ${effects.join(', ')}`);
      if (skips && wrong.length > 0) return { allowed, wrong };
    }
  }
  return { allowed, wrong };
}

export function policyFor({ workspace, home, realPath, listFolder }: PreparedFolder, mode: EffectMode): Policy {
  return createPolicy({
    workspace: { cwd: workspace, home, realPath, listFolder },
    rules: LOOKING_RULES,
    mode,
    shell: 'bash',
  });
}

export function isAllowed(policy: Policy, line: string): boolean {
  return decide(policy, { tool: 'Bash', kind: 'execute', command: { type: 'line', line } }).verdict === 'allow';
}
