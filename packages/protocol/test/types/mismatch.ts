/** The names of pairs whose types are not assignable both ways; `never` when there are none. */
export type Mismatch<Pairs> = {
  [Name in keyof Pairs]: Pairs[Name] extends [infer Ours, infer Theirs]
    ? [Ours] extends [Theirs]
      ? [Theirs] extends [Ours]
        ? never
        : Name
      : Name
    : Name;
}[keyof Pairs];

/** Compiles only for `never`; otherwise the error lists the names. */
export type ExpectNone<Names extends never> = Names;
