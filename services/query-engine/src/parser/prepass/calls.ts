import { syntaxError } from '../errors.ts';
import { writeExpression } from './expressions.ts';
import { writeFunctionSuffixes } from './windows.ts';
import { findKeyword, inside, isKeyword, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { writeSortKeys } from './sort-keys.ts';
import { tokenAt, unexpected, unsupported, upperAt } from './statement.ts';

/** Writes an ordinary function call with what may follow it, from its name on; returns the index after it. */
export function writeCall(scope: Scope, index: number): number {
  const { statement, draft } = scope;
  const { upper: name, position: pos } = tokenAt(statement, index);
  const { from, to } = inside(statement, index + 1);
  const quantified = isKeyword(statement, from, 'DISTINCT', 'ALL');
  const distinct = isKeyword(statement, from, 'DISTINCT');
  const start = quantified ? from + 1 : from;
  const order = findKeyword(statement, { from: start, to }, 'ORDER');
  const operands: Span = { from: start, to: order < 0 ? to : order };
  const star = upperAt(statement, operands.from) === '*' && operands.to === operands.from + 1;
  if (star && quantified) throw unexpected(statement, operands.from, ['an expression']);
  refuseQualifiedStar(scope, operands);
  checkCount(scope, index, name, operands);

  draft.call({ kind: 'Function', name, distinct, star, pos }, index, () => {
    if (!star && (operands.from < operands.to || quantified)) {
      splitAtCommas(statement, operands).forEach((part, argument) => {
        if (argument > 0) draft.raw(',', part.from);
        writeExpression(scope, part);
      });
    }
    if (order >= 0) {
      if (operands.from === operands.to) throw unexpected(statement, order, ['an expression']);
      if (!star) draft.raw(',', order);
      if (upperAt(statement, order + 1) !== 'BY') throw unexpected(statement, order + 1, ['BY']);
      writeSortKeys(scope, { from: order + 2, to });
    }
  });
  return writeFunctionSuffixes(scope, to + 1);
}

/** Calls whose arguments DuckDB counts while it parses: so it cannot read them as a judge. */
const COUNTED: Readonly<Record<string, { readonly min: number; readonly max: number }>> = {
  IF: { min: 3, max: 3 },
  IFNULL: { min: 2, max: 2 },
  NULLIF: { min: 2, max: 2 },
  COALESCE: { min: 1, max: Infinity },
};

function checkCount({ statement }: Scope, index: number, name: string, operands: Span): void {
  const allowed = Object.hasOwn(COUNTED, name) ? COUNTED[name] : undefined;
  const given = operands.from < operands.to ? splitAtCommas(statement, operands).length : 0;
  if (allowed === undefined || (given >= allowed.min && given <= allowed.max)) return;
  const { position } = tokenAt(statement, index);
  const wanted = allowed.max === Infinity ? 'at least 1 argument' : `${allowed.min} arguments`;
  throw syntaxError('parse', statement.sql, position, `${name} takes ${wanted}, not ${given}`);
}

function refuseQualifiedStar(scope: Scope, { from, to }: Span): void {
  const { statement } = scope;
  const isStar = upperAt(statement, to - 1) === '*' && upperAt(statement, to - 2) === '.';
  if (isStar) throw unsupported(statement, from, 'a function of all columns of a table', 'name the columns');
}
