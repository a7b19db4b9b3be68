import jsonc from 'jsonc-parser';

/** A place in a text, both counted from one, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A JSON text that was read, and where in it each value stands. */
export interface JsonText {
  readonly value: unknown;
  /** Where the value of a path begins, or the nearest one around it: `prompt.flag`, `outputEvents[0].match`. */
  positionOf(path: string): Position;
}

export interface JsonTextOptions {
  /** Accepts comments and commas before a closing bracket, as editors do in their settings. Default: false. */
  readonly allowsComments?: boolean;
}

/** A text is no JSON; says what was expected where. */
export class JsonTextError extends SyntaxError {
  override readonly name = 'JsonTextError';
  readonly position: Position;

  constructor(problem: string, position: Position) {
    super(problem);
    this.position = position;
  }
}

/** Reads a JSON text that a person wrote. Slower than `JSON.parse`, since it remembers where everything is. */
export function readJsonText(text: string, { allowsComments = false }: JsonTextOptions = {}): JsonText {
  const markLength = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const json = text.slice(markLength);
  const fail = (problem: string, offset: number): never => {
    throw new JsonTextError(problem, toPosition(text, offset + markLength));
  };
  const options = { disallowComments: !allowsComments, allowTrailingComma: allowsComments };
  const offsets = findOffsets(json, options, fail);
  return {
    value: allowsComments ? readValue(json, options) : JSON.parse(json),
    positionOf: (path) => toPosition(text, nearest(offsets, path) + markLength),
  };
}

const BYTE_ORDER_MARK = '\uFEFF';
/** Deeper than anything that a person writes, and shallow enough for the stack. */
const MAX_DEPTH = 200;

type Fail = (problem: string, offset: number) => never;

/** Where each value begins, by its path; that of a property is where its name begins. Fails at the first mistake. */
function findOffsets(json: string, options: jsonc.ParseOptions, fail: Fail): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  const open: ('}' | ']')[] = [];
  let expectsName = false;
  const note = (path: jsonc.JSONPath, offset: number): void => {
    const written = writePath(path);
    if (!offsets.has(written)) offsets.set(written, offset);
  };
  const begin = (close: '}' | ']', offset: number, path: jsonc.JSONPath): void => {
    if (open.length > MAX_DEPTH) fail(`nested deeper than ${MAX_DEPTH}`, offset);
    note(path, offset);
    open.push(close);
    expectsName = close === '}';
  };
  jsonc.visit(
    json,
    {
      onObjectBegin: (offset, _length, _line, _column, path) => begin('}', offset, path()),
      onArrayBegin: (offset, _length, _line, _column, path) => begin(']', offset, path()),
      onObjectEnd: () => void open.pop(),
      onArrayEnd: () => void open.pop(),
      onObjectProperty: (name, offset, _length, _line, _column, path) => {
        offsets.set(writePath([...path(), name]), offset);
        expectsName = false;
      },
      onSeparator: (character) => {
        expectsName = character === ',' && open.at(-1) === '}';
      },
      onLiteralValue: (_value, offset, _length, _line, _column, path) => note(path(), offset),
      onError: (code, offset) =>
        fail(problemOf(code, { isAtEnd: offset >= json.length, expectsName, close: open.at(-1) }), offset),
    },
    options,
  );
  return offsets;
}

interface Expected {
  readonly isAtEnd: boolean;
  readonly expectsName: boolean;
  readonly close: '}' | ']' | undefined;
}

function problemOf(code: jsonc.ParseErrorCode, { isAtEnd, expectsName, close }: Expected): string {
  switch (jsonc.printParseErrorCode(code)) {
    case 'ValueExpected':
      return isAtEnd ? 'the file ends where a value was expected' : 'expected a value';
    case 'PropertyNameExpected':
      return 'expected a name in double quotes';
    case 'ColonExpected':
      return 'expected ":"';
    case 'CommaExpected':
    case 'CloseBraceExpected':
    case 'CloseBracketExpected':
      return `expected "," or "${close ?? ']'}"`;
    case 'EndOfFileExpected':
      return 'expected the end of the file';
    case 'UnexpectedEndOfComment':
      return 'a comment is not closed';
    case 'UnexpectedEndOfString':
    case 'InvalidCharacter':
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return 'a text is not closed, or holds a character that must be escaped';
    default:
      return expectsName ? 'expected a name in double quotes' : 'expected a value';
  }
}

/** By way of a tree: the library's own `parse` would take a property `__proto__` for the prototype. */
function readValue(json: string, options: jsonc.ParseOptions): unknown {
  const tree = jsonc.parseTree(json, [], options);
  return tree && JSON.parse(JSON.stringify(jsonc.getNodeValue(tree)));
}

function writePath(path: jsonc.JSONPath): string {
  return path.reduce<string>((written, step) => {
    if (typeof step === 'number') return `${written}[${step}]`;
    return written === '' ? step : `${written}.${step}`;
  }, '');
}

function nearest(offsets: ReadonlyMap<string, number>, path: string): number {
  const found = offsets.get(path);
  if (found !== undefined || path === '') return found ?? 0;
  const parent = /^(.*?)(?:\.[^.[\]]*|\[\d+\])$/s.exec(path)?.[1] ?? '';
  return nearest(offsets, parent);
}

function toPosition(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
