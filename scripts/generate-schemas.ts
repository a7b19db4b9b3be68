// Writes the JSON schemas that packages publish for editors, from the tables that check the same files.
//   npx tsx --conditions=source scripts/generate-schemas.ts           write the files
//   npx tsx --conditions=source scripts/generate-schemas.ts --check   exit 1 when a file is not what would be written
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { descriptionSchema } from '@parley/adapters';

const root = fileURLToPath(new URL('..', import.meta.url));
const SCHEMAS = [{ file: join(root, 'packages/adapters/schema/description.schema.json'), schema: descriptionSchema() }];

for (const { file, schema } of SCHEMAS) {
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else if (read(file) !== text) {
    console.error(`${relative(root, file)} is not current; run: npm run generate`);
    process.exitCode = 1;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
