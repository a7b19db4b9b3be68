import { dirname, isAbsolute, join } from 'node:path';
import type { FileOperations } from '../../operations/operations.ts';
import { walk } from '../../operations/search/walk.ts';
import { resolvePath, shownPath } from '../paths.ts';

export interface MissingContext {
  readonly cwd: string;
  readonly operations: { readonly files: FileOperations };
  readonly signal: AbortSignal;
}

const MAX_SUGGESTED = 5;
/** More of a project is not looked through for a name. */
const MAX_LOOKED_AT = 5000;

/** What a model is told of a path that leads nowhere: also what it may have meant. `path` is as the model wrote it. */
export async function tellMissing(path: string, context: MissingContext): Promise<string> {
  const { cwd, signal } = context;
  const missing = `${shownPath(resolvePath(path, cwd), cwd)} does not exist.`;
  const meant = await findMeant(path, context).catch(() => []);
  signal.throwIfAborted();
  return meant.length === 0 ? missing : `${missing} Did you mean ${meant.join(' or ')}?`;
}

/** The same path in plainer words; else the same name in other letters beside it, or in other folders. */
async function findMeant(path: string, context: MissingContext): Promise<readonly string[]> {
  const { cwd, operations } = context;
  const { files } = operations;
  // What else there is elsewhere on this machine is nothing that anybody was asked about.
  const plainer = plainerPaths(path).map((each) => shownPath(resolvePath(each, cwd), cwd));
  for (const plain of plainer.filter((each) => !isAbsolute(each))) {
    if (await files.stat(join(cwd, plain)).catch(() => undefined)) return [plain];
  }
  const file = resolvePath(path, cwd);
  if (isAbsolute(shownPath(file, cwd))) return [];
  const name = nameOf(file);
  const beside = await files.list(dirname(file)).catch(() => []);
  const alike = beside.filter((each) => each.name.toLowerCase() === name.toLowerCase());
  if (alike.length > 0) return alike.map((each) => shownPath(join(dirname(file), each.name), cwd));
  return findElsewhere(nameOf(plainerPaths(path).at(-1) ?? name), context);
}

async function findElsewhere(name: string, { cwd, operations, signal }: MissingContext): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { path } of walk({ files: operations.files, root: cwd, signal, maxEntries: MAX_LOOKED_AT })) {
    if (path.replace(/\/$/, '').split('/').at(-1) === name) found.push(path);
    if (found.length === MAX_SUGGESTED) break;
  }
  return found;
}

/** Without what models put around paths: blanks, quotes, the sign of a mention, a line number, the separators of Windows. */
function plainerPaths(path: string): readonly string[] {
  const bare = path
    .trim()
    .replace(/^["'`](.*)["'`]$/, '$1')
    .replace(/^@/, '');
  const plain = [bare, bare.replace(/:\d+(?:[:-]\d+)?$/, '')];
  return [...plain, ...plain.map((each) => each.replaceAll('\\', '/'))].filter((each) => each !== '' && each !== path);
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
