import type { Description, ResultDescription } from '../description/description.ts';
import { compileItemPath, compilePath } from '../paths/compile-path.ts';
import { compileMappings } from './compile-mappings.ts';
import { compilePassthrough } from './read-passthrough.ts';
import { isTrue, plainTextOf } from './read-values.ts';
import type { LineReader } from './signal.ts';

/** Everything that a description says about lines, as one function: compiled once, called for each line. */
export function createLineReader(description: Description): LineReader {
  const { outputMode, outputEvents = [], result = [], resume } = description;
  const readEvents = outputMode === 'passthrough' ? compilePassthrough(description) : compileMappings(outputEvents);
  const readResults = (
    Array.isArray(result) ? (result as readonly ResultDescription[]) : [result as ResultDescription]
  ).map(compileResult);
  const readSession = resume?.sessionIdPath === undefined ? undefined : compileSession(resume.sessionIdPath);
  return (line, listener, onMatch) => {
    readSession?.(line, listener);
    let isSeen = readEvents(line, listener, onMatch);
    for (const readResult of readResults) isSeen = readResult(line, listener, onMatch) || isSeen;
    return isSeen;
  };
}

function compileResult({
  matchPath,
  matchValue,
  contentPath,
  isErrorPath,
  stopReasonPath,
}: ResultDescription): LineReader {
  const { list, items, inItem } = compileItemPath(matchPath);
  const getContent = compilePath(contentPath);
  const getIsError = isErrorPath === undefined ? undefined : compilePath(isErrorPath);
  const getStopReason = stopReasonPath === undefined ? undefined : compilePath(stopReasonPath);
  const matches = (value: unknown): boolean =>
    value !== undefined && value !== null && (matchValue === '*' || String(value) === matchValue);
  return (line, listener, onMatch) => {
    const isResult = list === undefined ? matches(inItem(line)) : items(line).some((item) => matches(inItem(item)));
    if (!isResult) return false;
    onMatch?.('result');
    const text = plainTextOf(getContent(line, line));
    const stopReason = plainTextOf(getStopReason?.(line, line));
    listener(
      {
        type: 'result',
        isError: getIsError !== undefined && isTrue(getIsError(line, line)),
        ...(text !== undefined && { text }),
        ...(stopReason !== undefined && { stopReason }),
      },
      'result',
    );
    return true;
  };
}

function compileSession(path: string): LineReader {
  const get = compilePath(path);
  let last: unknown;
  return (line, listener) => {
    const id = get(line, line);
    if (typeof id !== 'string' || id === '' || id === last) return false;
    last = id;
    listener({ type: 'session', id }, 'resume');
    return true;
  };
}
