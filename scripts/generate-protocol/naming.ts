import type { Model, Shape } from './model.ts';
import { isSimple, plainCheck, simpleTest, wording } from './simple-checks.ts';
import { quote, upperFirst } from './text.ts';

/** Collects the functions of one validators file and knows how a shape is called from another. */
export interface Naming {
  /** Adds a function over any value. */
  add(name: string, lines: readonly string[]): void;
  /** Adds a function over a value that is known to be an object. */
  addFields(name: string, lines: readonly string[]): void;
  /** Adds a constant table for a function and returns its name. */
  constant(owner: string, value: string): string;
  /** A name for a function inside another one's shape. */
  inner(owner: string, part: string): string;
  /** The expression that checks `value` against a shape: the value, a repaired copy, or INVALID. */
  call(shape: Shape, value: string, owner: string): string;
  /** The function that checks a shape; one is printed under the name `owner` when the shape has none yet. */
  reference(shape: Shape, owner: string): string;
  /** Follows references to the end. */
  resolve(shape: Shape): Shape;
  /** Follows references as long as they lead to something that needs no function of its own. */
  resolveSimple(shape: Shape): Shape;
  /** Whether a check of this shape may return a repaired copy. */
  repairs(shape: Shape): boolean;
  isFunction(name: string): boolean;
  functions(): readonly string[];
}

export type PrintFunction = (name: string, shape: Shape, naming: Naming) => void;

export function createNaming(model: Model, printFunction: PrintFunction): Naming {
  const functions = new Map<string, string>();

  const naming: Naming = {
    add(name, lines) {
      const isExported = model.definitions.has(name);
      define(name, `${isExported ? 'export ' : ''}function ${name}(v: unknown): unknown {`, lines);
    },
    addFields: (name, lines) => define(name, `function ${name}(v: Fields): unknown {`, lines),
    constant(owner, value) {
      const name = `${owner.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_OPTIONS`;
      functions.set(name, `const ${name} = ${value};`);
      return name;
    },
    inner: (owner, part) =>
      owner +
      part
        .split(/[^A-Za-z0-9]/)
        .map(upperFirst)
        .join(''),
    call(shape, value, owner) {
      const resolved = naming.resolveSimple(shape);
      if (resolved.kind === 'unknown') return value;
      if (resolved.kind === 'array') {
        const items = naming.reference(resolved.items, owner);
        if (resolved.skipInvalidItems) return `skipping(${value}, ${items})`;
        return `list(${value}, ${items}${resolved.minItems > 0 ? `, ${resolved.minItems}` : ''})`;
      }
      if (resolved.kind === 'map' && resolved.values.kind !== 'unknown') {
        return `map(${value}, ${naming.reference(resolved.values, owner)})`;
      }
      return `${naming.reference(resolved, owner)}(${value})`;
    },
    reference(shape, owner) {
      const resolved = naming.resolveSimple(shape);
      if (resolved.kind === 'ref') return resolved.name;
      if (resolved.kind === 'string' && resolved.format === 'uri') return 'uri';
      if (resolved.kind === 'unknown') return 'unknown';
      const plain = plainCheck(resolved);
      if (plain) return plain;
      if (isSimple(resolved)) {
        return `(v) => (${simpleTest(resolved, 'v')} ? v : expected(${quote(wording(resolved))}, v))`;
      }
      if (resolved.kind === 'array' || resolved.kind === 'map') return `(v) => ${naming.call(resolved, 'v', owner)}`;
      printFunction(owner, resolved, naming);
      return owner;
    },
    resolve(shape) {
      return shape.kind === 'ref' ? naming.resolve(target(shape.name)) : shape;
    },
    resolveSimple(shape) {
      if (shape.kind !== 'ref' || naming.isFunction(shape.name)) return shape;
      return naming.resolveSimple(target(shape.name));
    },
    repairs(shape) {
      const resolved = naming.resolve(shape);
      switch (resolved.kind) {
        case 'nullable':
          return naming.repairs(resolved.inner);
        case 'anyOf':
          return resolved.options.some(naming.repairs);
        case 'array':
          return resolved.skipInvalidItems || naming.repairs(resolved.items);
        case 'enum':
        case 'unknown':
          return false;
        default:
          return !isSimple(resolved);
      }
    },
    isFunction(name) {
      const shape = target(name);
      if (shape.kind === 'nullable') return true;
      return !isSimple(shape) && !['ref', 'unknown', 'string', 'array', 'map'].includes(shape.kind);
    },
    functions: () => [...functions.values()],
  };
  return naming;

  function target(name: string): Shape {
    const definition = model.definitions.get(name);
    if (definition === undefined) throw new Error(`The schema refers to ${name}, which it does not define`);
    return definition.shape;
  }

  function define(name: string, head: string, lines: readonly string[]): void {
    if (functions.has(name)) throw new Error(`Two functions would be named ${name}`);
    functions.set(
      name,
      [head, ...lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`), '}'].join('\n'),
    );
  }
}
