import type { CaptureResult } from '../formats/capture-result.ts';
import type { TrialResult } from '../formats/trial-result.ts';

/** One case as CI systems show it. */
interface JunitCase {
  readonly name: string;
  readonly seconds: number;
  readonly problem?: {
    readonly kind: 'failure' | 'error';
    readonly type: string;
    readonly message: string;
    readonly text: string;
  };
}

/** Most of an output that a report repeats. */
const MAX_TEXT_CHARACTERS = 10_000;

/**
 * Collects results for a JUnit report. A case that its grader failed is a failure; one that did not come to its end, or could not be graded, is an error. A case of
 * trials fails when its pass rate is below `passRate`.
 */
export class JunitReport {
  readonly #name: string;
  readonly #passRate: number;
  readonly #cases: JunitCase[] = [];

  /** `passRate`: what a case of trials must reach. Default: 1. */
  constructor(name: string, { passRate = 1 }: { readonly passRate?: number } = {}) {
    this.#name = name;
    this.#passRate = passRate;
  }

  add(result: CaptureResult | TrialResult): void {
    this.#cases.push('trials' in result ? this.#ofTrials(result) : ofCapture(result));
  }

  toString(): string {
    const count = (kind: string): number => this.#cases.filter(({ problem }) => problem?.kind === kind).length;
    const seconds = this.#cases.reduce((sum, each) => sum + each.seconds, 0);
    const counts = `tests="${this.#cases.length}" failures="${count('failure')}" errors="${count('error')}" time="${seconds.toFixed(3)}"`;
    const cases = this.#cases.map((each) => writeCase(each, this.#name)).join('');
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n<testsuite name="${escapeXml(this.#name)}" ${counts}>\n${cases}</testsuite>\n</testsuites>\n`;
  }

  #ofTrials({ id, trials, passRate }: TrialResult): JunitCase {
    const seconds = trials.reduce((sum, { duration }) => sum + duration, 0) / 1000;
    const broken = trials.find(({ graderError }) => graderError !== undefined);
    if (broken)
      return {
        name: id,
        seconds,
        problem: { kind: 'error', type: 'grader', message: broken.graderError ?? '', text: '' },
      };
    if (passRate === undefined) {
      const failed = trials.find(({ failure }) => failure !== undefined);
      if (!failed) return { name: id, seconds };
      return {
        name: id,
        seconds,
        problem: { kind: 'error', type: failed.failure ?? '', message: failed.errors?.join(' ') ?? '', text: '' },
      };
    }
    if (passRate >= this.#passRate) return { name: id, seconds };
    const passed = trials.filter(({ pass }) => pass).length;
    const reasons = trials
      .filter(({ pass }) => !pass)
      .map(({ trialNum, reasoning = '' }) => `trial ${trialNum}: ${reasoning}`);
    const message = `${passed} of ${trials.length} trials passed`;
    return { name: id, seconds, problem: { kind: 'failure', type: 'pass_rate', message, text: reasons.join('\n') } };
  }
}

function ofCapture({ id, timing, failure, errors = [], graderError, score, output }: CaptureResult): JunitCase {
  const known = { name: id, seconds: timing.total / 1000 };
  if (failure !== undefined) {
    return { ...known, problem: { kind: 'error', type: failure, message: errors.join(' '), text: output } };
  }
  if (graderError !== undefined) {
    return { ...known, problem: { kind: 'error', type: 'grader', message: graderError, text: output } };
  }
  if (score?.pass !== false) return known;
  const message = score.reasoning ?? `score ${score.score}`;
  return { ...known, problem: { kind: 'failure', type: 'grade', message, text: output } };
}

function writeCase({ name, seconds, problem }: JunitCase, suite: string): string {
  const head = `<testcase name="${escapeXml(name)}" classname="${escapeXml(suite)}" time="${seconds.toFixed(3)}"`;
  if (!problem) return `${head}/>\n`;
  const { kind, type, message, text } = problem;
  const body = escapeXml(text.slice(0, MAX_TEXT_CHARACTERS));
  return `${head}><${kind} type="${escapeXml(type)}" message="${escapeXml(message)}">${body}</${kind}></testcase>\n`;
}

/** XML 1.0 has no way at all to write most control characters. */
function escapeXml(text: string): string {
  return text
    .replaceAll(FORBIDDEN, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
