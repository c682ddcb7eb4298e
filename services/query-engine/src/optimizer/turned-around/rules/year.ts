import { startOfYear } from '../instant.ts';
import { numberOf } from '../number-bounds.ts';
import { partOfDate } from '../part-of-time.ts';
import type { TurnAroundRule } from '../rule.ts';
import { bounded } from '../time-bounds.ts';
import { isReadAsTime } from '../value-kind.ts';

/** `year(e) op n`, `EXTRACT(YEAR FROM e)`, `date_part('year', e)`. A month or a day alone is no range: see `datesTogether`. */
export const year: TurnAroundRule = Object.freeze({
  name: 'year',
  comparison({ operand, operator, value }, context) {
    const { part, time: inner } = partOfDate(operand) ?? {};
    const number = numberOf(value)?.number;
    if (
      part !== 'year' ||
      inner === undefined ||
      number === undefined ||
      number.scale > 0 ||
      !isReadAsTime(inner, context)
    )
      return null;
    const of = Number(number.digits);
    if (of < 1 || of > 9999) return null;
    const [start, end] = [startOfYear(of), startOfYear(of + 1)];
    switch (operator) {
      case '=':
        return bounded(inner, start, end);
      case '<':
        return bounded(inner, null, start);
      case '<=':
        return bounded(inner, null, end);
      case '>':
        return bounded(inner, end, null);
      case '>=':
        return bounded(inner, start, null);
    }
  },
} satisfies TurnAroundRule);
