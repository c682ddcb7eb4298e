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
import { printFromItem } from './from-item.ts';
import { printList, printSortKeys } from './lists.ts';
import { printColumns, printName } from './names.ts';
import type { Printer } from './printer.ts';

/** A query with its WITH, ORDER BY, LIMIT and OFFSET, without parentheses around it. */
export function printQuery(query: AstQuery, printer: Printer): string {
  const { with: ctes, recursive, body, orderBy, limit, offset } = query;
  const parts: string[] = [];
  if (ctes.length > 0)
    parts.push(
      `WITH ${recursive ? 'RECURSIVE ' : ''}${ctes.map((cte) => printCte(cte, printer)).join(', ')}`,
    );
  parts.push(printBody(body, 0, printer));
  if (orderBy.length > 0) parts.push(`ORDER BY ${printSortKeys(orderBy, printer)}`);
  if (limit !== null) parts.push(`LIMIT ${printer.expression(limit)}`);
  if (offset !== null) parts.push(`OFFSET ${printer.expression(offset)}`);
  return parts.join(' ');
}

const printCte = ({ name, columns, query }: AstCte, printer: Printer): string =>
  `${printName(name)}${printColumns(columns)} AS (${printer.query(query)})`;

const setBinding = ({ operator }: AstSetOperation): number => (operator === 'INTERSECT' ? 2 : 1);

function printBody(body: AstQueryBody, binding: number, printer: Printer): string {
  switch (body.kind) {
    case 'Query':
      return `(${printer.query(body)})`;
    case 'Values':
      return `VALUES ${body.rows.map((row) => `(${printList(row, printer)})`).join(', ')}`;
    case 'SetOperation': {
      const own = setBinding(body);
      const operator = `${body.operator}${body.all ? ' ALL' : ''}`;
      const text = `${printBody(body.left, own, printer)} ${operator} ${printBody(body.right, own + 1, printer)}`;
      return own < binding ? `(${text})` : text;
    }
    case 'Select':
      return printSelect(body, printer);
  }
}

function printSelect(select: AstSelect, printer: Printer): string {
  const { distinct, items, from, where, groupBy, having, qualify } = select;
  const parts = [
    `SELECT ${printDistinct(distinct, printer)}${items.map((item) => printItem(item, printer)).join(', ')}`,
  ];
  if (from !== null) parts.push(`FROM ${printFromItem(from, printer)}`);
  if (where !== null) parts.push(`WHERE ${printer.expression(where)}`);
  if (groupBy.length > 0)
    parts.push(`GROUP BY ${groupBy.map((element) => printGroupingElement(element, printer)).join(', ')}`);
  if (having !== null) parts.push(`HAVING ${printer.expression(having)}`);
  if (qualify !== null) parts.push(`QUALIFY ${printer.expression(qualify)}`);
  return parts.join(' ');
}

function printDistinct(distinct: AstSelect['distinct'], printer: Printer): string {
  if (typeof distinct === 'boolean') return distinct ? 'DISTINCT ' : '';
  return `DISTINCT ON (${printList(distinct, printer)}) `;
}

function printItem(item: AstSelectItem, printer: Printer): string {
  if (item.kind === 'Star') {
    const star = [...item.qualifier.map((name) => printName(name)), '*'].join('.');
    return `${star}${printStarChanges(item.changes, printer)}`;
  }
  const alias = item.alias === null ? '' : ` AS ${printName(item.alias, 'afterDotOrAs')}`;
  return `${printer.expression(item.expression)}${alias}`;
}

function printStarChanges({ exclude, replace, rename }: AstStarChanges, printer: Printer): string {
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
      replace.map(({ expression, column }) => as(printer.expression(expression), column)),
    ) +
    list(
      'RENAME',
      rename.map(({ column, to }) => as(printName(column), to)),
    )
  );
}

function printGroupingElement(element: AstGroupingElement, printer: Printer): string {
  switch (element.kind) {
    case 'Expression':
      return printer.expression(element.expression);
    case 'Set':
      return `(${printList(element.expressions, printer)})`;
    case 'Rollup':
      return `ROLLUP (${printElements(element.elements, printer)})`;
    case 'Cube':
      return `CUBE (${printElements(element.elements, printer)})`;
    case 'GroupingSets':
      return `GROUPING SETS (${printElements(element.elements, printer)})`;
  }
}

/** Each set in brackets, one of a single expression too. */
const printElements = (elements: readonly AstGroupingElement[], printer: Printer): string =>
  elements
    .map((element) =>
      element.kind === 'Expression'
        ? `(${printer.expression(element.expression)})`
        : printGroupingElement(element, printer),
    )
    .join(', ');
