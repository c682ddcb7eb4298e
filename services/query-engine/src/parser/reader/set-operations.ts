import type { AstQueryBody, AstSetOperation } from '../ast.ts';

export type SetOperator = AstSetOperation['operator'];

export interface SetOperand {
  readonly body: AstQueryBody;
  /** Whether ALL stood after the set operator before it. */
  readonly all: boolean;
}

export const isSetOperator = (upper: string): upper is SetOperator =>
  upper === 'UNION' || upper === 'INTERSECT' || upper === 'EXCEPT';

/** Joins operands by the operators between them: INTERSECT binds tighter than UNION and EXCEPT; all lean left. */
export function combine(operands: readonly SetOperand[], operators: readonly SetOperator[]): AstQueryBody {
  const terms: SetOperand[] = [];
  const looser: SetOperator[] = [];
  operands.forEach((operand, index) => {
    const operator = operators[index - 1];
    const left = terms.at(-1);
    if (operator === 'INTERSECT' && left !== undefined) {
      terms[terms.length - 1] = { body: join(left.body, operator, operand), all: left.all };
    } else {
      terms.push(operand);
      if (operator !== undefined) looser.push(operator);
    }
  });
  const [first, ...rest] = terms;
  if (first === undefined) throw new RangeError('no operands');
  return rest.reduce((left, operand, index) => join(left, looser[index] ?? 'UNION', operand), first.body);
}

function join(left: AstQueryBody, operator: SetOperator, { body: right, all }: SetOperand): AstSetOperation {
  return { kind: 'SetOperation', operator, all, left, right, pos: left.pos };
}
