/** A word, or several in quotes. */
const WORD = /"([^"]*)"|'([^']*)'|(\S+)/g;

/**
 * Puts what a person wrote after a command's name into its prompt: all of it for `$ARGUMENTS`, its words for `$1` to `$9`. A prompt that
 * asks for neither gets it at its end.
 */
export function fillArguments(prompt: string, input: string): string {
  const words = [...input.matchAll(WORD)].map(([, double, single, word]) => double ?? single ?? word ?? '');
  let isUsed = false;
  const filled = prompt.replace(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_, name: string) => {
    isUsed = true;
    return name === 'ARGUMENTS' ? input : (words[Number(name) - 1] ?? '');
  });
  return isUsed || input === '' ? filled : `${filled}\n\n${input}`;
}
