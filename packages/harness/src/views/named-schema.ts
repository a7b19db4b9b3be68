/** A JSON schema, draft 2020-12, by its name. */
export interface NamedSchema {
  readonly name: string;
  readonly says: string;
  readonly schema: Readonly<Record<string, unknown>>;
}
