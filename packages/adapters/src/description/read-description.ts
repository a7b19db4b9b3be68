import { readFile } from 'node:fs/promises';
import { formatProblem } from '@parley/host/json-files';
import { type JsonText, JsonTextError, readJsonText } from '@parley/host/json-text';
import { DescriptionError } from '../errors.ts';
import { checkDescription } from './check-description.ts';
import type { Description } from './description.ts';

/** Reads and checks a description. Throws `DescriptionError` with file, line, column and what is allowed. */
export async function readDescription(file: string): Promise<Description> {
  return parseDescription(await readText(file), file);
}

/** As `readDescription`, for a text that is at hand; `file` is its name in messages. */
export function parseDescription(text: string, file: string): Description {
  const json = readJson(text, file);
  const problems = checkDescription(json.value);
  if (problems.length === 0) return json.value as Description;
  const lines = problems.map((each) => {
    const { line, column } = json.positionOf(each.path);
    return `  ${file}:${line}:${column} ${formatProblem(each)}`;
  });
  throw new DescriptionError(`${file} is not a description that can be used:\n${lines.join('\n')}`);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'there is no such file.' : (cause as Error).message;
    throw new DescriptionError(`Cannot read the description ${file}: ${why}`, {
      code: 'description_unreadable',
      cause,
    });
  }
}

function readJson(text: string, file: string): JsonText {
  try {
    return readJsonText(text);
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause;
    const { line, column } = cause.position;
    throw new DescriptionError(`${file} is not JSON:\n  ${file}:${line}:${column} ${cause.message}`, { cause });
  }
}
