import { closest } from '../closest.ts';
import { CONFIG_KEYS, type Shape } from './config-keys.ts';

/** What is wrong with a value, and where. */
export interface ConfigProblem {
  /** `agents.gemini.args[0]` */
  readonly path: string;
  readonly problem: string;
}

/** Everything that is wrong with a settings file's content; unknown names included, since they are mostly typos. */
export function checkConfig(value: unknown): readonly ConfigProblem[] {
  if (!isRecord(value)) return [{ path: '', problem: 'expected an object' }];
  return Object.entries(value).flatMap(([name, field]) => {
    if (name === '$schema') return [];
    const key = Object.hasOwn(CONFIG_KEYS, name) ? CONFIG_KEYS[name] : undefined;
    return key ? checkShape(key.shape, field, name) : [unknownName(name, name, Object.keys(CONFIG_KEYS))];
  });
}

/** What is wrong with the value of one setting. */
export function checkShape(shape: Shape, value: unknown, path: string): readonly ConfigProblem[] {
  switch (shape.type) {
    case 'any':
      return [];
    case 'string':
    case 'boolean':
      return typeof value === shape.type ? [] : [expected(path, `a ${shape.type}`)];
    case 'number':
      return typeof value === 'number' && value > 0 ? [] : [expected(path, 'a number above 0')];
    case 'choice':
      return shape.values.some((each) => String(each) === String(value))
        ? []
        : [expected(path, `one of ${shape.values.join(', ')}`)];
    case 'list':
      if (!Array.isArray(value)) return [expected(path, 'a list')];
      return value.flatMap((item, index) => checkShape(shape.items, item, `${path}[${index}]`));
    case 'map':
      if (!isRecord(value)) return [expected(path, 'an object')];
      return Object.entries(value).flatMap(([name, item]) => checkShape(shape.values, item, `${path}.${name}`));
    case 'object':
      if (!isRecord(value)) return [expected(path, 'an object')];
      return Object.entries(value).flatMap(([name, item]) => {
        const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
        const inside = `${path}.${name}`;
        return field ? checkShape(field.shape, item, inside) : [unknownName(inside, name, Object.keys(shape.fields))];
      });
    case 'either': {
      const problems = shape.shapes.map((each) => checkShape(each, value, path));
      return problems.some((list) => list.length === 0) ? [] : (problems[0] ?? []);
    }
  }
}

export function formatProblem({ path, problem }: ConfigProblem): string {
  return path === '' ? problem : `${path}: ${problem}`;
}

function expected(path: string, what: string): ConfigProblem {
  return { path, problem: `expected ${what}` };
}

function unknownName(path: string, name: string, known: readonly string[]): ConfigProblem {
  const [meant] = closest(name, known);
  return { path, problem: meant === undefined ? 'is not a setting' : `is not a setting; did you mean "${meant}"?` };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
