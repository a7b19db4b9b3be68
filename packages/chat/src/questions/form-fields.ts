import type { ElicitationContentValue } from '@parley/protocol';
import type { FormField } from '@parley/session/view';

export { type FormField, readFields } from '@parley/session/view';

export type FieldAnswer =
  | { readonly type: 'value'; readonly value: ElicitationContentValue }
  | { readonly type: 'skipped' }
  | { readonly type: 'wrong'; readonly because: string };

/** Reads what a person wrote for a field. Nothing at all stands for the preset, or leaves out what is not required. */
export function parseAnswer(field: FormField, input: string): FieldAnswer {
  const text = input.trim();
  if (text === '') {
    if (field.preset !== undefined) return { type: 'value', value: field.preset };
    return field.isRequired ? { type: 'wrong', because: 'This is required.' } : { type: 'skipped' };
  }
  const value = parseValue(field, text);
  if (value === undefined) return { type: 'wrong', because: EXPECTED[field.kind] };
  const because = field.check(value);
  return because === undefined ? { type: 'value', value } : { type: 'wrong', because };
}

const EXPECTED: { readonly [Kind in FormField['kind']]: string } = {
  text: 'This cannot be read.',
  number: 'This is not a number.',
  boolean: 'Answer yes or no.',
  choice: 'Answer with the number of one option.',
  multi: 'Answer with the numbers of options, parted by commas.',
};

function parseValue(field: FormField, text: string): ElicitationContentValue | undefined {
  switch (field.kind) {
    case 'text':
      return text;
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      if (/^(y|yes|true|1)$/i.test(text)) return true;
      return /^(n|no|false|2)$/i.test(text) ? false : undefined;
    case 'choice':
      return pickOption(field, text);
    case 'multi': {
      const values = text.split(/[\s,]+/).map((part) => pickOption(field, part));
      return values.every((value) => value !== undefined) ? [...new Set(values)] : undefined;
    }
  }
}

function pickOption({ options }: FormField, text: string): string | undefined {
  const byNumber = /^\d+$/.test(text) ? options[Number(text) - 1] : undefined;
  return (byNumber ?? options.find(({ value, label }) => value === text || label === text))?.value;
}
