import type { Fields } from '../input.ts';
import { placeholdersOf } from './placeholders.ts';

/**
 * An expression with its placeholders filled in, for a person or a test to read:
 * `#n0 = :v0` becomes `pk = {"S":"a"}`.
 */
export function readableExpression(expression: string, input: Fields): string {
  const { name, value } = placeholdersOf(input);
  return expression.replace(/[#:][\w-]+/g, (written) => {
    if (written.startsWith('#')) return name(written) ?? written;
    const found = value(written);
    return found === undefined ? written : JSON.stringify(found);
  });
}
