import { isRecord } from '@parley/jsonrpc/internal';
import { isWithin } from './check-shape.ts';
import type { Shape } from './shape.ts';

/** Whether a value has the shape. */
export type ShapeTest = (value: unknown) => boolean;

/**
 * A shape as a test that says yes or no, for millions of values; `checkShape` tells what is wrong with the few that fail. Where an object may
 * have other fields, a name that is nearly one of its own is another field here, and no typo.
 */
export function compileShape(shape: Shape): ShapeTest {
  switch (shape.type) {
    case 'any':
      return () => true;
    case 'null':
      return (value) => value === null;
    case 'string':
    case 'boolean':
      return (value) => typeof value === shape.type;
    case 'number':
      return (value) => isWithin(shape, value);
    case 'integer':
      return (value) => Number.isInteger(value) && Number(value) >= shape.min && Number(value) <= shape.max;
    case 'choice':
      return (value) => shape.values.some((each) => String(each) === String(value));
    case 'notation':
      return (value) => typeof value === 'string' && shape.check(value) === undefined;
    case 'list': {
      const isItem = compileShape(shape.items);
      return (value) => Array.isArray(value) && value.length >= (shape.minItems ?? 0) && value.every(isItem);
    }
    case 'map': {
      const isValue = compileShape(shape.values);
      return (value) => isRecord(value) && Object.values(value).every(isValue);
    }
    case 'object':
      return compileFields(shape);
    case 'either': {
      const tests = shape.shapes.map(compileShape);
      return (value) => tests.some((test) => test(value));
    }
    case 'tagged': {
      const tests = new Map(Object.entries(shape.shapes).map(([kind, each]) => [kind, compileShape(each)]));
      return (value) => isRecord(value) && (tests.get(String(value[shape.tag]))?.(value) ?? false);
    }
  }
}

function compileFields({ fields, hasOthers = false }: Extract<Shape, { type: 'object' }>): ShapeTest {
  const tests = Object.entries(fields).map(([name, { shape, isRequired = false }]) => ({
    name,
    isRequired,
    test: compileShape(shape),
  }));
  return (value) => {
    if (!isRecord(value)) return false;
    for (const { name, isRequired, test } of tests) {
      const item = value[name];
      if (item === undefined ? isRequired : !test(item)) return false;
    }
    return hasOthers || Object.keys(value).every((name) => Object.hasOwn(fields, name));
  };
}
