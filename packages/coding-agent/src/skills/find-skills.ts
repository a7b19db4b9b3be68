import { join } from 'node:path';
import { createGuardedFiles } from '@parley/host/files';
import { headOf } from '@parley/models/model';
import { foldersDownTo, type PersonalFolders } from '../project/folders.ts';
import { readFrontMatter } from '../project/front-matter.ts';
import { SKILL_FILE, type Skill } from './skill.ts';

/** Where skills are in a project, and in the person's home. */
const PLACES: readonly (readonly string[])[] = [
  ['.claude', 'skills'],
  ['.agents', 'skills'],
  ['.parley', 'skills'],
];
const MAX_SKILLS = 100;
const MAX_DESCRIPTION_CHARACTERS = 1000;
const MAX_FILE_BYTES = 256 * 1024;

/** A skill of a project: its words reach the model, so that the person has to trust them. */
export interface ProjectSkill extends Skill {
  readonly path: string;
}

export interface SkillPlaces {
  readonly roots: readonly string[];
  readonly personal?: PersonalFolders | undefined;
  /** Whether the person trusts a project's `SKILL.md` with exactly this text. */
  readonly isTrusted: (file: { readonly path: string; readonly text: string }) => boolean | Promise<boolean>;
}

export interface FoundSkills {
  readonly skills: readonly Skill[];
  /** Names of those that nobody trusts yet. */
  readonly untrusted: readonly string[];
}

/** The person's skills, and those of the project that the person trusts. Of two of one name the project's counts. */
export async function findSkills({ roots, personal, isTrusted }: SkillPlaces): Promise<FoundSkills> {
  const own = personal ? await readPersonal(personal) : [];
  const found = await findProjectSkills(roots, personal?.home);
  const trusted = await Promise.all(found.map(async (skill) => isTrusted({ path: skill.path, text: skill.text })));
  const theirs = found.filter((_, index) => trusted[index]);
  const byName = new Map(
    [...own, ...theirs].map(({ name, description, folder, text }) => [name, { name, description, folder, text }]),
  );
  return {
    skills: [...byName.values()].slice(0, MAX_SKILLS),
    untrusted: found.filter((_, index) => !trusted[index]).map(({ name }) => name),
  };
}

/** The skills of a project, whether they are trusted or not. */
export async function findProjectSkills(roots: readonly string[], home?: string): Promise<readonly ProjectSkill[]> {
  const folders = [...new Set(roots.flatMap((root) => foldersDownTo(root, home)))].filter((folder) => folder !== home);
  const found = await Promise.all(
    folders.flatMap((folder) => PLACES.map((place) => readSkills(join(folder, ...place), folder))),
  );
  return found.flat();
}

async function readPersonal({ config, home }: PersonalFolders): Promise<readonly Skill[]> {
  const homes = home === undefined ? [] : PLACES.map((place) => readSkills(join(home, ...place), home));
  return (await Promise.all([...homes, readSkills(join(config, 'skills'), config)])).flat();
}

/** The skills in one place; links are not followed out of the folder that it belongs to. */
async function readSkills(place: string, bound: string): Promise<readonly ProjectSkill[]> {
  const files = createGuardedFiles({ roots: [bound], maxFileBytes: MAX_FILE_BYTES });
  const entries = await files.list(place).catch(() => []);
  const folders = entries.filter(({ type }) => type === 'directory').slice(0, MAX_SKILLS);
  const skills = await Promise.all(
    folders.map(async ({ name }): Promise<ProjectSkill | undefined> => {
      const folder = join(place, name);
      const path = join(folder, SKILL_FILE);
      const text = await files.readText(path).catch(() => '');
      const { facts } = readFrontMatter(text);
      const description = facts.description ?? '';
      const own = facts.name ?? name;
      if (description === '' || !/^[\w.-]{1,64}$/.test(own)) return undefined;
      return { name: own, description: headOf(description, MAX_DESCRIPTION_CHARACTERS), folder, path, text };
    }),
  );
  return skills.filter((skill) => skill !== undefined);
}
