import type { AstExpression, Position } from '../ast.ts';
import { ParserInternalError } from '../errors.ts';
import { writeExpression } from './expressions.ts';
import { writeQueryArgument } from './queries.ts';
import { findKeyword, holdsQuery, inside, isKeyword, splitAtCommas, type Span } from './scan.ts';
import type { Scope } from './scope.ts';
import { tokenAt, unexpected, unsupported, upperAt } from './statement.ts';
import { readType } from './types.ts';

/** Writes a form that starts at an index, from its word on, and returns the index after it. */
type WriteForm = (scope: Scope, index: number, span: Span) => number;

const FORMS: Readonly<Record<string, WriteForm>> = {
  CAST: writeCast,
  TRY_CAST: writeCast,
  EXTRACT: writeExtract,
  SUBSTRING: writeSubstring,
  POSITION: writePosition,
  TRIM: writeTrim,
  OVERLAY: (scope, index) => {
    throw unsupported(scope.statement, index, 'OVERLAY', 'write SUBSTRING and ||');
  },
};
/** Functions of the standard that are called without parentheses. */
const BARE_FUNCTIONS = new Set([
  ...['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP', 'LOCALTIME', 'LOCALTIMESTAMP'],
]);

/** Writes EXISTS, CAST, EXTRACT and the other forms that are no plain calls, if one stands here. */
export function writeSpecialForm(scope: Scope, index: number): number | undefined {
  const { statement, draft } = scope;
  const { upper, position: pos } = tokenAt(statement, index);
  const opening = index + 1;
  if (
    BARE_FUNCTIONS.has(upper) &&
    upperAt(statement, opening) !== '(' &&
    upperAt(statement, opening) !== '.'
  ) {
    draft.operand({ kind: 'Leaf', expression: plainCall(upper, [], pos) }, index);
    return opening;
  }
  if (upperAt(statement, opening) !== '(') return undefined;
  if (upper === 'EXISTS') {
    if (!holdsQuery(statement, opening)) throw unexpected(statement, opening + 1, ['a subquery']);
    draft.call({ kind: 'Exists', pos }, index, () => writeQueryArgument(scope, opening));
    return inside(statement, opening).to + 1;
  }
  const write = Object.hasOwn(FORMS, upper) ? FORMS[upper] : undefined;
  return write?.(scope, index, inside(statement, opening));
}

/** Writes the form's operands as a call that is made into `make`'s expression when the tree is built. */
function writeForm(
  scope: Scope,
  index: number,
  operands: readonly Span[],
  make: (operands: readonly AstExpression[]) => AstExpression,
): number {
  const { statement, draft } = scope;
  const pos = tokenAt(statement, index).position;
  draft.call({ kind: 'Form', make, pos }, index, () => {
    operands.forEach((span, operand) => {
      if (operand > 0) draft.raw(',', span.from);
      writeExpression(scope, span);
    });
  });
  return inside(statement, index + 1).to + 1;
}

function writeCast(scope: Scope, index: number, { from, to }: Span): number {
  const { statement } = scope;
  const { upper, position: pos } = tokenAt(statement, index);
  const as = findKeyword(statement, { from, to }, 'AS');
  if (as < 0) throw unexpected(statement, to, ['AS']);
  const { type, next } = readType(statement, { from: as + 1, to });
  if (next !== to) throw unexpected(statement, next, ["')'"]);
  const tryCast = upper === 'TRY_CAST';
  return writeForm(scope, index, [{ from, to: as }], ([operand]) => ({
    ...{ kind: 'Cast', operand: present(operand), type, tryCast, pos },
  }));
}

