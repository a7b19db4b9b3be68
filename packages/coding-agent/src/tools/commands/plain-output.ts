const ESCAPE = '\u001b';
const BELL = '\u0007';
const END = `(?:${BELL}|${ESCAPE}\\\\)`;

/** What makes terminals colour text, move the cursor or change their title. */
const CONTROL = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*${END}|[PX^_][^${ESCAPE}]*${END}|[ -/]*[0-OQ-WYZ\\\\\`-~])`,
  'g',
);
/** A sequence that has begun and not ended; a longer one is none. */
const UNFINISHED = new RegExp(`${ESCAPE}[^${ESCAPE}]{0,200}${ESCAPE}?$`);

/** Takes the control sequences of terminals out of an output that comes in pieces: they cost tokens, and tell the model nothing. */
export function plainOutput(): (piece: string) => string {
  let held = '';
  return (piece) => {
    // A NUL is no text to some providers and databases.
    const text = (held + piece).replace(CONTROL, '').replaceAll('\0', '');
    held = text.includes(ESCAPE) ? (UNFINISHED.exec(text)?.[0] ?? '') : '';
    return held === '' ? text : text.slice(0, -held.length);
  };
}
