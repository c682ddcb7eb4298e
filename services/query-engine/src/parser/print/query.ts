import type {
  AstCte,
  AstGroupingElement,
  AstQuery,
  AstQueryBody,
  AstSelect,
  AstSelectItem,
  AstSetOperation,
  AstStarChanges,
  Identifier,
} from '../ast.ts';
import { printExpression, printList, printSortKeys } from './expression.ts';
import { printFromItem } from './from-item.ts';
import { printColumns, printName } from './names.ts';

/** A query with its WITH, ORDER BY, LIMIT and OFFSET, without parentheses around it. */
export function printQuery(query: AstQuery): string {
  const { with: ctes, recursive, body, orderBy, limit, offset } = query;
  const parts: string[] = [];
  if (ctes.length > 0) parts.push(`WITH ${recursive ? 'RECURSIVE ' : ''}${ctes.map(printCte).join(', ')}`);
  parts.push(printBody(body, 0));
  if (orderBy.length > 0) parts.push(`ORDER BY ${printSortKeys(orderBy)}`);
  if (limit !== null) parts.push(`LIMIT ${printExpression(limit)}`);
  if (offset !== null) parts.push(`OFFSET ${printExpression(offset)}`);
  return parts.join(' ');
}

const printCte = ({ name, columns, query }: AstCte): string =>
  `${printName(name)}${printColumns(columns)} AS (${printQuery(query)})`;

const setBinding = ({ operator }: AstSetOperation): number => (operator === 'INTERSECT' ? 2 : 1);

function printBody(body: AstQueryBody, binding: number): string {
  switch (body.kind) {
    case 'Query':
      return `(${printQuery(body)})`;
    case 'Values':
      return `VALUES ${body.rows.map((row) => `(${printList(row)})`).join(', ')}`;
    case 'SetOperation': {
      const own = setBinding(body);
      const operator = `${body.operator}${body.all ? ' ALL' : ''}`;
      const text = `${printBody(body.left, own)} ${operator} ${printBody(body.right, own + 1)}`;
      return own < binding ? `(${text})` : text;
    }
    case 'Select':
      return printSelect(body);
  }
}

function printSelect(select: AstSelect): string {
  const { distinct, items, from, where, groupBy, having, qualify } = select;
  const parts = [`SELECT ${printDistinct(distinct)}${items.map(printItem).join(', ')}`];
  if (from !== null) parts.push(`FROM ${printFromItem(from)}`);
  if (where !== null) parts.push(`WHERE ${printExpression(where)}`);
  if (groupBy.length > 0) parts.push(`GROUP BY ${groupBy.map(printGroupingElement).join(', ')}`);
  if (having !== null) parts.push(`HAVING ${printExpression(having)}`);
  if (qualify !== null) parts.push(`QUALIFY ${printExpression(qualify)}`);
  return parts.join(' ');
}

function printDistinct(distinct: AstSelect['distinct']): string {
  if (typeof distinct === 'boolean') return distinct ? 'DISTINCT ' : '';
  return `DISTINCT ON (${printList(distinct)}) `;
}

function printItem(item: AstSelectItem): string {
  if (item.kind === 'Star') {
    const star = [...item.qualifier.map((name) => printName(name)), '*'].join('.');
    return `${star}${printStarChanges(item.changes)}`;
  }
  const alias = item.alias === null ? '' : ` AS ${printName(item.alias, 'afterDotOrAs')}`;
  return `${printExpression(item.expression)}${alias}`;
}

function printStarChanges({ exclude, replace, rename }: AstStarChanges): string {
  const list = (word: string, parts: readonly string[]): string =>
    parts.length === 0 ? '' : ` ${word} (${parts.join(', ')})`;
  const as = (what: string, name: Identifier): string => `${what} AS ${printName(name, 'afterDotOrAs')}`;
  return (
    list(
      'EXCLUDE',
      exclude.map((column) => printName(column)),
    ) +
    list(
      'REPLACE',
      replace.map(({ expression, column }) => as(printExpression(expression), column)),
    ) +
    list(
      'RENAME',
      rename.map(({ column, to }) => as(printName(column), to)),
    )
  );
}

function printGroupingElement(element: AstGroupingElement): string {
  switch (element.kind) {
    case 'Expression':
      return printExpression(element.expression);
    case 'Set':
      return `(${printList(element.expressions)})`;
    case 'Rollup':
      return `ROLLUP (${printElements(element.elements)})`;
    case 'Cube':
      return `CUBE (${printElements(element.elements)})`;
    case 'GroupingSets':
      return `GROUPING SETS (${printElements(element.elements)})`;
  }
}

/** Each set in brackets, one of a single expression too. */
const printElements = (elements: readonly AstGroupingElement[]): string =>
  elements
    .map((element) =>
      element.kind === 'Expression'
        ? `(${printExpression(element.expression)})`
        : printGroupingElement(element),
    )
    .join(', ');
