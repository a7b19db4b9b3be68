import type { Shape } from './model.ts';
import { quote } from './text.ts';

/** A shape that one expression can test, and that is never repaired. */
export function isSimple(shape: Shape): boolean {
  switch (shape.kind) {
    case 'boolean':
    case 'null':
    case 'number':
    case 'integer':
    case 'const':
      return true;
    case 'string':
      return shape.format !== 'uri';
    case 'map':
      return shape.values.kind === 'unknown';
    case 'anyOf':
      return isOpenEnum(shape.options);
    default:
      return false;
  }
}

/** The expression that is true when the value fits. */
export function simpleTest(shape: Shape, value: string): string {
  switch (shape.kind) {
    case 'boolean':
      return `typeof ${value} === 'boolean'`;
    case 'null':
      return `${value} === null`;
    case 'const':
      return `${value} === ${quote(shape.value)}`;
    case 'string':
      if (shape.format === 'date-time') return `isDateTime(${value})`;
      return shape.minLength ? `isText(${value}, ${shape.minLength})` : `typeof ${value} === 'string'`;
    case 'number':
      return `isNumber(${numberArguments(value, shape)})`;
    case 'integer':
      return `${shape.wide ? 'isWideInteger' : 'isInteger'}(${numberArguments(value, shape)})`;
    case 'map':
      return `isObject(${value})`;
    case 'anyOf':
      return simpleTest(openPart(shape.options), value);
    default:
      throw new Error(`No simple test for ${shape.kind}`);
  }
}

/** The expression that is true when the value does not fit. */
export function simpleFailure(shape: Shape, value: string): string {
  const test = simpleTest(shape, value);
  return test.includes(' === ') ? test.replace(' === ', ' !== ') : `!${test}`;
}

/** The runtime's ready-made check for a shape that many fields share. */
export function plainCheck(shape: Shape): string | undefined {
  if (shape.kind === 'boolean') return 'boolean';
  if (shape.kind === 'number' && shape.minimum === undefined && shape.maximum === undefined) return 'number';
  if (shape.kind === 'string' && !shape.minLength && !shape.format) return 'string';
  if (shape.kind === 'map' && shape.values.kind === 'unknown') return 'object';
  if (shape.kind === 'anyOf' && isOpenEnum(shape.options)) return plainCheck(openPart(shape.options));
  return undefined;
}

/** What a message says was expected. */
export function wording(shape: Shape): string {
  switch (shape.kind) {
    case 'integer':
      return shape.minimum !== undefined && shape.minimum > 0 ? `${shape.format} from ${shape.minimum}` : shape.format;
    case 'number':
      return shape.minimum === undefined ? 'number' : `number from ${shape.minimum} to ${shape.maximum}`;
    case 'string':
      if (shape.format === 'date-time') return 'RFC 3339 date-time';
      return shape.minLength ? 'non-empty string' : 'string';
    case 'const':
      return JSON.stringify(shape.value);
    case 'map':
      return 'object';
    case 'anyOf':
      return wording(openPart(shape.options));
    case 'nullable':
      return `${wording(shape.inner)} or null`;
    case 'unknown':
      return 'a value';
    default:
      return shape.kind;
  }
}

/** An enumeration that also allows any other value of its type: only the type is tested. */
function isOpenEnum(options: readonly Shape[]): boolean {
  return options[0]?.kind === 'enum' && options.length === 2;
}

function openPart(options: readonly Shape[]): Shape {
  const part = options[1];
  if (part === undefined || !isOpenEnum(options)) throw new Error('Not an open enumeration');
  return part;
}

function numberArguments(value: string, { minimum, maximum }: { minimum?: number; maximum?: number }): string {
  if (maximum !== undefined) return `${value}, ${minimum}, ${maximum}`;
  return minimum === undefined ? value : `${value}, ${minimum}`;
}
