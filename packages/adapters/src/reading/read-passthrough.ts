import { type Description, EMITTED_AS, type EmittedAs } from '../description/description.ts';
import { compileExtract, type Extractor } from './compile-extract.ts';
import type { LineReader } from './signal.ts';

/** The fields that lines have in passthrough mode, by their own names. */
const EXTRACT = {
  content: '$.content',
  title: '$.title',
  name: '$.name',
  status: '$.status',
  input: '$.input',
  output: '$.output',
  id: '$.id',
  kind: '$.kind',
  isError: '$.isError',
  locations: '$.locations',
  entries: '$.entries',
  severity: '$.severity',
} as const;

/** Reads lines whose type is the name of what they are, or is translated into it. */
export function compilePassthrough({ passthroughTypeMap = {} }: Description): LineReader {
  const { typeField = 'type', typeValues = {} } = passthroughTypeMap;
  const extractors = new Map<string, Extractor>();
  const add = (name: string, emitAs: EmittedAs): void => {
    extractors.set(name, compileExtract({ match: { path: '$' }, emitAs, extract: EXTRACT }));
  };
  for (const emitAs of EMITTED_AS) add(emitAs, emitAs);
  for (const [name, emitAs] of Object.entries(typeValues)) add(name, emitAs);
  return (line, listener, onMatch) => {
    const type =
      typeof line === 'object' && line !== null ? (line as Readonly<Record<string, unknown>>)[typeField] : undefined;
    const extract = typeof type === 'string' ? extractors.get(type) : undefined;
    if (!extract) return false;
    onMatch?.('passthrough');
    const signal = extract(line, line);
    if (signal) listener(signal, 'passthrough');
    return true;
  };
}
