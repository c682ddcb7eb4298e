import type { BinaryOperator } from './ast.ts';

/** The operators that stand between two operands. BETWEEN takes a second one after AND, LIKE one after ESCAPE. */
export type InfixOperator =
  | BinaryOperator
  | 'AND'
  | 'OR'
  | 'LIKE'
  | 'ILIKE'
  | 'SIMILAR TO'
  | 'BETWEEN'
  | 'IN'
  | 'ESCAPE'
  | 'AT TIME ZONE';

/**
 * How tightly operators bind: the one table, by which trees are built and printed. The order is that of DuckDB's
 * grammar (PostgreSQL's), and generated expressions are compared with DuckDB's own trees in the tests.
 */
export const BINDING = Object.freeze({
  /** Looser than any operator. */
  ANY: 0,
  OR: 10,
  AND: 20,
  NOT: 30,
  IS: 40,
  COMPARISON: 50,
  /** BETWEEN, IN, LIKE, SIMILAR TO. */
  RANGE: 60,
  /** `||`, bitwise operators but XOR, regular expressions, those of documents, and `~` before an operand. */
  OTHER: 70,
  SUM: 80,
  PRODUCT: 90,
  /** `^`, bitwise XOR here. */
  XOR: 100,
  /** AT TIME ZONE. */
  ZONE: 105,
  SIGN: 110,
  /** Casts, subscripts, OVER; and everything that needs no parentheses. */
  SUFFIX: 120,
});

/** The binding of an operator between two operands. */
export function infixBinding(operator: InfixOperator): number {
  switch (operator) {
    case 'OR':
      return BINDING.OR;
    case 'AND':
      return BINDING.AND;
    case 'IS DISTINCT FROM':
    case 'IS NOT DISTINCT FROM':
      return BINDING.IS;
    case 'LIKE':
    case 'ILIKE':
    case 'SIMILAR TO':
    case 'BETWEEN':
    case 'IN':
    case 'ESCAPE':
      return BINDING.RANGE;
    case '||':
    case '&':
    case '|':
    case '<<':
    case '>>':
    case '~':
    case '!~':
    case '~*':
    case '!~*':
    case '^@':
    case '->':
    case '->>':
    case '#>':
    case '#>>':
    case '@>':
    case '<@':
    case '&&':
    case '?':
    case '?|':
    case '?&':
      return BINDING.OTHER;
    case '+':
    case '-':
      return BINDING.SUM;
    case '*':
    case '/':
    case '//':
    case '%':
      return BINDING.PRODUCT;
    case '^':
      return BINDING.XOR;
    case 'AT TIME ZONE':
      return BINDING.ZONE;
    default:
      return BINDING.COMPARISON;
  }
}

/** Whether `a op b op c` is `(a op b) op c`; the others cannot be chained without parentheses. */
export const isLeftAssociative = (operator: InfixOperator): boolean => {
  const binding = infixBinding(operator);
  return binding >= BINDING.OTHER || binding <= BINDING.AND;
};
