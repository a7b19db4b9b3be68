import type { Definition, Model, ObjectShape, Shape } from './model.ts';
import { createNaming, type Naming } from './naming.ts';
import { printProperty } from './print-property.ts';
import { printAnyOf, printVariants } from './print-unions.ts';
import { quote, quoteList } from './text.ts';

export interface ValidatorsOptions {
  readonly model: Model;
  /** Definitions that `base` has with the same meaning; their validators are imported from there. */
  readonly shared: ReadonlySet<string>;
  readonly base?: string;
  /** Module of the hand-written runtime. */
  readonly runtime: string;
}

/** What the generated code may import from the hand-written runtime. */
const RUNTIME_NAMES = [
  'INVALID',
  'anyOf',
  'boolean',
  'drop',
  'eitherOf',
  'exactlyOneOf',
  'expected',
  'expectedOneOf',
  'isDateTime',
  'isInteger',
  'isNumber',
  'isObject',
  'isText',
  'isWideInteger',
  'list',
  'map',
  'number',
  'object',
  'orElse',
  'put',
  'skipping',
  'string',
  'under',
  'unknown',
  'unknownVariant',
  'uri',
];
const RUNTIME_TYPES = ['Fields', 'Validators'];

/** Prints one function per type: unknown value in; the value, a repaired copy, or INVALID out. */
export function printValidators({ model, shared, base, runtime }: ValidatorsOptions): string {
  const naming = createNaming(model, printFunction);
  const validated = [...model.definitions.values()].filter((definition) => !definition.isEnvelope);
  const own = validated.filter(({ name }) => !shared.has(name));
  for (const { name, shape } of own) if (naming.isFunction(name)) printFunction(name, shape, naming);
  const body = naming.functions().join('\n\n');
  const map = printMap(validated, naming);

  const text = `${body}\n\n${map}\n`;
  const code = text.replaceAll(/'[^'\n]*'/g, "''");
  const uses = (name: string): boolean => new RegExp(`(?<![\\w.])${name}(?![\\w:])`).test(code);
  const inherited = [...shared].filter((name) => naming.isFunction(name) && uses(name));
  const imports = [
    ...(base === undefined ? [] : [`import {\n${importLines(inherited)}} from '${base}';`]),
    `import {\n${importLines(RUNTIME_NAMES.filter(uses))}} from '${runtime}';`,
    `import type { ${RUNTIME_TYPES.filter(uses).join(', ')} } from '${runtime}';`,
    `import type { TypeMap } from './types.gen.ts';`,
  ];
  return `${imports.join('\n')}\n\n${text}`;
}

function importLines(names: readonly string[]): string {
  return names.map((name) => `  ${name},\n`).join('');
}

/** Prints the function for a shape that is more than one simple test. */
function printFunction(name: string, shape: Shape, naming: Naming): void {
  switch (shape.kind) {
    case 'object':
      return naming.add(name, printObject(name, shape, naming));
    case 'enum':
      return naming.add(name, [
        `if (${shape.values.map((value) => `v === ${quote(value)}`).join(' || ')}) return v;`,
        `return expectedOneOf(${quoteList(shape.values)}, v);`,
      ]);
    case 'tagged':
    case 'untagged':
      return naming.add(name, [OBJECT_FIRST, ...printVariants(name, shape.union, naming)]);
    case 'anyOf':
      return naming.add(name, printAnyOf(shape.options, naming));
    case 'nullable':
      return printNullable(name, shape.inner, naming);
    default:
      return naming.add(name, [`return ${naming.call(shape, 'v', name)};`]);
  }
}

function printNullable(name: string, inner: Shape, naming: Naming): void {
  if (inner.kind === 'anyOf') return naming.add(name, printAnyOf([{ kind: 'null' }, ...inner.options], naming));
  naming.add(name, [`return v === null ? v : ${naming.call(inner, 'v', naming.inner(name, 'Value'))};`]);
}

const OBJECT_FIRST = `if (!isObject(v)) return expected('object', v);`;

function printObject(name: string, shape: ObjectShape, naming: Naming): string[] {
  if (shape.union && shape.properties.length === 0) return [OBJECT_FIRST, ...printVariants(name, shape.union, naming)];
  const properties = shape.properties.map((property) => printProperty(property, name, naming)).filter(Boolean);
  const start = shape.union ? printVariantFirst(name, shape, naming) : ['let o = v;'];
  const body = properties.join('\n');
  return [
    OBJECT_FIRST,
    ...(body.includes('(x = ') ? ['let x: unknown;'] : []),
    ...(body.includes('o = ') || shape.union ? start : []),
    ...properties,
    body.includes('o = ') || shape.union ? 'return o;' : 'return v;',
  ];
}

/** The fields of the variant are checked first; what it had to repair is then the object that goes on. */
function printVariantFirst(name: string, shape: ObjectShape, naming: Naming): string[] {
  const { union } = shape;
  if (union === undefined) return [];
  const variant = naming.inner(name, 'Variant');
  // A malformed tag that has a lenient property of its own is repaired there.
  const tag = union.style === 'tagged' ? union.tag : undefined;
  const isTagLenient = shape.properties.find((property) => property.name === tag)?.isLenient;
  naming.addFields(variant, printVariants(variant, union, naming, isTagLenient));
  return [`const variant = ${variant}(v);`, 'if (variant === INVALID) return INVALID;', 'let o = variant as Fields;'];
}

function printMap(definitions: readonly Definition[], naming: Naming): string {
  const entries = definitions.map(({ name, shape }) => {
    const check = naming.isFunction(name) ? name : naming.reference(shape, name);
    return check === name ? `  ${name},` : `  ${name}: ${check},`;
  });
  return `/** Every validator by the name of its type. */\nexport const validators = {\n${entries.join('\n')}\n} as Validators<TypeMap>;`;
}
