import type { Model } from './model.ts';

/** The definitions that one is made of, itself among them. */
export function reachableFrom(name: string, model: Model, found: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  if (found.has(name)) return found;
  const shape = model.definitions.get(name)?.shape;
  if (shape === undefined) throw new Error(`The schema refers to ${name}, which it does not define`);
  return references(shape).reduce<ReadonlySet<string>>(
    (all, each) => reachableFrom(each, model, all),
    new Set([...found, name]),
  );
}

/** A shape is plain data, so that its references can be found without knowing its kinds. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { kind, name } = value as { readonly kind?: unknown; readonly name?: unknown };
  if (kind === 'ref' && typeof name === 'string') return [name];
  return Object.values(value).flatMap(references);
}
