import { join } from 'node:path';
import { createGuardedFiles, type GuardedFiles } from '@parley/host/files';
import { readFrontMatter } from '../project/front-matter.ts';
import { type Input, objectSchema, optionalText, requireText, ToolInputError } from '../tools/input.ts';
import { failureFrom } from '../tools/outcome.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import { SKILL_FILE, type Skill } from './skill.ts';

interface Args {
  readonly skill: Skill;
  readonly file: string | undefined;
}

/** More files of a skill are not named. */
const MAX_NAMED_FILES = 50;
const MAX_DEPTH = 3;

/** The tool that reads skills: their words when they are needed, and the files that belong to them. Nothing else is reached by it. */
export function createSkillTool(skills: readonly Skill[]): Tool<Args> {
  return {
    name: 'skill',
    kind: 'read',
    level: 1,
    needsNoPermission: true,
    description:
      'Reads one of the skills that are listed in your instructions, before you do what it is about: what it says is to be followed. With "file" it reads another file of the same skill.',
    inputSchema: objectSchema(
      {
        name: { type: 'string', enum: skills.map(({ name }) => name) },
        file: {
          type: 'string',
          description: 'A file of the skill, relative to its folder. Default: its instructions.',
        },
      },
      ['name'],
    ),
    parse(input: Input) {
      const name = requireText(input, 'name');
      const skill = skills.find((each) => each.name === name);
      if (!skill)
        throw new ToolInputError(
          `There is no skill "${name}". There are: ${skills.map((each) => each.name).join(', ')}.`,
        );
      return { skill, file: optionalText(input, 'file') };
    },
    describe: ({ skill, file }) => ({
      title: `Read the skill ${skill.name}${file === undefined ? '' : ` (${file})`}`,
      locations: [{ path: join(skill.folder, file ?? SKILL_FILE) }],
    }),
    run: ({ args, signal }) => readSkill(args, signal),
  };
}

async function readSkill({ skill, file }: Args, signal: AbortSignal): Promise<ToolOutcome> {
  const files = createGuardedFiles({ roots: [skill.folder] });
  try {
    if (file !== undefined) return { text: await files.readText(join(skill.folder, file)) };
    const { body } = readFrontMatter(skill.text);
    const others = (await listFiles(files, skill.folder, '', MAX_DEPTH)).filter((name) => name !== SKILL_FILE);
    const named = others.slice(0, MAX_NAMED_FILES).join(', ');
    return {
      text: `${body.trim()}\n\n[Its folder: ${skill.folder}.${named === '' ? '' : ` Its other files: ${named}.`}]`,
    };
  } catch (error) {
    return failureFrom(error, signal);
  }
}

async function listFiles(files: GuardedFiles, root: string, below: string, depth: number): Promise<readonly string[]> {
  const entries = await files.list(join(root, below));
  const named = await Promise.all(
    entries.map(async ({ name, type }): Promise<readonly string[]> => {
      const path = below === '' ? name : `${below}/${name}`;
      if (type === 'file') return [path];
      return type === 'directory' && depth > 1 ? listFiles(files, root, path, depth - 1) : [];
    }),
  );
  return named.flat().sort();
}
