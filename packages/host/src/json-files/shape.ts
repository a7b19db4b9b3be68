/** What a value in a JSON file may be: enough to check it, and to describe it to editors as JSON schema. */
export type Shape =
  | { readonly type: 'string' | 'boolean' }
  /** Above 0, unless bounds are given; those are allowed themselves. */
  | { readonly type: 'number'; readonly min?: number; readonly max?: number }
  /** A whole number within bounds. */
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  | { readonly type: 'choice'; readonly values: readonly (string | number | boolean)[] }
  | { readonly type: 'list'; readonly items: Shape; readonly minItems?: number }
  /** Any names; the values all have one shape. */
  | { readonly type: 'map'; readonly values: Shape }
  | { readonly type: 'object'; readonly fields: Fields; readonly hasOthers?: boolean }
  | { readonly type: 'either'; readonly shapes: readonly Shape[] }
  /** An object whose field `tag` says which of these shapes it has. */
  | { readonly type: 'tagged'; readonly tag: string; readonly shapes: Readonly<Record<string, Shape>> }
  /** A text in a notation of its own. */
  | { readonly type: 'notation'; readonly check: NotationCheck }
  | { readonly type: 'null' }
  | { readonly type: 'any' };

export type Fields = Readonly<Record<string, Field>>;

export interface Field {
  readonly shape: Shape;
  readonly says: string;
  /** Default: false. */
  readonly isRequired?: boolean;
}

/** What is wrong with a text in its notation, in words that follow its path; undefined when nothing is. */
export type NotationCheck = (text: string) => string | undefined;
