/** Where things of a report are: in the same file, or in files beside it. */
export interface Links {
  /** The case, from the front page; undefined where there are none. */
  caseFromFront(task: number): string | undefined;
  /** One attempt, from the front page. */
  attemptFromFront(task: number, run: number, attempt: number): string | undefined;
  /** Another case, from the page of a case. */
  caseFromCase(task: number): string;
  /** The front page, from that of a case. */
  front(anchor: string): string;
}

/** Ids within the page, of numbers alone: those of tasks may hold anything. */
export function attemptAnchor(task: number, run: number, attempt: number): string {
  return `case-${task + 1}-run-${run + 1}-try-${attempt}`;
}

export function caseAnchor(task: number): string {
  return `case-${task + 1}`;
}

export function caseFile(task: number): string {
  return `${caseAnchor(task)}.html`;
}

export const SINGLE_FILE: Links = {
  caseFromFront: (task) => `#${caseAnchor(task)}`,
  attemptFromFront: (task, run, attempt) => `#${attemptAnchor(task, run, attempt)}`,
  caseFromCase: (task) => `#${caseAnchor(task)}`,
  front: (anchor) => `#${anchor}`,
};

export const SPLIT: Links = {
  caseFromFront: (task) => `cases/${caseFile(task)}`,
  attemptFromFront: (task, run, attempt) => `cases/${caseFile(task)}#${attemptAnchor(task, run, attempt)}`,
  caseFromCase: (task) => caseFile(task),
  front: (anchor) => `../index.html#${anchor}`,
};

/** A report on numbers alone leads nowhere. */
export const NO_CASES: Links = {
  ...SINGLE_FILE,
  caseFromFront: () => undefined,
  attemptFromFront: () => undefined,
};
