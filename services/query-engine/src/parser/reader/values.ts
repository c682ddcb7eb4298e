import type { AstExpression, AstValues } from '../ast.ts';
import { next, take, type Cursor } from './cursor.ts';
import { readExpressionsInBrackets } from './lists.ts';
import { require, unexpected } from './refusals.ts';

/** Reads `VALUES (…), (…)`. */
export function readValues(cursor: Cursor): AstValues {
  const { position: pos } = next(cursor);
  cursor.at++;
  const rows: (readonly AstExpression[])[] = [];
  do {
    const row = cursor.at;
    require(cursor, '(');
    const values = readExpressionsInBrackets(cursor);
    const width = rows[0]?.length ?? values.length;
    if (values.length !== width) {
      throw unexpected(cursor, row, [], `every row needs ${width} values like the first`);
    }
    rows.push(values);
  } while (take(cursor, ','));
  return { kind: 'Values', rows, pos };
}
