import { findKeyword, inside } from './scan.ts';
import type { Scope } from './scope.ts';
import { tokenAt, unexpected } from './statement.ts';
import { writeExpression } from './expressions.ts';

/** Writes CASE … END; the grammar itself arranges its branches. Returns the index after END. */
export function writeCase(scope: Scope, index: number): number {
  const { statement, draft } = scope;
  const { from, to } = inside(statement, index);
  const place = { kind: 'CasePlace', pos: tokenAt(statement, index).position } as const;
  draft.operator(place, index);
  draft.native(index, () => {
    draft.raw('CASE', index);
    let at = findKeyword(statement, { from, to }, 'WHEN', 'THEN', 'ELSE');
    if (at < 0) throw unexpected(statement, to, ['WHEN']);
    if (at > from) writeExpression(scope, { from, to: at });
    while (at >= 0 && at < to) {
      const next = findKeyword(statement, { from: at + 1, to }, 'WHEN', 'THEN', 'ELSE');
      const end = next < 0 ? to : next;
      draft.raw(tokenAt(statement, at).upper, at);
      writeExpression(scope, { from: at + 1, to: end });
      at = next;
    }
    draft.raw('END', to);
  });
  return to + 1;
}
