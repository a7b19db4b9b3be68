import { isRecord } from '@parley/jsonrpc/internal';
import { closest } from './closest.ts';
import type { Fields, Shape } from './shape.ts';

/** What is wrong with a value, and where. */
export interface ShapeProblem {
  /** `agents.gemini.args[0]` */
  readonly path: string;
  readonly problem: string;
}

/** Everything that is wrong with a value. Unknown names count as wrong, since they are mostly typos. */
export function checkShape(shape: Shape, value: unknown, path: string): readonly ShapeProblem[] {
  switch (shape.type) {
    case 'any':
      return [];
    case 'null':
      return value === null ? [] : [expected(path, 'null')];
    case 'string':
    case 'boolean':
      return typeof value === shape.type ? [] : [expected(path, `a ${shape.type}`)];
    case 'number':
      return isWithin(shape, value) ? [] : [expected(path, describeNumber(shape))];
    case 'integer':
      return Number.isInteger(value) && Number(value) >= shape.min && Number(value) <= shape.max
        ? []
        : [expected(path, describeBounds(shape))];
    case 'choice':
      return shape.values.some((each) => String(each) === String(value))
        ? []
        : [wrongChoice(shape.values, value, path)];
    case 'notation': {
      const problem = typeof value === 'string' ? shape.check(value) : 'expected a string';
      return problem === undefined ? [] : [{ path, problem }];
    }
    case 'list':
      if (!Array.isArray(value)) return [expected(path, 'a list')];
      if (value.length < (shape.minItems ?? 0)) return [expected(path, `a list of at least ${shape.minItems}`)];
      return value.flatMap((item, index) => checkShape(shape.items, item, `${path}[${index}]`));
    case 'map':
      if (!isRecord(value)) return [expected(path, 'an object')];
      return Object.entries(value).flatMap(([name, item]) => checkShape(shape.values, item, pathInside(path, name)));
    case 'object':
      if (!isRecord(value)) return [expected(path, 'an object')];
      return checkFields(shape, value, path);
    case 'tagged': {
      if (!isRecord(value)) return [expected(path, 'an object')];
      const kind = String(value[shape.tag]);
      const found = Object.hasOwn(shape.shapes, kind) ? shape.shapes[kind] : undefined;
      if (found) return checkShape(found, value, path);
      return [wrongChoice(Object.keys(shape.shapes), value[shape.tag], pathInside(path, shape.tag))];
    }
    case 'either': {
      const problems = shape.shapes.map((each) => checkShape(each, value, path));
      if (problems.some((list) => list.length === 0)) return [];
      // The alternative that the value is most likely meant to be: one whose problem lies deeper than the value itself.
      return problems.find((list) => list.every((each) => each.path !== path)) ?? problems[0] ?? [];
    }
  }
}

/** Whether a value is a number within the bounds of a shape. */
export function isWithin({ min, max }: { readonly min?: number; readonly max?: number }, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  const isAbove = min === undefined ? max !== undefined || value > 0 : value >= min;
  return isAbove && (max === undefined || value <= max);
}

export function formatProblem({ path, problem }: ShapeProblem): string {
  return path === '' ? problem : `${path}: ${problem}`;
}

/** What is wrong with the fields of an object. `noun`: what a name of it is called in messages. */
export function checkFields(
  { fields, hasOthers = false }: { readonly fields: Fields; readonly hasOthers?: boolean },
  value: Readonly<Record<string, unknown>>,
  path: string,
  noun = 'setting',
): readonly ShapeProblem[] {
  const missing = Object.entries(fields)
    .filter(([name, { isRequired }]) => isRequired === true && value[name] === undefined)
    .map(([name, { says }]) => ({ path: pathInside(path, name), problem: `is missing: ${says}` }));
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    const inside = pathInside(path, name);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) return checkShape(field.shape, item, inside);
    const problem = unknownName(inside, name, { known: Object.keys(fields), noun });
    return hasOthers && closest(name, Object.keys(fields)).length === 0 ? [] : [problem];
  });
  return [...missing, ...wrong];
}

function pathInside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function expected(path: string, what: string): ShapeProblem {
  return { path, problem: `expected ${what}` };
}

function describeNumber({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (min === undefined) return max === undefined ? 'a number above 0' : `a number, at most ${max}`;
  if (min === Number.NEGATIVE_INFINITY) return 'a number';
  return max === undefined ? `a number, ${min} or more` : `a number from ${min} to ${max}`;
}

function describeBounds({ min, max }: { readonly min: number; readonly max: number }): string {
  return max === Number.MAX_SAFE_INTEGER ? `a whole number, ${min} or more` : `a whole number from ${min} to ${max}`;
}

function wrongChoice(values: readonly (string | number | boolean)[], value: unknown, path: string): ShapeProblem {
  const [meant] = typeof value === 'string' ? closest(value, values.map(String)) : [];
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return expected(path, `one of ${values.join(', ')}${hint}`);
}

function unknownName(
  path: string,
  name: string,
  { known, noun }: { known: readonly string[]; noun: string },
): ShapeProblem {
  const [meant] = closest(name, known);
  const problem = `is not a ${noun}`;
  return { path, problem: meant === undefined ? problem : `${problem}; did you mean "${meant}"?` };
}
