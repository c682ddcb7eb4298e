import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { z } from 'zod';
import type { Exchange } from '../http/exchange.ts';
import { validate } from './describe-issue.ts';

/**
 * The parameters after the `?`, each at most once.
 *
 * @throws PenstockError VALIDATION_ERROR naming one that is unknown, wrong or repeated
 */
export function validQueryParameters<S extends z.ZodType>(exchange: Exchange, schema: S): z.output<S> {
  const { originalUrl } = exchange.request;
  const start = originalUrl.indexOf('?');
  const given: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : originalUrl.slice(start))) {
    if (name in given) throw new PenstockError('VALIDATION_ERROR', `${name} is given more than once`);
    given[name] = value;
  }
  return validate(schema, { ...given }, 'The query string');
}
