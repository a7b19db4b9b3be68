import type { CommandProfile } from '../arguments/profile.ts';
import { programName } from '../program-name.ts';
import { ARCHIVES } from './archives.ts';
import { BUILD_TOOLS } from './build-tools.ts';
import { BUILTINS } from './builtins.ts';
import { CARRIER_PROFILES } from './carriers.ts';
import { GIT } from './git.ts';
import { INTERPRETERS, SHELLS } from './interpreters.ts';
import { LISTERS } from './listers.ts';
import { NETWORK } from './network.ts';
import { PACKAGE_MANAGERS } from './package-managers.ts';
import { READERS } from './readers.ts';
import { SEARCHERS } from './search.ts';
import { SYSTEM_TOOLS } from './system-tools.ts';
import { TEXT_TOOLS } from './text-tools.ts';
import { WRAPPER_PROFILES } from './wrappers.ts';
import { WRITERS } from './writers.ts';

const PROFILES: ReadonlyMap<string, CommandProfile> = new Map(
  [
    CARRIER_PROFILES,
    LISTERS,
    READERS,
    SYSTEM_TOOLS,
    WRITERS,
    SEARCHERS,
    TEXT_TOOLS,
    ARCHIVES,
    NETWORK,
    PACKAGE_MANAGERS,
    BUILD_TOOLS,
    INTERPRETERS,
    SHELLS,
    GIT,
    WRAPPER_PROFILES,
    BUILTINS,
  ].flatMap((family) => Object.entries(family)),
);

/** Longest name that a program is known under. */
const MAX_NAME_CHARS = 256;

/** What is known about a program, by the name it is called under; `/usr/bin/git` and `git.exe` are `git`. */
export function findProfile(name: string): CommandProfile | undefined {
  if (name.length > MAX_NAME_CHARS) return undefined;
  return (
    PROFILES.get(name) ?? PROFILES.get(programName(name)) ?? PROFILES.get(programName(name).replace(/-?[\d.]+$/, ''))
  );
}

/** Is this the name of a program that is known to do something? */
export function isProgram(name: string): boolean {
  return findProfile(name) !== undefined;
}
