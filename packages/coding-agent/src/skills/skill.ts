/** A way of doing things that somebody wrote down: a folder with `SKILL.md` and what it needs. */
export interface Skill {
  readonly name: string;
  /** When to use it; all that the model knows of it until it reads it. */
  readonly description: string;
  readonly folder: string;
  /** All of `SKILL.md`, as it was when the person's trust was asked for. */
  readonly text: string;
}

/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md';
