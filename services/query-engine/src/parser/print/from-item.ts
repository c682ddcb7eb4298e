import type { AstFromItem, AstSample, Identifier } from '../ast.ts';
import { printList } from './lists.ts';
import { printColumns, printName } from './names.ts';
import type { Printer } from './printer.ts';

/** A FROM item. Joins lean left, so only a join on the right of another needs parentheses. */
export function printFromItem(item: AstFromItem, printer: Printer): string {
  switch (item.kind) {
    case 'TableName': {
      const schema = item.schema === null ? '' : `${printName(item.schema)}.`;
      const table = printName(item.table, item.schema === null ? 'anywhere' : 'afterDotOrAs');
      const index = item.index === null ? '' : `.${printName(item.index, 'afterDotOrAs')}`;
      return `${schema}${table}${index}${printAlias(item.alias, item.columnAliases)}${printSample(item.sample)}`;
    }
    case 'TableFunction': {
      const { name, ordinality } = item;
      const call = `${name}(${printList(item.arguments, printer)})${ordinality ? ' WITH ORDINALITY' : ''}`;
      return `${call}${printAlias(item.alias, item.columnAliases)}`;
    }
    case 'DerivedTable': {
      const lateral = item.lateral ? 'LATERAL ' : '';
      return `${lateral}(${printer.query(item.query)})${printAlias(item.alias, item.columnAliases)}`;
    }
    case 'Join': {
      const type = item.join === 'INNER' ? 'JOIN' : `${item.join} JOIN`;
      const right =
        item.right.kind === 'Join'
          ? `(${printFromItem(item.right, printer)})`
          : printFromItem(item.right, printer);
      return `${printFromItem(item.left, printer)} ${item.natural ? 'NATURAL ' : ''}${type} ${right}${printCondition(item, printer)}`;
    }
  }
}

function printCondition({ on, using }: Extract<AstFromItem, { kind: 'Join' }>, printer: Printer): string {
  if (on !== null) return ` ON ${printer.expression(on)}`;
  return using.length === 0 ? '' : ` USING${printColumns(using)}`;
}

function printSample(sample: AstSample | undefined): string {
  if (sample === undefined) return '';
  const repeatable = sample.seed === null ? '' : ` REPEATABLE (${sample.seed})`;
  return ` TABLESAMPLE ${sample.method} (${sample.percent})${repeatable}`;
}

const printAlias = (alias: Identifier | null, columns: readonly Identifier[]): string =>
  alias === null ? '' : ` AS ${printName(alias)}${printColumns(columns)}`;
