import { isReserved } from '../keywords.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import type { Edit } from './duckdb-text.ts';

/** Operators that DuckDB does not read, or binds as something else, by ones that it takes for plain operators. */
const STAND_INS: ReadonlyMap<string, string> = new Map([
  // It is the arrow of a lambda there, and binds the least.
  ['->', '|->'],
  ['->>', '|->>'],
  ['#>', '|=>'],
  ['#>>', '|=>>'],
]);
/** For a question mark, which is a parameter there; what touches it becomes part of the operator, as it is of ours. */
const EXISTS = '|=';

/** Words after which an operand begins, though they may be names. */
const BEFORE_OPERANDS = new Set(['BETWEEN', 'ESCAPE', 'FIRST', 'GROUPS', 'NEXT', 'RANGE', 'ROWS', 'ZONE']);
const VALUES = new Set(['NULL', 'TRUE', 'FALSE', 'END']);

function endsOperand({ type, upper }: Token): boolean {
  if (type === 'operator') return upper === ')' || upper === ']';
  if (type === 'word') return VALUES.has(upper) || !(isReserved(upper) || BEFORE_OPERANDS.has(upper));
  return true;
}

/** Spells PostgreSQL's operators of documents, and `OPERATOR(pg_catalog.=)`, so that DuckDB reads them as we do. */
export function spellOperators(tokens: readonly Token[]): readonly Edit[] {
  const edits: Edit[] = [];
  let isAfterOperand = false;
  tokens.forEach((token, index) => {
    const { text, upper, position, end } = token;
    const isExists = text === '?' && isAfterOperand;
    isAfterOperand = !isExists && endsOperand(token);
    const standIn = isExists ? EXISTS : STAND_INS.get(upper);
    if (standIn !== undefined) edits.push({ from: position.offset, to: end, text: standIn });
    const dot = tokens[index + 1];
    const isQualifier =
      upper === 'PG_CATALOG' && dot?.upper === '.' && tokens[index - 2]?.upper === 'OPERATOR';
    if (isQualifier) edits.push({ from: position.offset, to: dot.end, text: '' });
  });
  return edits;
}

/** The same for a text of our own. */
export function spellPrintedOperators(sql: string): string {
  const edits = /->|#>|\?/.test(sql) ? spellOperators(tokenize(sql)) : [];
  return edits.reduceRight((text, { from, to, text: by }) => text.slice(0, from) + by + text.slice(to), sql);
}
