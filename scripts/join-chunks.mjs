import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Puts what a program loads at its start into one file. esbuild makes a chunk of all that is also wanted by what is loaded
 * later, some forty of them for a command, and Node takes most of a millisecond for each file it opens. Here the program
 * takes these chunks in and exports what they did; those that a later chunk asks for stay, as names for the program.
 *
 * Takes a package's folder and the outputs of an esbuild metafile; returns the files that there are then. The program
 * becomes a script, with the packages that `carried` names, and is loaded by the module `loader`, which keeps what V8 has
 * compiled of it. Modules that `certain` names are in it too: they are imported later, but at every start, and each would
 * cost some files that are compiled anew. The program `starter` picks one of the others, and is required. A script has to export a function `run`: one that ran while it is loaded would wait for ever for whatever it
 * loads later, which waits for the program.
 */
export async function joinChunks(folder, outputs, { loader, carried, certain, starter }) {
  const program = Object.keys(outputs).find((path) => outputs[path].entryPoint && path.endsWith('.program.js'));
  const early = listEarly(outputs, program, certain);
  const own = outputs[program].exports;
  if (outputs[program].entryPoint === starter) return writeStarter(folder, program, starter);
  if (!own.includes('run')) return Object.keys(outputs);

  const wantedLater = early.filter((chunk) => isWantedLater(chunk, outputs, [program, ...early]));
  const exported = new Map(wantedLater.map((chunk) => [chunk, aliasExports(chunk, outputs)]));
  const joined = {
    absWorkingDir: folder,
    stdin: {
      contents: exportAll(program, exported, own),
      resolveDir: folder,
      sourcefile: 'joined.js',
    },
    bundle: true,
    platform: 'neutral',
    target: 'node20.19',
    sourcemap: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [
      takeIn({
        files: [program, ...early].map((path) => join(folder, path)),
        programFolder: dirname(join(folder, program)),
        carried,
      }),
    ],
  };
  const scripts = await writeScript(folder, program, joined, { loader, own });

  for (const chunk of early) {
    rmSync(join(folder, `${chunk}.map`));
    rmSync(join(folder, chunk));
  }
  for (const [chunk, aliases] of exported) {
    const from = pathBetween(dirname(chunk), program);
    writeFileSync(join(folder, chunk), readFrom(from, aliases));
  }
  const isGone = (path) => early.some((chunk) => path === `${chunk}.map` || (path === chunk && !exported.has(path)));
  return [...Object.keys(outputs).filter((path) => !isGone(path)), ...scripts];
}

/** Beside it a file with the program's name that loads it, and a module for what is loaded later. */
async function writeScript(folder, program, joined, { loader, own }) {
  const path = join(folder, program);
  const outfile = path.replace(/\.js$/, '.cjs');
  const wrapped = { banner: { js: '(function (module, require, __load) {' }, footer: { js: '})' } };
  const forScript = { format: 'cjs', mainFields: ['main'], charset: 'ascii' };
  await build({ ...joined, ...wrapped, ...forScript, outfile });
  const text = letLoad(readFileSync(outfile, 'utf8'));
  // Named by its text: what was compiled of another must never be taken for it.
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const named = outfile.replace(/\.program\.cjs$/, `-${hash}.cjs`);
  writeFileSync(named, text.replace(`${basename(outfile)}.map`, `${basename(named)}.map`));
  renameSync(`${outfile}.map`, `${named}.map`);
  await build({
    ...joined,
    stdin: {
      contents: `
        import { join } from 'node:path';
        import { loadScript } from ${pathBetween('.', loader)};
        const path = join(import.meta.dirname, '${basename(named)}');
        export const { ${own.join(', ')}, listLater } = loadScript(path, (specifier) => import(specifier));`,
      resolveDir: folder,
    },
    outfile,
    sourcemap: false,
    format: 'esm',
    define: { 'import.meta.dirname': '__dirname' },
    conditions: ['source'],
    minify: true,
    plugins: [leaveToNode()],
  });
  writeFileSync(outfile, asRequired(takeFromNode(readFileSync(outfile, 'utf8'))));
  rmSync(`${path}.map`);
  writeFileSync(
    path,
    `const { createRequire } = process.getBuiltinModule('node:module');
export const { ${own.join(', ')}, listLater } = createRequire(import.meta.url)('./${basename(outfile)}');\n`,
  );
  return [outfile, named, `${named}.map`].map((each) => relative(folder, each));
}

/**
 * What a command starts with, which picks one of its programs. Node takes a sixth of its own start to get its loader of
 * modules ready; a start without an import goes without it.
 */
async function writeStarter(folder, program, source) {
  const outfile = program.replace(/\.js$/, '.cjs');
  await build({
    absWorkingDir: folder,
    entryPoints: [source],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'neutral',
    target: 'node20.19',
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'import.meta.filename': '__filename' },
    supported: { 'dynamic-import': false },
    plugins: [requirePrograms()],
  });
  for (const path of [program, `${program}.map`]) rmSync(join(folder, path));
  return [outfile];
}

