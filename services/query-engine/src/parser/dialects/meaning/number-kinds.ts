import type { AstExpression } from '../../ast.ts';

/** Whether an expression is a whole number, one with a fraction, or not known to be either, in the dialects that tell. */
type NumberKind = 'whole' | 'fraction' | 'unknown';

const WHOLE = new Set(
  (
    'COUNT LENGTH OCTET_LENGTH CHAR_LENGTH POSITION STRPOS INSTR LOCATE YEAR MONTH DAY QUARTER HOUR MINUTE SECOND ' +
    'DATE_DIFF DATEDIFF DATE_PART ROW_NUMBER RANK DENSE_RANK NTILE ASCII JSON_ARRAY_LENGTH'
  ).split(' '),
);
const WHOLE_TYPES = /^(TINYINT|SMALLINT|INTEGER|INT|BIGINT|SIGNED|INT2|INT4|INT8)$/;
const FRACTION_TYPES = /^(DECIMAL|NUMERIC|NUMBER|DOUBLE|DOUBLE PRECISION|REAL|FLOAT|FLOAT4|FLOAT8)\b/;

export function numberKind(node: AstExpression): NumberKind {
  switch (node.kind) {
    case 'NumberLiteral':
      return /^\d+$/.test(node.text) ? 'whole' : 'fraction';
    case 'Unary':
      return numberKind(node.operand);
    case 'Cast':
      return WHOLE_TYPES.test(node.type) ? 'whole' : FRACTION_TYPES.test(node.type) ? 'fraction' : 'unknown';
    case 'FunctionCall':
      return WHOLE.has(node.name) ? 'whole' : 'unknown';
    case 'Binary':
      return node.operator === '//' ? 'whole' : ofBoth(numberKind(node.left), numberKind(node.right));
    default:
      return 'unknown';
  }
}

function ofBoth(left: NumberKind, right: NumberKind): NumberKind {
  if (left === 'fraction' || right === 'fraction') return 'fraction';
  return left === right ? left : 'unknown';
}
