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

/** The names of fields that may be assigned to; `never` when there are none. */
export type Writable<Type> = {
  [Name in keyof Type]-?: IsSame<{ [Each in Name]: Type[Each] }, { -readonly [Each in Name]: Type[Each] }> extends true
    ? Name
    : never;
}[keyof Type];

/** Assignability does not look at `readonly`; being the same in a condition does. */
type IsSame<Left, Right> =
  (<Any>() => Any extends Left ? 1 : 2) extends <Any>() => Any extends Right ? 1 : 2 ? true : false;
