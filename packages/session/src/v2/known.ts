/** The members of an open union that version 2 names, told apart by their tag. Neither `_` words nor unknown ones are among them. */
export type Known<Union, Tag extends keyof Union> = Union extends unknown
  ? '_' extends Union[Tag]
    ? never
    : Union
  : never;
