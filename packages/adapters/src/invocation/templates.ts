/** What a template may name. */
export type TemplateValues = Readonly<Record<string, unknown>>;

/**
 * Puts values in the place of `{{name}}`, in one pass: what a value holds is never read as a template or as a pattern. A name
 * that there is no value for stays as it is.
 */
export function fillText(template: string, values: TemplateValues): string {
  return template.replace(PLACE, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return place;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

/** The same in a JSON value. A text that is nothing but `{{name}}` becomes the value itself, whatever its type. */
export function fillJson(template: unknown, values: TemplateValues): unknown {
  if (typeof template === 'string') {
    const name = WHOLE_PLACE.exec(template)?.[1];
    if (name !== undefined && Object.hasOwn(values, name)) return values[name] ?? null;
    return fillText(template, values);
  }
  if (Array.isArray(template)) return template.map((each) => fillJson(each, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, fillJson(each, values)]));
}

const PLACE = /\{\{\s*([\w.]+)\s*\}\}/g;
const WHOLE_PLACE = /^\{\{\s*([\w.]+)\s*\}\}$/;
