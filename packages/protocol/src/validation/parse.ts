import { INVALID, takeProblem } from './problem.ts';
import { ValidationError } from './validation-error.ts';

/** Checks a value from outside. Call it through `parse`, which throws, or compare its result with `INVALID`. */
export type Validator<T> = (value: unknown) => T | typeof INVALID;

/** Validators by the names of their types. */
export type Validators<Types> = { readonly [Name in keyof Types]: Validator<Types[Name]> };

/** The value as a `T`, repaired where the schema is lenient; throws `ValidationError` when it cannot be one. */
export function parse<T>(validator: Validator<T>, value: unknown): T {
  const checked = validator(value);
  if (checked === INVALID) throw new ValidationError(takeProblem());
  return checked;
}
