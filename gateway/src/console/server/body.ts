import type { z } from 'zod';
import type { Exchange } from '../../http/exchange.ts';
import { validate } from '../../validation/describe-issue.ts';
import { readJsonBody } from '../../validation/json-body.ts';

/** The body of a request. Throws as `readJsonBody` does, and VALIDATION_ERROR naming the field that is wrong. */
export async function bodyOf<S extends z.ZodType>(exchange: Exchange, schema: S): Promise<z.output<S>> {
  return validate(schema, (await readJsonBody(exchange)).value);
}
