/**
 * Compares what our validator made of an input with what the SDK's parser made of it. The SDK's output has every field
 * its schema names, `undefined` where a malformed one was dropped, and nothing else. Ours must have the same fields with
 * the same values, and beside them every unknown field of the input, untouched.
 */
export function findDifference(ours: unknown, theirs: unknown, input: unknown, path = '$'): string | undefined {
  if (Array.isArray(theirs)) return compareArrays(ours, theirs, input, path);
  if (!isObject(theirs)) return Object.is(ours, theirs) ? undefined : `${path}: ${show(ours)} is not ${show(theirs)}`;
  if (!isObject(ours)) return `${path}: ${show(ours)} is not ${show(theirs)}`;
  for (const key of Object.keys(theirs)) {
    const difference = findDifference(ours[key], theirs[key], own(input, key), `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return compareUnknownFields(ours, theirs, input, path);
}

interface DroppedField {
  readonly key: string;
  readonly reason: string;
  applies(ours: Readonly<Record<string, unknown>>, value: unknown): boolean;
}

/** Unknown fields that we drop, because keeping them would make a type lie. All others are kept. */
export const DROPPED_FIELDS: readonly DroppedField[] = [
  {
    key: '__proto__',
    reason: 'Never a key of a map of data: copying such a map by assignment would change a prototype.',
    applies: () => true,
  },
  {
    key: 'type',
    reason: 'The tag of a variant that did not fit, when a variant without a tag did.',
    applies: (_ours, tag) => ['http', 'sse', 'acp', 'terminal', 'boolean', 'string'].includes(String(tag)),
  },
  {
    key: 'stopReason',
    reason: 'A malformed optional tag is read as absent; the SDK removes it before it parses.',
    applies: (_ours, tag) => typeof tag !== 'string',
  },
  ...[
    ['text', 'blob'],
    ['sessionId', 'requestId'],
    ['result', 'error'],
  ].flatMap(([first = '', second = '']) => [markOf(first, second), markOf(second, first)]),
];

function markOf(key: string, other: string): DroppedField {
  return {
    key,
    reason: `Marks another variant than \`${other}\`, which was chosen; \`'${key}' in value\` must tell them apart.`,
    applies: (ours) => Object.hasOwn(ours, other),
  };
}

function compareArrays(ours: unknown, theirs: readonly unknown[], input: unknown, path: string): string | undefined {
  if (!Array.isArray(ours) || ours.length !== theirs.length) return `${path}: ${show(ours)} is not ${show(theirs)}`;
  // When items were skipped, positions no longer tell which input item an output item came from.
  const isAligned = Array.isArray(input) && input.length === ours.length;
  for (const [index, each] of theirs.entries()) {
    const difference = findDifference(ours[index], each, isAligned ? input[index] : ours[index], `${path}[${index}]`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function compareUnknownFields(ours: Fields, theirs: Fields, input: unknown, path: string): string | undefined {
  for (const key of Object.keys(ours)) {
    if (Object.hasOwn(theirs, key)) continue;
    if (own(ours, key) !== own(input, key)) return `${path}.${key}: an unknown field was changed or made up`;
  }
  for (const key of isObject(input) ? Object.keys(input) : []) {
    if (Object.hasOwn(theirs, key) || Object.hasOwn(ours, key)) continue;
    const isExcused = DROPPED_FIELDS.some((field) => field.key === key && field.applies(ours, own(input, key)));
    if (!isExcused) return `${path}.${key}: an unknown field was lost`;
  }
  return undefined;
}

function own(value: unknown, key: string): unknown {
  return isObject(value) || Array.isArray(value) ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}
