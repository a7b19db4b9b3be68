import type { PromptCommand } from '../prompt/prompt-command.ts';
import type { Skill } from './skill.ts';

/** Each skill as a slash command, for a person who knows which one is wanted. */
export function skillCommands(skills: readonly Skill[]): readonly PromptCommand[] {
  return skills.map(({ name, description }) => ({
    name,
    description,
    hint: 'what to do',
    asks: (input) => `Use the skill "${name}".${input === '' ? '' : `\n\n${input}`}`,
  }));
}
