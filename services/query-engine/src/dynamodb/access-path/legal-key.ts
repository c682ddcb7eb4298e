/**
 * Whether a predicate lets only those items pass whose value could be a key. Values of another type than a global index's
 * key, empty ones and those that are too long keep their items out of the index, where they are older than it (developer
 * guide, "Detecting and correcting index key violations"), and SQL compares by value: the text '07' equals 7.
 */
import type { KeyAttribute } from '../../catalog/table.ts';
import { attributeOf, type Condition } from './condition.ts';
import { numericText, spellsTruth, type Literal } from './literal.ts';

/**
 * certainly: whatever an item holds there; likely: but for values of other types that compare as the constant does, and
 * longer texts in a range; no: the predicate says little of the value.
 */
export type Implied = 'no' | 'likely' | 'certainly';

const ORDER: readonly Implied[] = ['no', 'likely', 'certainly'];

/** What a condition implies of the values of a key attribute in the items that pass it. */
export function impliesLegalKey(condition: Condition, key: KeyAttribute, bytesMax: number): Implied {
  switch (condition.kind) {
    case 'Never':
      return 'certainly';
    case 'Always':
    case 'Unknown':
    case 'IsNull':
      return 'no';
    case 'And':
      return best(condition.operands.map((operand) => impliesLegalKey(operand, key, bytesMax)));
    case 'Or':
      return worst(condition.operands.map((operand) => impliesLegalKey(operand, key, bytesMax)));
    case 'Prefix':
      return attributeOf(condition.column) === key.name && key.type === 'S' && condition.prefix !== ''
        ? 'likely'
        : 'no';
    case 'In':
      if (attributeOf(condition.column) !== key.name) return 'no';
      return worst(condition.literals.map((literal) => equalTo(literal, key, bytesMax)));
    case 'Compare': {
      const { column, operator, literal, orUnlike } = condition;
      if (attributeOf(column) !== key.name || orUnlike || operator === '<>') return 'no';
      return operator === '=' ? equalTo(literal, key, bytesMax) : inRange(operator, literal, key);
    }
  }
}

function equalTo(literal: Literal, { type }: KeyAttribute, bytesMax: number): Implied {
  if (type === 'N') return literal.type === 'number' ? 'likely' : 'no';
  const bytes = bytesOf(literal, type);
  if (bytes === null || bytes === 0 || bytes > bytesMax) return 'no';
  return type === 'S' && literal.type === 'text' && isOnlyText(literal.value) ? 'certainly' : 'likely';
}

/** A text or bytes range must leave out the empty ones, which sort before all others. */
function inRange(operator: '<' | '<=' | '>' | '>=', literal: Literal, { type }: KeyAttribute): Implied {
  if (type === 'N') return literal.type === 'number' ? 'likely' : 'no';
  if (literal.type !== (type === 'S' ? 'text' : 'binary')) return 'no';
  const leavesEmptyOut = operator === '>' || (operator === '>=' && bytesOf(literal, type) !== 0);
  return leavesEmptyOut ? 'likely' : 'no';
}

/** Of the value that a constant means for a key of bytes or text; null where it means none, or several. */
function bytesOf(literal: Literal, type: 'S' | 'B'): number | null {
  if (type === 'S') return literal.type === 'text' ? Buffer.byteLength(literal.value) : null;
  if (literal.type === 'binary') return Buffer.byteLength(literal.base64, 'base64');
  return literal.type === 'text' && isBase64(literal.value)
    ? Buffer.byteLength(literal.value, 'base64')
    : null;
}

/** A text that no value of another type equals: no number, no truth value, not the base64 of bytes, no document. */
export function isOnlyText(text: string): boolean {
  return numericText(text) === 'no' && !spellsTruth(text) && !isBase64(text) && !/^\s*[[{]/.test(text);
}

function isBase64(text: string): boolean {
  return text !== '' && Buffer.from(text, 'base64').toString('base64') === text;
}

function best(all: readonly Implied[]): Implied {
  return all.reduce((a, b) => (ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b), 'no');
}

function worst(all: readonly Implied[]): Implied {
  return all.reduce((a, b) => (ORDER.indexOf(a) < ORDER.indexOf(b) ? a : b), 'certainly');
}
