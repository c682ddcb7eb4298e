/**
 * ORs, without the branches that contradict what is known: beside `pk = 'a'`, `(pk, sk) > ('a', 'b')` says `sk > 'b'`, since `pk` is
 * not above 'a'; beside `level > 0`, nothing is said by `level IS NULL`.
 */
import { requiredAttributes } from '../../catalog/index-relation.ts';
import type { CatalogTable } from '../../catalog/table.ts';
import { holdsOf } from '../../logical/comparison-operators.ts';
import { compareUtf8 } from '../../logical/text-order.ts';
import { compareDecimals, parseDecimal } from '../decimal.ts';
import { andOf, attributeOf, conjunctsOf, orOf, rejectsNull, type Condition } from './condition.ts';
import { isOnlyText } from './legal-key.ts';
import type { Literal } from './literal.ts';

/** Values that single attributes are known to have. */
interface Known {
  /** Values that are certain: of a key's declared type, or texts that no value of another type equals. */
  readonly values: ReadonlyMap<string, Literal>;
  readonly isPresent: (attribute: string) => boolean;
}

/** The conjuncts, whose ORs have no branch that no row can pass. */
export function withoutContradicted(
  conjuncts: readonly Condition[],
  table: CatalogTable,
): readonly Condition[] {
  if (conjuncts.length < 2 || conjuncts.every(({ kind }) => kind !== 'Or')) return conjuncts;
  const plain = conjuncts.filter(({ kind }) => kind !== 'Or');
  const values = valuesOf(plain, table);
  const known: Known = { values, isPresent: (name) => plain.some((one) => rejectsNull(one, name)) };
  return conjuncts.flatMap((conjunct) =>
    conjunct.kind === 'Or' ? conjunctsOf(left(conjunct, known)) : [conjunct],
  );
}

function valuesOf(conjuncts: readonly Condition[], table: CatalogTable): ReadonlyMap<string, Literal> {
  const types = new Map(requiredAttributes(table).map(({ name, type }) => [name, type]));
  const values = new Map<string, Literal>();
  for (const conjunct of conjuncts) {
    if (conjunct.kind !== 'Compare' || conjunct.operator !== '=') continue;
    const { literal } = conjunct;
    const name = attributeOf(conjunct.column) ?? '';
    const type = types.get(name);
    const isText = literal.type === 'text' && (type === 'S' || isOnlyText(literal.value));
    if (isText || (type === 'N' && literal.type === 'number')) values.set(name, literal);
  }
  return values;
}

/** A condition without what is known to hold or not to; the condition itself where nothing is known of it. */
function left(condition: Condition, known: Known): Condition {
  switch (condition.kind) {
    case 'And':
    case 'Or': {
      const operands = condition.operands.map((operand) => left(operand, known));
      if (operands.every((operand, i) => operand === condition.operands[i])) return condition;
      const made = condition.kind === 'And' ? andOf(operands) : orOf(operands);
      return condition.ofKey === true ? { ...made, ofKey: true } : made;
    }
    case 'IsNull': {
      const name = attributeOf(condition.column);
      return name === null || !known.isPresent(name) ? condition : decided(condition.negated);
    }
    case 'Compare': {
      const value = known.values.get(attributeOf(condition.column) ?? '');
      const order = value === undefined ? null : orderOf(value, condition.literal);
      return order === null ? condition : decided(holdsOf(condition.operator, order));
    }
    case 'In': {
      const value = known.values.get(attributeOf(condition.column) ?? '');
      if (value === undefined) return condition;
      const orders = condition.literals.map((literal) => orderOf(value, literal));
      if (orders.includes(0)) return decided(true);
      return orders.includes(null) ? condition : decided(false);
    }
    case 'Prefix': {
      const value = known.values.get(attributeOf(condition.column) ?? '');
      return value?.type === 'text' && !value.value.startsWith(condition.prefix) ? decided(false) : condition;
    }
    default:
      return condition;
  }
}

const decided = (truth: boolean): Condition => ({ kind: truth ? 'Always' : 'Never' });

/** The order of two constants of one type, below 0, 0 or above 0; null where their types differ. */
function orderOf(a: Literal, b: Literal): number | null {
  if (a.type === 'text' && b.type === 'text') return compareUtf8(a.value, b.value);
  if (a.type !== 'number' || b.type !== 'number') return null;
  const [x, y] = [parseDecimal(a.text), parseDecimal(b.text)];
  return x === null || y === null ? null : compareDecimals(x, y);
}
