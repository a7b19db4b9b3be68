/** Sends everything written to `process.stdout`, as by `console.log`, to stderr; returns how to undo it. */
export function guardStdout(): () => void {
  const { stdout, stderr } = process;
  const original = stdout.write;
  const redirected: typeof stdout.write = stderr.write.bind(stderr);
  stdout.write = redirected;
  return () => {
    if (stdout.write === redirected) stdout.write = original;
  };
}
