import type { ElicitationContentValue } from '@parley/protocol';
import type { FormField } from '@parley/session/view';

/** What stands in the fields of a form: text as it was written, or what was chosen. */
export type FieldInput = string | boolean | readonly string[] | undefined;

export type FormCheck =
  | { readonly type: 'complete'; readonly content: Readonly<Record<string, ElicitationContentValue>> }
  /** What is wrong, by the name of the field. */
  | { readonly type: 'wrong'; readonly problems: Readonly<Record<string, string>> };

/** What a form begins with. */
export function presetOf({ preset, kind }: FormField): FieldInput {
  if (kind === 'boolean') return preset === true;
  if (kind === 'multi') return Array.isArray(preset) ? preset.map(String) : [];
  return preset === undefined ? '' : String(preset);
}

/** The answer to a form, or what is wrong with it. A field that is left empty and not required is left out. */
export function checkForm(fields: readonly FormField[], inputs: Readonly<Record<string, FieldInput>>): FormCheck {
  const content: Record<string, ElicitationContentValue> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const input = inputs[field.name];
    const value = readValue(field, input);
    if (value === undefined) {
      if (input !== undefined && input !== '' && field.kind === 'number')
        problems[field.name] = 'This is not a number.';
      else if (field.isRequired) problems[field.name] = 'This is required.';
      continue;
    }
    const because = field.check(value);
    if (because === undefined) content[field.name] = value;
    else problems[field.name] = because;
  }
  return Object.keys(problems).length === 0 ? { type: 'complete', content } : { type: 'wrong', problems };
}

function readValue({ kind, isRequired }: FormField, input: FieldInput): ElicitationContentValue | undefined {
  if (kind === 'boolean') return input === true;
  if (kind === 'multi') {
    const chosen = Array.isArray(input) ? [...input] : [];
    return chosen.length === 0 && !isRequired ? undefined : chosen;
  }
  if (typeof input !== 'string' || input === '') return undefined;
  if (kind !== 'number') return input;
  const number = Number(input);
  return input.trim() !== '' && Number.isFinite(number) ? number : undefined;
}
