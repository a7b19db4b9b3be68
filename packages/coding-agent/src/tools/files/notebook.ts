import { shortenOutput } from '../../text.ts';

/** Characters of the outputs of one cell. */
const MAX_OUTPUT_CHARACTERS = 2000;

interface Cell {
  readonly cell_type?: unknown;
  readonly id?: unknown;
  readonly source?: unknown;
  readonly outputs?: unknown;
}

/** A Jupyter notebook as text: its cells in order, with what they put out; undefined when it is none. */
export function showNotebook(json: string): string | undefined {
  let cells: unknown;
  try {
    ({ cells } = JSON.parse(json) as { readonly cells?: unknown });
  } catch {
    return undefined;
  }
  if (!Array.isArray(cells)) return undefined;
  const note = `(a notebook of ${cells.length} cells; edit_file changes its JSON, which "raw" shows)`;
  return [note, ...cells.map((cell: Cell, index) => showCell(cell, index + 1))].join('\n\n');
}

function showCell({ cell_type: type, id, source, outputs }: Cell, number: number): string {
  const name = typeof id === 'string' ? `, id ${id}` : '';
  const shown = (Array.isArray(outputs) ? outputs : []).map(showOutput).filter((text) => text !== '');
  return [
    `--- cell ${number} (${String(type)}${name})`,
    joined(source),
    ...(shown.length > 0 ? ['--- its output', shortenOutput(shown.join('\n'), MAX_OUTPUT_CHARACTERS)] : []),
  ].join('\n');
}

/** Text, errors and results as text; pictures are named. */
function showOutput(output: unknown): string {
  const { text, data, ename, evalue } = (output ?? {}) as Readonly<Record<string, unknown>>;
  if (text !== undefined) return joined(text).trimEnd();
  if (ename !== undefined) return `${String(ename)}: ${String(evalue)}`;
  const forms = (data ?? {}) as Readonly<Record<string, unknown>>;
  const images = Object.keys(forms).filter((type) => type.startsWith('image/'));
  return [joined(forms['text/plain']).trimEnd(), ...images.map((type) => `[${type}]`)].filter(Boolean).join('\n');
}

/** Notebooks have texts as lists of lines. */
function joined(source: unknown): string {
  if (Array.isArray(source)) return source.map(String).join('');
  return typeof source === 'string' ? source : '';
}