/** The programs beside this one, as they are required. */
function requirePrograms() {
  return {
    name: 'require-programs',
    setup({ onResolve }) {
      onResolve({ filter: /\.program\.ts$/ }, ({ path, kind }) =>
        kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.cjs'), external: true },
      );
    },
  };
}

/** A module as a file to be required. */
function asRequired(text) {
  const required = text.replace(/\bexport\{([^}]*)\};/, (_, names) => {
    return `module.exports={${names.replace(/([\w$]+) as ([\w$]+)/g, '$2:$1')}};`;
  });
  if (required === text || /\bexport\b/.test(required))
    throw new Error('The loader of a script exports in another way');
  return required;
}

/** Node's own modules stay imports, of which those that nobody uses go. */
function leaveToNode() {
  return {
    name: 'leave-to-node',
    setup({ onResolve }) {
      onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
    },
  };
}

/**
 * Whoever imports one of Node's modules reads all that it exports: of `node:fs` also its streams and promises, which take
 * as long to load as all of the program's loader.
 */
function takeFromNode(text) {
  const taken = text.replace(/\bimport\{([^}]*)\}from("node:[^"]+");/g, (_, names, module) => {
    return `const{${names.replaceAll(' as ', ':')}}=process.getBuiltinModule(${module});`;
  });
  if (/\bfrom"node:/.test(taken))
    throw new Error("An import of one of Node's modules is left in the loader of a script");
  return taken;
}

/** A script cannot import without a warning of Node, so its loader does it for it. */
function letLoad(text) {
  const loading = text.replaceAll(`import("${LATER}`, '__load("');
  if (/[^\w$.]import\(/.test(loading))
    throw new Error('A script may only import what it names: import() of a variable is left');
  return loading;
}

/** Before the name of what is loaded later, until it is left to the loader. */
const LATER = 'later:';

/** What a chunk exports, each with a name that no other has. */
export function aliasExports(chunk, outputs) {
  const prefix = basename(chunk, '.js').replace(/\W/g, '_');
  return outputs[chunk].exports.map((name) => ({ name, alias: `${prefix}_${name}` }));
}

/** What a program exports, and, named only when it is wanted, what its chunks did. */
export function exportAll(program, exported, own) {
  const imports = [...exported].map(([chunk, aliases]) => {
    return `import { ${write(aliases, ({ name, alias }) => `${name} as ${alias}`)} } from ${pathBetween('.', chunk)};`;
  });
  const all = write([...exported.values()].flat(), ({ alias }) => alias);
  return [
    ...imports,
    `export { ${own.join(', ')} } from ${pathBetween('.', program)};`,
    `export const listLater = () => ({ ${all} });`,
  ].join('\n');
}

export function readFrom(from, aliases) {
  const values = aliases.map(({ alias }) => `const ${alias} = program.${alias};\n`).join('');
  const names = write(aliases, ({ name, alias }) => `${alias} as ${name}`);
  return `import { listLater } from ${from};\nconst program = listLater();\n${values}export { ${names} };\n`;
}

function write(aliases, each) {
  return aliases.map(each).join(', ');
}

/** The chunks that are loaded with a program, before it runs, and those that are certain to be loaded then. */
export function listEarly(outputs, program, certain) {
  const early = new Set();
  const isCertain = ({ path }) => certain.includes(outputs[path]?.entryPoint);
  const visit = (path) => {
    for (const imported of outputs[path].imports.filter((each) => isAtOnce(each) || isCertain(each))) {
      if (early.has(imported.path) || outputs[imported.path] === undefined) continue;
      early.add(imported.path);
      visit(imported.path);
    }
  };
  visit(program);
  return [...early];
}

export function isWantedLater(chunk, outputs, early) {
  return Object.entries(outputs).some(([path, { imports }]) => {
    return !early.includes(path) && imports.some((imported) => imported.path === chunk);
  });
}

function isAtOnce({ kind, external }) {
  return kind === 'import-statement' && !external;
}

/** Bundles these files; whatever else they import stays an import, named as from the folder of the program. */
function takeIn({ files, programFolder, carried }) {
  return {
    name: 'take-in',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
        const isFile = path.startsWith('.');
        const target = resolve(resolveDir, path);
        const isLater = kind === 'dynamic-import' && !files.includes(target);
        if (!isLater && (carried.includes(path) || (isFile && resolveDir.includes('node_modules')))) return undefined;
        if (!isLater && isFile && files.includes(target)) return { path: target };
        const name = isFile ? JSON.parse(pathBetween(programFolder, target)) : path;
        return { path: isLater ? `${LATER}${name}` : name, external: true };
      });
      onLoad({ filter: /[\\/]chunks[\\/]/ }, ({ path }) => {
        if (!/\bimport\.meta\b/.test(readFileSync(path, 'utf8'))) return undefined;
        return { errors: [{ text: `${path} asks where it is, and would be moved: load it later, by import()` }] };
      });
    },
  };
}

/** As an import in quotes writes it. */
export function pathBetween(from, to) {
  const path = relative(from, to).replaceAll('\\', '/');
  return JSON.stringify(path.startsWith('.') ? path : `./${path}`);
}
