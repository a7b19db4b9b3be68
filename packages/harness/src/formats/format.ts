import {
  checkShape,
  compileShape,
  type Field,
  formatProblem,
  isRecord,
  type Shape,
  toSchema,
} from '@parley/host/json-files';
import { LineError } from '../errors.ts';

/** A file format of one value a line: one description that reads, checks and becomes a JSON schema. */
export interface Format<Value> {
  /** `CaptureResult`: how `parley eval schemas` lists it. */
  readonly name: string;
  /** What it is for, in a sentence. */
  readonly says: string;
  readonly shape: Shape;
  /** The value as this version writes it; throws `LineError` with line and field. */
  parse(value: unknown, place?: LinePlace): Value;
  /** As JSON schema, draft 2020-12. */
  schema(): Readonly<Record<string, unknown>>;
}

/** Where a value was read. */
export interface LinePlace {
  /** What a person calls the file. */
  readonly file?: string;
  /** Counted from one. */
  readonly line?: number;
}

export interface FormatOptions {
  readonly name: string;
  readonly says: string;
  readonly shape: Shape;
  /** Old names of fields, and what they are called now. The new name counts where both are there. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Refuses a name that is nearly a field's, since a person wrote the file. Default: it is another field. */
  readonly findsTypos?: boolean;
}

export function createFormat<Value>(options: FormatOptions): Format<Value> {
  const { name, says, shape, renamed = {}, findsTypos = false } = options;
  const fits = compileShape(shape);
  const oldNames = Object.keys(renamed);
  return {
    name,
    says,
    shape,
    parse(given, place = {}) {
      const value = isRecord(given) ? withNewNames(given, oldNames, renamed) : given;
      if (!findsTypos && fits(value)) return value as Value;
      const clean = isRecord(value) && shape.type === 'object' ? withoutNulls(value, shape) : value;
      const [problem] = fits(clean) && !findsTypos ? [] : checkShape(shape, clean, '');
      if (!problem) return clean as Value;
      throw new LineError(`${describePlace(place)}${formatProblem(problem)} (${name}).`, {
        ...(place.line !== undefined && { line: place.line }),
        field: problem.path,
      });
    },
    schema: () => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: name,
      description: says,
      ...toSchema(shape),
    }),
  };
}

/** `results.jsonl line 3: ` */
export function describePlace({ file, line }: LinePlace): string {
  if (file === undefined && line === undefined) return '';
  if (line === undefined) return `${file}: `;
  return file === undefined ? `line ${line}: ` : `${file} line ${line}: `;
}

/** A field for each name that a type has; the compiler sees that none is forgotten and that the same ones are required. */
export type FieldsOf<Value> = {
  readonly [Name in keyof Value]-?: Field & {
    readonly isRequired: Record<never, never> extends Pick<Value, Name> ? false : true;
  };
};

export function required(shape: Shape, says: string): Field & { readonly isRequired: true } {
  return { shape, says, isRequired: true };
}

export function optional(shape: Shape, says: string): Field & { readonly isRequired: false } {
  return { shape, says, isRequired: false };
}

/** An object that may have more fields than are known here: files of other tools, and of later versions. */
export function openObject<Value>(fields: FieldsOf<Value>): Extract<Shape, { type: 'object' }> {
  return { type: 'object', fields: fields as Readonly<Record<string, Field>>, hasOthers: true };
}

export const TEXT: Shape = { type: 'string' };
export const FLAG: Shape = { type: 'boolean' };
export const TEXTS: Shape = { type: 'list', items: TEXT };
export const ANY: Shape = { type: 'any' };
/** Whatever a case, an agent or a grader wants to say in names and values. */
export const RECORD: Shape = { type: 'map', values: ANY };
export const COUNT: Shape = { type: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER };
/** Milliseconds, and sums of them. */
export const AMOUNT: Shape = { type: 'number', min: 0 };
/** From 0 to 1. */
export const SHARE: Shape = { type: 'number', min: 0, max: 1 };
/** Any number at all. */
export const NUMBER: Shape = { type: 'number', min: Number.NEGATIVE_INFINITY };
/** One turn, or several in one session. */
export const INPUT: Shape = { type: 'either', shapes: [TEXT, { ...TEXTS, minItems: 1 } as Shape] };

export function listOf(items: Shape): Shape {
  return { type: 'list', items };
}

export function mapOf(values: Shape): Shape {
  return { type: 'map', values };
}

type Values = Readonly<Record<string, unknown>>;

function withNewNames(value: Values, oldNames: readonly string[], renamed: Readonly<Record<string, string>>): Values {
  if (!oldNames.some((name) => name in value)) return value;
  const entries = Object.entries(value).flatMap(([name, item]) => {
    const now = oldNames.includes(name) ? (renamed[name] ?? name) : name;
    return now !== name && value[now] !== undefined ? [] : [[now, item] as const];
  });
  return Object.fromEntries(entries);
}

/** Many programs write `null` for what is not there. */
function withoutNulls(value: Values, { fields }: Extract<Shape, { type: 'object' }>): Values {
  const isAbsent = ([name, item]: readonly [string, unknown]): boolean =>
    item === null && fields[name]?.isRequired !== true && fields[name]?.shape.type !== 'any';
  return Object.fromEntries(Object.entries(value).filter((entry) => !isAbsent(entry)));
}
