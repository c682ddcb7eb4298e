/** `format('%s of %s', a, b)` as `CONCAT(a, ' of ', b)`: NULL is nothing in both ("String Functions and Operators", format). */
import type { AstExpression } from '../ast.ts';
import { plainCall } from '../reader/function-calls.ts';

type Call = Extract<AstExpression, { readonly kind: 'FunctionCall' }>;

/** A value, of the next argument or that at a place from 1; or a percent sign. Widths, `%I` and `%L` are left. */
const SPECIFIER = /%(?:(\d{1,4})\$)?s|%%/g;

/** What may be written twice: of calls within calls each would double the next. */
const isShort = ({ kind }: AstExpression): boolean => kind === 'Name' || kind.endsWith('Literal');

/** The call itself where its format is no constant, or has what CONCAT has not, of which the function's name is refused. */
export function asConcat(call: Call): AstExpression {
  const [format, ...values] = call.arguments;
  const { pos } = call;
  if (format?.kind !== 'StringLiteral') return call;
  const parts: AstExpression[] = [];
  let text = '';
  let from = 0;
  let place = 0;
  const used = new Set<AstExpression>();
  const flush = (): void => {
    if (text !== '') parts.push({ kind: 'StringLiteral', value: text, pos });
    text = '';
  };
  for (const match of format.value.matchAll(SPECIFIER)) {
    text += format.value.slice(from, match.index);
    from = match.index + match[0].length;
    if (match[0] === '%%') {
      text += '%';
      continue;
    }
    place = match[1] === undefined ? place + 1 : Number(match[1]);
    const value = values[place - 1];
    if (value === undefined || (used.has(value) && !isShort(value))) return call;
    used.add(value);
    flush();
    parts.push(value);
  }
  const left = format.value.slice(from);
  if (format.value.replaceAll(SPECIFIER, '').includes('%')) return call;
  text += left;
  flush();
  if (parts.length === 0) return { kind: 'StringLiteral', value: '', pos };
  return plainCall('CONCAT', parts, pos);
}
