/** What the generator knows of a schema: the shapes that types and validators are printed from. */

export type Shape =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'null' }
  | { readonly kind: 'string'; readonly minLength?: number; readonly format?: 'uri' | 'date-time' }
  | { readonly kind: 'number'; readonly minimum?: number; readonly maximum?: number }
  | IntegerShape
  | { readonly kind: 'const'; readonly value: string | number }
  | { readonly kind: 'enum'; readonly values: readonly (string | number)[] }
  | ArrayShape
  | { readonly kind: 'map'; readonly values: Shape }
  | ObjectShape
  | { readonly kind: 'tagged'; readonly union: TaggedUnion }
  | { readonly kind: 'untagged'; readonly union: UntaggedUnion }
  | { readonly kind: 'anyOf'; readonly options: readonly Shape[] }
  | { readonly kind: 'nullable'; readonly inner: Shape }
  | { readonly kind: 'ref'; readonly name: string };

export interface IntegerShape {
  readonly kind: 'integer';
  /** `uint32`, `int64`, ... as the schema names it. */
  readonly format: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** 64-bit integers may exceed what a JavaScript number holds exactly; they are accepted as JSON.parse rounded them. */
  readonly wide: boolean;
}

export interface ArrayShape {
  readonly kind: 'array';
  readonly items: Shape;
  readonly minItems: number;
  /** x-deserialize-skip-invalid-items */
  readonly skipInvalidItems: boolean;
}

export interface ObjectShape {
  readonly kind: 'object';
  readonly properties: readonly Property[];
  /** The type says that any further property may be there. (Validators keep unknown properties in any case.) */
  readonly isOpen: boolean;
  /** Fields that depend on a variant, beside `properties`. */
  readonly union?: TaggedUnion | UntaggedUnion;
}

export interface Property {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
  /** x-deserialize-default-on-error */
  readonly isLenient: boolean;
  /** x-deserialize-default-on-null */
  readonly isNullEmpty: boolean;
  /** The value of an absent property, and of a malformed one when it is lenient. */
  readonly defaultValue?: unknown;
}

/** Variants told apart by the value of one property. */
export interface TaggedUnion {
  readonly style: 'tagged';
  readonly tag: string;
  readonly variants: readonly TaggedVariant[];
  /** The variant for tags the schema does not name, when it allows them. Their payload is kept as it is. */
  readonly other?: Shape;
  /** Variants without a tag, tried when no tagged one fits. */
  readonly untagged: readonly Shape[];
  /** The tag may be absent or null. */
  readonly allowsNoTag: boolean;
}

export interface TaggedVariant {
  readonly value: string;
  /** The payload: a reference or an object without the tag. Undefined when the tag is all there is. */
  readonly payload?: Shape;
}

/** Object variants told apart by which of them fits. */
export interface UntaggedUnion {
  readonly style: 'untagged';
  readonly options: readonly Shape[];
  /** JSON Schema `oneOf`: the required properties of exactly one variant may be there. */
  readonly isExclusive: boolean;
  /** Part of a variant that is kept as it is, whatever fields it has. */
  readonly isKeptWhole?: boolean;
}

export interface Definition {
  readonly name: string;
  readonly shape: Shape;
  /** Equal for two definitions whose meaning is the same, whatever their descriptions say. */
  readonly fingerprint: string;
  readonly method?: string;
  /** Who receives the method: `agent`, `client`, `protocol` (both) or `proxy`. */
  readonly receiver?: string;
  /** An envelope or another type that is not part of the wire's vocabulary; typed, but not validated. */
  readonly isEnvelope: boolean;
}

export interface Model {
  readonly definitions: ReadonlyMap<string, Definition>;
}
