import type { ElicitationContentValue, ElicitationPropertySchema, ElicitationSchema } from '@parley/protocol';

/** One thing that a form asks for. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'multi';
  /** For `choice` and `multi`. */
  readonly options: readonly FieldOption[];
  readonly preset?: ElicitationContentValue;
  /** Why a value is not acceptable; undefined when it is. */
  readonly check: (value: ElicitationContentValue) => string | undefined;
}

export interface FieldOption {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** The fields of a form, in the order of its schema. */
export function readFields(schema: ElicitationSchema): FormField[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) =>
    readField(name, property, required.has(name)),
  );
}

type Property = Extract<ElicitationPropertySchema, { type: string }> & Readonly<Record<string, unknown>>;

function readField(name: string, schema: ElicitationPropertySchema, isRequired: boolean): FormField {
  const property = schema as Property;
  const options = readOptions(property);
  const kind = kindOf(property, options);
  const {
    title,
    description,
    pattern,
    default: preset,
  } = property as {
    pattern?: unknown;
    title?: unknown;
    description?: unknown;
    default?: unknown;
  };
  return {
    name,
    title: typeof title === 'string' && title !== '' ? title : name,
    ...describe(description, pattern),
    isRequired,
    kind,
    options,
    ...(isValue(preset) && { preset }),
    check: (value) => checkValue(property, value),
  };
}

function describe(description: unknown, pattern: unknown): { readonly description?: string } {
  const parts = [description, typeof pattern === 'string' ? `must match ${pattern}` : undefined];
  const known = parts.filter((part) => typeof part === 'string' && part !== '');
  return known.length === 0 ? {} : { description: known.join('; ') };
}

function kindOf({ type }: Property, options: readonly FieldOption[]): FormField['kind'] {
  if (type === 'array') return 'multi';
  if (options.length > 0) return 'choice';
  if (type === 'boolean') return 'boolean';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

/** Options come as plain values, or with titles, and for several of them inside of `items`. */
function readOptions(property: Property): FieldOption[] {
  const holder = (property.type === 'array' ? property.items : property) as {
    enum?: readonly unknown[] | null;
    oneOf?: readonly TitledOption[] | null;
    anyOf?: readonly TitledOption[] | null;
  };
  const titled = holder?.oneOf ?? holder?.anyOf;
  if (titled) {
    return titled.map(({ const: value, title, description }) => ({
      value,
      label: title ?? value,
      ...(description && { description }),
    }));
  }
  return (holder?.enum ?? []).map((value) => ({ value: String(value), label: String(value) }));
}

interface TitledOption {
  readonly const: string;
  readonly title?: string;
  readonly description?: string | null;
}

interface Limits {
  readonly minLength?: number | null;
  readonly maxLength?: number | null;
  readonly format?: string | null;
  readonly minimum?: number | null;
  readonly maximum?: number | null;
  readonly minItems?: number | null;
  readonly maxItems?: number | null;
}

function checkValue(property: Property, value: ElicitationContentValue): string | undefined {
  const limits = property as Limits;
  if (typeof value === 'number') return checkNumber(property.type, limits, value);
  if (typeof value === 'string') return checkText(limits, value);
  if (!Array.isArray(value)) return undefined;
  if (limits.minItems != null && value.length < limits.minItems) return `Choose at least ${limits.minItems}.`;
  if (limits.maxItems != null && value.length > limits.maxItems) return `Choose at most ${limits.maxItems}.`;
  return undefined;
}

function checkNumber(type: string, { minimum, maximum }: Limits, value: number): string | undefined {
  if (type === 'integer' && !Number.isInteger(value)) return 'This must be a whole number.';
  if (minimum != null && value < minimum) return `This must be at least ${minimum}.`;
  if (maximum != null && value > maximum) return `This must be at most ${maximum}.`;
  return undefined;
}

/** A pattern is only shown: a regular expression of the agent's own making could take for ever. */
function checkText({ minLength, maxLength, format }: Limits, value: string): string | undefined {
  const length = [...value].length;
  if (minLength != null && length < minLength) return `This needs at least ${minLength} characters.`;
  if (maxLength != null && length > maxLength) return `This may have at most ${maxLength} characters.`;
  if (format && FORMATS[format]?.test(value) === false) return `This is not a valid ${format}.`;
  return undefined;
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  email: /^[^\s@]+@[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/,
};

function isValue(value: unknown): value is ElicitationContentValue {
  return (
    ['string', 'number', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}
