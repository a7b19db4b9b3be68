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
  /** Exports what is shared as its own too, for a file that stands for all of them. */
  readonly passesOn?: boolean;
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
export function printValidators({ model, shared, base, passesOn, runtime }: ValidatorsOptions): string {
  const naming = createNaming(model, printFunction);
  const validated = [...model.definitions.values()].filter((definition) => !definition.isEnvelope);
  const body = printFunctions(
    validated.filter(({ name }) => !shared.has(name)),
    naming,
  );
  const text = `${body}\n\n${printMap(validated, naming)}\n`;
  const uses = usageOf(text);
  const inherited = [...shared].filter((name) => naming.isFunction(name) && uses(name));
  const imports = [
    ...(base === undefined ? [] : [`import {\n${importLines(inherited)}} from '${base}';`]),
    ...runtimeImports(uses, runtime),
    `import type { TypeMap } from './types.gen.ts';`,
  ];
  const passedOn = passesOn ? `export * from '${base}';\n\n` : '';
  return `${imports.join('\n')}\n\n${passedOn}${text}`;
}

/** Prints the functions of some definitions, which need no others. */
export function printSomeValidators(
  names: ReadonlySet<string>,
  { model, runtime }: Pick<ValidatorsOptions, 'model' | 'runtime'>,
): string {
  const naming = createNaming(model, printFunction);
  const text = printFunctions(
    [...model.definitions.values()].filter(({ name }) => names.has(name)),
    naming,
  );
  return `${runtimeImports(usageOf(text), runtime).join('\n')}\n\n${text}\n`;
}

function printFunctions(definitions: readonly Definition[], naming: Naming): string {
  for (const { name, shape } of definitions) if (naming.isFunction(name)) printFunction(name, shape, naming);
  return naming.functions().join('\n\n');
}

type Usage = (name: string) => boolean;

function usageOf(text: string): Usage {
  const code = text.replaceAll(/'[^'\n]*'|(?<=\b[vx]|\)): unknown/g, '');
  return (name) => new RegExp(`(?<![\\w.])${name}(?![\\w:])`).test(code);
}

function runtimeImports(uses: Usage, runtime: string): string[] {
  const types = RUNTIME_TYPES.filter(uses);
  return [
    `import {\n${importLines(RUNTIME_NAMES.filter(uses))}} from '${runtime}';`,
    ...(types.length > 0 ? [`import type { ${types.join(', ')} } from '${runtime}';`] : []),
  ];
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
