import { parseAst } from 'rolldown/parseAst';

/** One small change that breaks the code: the text from `start` to `end` becomes `replacement`. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '+': '-',
  '-': '+',
  '&&': '||',
  '||': '&&',
};

/** All mutations of a TypeScript source, in the order of the text. Types, imports and errors' texts stay as they are. */
export function findMutations(source: string): readonly Mutation[] {
  const found: Mutation[] = [];
  const visit = (node: Node): void => {
    if (/^(TS|Import|Export(All|Named).*Source)/.test(node.type) && !isValueWrapper(node)) return;
    found.push(...mutate(node, source));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node);
  return found.toSorted((a, b) => a.start - b.start);
}

function mutate(node: Node, source: string): readonly Mutation[] {
  const { start, end } = node;
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return swapOperator(node, source);
    case 'UnaryExpression':
      return node.operator === '!' ? [{ start, end: start + 1, replacement: '' }] : [];
    case 'Literal':
      return typeof node.value === 'boolean' ? [{ start, end, replacement: String(!node.value) }] : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return [negate(node.test as Node, source)];
    case 'ExpressionStatement':
      return isCall(node.expression as Node) ? [{ start, end, replacement: ';' }] : [];
    default:
      return [];
  }
}

function swapOperator(node: Node, source: string): readonly Mutation[] {
  const replacement = OPPOSITES[node.operator as string];
  const left = node.left as Node;
  const right = node.right as Node;
  const start = source.indexOf(node.operator as string, left.end);
  if (replacement === undefined || start < 0 || start >= right.start) return [];
  // Text that is put together has no opposite.
  if (/^[+-]$/.test(node.operator as string) && [left, right].some(isText)) return [];
  return [{ start, end: start + (node.operator as string).length, replacement }];
}

function negate(test: Node, source: string): Mutation {
  const { start, end } = test;
  return { start, end, replacement: `!(${source.slice(start, end)})` };
}

function isText(node: Node): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

function isCall(node: Node): boolean {
  return node.type === 'CallExpression' || (node.type === 'AwaitExpression' && isCall(node.argument as Node));
}

/** `x as T`, `x!` and `x satisfies T` hold code. */
function isValueWrapper({ type }: Node): boolean {
  return type === 'TSAsExpression' || type === 'TSNonNullExpression' || type === 'TSSatisfiesExpression';
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value);
}
