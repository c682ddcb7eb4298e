import { createHash } from 'node:crypto';
import { remembered } from '@penstock/common/caching/remembered.ts';
import type { ExpressionText } from '../table-read.ts';
import { filterFormCharsMax } from './limits.ts';

/**
 * A filter without its values, such as `status = ?`: what is learned of one statement is of use to others that differ in
 * literals only, and no literal is told to anybody. Long ones are hashed.
 */
export const filterForm = remembered((filter: ExpressionText): string => {
  const form = filter.text
    .replaceAll(/:v\d+/g, '?')
    .replaceAll(/#n\d+/g, (token) => shown(filter.names[token] ?? token));
  return form.length <= filterFormCharsMax ? form : createHash('sha256').update(form).digest('base64url');
});

function shown(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}
