import type { AstFromItem, Identifier } from '../ast.ts';
import { printExpression, printList } from './expression.ts';
import { printColumns, printName } from './names.ts';
import { printQuery } from './query.ts';

/** A FROM item. Joins lean left, so only a join on the right of another needs parentheses. */
export function printFromItem(item: AstFromItem): string {
  switch (item.kind) {
    case 'TableName': {
      const schema = item.schema === null ? '' : `${printName(item.schema)}.`;
      const table = printName(item.table, item.schema === null ? 'anywhere' : 'afterDotOrAs');
      return `${schema}${table}${printAlias(item.alias, item.columnAliases)}`;
    }
    case 'TableFunction': {
      const { name, ordinality } = item;
      const call = `${name}(${printList(item.arguments)})${ordinality ? ' WITH ORDINALITY' : ''}`;
      return `${call}${printAlias(item.alias, item.columnAliases)}`;
    }
    case 'DerivedTable': {
      const lateral = item.lateral ? 'LATERAL ' : '';
      return `${lateral}(${printQuery(item.query)})${printAlias(item.alias, item.columnAliases)}`;
    }
    case 'Join': {
      const type = item.join === 'INNER' ? 'JOIN' : `${item.join} JOIN`;
      const right = item.right.kind === 'Join' ? `(${printFromItem(item.right)})` : printFromItem(item.right);
      return `${printFromItem(item.left)} ${item.natural ? 'NATURAL ' : ''}${type} ${right}${printCondition(item)}`;
    }
  }
}

function printCondition({ on, using }: Extract<AstFromItem, { kind: 'Join' }>): string {
  if (on !== null) return ` ON ${printExpression(on)}`;
  return using.length === 0 ? '' : ` USING${printColumns(using)}`;
}

const printAlias = (alias: Identifier | null, columns: readonly Identifier[]): string =>
  alias === null ? '' : ` AS ${printName(alias)}${printColumns(columns)}`;
