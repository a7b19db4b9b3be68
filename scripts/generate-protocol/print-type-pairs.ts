import type { Model, Shape, TaggedUnion, UntaggedUnion } from './model.ts';
import { quote } from './text.ts';

export interface TypePairsOptions {
  readonly model: Model;
  readonly ours: string;
  readonly theirs: string;
}

/** Prints, for a test of types, each of our types beside the SDK's of the same name. */
export function printTypePairs({ model, ours, theirs }: TypePairsOptions): string {
  const names = [...model.definitions.keys()];
  const lines = names.map((name) => `  ${name}: [Ours.${name}, Theirs.${name}];\n`);
  const open = names.filter((name) => holdsOpenUnion({ kind: 'ref', name }, model));
  return `import type * as Theirs from '${theirs}';
import type * as Ours from '${ours}';

/** Our type and the SDK's, by the name that both give it. */
export interface TypePairs {
${lines.join('')}}

/** Types with a variant for tags that the schema does not name, at any depth. */
export type OpenTypes =
${open.map((name) => `  | ${quote(name)}`).join('\n')};
`;
}

function holdsOpenUnion(shape: Shape, model: Model): boolean {
  const holds = (inner: Shape): boolean => holdsOpenUnion(inner, model);
  switch (shape.kind) {
    case 'ref': {
      const target = model.definitions.get(shape.name);
      return target !== undefined && holds(target.shape);
    }
    case 'array':
      return holds(shape.items);
    case 'map':
      return holds(shape.values);
    case 'nullable':
      return holds(shape.inner);
    case 'anyOf':
      return shape.options.some(holds);
    case 'tagged':
    case 'untagged':
      return isOpen(shape.union, holds);
    case 'object':
      return (
        shape.properties.some((property) => holds(property.shape)) || (shape.union ? isOpen(shape.union, holds) : false)
      );
    default:
      return false;
  }
}

function isOpen(union: TaggedUnion | UntaggedUnion, holds: (shape: Shape) => boolean): boolean {
  if (union.style === 'untagged') return union.options.some(holds);
  const payloads = union.variants.flatMap(({ payload }) => payload ?? []);
  return union.other !== undefined || [...payloads, ...union.untagged].some(holds);
}
