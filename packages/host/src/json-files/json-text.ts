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
export function readJsonText(text: string): JsonText {
  const scanner = new Scanner(text);
  scanner.readDocument();
  return {
    value: JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text),
    positionOf: (path) => toPosition(text, nearest(scanner.offsets, path)),
  };
}

const BYTE_ORDER_MARK = '\uFEFF';
/** Deeper than anything that a person writes, and shallow enough for the stack. */
const MAX_DEPTH = 200;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\p{Cc}]|\u007F|[\u0080-\u009F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
const SPACE = /[ \t\r\n]*/y;

class Scanner {
  readonly offsets = new Map<string, number>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.startsWith(BYTE_ORDER_MARK)) this.#at = 1;
  }

  readDocument(): void {
    this.#readValue('', 0);
    if (this.#peek() !== undefined) this.#fail('expected the end of the file');
  }

  #readValue(path: string, depth: number): void {
    if (depth > MAX_DEPTH) this.#fail(`nested deeper than ${MAX_DEPTH}`);
    const next = this.#peek();
    if (!this.offsets.has(path)) this.offsets.set(path, this.#at);
    if (next === '{') return this.#readObject(path, depth);
    if (next === '[') return this.#readList(path, depth);
    if (next === '"') return void this.#readString();
    if (next === undefined) this.#fail('the file ends where a value was expected');
    if (this.#match(LITERAL) === undefined) this.#fail('expected a value');
  }

  #readObject(path: string, depth: number): void {
    this.#at += 1;
    if (this.#take('}')) return;
    do {
      if (this.#peek() !== '"') this.#fail('expected a name in double quotes');
      const nameAt = this.#at;
      const inside = path === '' ? this.#readString() : `${path}.${this.#readString()}`;
      this.offsets.set(inside, nameAt);
      if (!this.#take(':')) this.#fail('expected ":"');
      this.#readValue(inside, depth + 1);
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('expected "," or "}"');
  }

  #readList(path: string, depth: number): void {
    this.#at += 1;
    if (this.#take(']')) return;
    let index = 0;
    do {
      this.#readValue(`${path}[${index}]`, depth + 1);
      index += 1;
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail('expected "," or "]"');
  }

  #readString(): string {
    const found = this.#match(STRING);
    if (found === undefined) this.#fail('a text is not closed, or holds a character that must be escaped');
    return JSON.parse(found) as string;
  }

  /** Steps over white space to the next character. */
  #peek(): string | undefined {
    this.#match(SPACE);
    return this.#text[this.#at];
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #fail(problem: string): never {
    throw new JsonTextError(problem, toPosition(this.#text, this.#at));
  }
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
