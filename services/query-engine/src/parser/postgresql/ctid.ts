/**
 * PostgreSQL's `ctid`, by which programs split a table among tasks: `ctid BETWEEN '(0,0)' AND '(511,0)'`. The place of a row has a
 * text, which is shown, and a number, in whose order rows are; what is compared with constants, and what is sorted by, is
 * the number.
 *
 * Source: PostgreSQL's documentation, "System Columns" and "Object Identifier Types" (tid: block and offset).
 */
import type { AstExpression, AstQuery, AstSortKey } from '../ast.ts';

type Of<Kind> = Extract<AstExpression, { readonly kind: Kind }>;
type Comparison = Extract<Of<'Binary'>['operator'], '=' | '<' | '<=' | '>' | '>='>;

/** Columns of a row's place, as a number and as it is shown, which is its name in statements. */
export const CTID_COLUMNS = Object.freeze({ number: '$ctid', shown: 'ctid' });

/** The type of such a number: no statement can name it. */
export const CTID_TYPE = 'ctid';

const COMPARED: ReadonlySet<string> = new Set([
  ...['=', '<>', '<', '<=', '>', '>='],
  ...['IS DISTINCT FROM', 'IS NOT DISTINCT FROM'],
]);
const EQUALITIES: ReadonlySet<string> = new Set(['=', '<>', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM']);
/** Functions that go by an order, which the text has not. */
const ORDERED: ReadonlySet<string> = new Set(['MIN', 'MAX', 'GREATEST', 'LEAST']);

function isCtid(node: AstExpression): node is Of<'Name'> {
  if (node.kind !== 'Name') return false;
  const last = node.path.at(-1);
  if (last?.kind !== 'Name') return false;
  const { name, quoted } = last.identifier;
  return quoted ? name === CTID_COLUMNS.shown : name.toLowerCase() === CTID_COLUMNS.shown;
}

/** The name with another column in its end, as it is spelled. */
function withColumn(node: Of<'Name'>, name: string): Of<'Name'> {
  const last = { kind: 'Name', identifier: { name, quoted: true, pos: node.pos } } as const;
  return { ...node, path: [...node.path.slice(0, -1), last] };
}

const numberOf = (node: Of<'Name'>): Of<'Name'> => withColumn(node, CTID_COLUMNS.number);

/** What is known when a statement is bound. */
function isConstant(node: AstExpression): boolean {
  if (node.kind === 'Cast') return isConstant(node.operand);
  return node.kind === 'StringLiteral' || node.kind === 'Parameter' || node.kind === 'NullLiteral';
}

/** The number of a constant; of anything else the binder says that it is none. */
function numbered(node: AstExpression): AstExpression {
  if (node.kind === 'NullLiteral' || (node.kind === 'Cast' && node.type === CTID_TYPE)) return node;
  const operand = node.kind === 'Cast' && node.type === 'TID' ? node.operand : node;
  return { kind: 'Cast', operand, type: CTID_TYPE, tryCast: false, pos: node.pos };
}

function compared(node: Of<'Binary'>): AstExpression {
  const { operator, left, right } = node;
  if (!COMPARED.has(operator) || (!isCtid(left) && !isCtid(right))) return node;
  if (isCtid(left) && isCtid(right)) return { ...node, left: numberOf(left), right: numberOf(right) };
  // Whether two are the same, their texts say as well.
  if (EQUALITIES.has(operator) && !isConstant(isCtid(left) ? right : left)) return node;
  const side = (one: AstExpression): AstExpression => (isCtid(one) ? numberOf(one) : numbered(one));
  return { ...node, left: side(left), right: side(right) };
}

function between(node: Of<'Between'>): AstExpression {
  const { operand, low, high, negated, pos } = node;
  if (!isCtid(operand)) return node;
  const bound = (operator: Comparison, right: AstExpression): AstExpression =>
    compared({ kind: 'Binary', operator, left: operand, right, pos });
  const within = { kind: 'And', operands: [bound('>=', low), bound('<=', high)], pos } as const;
  return negated ? { kind: 'Not', operand: within, pos } : within;
}

function among(node: Of<'InList'>): AstExpression {
  const { operand, values } = node;
  if (!isCtid(operand) || !values.every(isConstant)) return node;
  return { ...node, operand: numberOf(operand), values: values.map(numbered) };
}

function quantified(node: Of<'QuantifiedList'>): AstExpression {
  const { operand, list: written, pos } = node;
  if (!isCtid(operand)) return node;
  const list = written.kind === 'Cast' && written.type.endsWith('[]') ? written.operand : written;
  const isWritten = list.kind === 'FunctionCall' && list.name === 'LIST_VALUE';
  if (isWritten ? !list.arguments.every(isConstant) : !isConstant(list)) return node;
  const typed = { kind: 'Cast', operand: list, type: `${CTID_TYPE}[]`, tryCast: false, pos } as const;
  return { ...node, operand: numberOf(operand), list: typed };
}

function called(node: Of<'FunctionCall'>): AstExpression {
  if (!ORDERED.has(node.name) || !node.arguments.some(isCtid)) return node;
  return {
    ...node,
    arguments: node.arguments.map((argument) => (isCtid(argument) ? numbered(argument) : argument)),
  };
}

/** An order by the place of an item in the SELECT list, or by its alias, is one by what the item is. */
function sorted(query: AstQuery): AstQuery {
  const { body, orderBy } = query;
  if (body.kind !== 'Select' || orderBy.length === 0) return query;
  const { items } = body;
  const itemOf = ({ expression: by }: AstSortKey) => {
    if (by.kind === 'NumberLiteral') return items[Number(by.text) - 1];
    const [step, ...others] = by.kind === 'Name' ? by.path : [];
    if (step?.kind !== 'Name' || others.length > 0) return undefined;
    const { name } = step.identifier;
    return items.find((item) => item.kind === 'Expression' && item.alias?.name === name);
  };
  const keys = orderBy.map((key) => {
    const item = itemOf(key);
    if (item?.kind !== 'Expression' || !isCtid(item.expression)) return key;
    return { ...key, expression: numberOf(item.expression) };
  });
  return keys.every((key, at) => key === orderBy[at]) ? query : { ...query, orderBy: keys };
}

/** A sort key whose expression is written out already. */
export const keyByCtid = (key: AstSortKey): AstSortKey =>
  isCtid(key.expression) ? { ...key, expression: numberOf(key.expression) } : key;

/** Steps of a path have kinds, too. */
const hasKind = (node: object): node is AstExpression | AstQuery => 'kind' in node && 'pos' in node;

/** Any other node whose parts are written out already. */
export function byCtid(node: object): object {
  if (!hasKind(node)) return node;
  switch (node.kind) {
    case 'Name':
      return isCtid(node) ? withColumn(node, CTID_COLUMNS.shown) : node;
    case 'Binary':
      return compared(node);
    case 'Between':
      return between(node);
    case 'InList':
      return among(node);
    case 'QuantifiedList':
      return quantified(node);
    case 'FunctionCall':
      return called(node);
    case 'Cast':
      return node.type === 'TID' && isCtid(node.operand) ? node.operand : node;
    case 'Query':
      return sorted(node);
    default:
      return node;
  }
}
