import { JsonTextError, readJsonText } from '@parley/host/json-text';

/** Where a text is no JSON, and what was expected there. Node's own words differ from version to version, and mostly name no line. */
export function wordJsonError(text: string, error: unknown): string {
  try {
    readJsonText(text);
  } catch (found) {
    if (!(found instanceof JsonTextError)) throw found;
    const { line, column } = found.position;
    return `line ${line}, column ${column}: ${found.message}.`;
  }
  return (error as Error).message;
}
