import { requiredAttributes } from '../../catalog/index-relation.ts';
import type { CatalogTable } from '../../catalog/table.ts';
import { compareDecimals, parseDecimal, type Decimal } from '../decimal.ts';
import { attributeOf, rejectsNull, type Condition } from './condition.ts';
import { numericText, spellsTruth } from './literal.ts';

/** Whether no item can pass all conjuncts, whatever the table holds: nothing needs to be read. */
export function isContradiction(all: readonly Condition[], table: CatalogTable): boolean {
  // Items whose attribute has another type than an index's key may pass.
  const conjuncts = all.filter(({ ofKey }) => ofKey !== true);
  if (conjuncts.some(({ kind }) => kind === 'Never')) return true;
  const keyNames = requiredAttributes(table).map(({ name }) => name);
  for (const conjunct of conjuncts) {
    if (conjunct.kind !== 'IsNull' || conjunct.negated) continue;
    const attribute = attributeOf(conjunct.column);
    if (attribute === null) continue;
    // Every item has its key, and NULL fails every comparison.
    if (keyNames.includes(attribute)) return true;
    if (conjuncts.some((other) => other !== conjunct && rejectsNull(other, attribute))) return true;
  }
  return numbersContradict(conjuncts, table) || textsContradict(conjuncts);
}

interface Range {
  low: { readonly value: Decimal; readonly strict: boolean } | null;
  high: { readonly value: Decimal; readonly strict: boolean } | null;
}

/** `a > 5 AND a < 3`: whatever compares with a number does so by the one number that it is, or spells. */
function numbersContradict(conjuncts: readonly Condition[], table: CatalogTable): boolean {
  const numberKeys = requiredAttributes(table).flatMap(({ name, type }) => (type === 'N' ? [name] : []));
  const ranges = new Map<string, Range>();
  for (const conjunct of conjuncts) {
    if (conjunct.kind !== 'Compare' || conjunct.literal.type !== 'number' || conjunct.operator === '<>')
      continue;
    // Values that are no numbers are outside every range.
    if (conjunct.orUnlike && !numberKeys.includes(attributeOf(conjunct.column) ?? '')) continue;
    const value = parseDecimal(conjunct.literal.text);
    if (value === null) continue;
    const column = JSON.stringify(conjunct.column.path);
    const range = ranges.get(column) ?? { low: null, high: null };
    ranges.set(column, range);
    const { operator } = conjunct;
    const strict = operator === '<' || operator === '>';
    if (operator.startsWith('>') || operator === '=') {
      const order = range.low === null ? 1 : compareDecimals(value, range.low.value);
      if (order > 0 || (order === 0 && strict)) range.low = { value, strict };
    }
    if (operator.startsWith('<') || operator === '=') {
      const order = range.high === null ? -1 : compareDecimals(value, range.high.value);
      if (order < 0 || (order === 0 && strict)) range.high = { value, strict };
    }
    if (range.low === null || range.high === null) continue;
    const order = compareDecimals(range.low.value, range.high.value);
    if (order > 0 || (order === 0 && (range.low.strict || range.high.strict))) return true;
  }
  return false;
}

/** Whether some value that is no text may equal both: a number under several spellings, or a truth value. */
function mayBeOneValue(a: string, b: string): boolean {
  return (numericText(a) !== 'no' && numericText(b) !== 'no') || (spellsTruth(a) && spellsTruth(b));
}

/** `a = 'x' AND a = 'y'`. */
function textsContradict(conjuncts: readonly Condition[]): boolean {
  const equals = new Map<string, string>();
  for (const conjunct of conjuncts) {
    if (conjunct.kind !== 'Compare' || conjunct.operator !== '=' || conjunct.literal.type !== 'text')
      continue;
    const column = JSON.stringify(conjunct.column.path);
    const { value } = conjunct.literal;
    const other = equals.get(column);
    if (other !== undefined && other !== value && !mayBeOneValue(value, other)) return true;
    equals.set(column, value);
  }
  return false;
}