function writeExtract(scope: Scope, index: number, { from, to }: Span): number {
  const { statement } = scope;
  const { type, value, position } = tokenAt(statement, from);
  if (type !== 'word' && type !== 'string') throw unexpected(statement, from, ['a field such as YEAR']);
  if (!isKeyword(statement, from + 1, 'FROM')) throw unexpected(statement, from + 1, ['FROM']);
  if (!/^\w+$/.test(value)) throw unsupported(statement, position, 'this field of EXTRACT');
  const pos = tokenAt(statement, index).position;
  return writeForm(scope, index, [{ from: from + 2, to }], ([operand]) => ({
    ...{ kind: 'Extract', field: value.toUpperCase(), operand: present(operand), pos },
  }));
}

/** `SUBSTRING(x FROM a FOR b)`, `(x FROM a)`, `(x FOR b)`; with commas it is a plain call. */
function writeSubstring(scope: Scope, index: number, { from, to }: Span): number {
  const { statement } = scope;
  const pos = tokenAt(statement, index).position;
  const first = findKeyword(statement, { from, to }, 'FROM', 'FOR');
  if (first < 0) return writePlain(scope, index, { from, to });
  if (isKeyword(statement, first, 'FOR')) {
    return writeForm(
      scope,
      index,
      [
        { from, to: first },
        { from: first + 1, to },
      ],
      ([text, length]) => {
        const start: AstExpression = { kind: 'NumberLiteral', text: '1', pos };
        return plainCall('SUBSTRING', [present(text), start, present(length)], pos);
      },
    );
  }
  const second = findKeyword(statement, { from: first + 1, to }, 'FOR');
  const spans = [
    { from, to: first },
    { from: first + 1, to: second < 0 ? to : second },
  ];
  if (second >= 0) spans.push({ from: second + 1, to });
  return writeForm(scope, index, spans, (operands) => plainCall('SUBSTRING', operands, pos));
}

function writePosition(scope: Scope, index: number, { from, to }: Span): number {
  const { statement } = scope;
  const pos = tokenAt(statement, index).position;
  const separator = findKeyword(statement, { from, to }, 'IN');
  if (separator < 0) throw unexpected(statement, to, ['IN']);
  const spans = [
    { from, to: separator },
    { from: separator + 1, to },
  ];
  return writeForm(scope, index, spans, (operands) => plainCall('POSITION', operands, pos));
}

/** `TRIM([BOTH | LEADING | TRAILING] [characters] FROM text)`; without these words it is a plain call. */
function writeTrim(scope: Scope, index: number, { from, to }: Span): number {
  const { statement } = scope;
  const pos = tokenAt(statement, index).position;
  const sided = isKeyword(statement, from, 'BOTH', 'LEADING', 'TRAILING');
  const name = { LEADING: 'LTRIM', TRAILING: 'RTRIM' }[upperAt(statement, from)] ?? 'TRIM';
  const start = sided ? from + 1 : from;
  const separator = findKeyword(statement, { from: start, to }, 'FROM');
  if (separator < 0) {
    return sided
      ? writePlainAs(scope, index, name, { from: start, to })
      : writePlain(scope, index, { from, to });
  }
  const text: Span = { from: separator + 1, to };
  const spans = separator > start ? [text, { from: start, to: separator }] : [text];
  return writeForm(scope, index, spans, (operands) => plainCall(name, operands, pos));
}

function writePlain(scope: Scope, index: number, span: Span): number {
  return writePlainAs(scope, index, tokenAt(scope.statement, index).upper, span);
}

function writePlainAs(scope: Scope, index: number, name: string, span: Span): number {
  const pos = tokenAt(scope.statement, index).position;
  const spans = splitAtCommas(scope.statement, span);
  return writeForm(scope, index, spans, (operands) => plainCall(name, operands, pos));
}

function plainCall(name: string, operands: readonly AstExpression[], pos: Position): AstExpression {
  const none = { star: false, distinct: false, orderBy: [], withinGroup: [], filter: null, over: null };
  return { kind: 'FunctionCall', name, arguments: operands, ...none, pos };
}

function present(operand: AstExpression | undefined): AstExpression {
  if (operand === undefined) throw new ParserInternalError('a form has lost an operand');
  return operand;
}
