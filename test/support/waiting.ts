/** Far more than anything here takes, since other programs may keep the machine busy. */
const DEADLINE_MS = 60_000;

/** Fails rather than waits for ever, so that what hangs shows where; `what` may say how far it came. */
export async function until(what: string | (() => string), isSo: () => unknown): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) {
      const words = typeof what === 'string' ? what : what();
      throw new Error(`Still not so after ${DEADLINE_MS / 1000} s: ${words}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function withDeadline<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No end of ${what} within ${DEADLINE_MS / 1000} s.`)), DEADLINE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The size of a proof: what every change must pass, or what `PARLEY_ROUNDS` asks for. */
export function rounds(usual: number): number {
  const asked = Number(process.env.PARLEY_ROUNDS ?? usual);
  if (!Number.isSafeInteger(asked) || asked < 1) throw new Error('PARLEY_ROUNDS must be a whole number above 0.');
  return asked;
}
