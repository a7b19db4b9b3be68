declare const unknownVariant: unique symbol;

/**
 * A union member whose tag this version does not name, kept as it was received. Readers meet it; writers cannot make
 * one by accident, because the brand exists in types only.
 */
export type UnknownVariant<T> = T & { readonly [unknownVariant]: true };
