import { compareDecimals, decimalText, parseDecimal } from '../decimal.ts';
import { compareUtf8 } from '../../logical/text-order.ts';
import { openAttributeValue, type AttributeValue } from './attribute-value.ts';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * An attribute value as plain JSON text: numbers digit for digit, binary as base64 strings, sets as sorted arrays (text
 * by UTF-8 bytes, numbers by value, binary by bytes). Map keys are sorted too, since DynamoDB does not keep their order:
 * equal values have equal texts. Any depth: no recursion. Throws MalformedBodyError.
 */
export function plainJson(root: AttributeValue): string {
  let text = '';
  // Texts to write and values still to open, the next one last.
  const pending: (string | AttributeValue)[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      text += next;
      continue;
    }
    switch (next.type) {
      case 'M': {
        const { value } = next;
        const keys = Object.keys(value).sort(compareUtf8);
        pending.push('}');
        for (let i = keys.length - 1; i >= 0; i--) {
          const key = keys[i] as string;
          pending.push(openAttributeValue(value[key]), `${i === 0 ? '' : ','}${JSON.stringify(key)}:`);
        }
        pending.push('{');
        break;
      }
      case 'L':
        pending.push(']');
        for (let i = next.value.length - 1; i >= 0; i--) {
          pending.push(openAttributeValue(next.value[i]));
          if (i > 0) pending.push(',');
        }
        pending.push('[');
        break;
      default:
        text += scalarJson(next);
    }
  }
  return text;
}

/** The same of a value that holds no others. */
export function scalarJson(value: Exclude<AttributeValue, { type: 'M' | 'L' }>): string {
  switch (value.type) {
    case 'S':
    case 'B':
      return JSON.stringify(value.value);
    case 'N':
      return numberJson(value.value);
    case 'BOOL':
      return String(value.value);
    case 'NULL':
      return 'null';
    case 'SS':
      return JSON.stringify([...value.value].sort(compareUtf8));
    case 'NS':
      return `[${sortNumbers(value.value).map(numberJson).join(',')}]`;
    case 'BS':
      return JSON.stringify(sortBinary(value.value));
  }
}

/** The digits as they came where JSON allows them (it does not allow `+1`, `01`, `.5`), else the same number in JSON. */
function numberJson(digits: string): string {
  if (JSON_NUMBER.test(digits)) return digits;
  const decimal = parseDecimal(digits);
  return decimal === null ? JSON.stringify(digits) : decimalText(decimal);
}

function sortNumbers(numbers: readonly string[]): string[] {
  const zero = { negative: false, digits: '', exponent: 0 };
  return numbers
    .map((text) => ({ text, decimal: parseDecimal(text) ?? zero }))
    .sort((a, b) => compareDecimals(a.decimal, b.decimal))
    .map(({ text }) => text);
}

function sortBinary(values: readonly string[]): string[] {
  return values
    .map((text) => ({ text, bytes: Buffer.from(text, 'base64') }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ text }) => text);
}
