/** Passes when the hint is in the output, in upper or lower case. */
export function grade({ output, hint = '' }) {
  const pass = output.toLowerCase().includes(hint.toLowerCase());
  return { pass, score: pass ? 1 : 0, reasoning: pass ? 'The hint is there.' : `"${hint}" is not in the answer.` };
}
