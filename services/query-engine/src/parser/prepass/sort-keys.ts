import { writeExpression } from './expressions.ts';
import { isKeyword, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { tokenAt, unsupported } from './statement.ts';

/** Writes the keys of an ORDER BY, each as a call that knows its direction. */
export function writeSortKeys(scope: Scope, span: Span): void {
  const { statement, draft } = scope;
  splitAtCommas(statement, span).forEach(({ from, to }, key) => {
    if (key > 0) draft.raw(',', from);
    if (isKeyword(statement, from, 'ALL')) {
      throw unsupported(statement, from, 'ORDER BY ALL', 'name the columns');
    }
    const first = isKeyword(statement, to - 1, 'FIRST');
    const nulls = isKeyword(statement, to - 2, 'NULLS') && (first || isKeyword(statement, to - 1, 'LAST'));
    const beforeNulls = nulls ? to - 2 : to;
    const descending = isKeyword(statement, beforeNulls - 1, 'DESC');
    const directed = descending || isKeyword(statement, beforeNulls - 1, 'ASC');
    const mark = {
      ...({ kind: 'SortKey', descending, nulls: nulls ? (first ? 'FIRST' : 'LAST') : null } as const),
      pos: tokenAt(statement, from).position,
    };
    draft.call(mark, from, () =>
      writeExpression(scope, { from, to: directed ? beforeNulls - 1 : beforeNulls }),
    );
  });
}
