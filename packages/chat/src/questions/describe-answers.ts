import type { ElicitationContentValue } from '@parley/protocol';
import { cleanLine } from '@parley/terminal';
import type { FormField } from './form-fields.ts';

/** What was answered to a form, in one line: `Name: Eve, Size: 3`. */
export function describeAnswers(
  fields: readonly FormField[],
  values: Readonly<Record<string, ElicitationContentValue>>,
): string {
  const words = fields.flatMap((field) => {
    const value = values[field.name];
    return value === undefined ? [] : [`${field.title}: ${describeValue(field, value)}`];
  });
  return cleanLine(words.join(', '));
}

function describeValue({ options }: FormField, value: ElicitationContentValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return [value]
    .flat()
    .map((each) => options.find((option) => option.value === each)?.label ?? String(each))
    .join(' and ');
}
