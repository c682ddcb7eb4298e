import type { AstExpression, AstQuery, AstSortKey } from '../../ast.ts';
import type { Dialect } from '../dialect.ts';
import { translateCall } from '../functions/translate-call.ts';
import { NoOfferError } from '../no-offer.ts';
import { added, checkDateSum, divided } from './arithmetic.ts';
import { mapTree } from './map-tree.ts';
import { castAs } from './types.ts';

/** Fields of EXTRACT that are the same everywhere. */
const FIELDS = new Set('YEAR QUARTER MONTH DAY HOUR MINUTE'.split(' '));

/**
 * The tree that says here what a tree says in a dialect: functions, types, quotients, where NULL sorts.
 * @throws NoOfferError where something has no equal here
 */
export function translateTree(query: AstQuery, dialect: Dialect): AstQuery {
  return mapTree(query, {
    expression: (node) => translated(node, dialect),
    sortKey: (key) => ordered(key, dialect),
    tableName: (name) => {
      // Elsewhere the first part is a project, database or catalog; here the last would be an index.
      if (name.index !== null) throw new NoOfferError('a table name of three parts');
      return name;
    },
  });
}

function translated(node: AstExpression, dialect: Dialect): AstExpression {
  switch (node.kind) {
    case 'FunctionCall':
      return translateCall(node, dialect.name);
    case 'Cast':
      return castAs(node, dialect);
    case 'Binary': {
      checkDateSum(node);
      const sum = added(node, dialect);
      return sum.kind === 'Binary' ? divided(sum, dialect) : sum;
    }
    case 'Extract':
      if (!FIELDS.has(node.field)) throw new NoOfferError(`EXTRACT of ${node.field}`);
      return node;
    default:
      return node;
  }
}

function ordered(key: AstSortKey, { nulls }: Dialect): AstSortKey {
  if (key.nulls !== null || nulls === 'low') return key;
  return { ...key, nulls: nulls === 'high' && key.descending ? 'FIRST' : 'LAST' };
}
