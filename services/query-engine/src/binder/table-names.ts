/** Which tables a statement names: what to ask the catalog for before binding. */
import { foldCase } from '../catalog/name-index.ts';
import type {
  AstCte,
  AstExpression,
  AstFromItem,
  AstGroupingElement,
  AstQuery,
  AstQueryBody,
  AstSelect,
  Identifier,
  Position,
} from '../parser/ast.ts';
import { astChildren } from './walk-ast.ts';

/** A table as the statement names it. */
export interface TableName {
  /** Null where unqualified. */
  readonly schema: Identifier | null;
  readonly table: Identifier;
  /** Null: the table itself. */
  readonly index: Identifier | null;
  /** Where it is named first. */
  readonly pos: Position;
}

/** Equal for names that mean the same table, or the same index of it. */
export function tableNameKey({ schema, table, index }: Omit<TableName, 'pos'>): string {
  const ofIndex = index === null ? [] : [index.name, index.quoted];
  return JSON.stringify([
    schema === null ? null : foldCase(schema.name),
    table.name,
    table.quoted,
    ...ofIndex,
  ]);
}

/** The last of these names that the identifier means: exactly first, then, unless quoted, whatever the case. */
export function lastNamed<T extends { readonly name: string }>(
  named: readonly T[],
  identifier: Identifier,
): T | undefined {
  const exact = named.findLast(({ name }) => name === identifier.name);
  if (exact !== undefined || identifier.quoted) return exact;
  return named.findLast(({ name }) => foldCase(name) === foldCase(identifier.name));
}

type Ctes = readonly { readonly name: string }[];

function groupingExpressions(element: AstGroupingElement): readonly AstExpression[] {
  switch (element.kind) {
    case 'Expression':
      return [element.expression];
    case 'Set':
      return element.expressions;
    case 'Rollup':
    case 'Cube':
    case 'GroupingSets':
      return element.elements.flatMap(groupingExpressions);
  }
}

function expressionsOfSelect(select: AstSelect): readonly AstExpression[] {
  const conditions = [select.where, select.having, select.qualify].filter((condition) => condition !== null);
  return [
    ...(typeof select.distinct === 'boolean' ? [] : select.distinct),
    ...select.items.flatMap((item) => (item.kind === 'Expression' ? [item.expression] : [])),
    ...conditions,
    ...select.groupBy.flatMap(groupingExpressions),
  ];
}

/**
 * The tables named anywhere in the statement, each once, in order of appearance. Names of common table expressions are
 * left out where these are in scope.
 */
export function tablesNamed(query: AstQuery): readonly TableName[] {
  const found = new Map<string, TableName>();
  walkNames(query, [], (item, cte) => {
    const key = tableNameKey(item);
    if (cte !== undefined || found.has(key)) return;
    found.set(key, { schema: item.schema, table: item.table, index: item.index, pos: item.pos });
  });
  return [...found.values()];
}

/** Whether a common table expression of WITH RECURSIVE is in its own scope for a reason. */
export function namesItself({ name, query }: AstCte): boolean {
  const itself = { name: name.name };
  let found = false;
  walkNames(query, [itself], (_, cte) => {
    found ||= cte === itself;
  });
  return found;
}

/** Visits each name in a FROM with the common table expression that it means, if it means one. */
function walkNames(
  query: AstQuery,
  known: Ctes,
  visit: (item: Extract<AstFromItem, { readonly kind: 'TableName' }>, cte: Ctes[number] | undefined) => void,
): void {
  const inExpression = (node: AstExpression, ctes: Ctes): void => {
    const children = astChildren(node);
    for (const child of children.expressions) inExpression(child, ctes);
    if (children.query !== null) inQuery(children.query, ctes);
  };

  const inFrom = (item: AstFromItem, ctes: Ctes): void => {
    if (item.kind === 'Join') {
      inFrom(item.left, ctes);
      inFrom(item.right, ctes);
      if (item.on !== null) inExpression(item.on, ctes);
    } else if (item.kind === 'DerivedTable') {
      inQuery(item.query, ctes);
    } else if (item.kind === 'TableFunction') {
      for (const argument of item.arguments) inExpression(argument, ctes);
    } else {
      visit(item, item.schema === null ? lastNamed(ctes, item.table) : undefined);
    }
  };

  const inBody = (body: AstQueryBody, ctes: Ctes): void => {
    if (body.kind === 'Query') inQuery(body, ctes);
    else if (body.kind === 'Values')
      for (const row of body.rows) for (const value of row) inExpression(value, ctes);
    else if (body.kind === 'SetOperation') {
      inBody(body.left, ctes);
      inBody(body.right, ctes);
    } else {
      if (body.from !== null) inFrom(body.from, ctes);
      for (const node of expressionsOfSelect(body)) inExpression(node, ctes);
    }
  };

  const inQuery = (inner: AstQuery, outer: Ctes): void => {
    let ctes = outer;
    for (const cte of inner.with) {
      const own = [...ctes, { name: cte.name.name }];
      inQuery(cte.query, inner.recursive ? own : ctes);
      ctes = own;
    }
    inBody(inner.body, ctes);
    for (const { expression } of inner.orderBy) inExpression(expression, ctes);
  };

  inQuery(query, known);
}
