import { builtinModules } from 'node:module';
import { usageError } from '@parley/host/command-line';
import type { Scaffold } from './scaffolds.ts';

/** A name in the forms that files need. */
export interface ScaffoldName {
  /** As it was given, with a scope where it has one: `@me/my-agent`. */
  readonly full: string;
  /** Without the scope: a folder and a command. */
  readonly base: string;
  /** A Python module: `my_agent`. */
  readonly module: string;
}

const MAX_NAME_CHARACTERS = 214;
const PART = '[a-z0-9][a-z0-9._-]*';
const NPM_NAME = new RegExp(`^(?:@${PART}/)?(${PART})$`);
const MODULE = /^[a-z][a-z0-9_]*$/;
/** Files of the scaffolds themselves. */
const OWN_MODULES = ['acp_agent', 'acp_connection', 'acp_turn'];

/** Refuses a name that npm or Python would refuse later, in their words. */
export async function checkName(name: string, { kind, language }: Scaffold): Promise<ScaffoldName> {
  const base = NPM_NAME.exec(name)?.[1];
  if (base === undefined || name.length > MAX_NAME_CHARACTERS) {
    const rules = 'A name has lower-case letters, digits, "-", "_" and ".", and begins with a letter or a digit.';
    throw usageError(`"${name}" cannot be the name of a package. ${rules}`, ...suggest(name, kind));
  }
  const module = base.replaceAll(/[-.]/g, '_');
  if (language === 'ts' && (builtinModules.includes(name) || ['node_modules', 'favicon.ico'].includes(name))) {
    throw usageError(`"${name}" is a name that npm and Node keep for themselves.`, `parley new ${kind} my-${base}`);
  }
  if (language !== 'ts' && base !== name) {
    throw usageError(`"${name}" has a scope, which only npm packages have.`, `parley new ${kind} ${base}`);
  }
  if (language === 'python') await checkModule(module, kind);
  return { full: name, base, module };
}

async function checkModule(module: string, kind: string): Promise<void> {
  const { TAKEN_IN_PYTHON } = await import('./python-names.ts');
  const again = `parley new ${kind} my-${module.replaceAll('_', '-')} --language python`;
  if (!MODULE.test(module)) throw usageError(`"${module}" cannot be the name of a Python module.`, again);
  if (TAKEN_IN_PYTHON.has(module) || OWN_MODULES.includes(module) || module.startsWith('test_')) {
    throw usageError(`A file ${module}.py would hide a module of Python, or one that is needed beside it.`, again);
  }
}

/** The same name as npm would have it, if anything is left of it. */
function suggest(name: string, kind: string): readonly string[] {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const fitting = last
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[-._]+|[-._]+$/g, '')
    .slice(0, MAX_NAME_CHARACTERS);
  if (fitting === '') return [`parley new ${kind} my-${kind}`];
  const folder = last === name || name.startsWith('@') ? '' : ` -o ${name}`;
  return [`parley new ${kind} ${fitting}${folder}`];
}
