/** Sends everything written to `process.stdout`, as by `console.log`, to stderr; returns how to undo it. */
export function guardStdout(): () => void {
  const { stdout } = process;
  const original = stdout.write;
  const redirected = ((...args: Parameters<typeof original>) =>
    Reflect.apply(process.stderr.write, process.stderr, args)) as typeof original;
  stdout.write = redirected;
  return () => {
    if (stdout.write === redirected) stdout.write = original;
  };
}
