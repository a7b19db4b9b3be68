import { openStore } from '../open-store.ts';

/**
 * Appends to some sessions as fast as it can and reports each acknowledgement on stdout, until it is killed.
 * Usage: append-until-killed <place> <run> <sessions>
 */
const [place = '', run = '', sessions = '1'] = process.argv.slice(2);
const log = openStore(place).log();

const report = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

report('start');
await Promise.all(Array.from({ length: Number(sessions) }, (_, index) => appendTo(`session-${index}`)));

async function appendTo(id: string): Promise<void> {
  // Another process may be making it too.
  if (!(await log.get(id))) await log.create({ id, cwd: '/proj' }).catch(() => {});
  report(`open ${id} ${await log.head(id)}`);
  for (let batch = 0; ; batch++) {
    const key = `${run}.${batch}`;
    const size = 1 + (batch % 3);
    const events = Array.from({ length: size }, (_, index) => ({ kind: 'event', body: { key, index, size } }));
    const { first, last } = await log.append(id, events, { once: { key } });
    report(`ack ${id} ${key} ${first} ${last}`);
  }
}
