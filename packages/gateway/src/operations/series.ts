export type Labels = Readonly<Record<string, string>>;

/** One metric in the text format of Prometheus (version 0.0.4). */
export interface Series {
  text(): string;
}

interface Described {
  readonly name: string;
  readonly help: string;
}

/** Only ever goes up. */
export class Counter implements Series {
  readonly #described: Described;
  readonly #values = new Map<string, number>();

  constructor(name: string, help: string) {
    this.#described = { name, help };
  }

  add(labels: Labels = {}, count = 1): void {
    const key = writeLabels(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + count);
  }

  text(): string {
    const { name } = this.#described;
    return writeSeries(
      this.#described,
      'counter',
      [...this.#values].map(([labels, value]) => `${name}${labels} ${value}`),
    );
  }
}

/** How many of what was measured were at most this long. */
export class Histogram implements Series {
  readonly #described: Described;
  readonly #bounds: readonly number[];
  readonly #values = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>();

  /** The bounds are ascending. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#described = { name, help };
    this.#bounds = bounds;
  }

  observe(value: number, labels: Labels = {}): void {
    const key = writeLabels(labels);
    const entry = this.#values.get(key) ?? {
      labels,
      counts: new Array<number>(this.#bounds.length + 1).fill(0),
      sum: 0,
    };
    this.#values.set(key, entry);
    const index = this.#bounds.findIndex((bound) => value <= bound);
    const at = index === -1 ? this.#bounds.length : index;
    entry.counts[at] = (entry.counts[at] ?? 0) + 1;
    entry.sum += value;
  }

  text(): string {
    const { name } = this.#described;
    const lines: string[] = [];
    for (const [key, { labels, counts, sum }] of this.#values) {
      let total = 0;
      for (const [index, count] of counts.entries()) {
        total += count;
        const le = String(this.#bounds[index] ?? '+Inf');
        lines.push(`${name}_bucket${writeLabels({ ...labels, le })} ${total}`);
      }
      lines.push(`${name}_sum${key} ${sum}`, `${name}_count${key} ${total}`);
    }
    return writeSeries(this.#described, 'histogram', lines);
  }
}

/** A value of this moment. */
export function gauge(name: string, help: string, values: readonly (readonly [Labels, number])[]): string {
  return writeSeries(
    { name, help },
    'gauge',
    values.map(([labels, value]) => `${name}${writeLabels(labels)} ${value}`),
  );
}

function writeSeries({ name, help }: Described, type: string, lines: readonly string[]): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return [`# HELP ${name} ${escaped}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
