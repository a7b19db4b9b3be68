/** Longest program that is read. */
const MAX_CHARS = 2000;

/**
 * Is this a jq program that only selects and calculates? It is read token by token; names must be pure functions, keys of objects or variables
 * of the line. All else asks: jq reads the environment, modules and other files.
 */
export function isFilterInJq(program: string | undefined): boolean {
  if (program === undefined || program.length > MAX_CHARS) return false;
  let before = '';
  const open: string[] = [];
  for (let at = 0; at < program.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(program)?.[0];
    if (token === undefined) return false;
    at += token.length;
    if (/^\s+$/.test(token)) continue;
    if (token.startsWith('"') && !interpolationsOf(token).every(isFilterInJq)) return false;
    const isInObject = open.at(-1) === '{' && /^[{,]$/.test(before);
    if (/^[A-Za-z_]/.test(token) && !FUNCTIONS.has(token) && !(isInObject && isKey(program.slice(at)))) return false;
    if (/^[([{]$/.test(token)) open.push(token);
    if (/^[)\]}]$/.test(token)) open.pop();
    before = token;
  }
  return true;
}

/** The programs in a string: `"\\(.name): \\(.version)"`. */
function interpolationsOf(string: string): readonly string[] {
  return Array.from(string.matchAll(/\\\(([^()"\\]*)\)/g), ([, program = '']) => program);
}

/** `{name: .a}` and `{name, version}`; in brackets `.[name:]` is a function. */
function isKey(rest: string): boolean {
  return /^\s*(?::(?!:)|[,}])/.test(rest);
}

/** A program in a string has no parentheses and strings of its own; a variable is not `$ENV` or one with two underscores. */
const TOKEN =
  /\s+|"(?:[^"\\]|\\["\\/bfnrtu]|\\\([^()"\\]*\))*"|\d+(?:\.\d+)?|\.\.|\.[A-Za-z_]\w*|\$(?!ENV\b|__)[A-Za-z]\w*|@(?:text|json|csv|tsv|html|uri|sh|base64d?)\b|[A-Za-z_]\w*|\/\/=?|[|=!<>]=|\?\/\/|[-+*/%]=|[.|,:;()[\]{}?+\-*/%<>=]/y;
const FUNCTIONS = new Set(
  (
    'length utf8bytelength not keys keys_unsorted values has in contains inside path paths leaf_paths del to_entries from_entries with_entries ' +
    'select map map_values empty error add any all flatten range floor ceil round sqrt pow log exp tostring tonumber type infinite nan isnan ' +
    'isnormal isinfinite sort sort_by group_by min max min_by max_by unique unique_by reverse startswith endswith combinations ltrimstr rtrimstr ' +
    'trim ltrim rtrim explode implode split splits join ascii_downcase ascii_upcase recurse transpose first last nth until while repeat limit ' +
    'test match capture scan sub gsub ascii tojson fromjson todate fromdate now dateadd datesub date strftime strptime mktime gmtime localtime ' +
    'indices index rindex getpath setpath delpaths pick walk objects iterables booleans numbers strings nulls arrays scalars abs toarray ' +
    'have_literal_numbers if then elif else end and or true false null as reduce foreach try catch label break'
  ).split(' '),
);
