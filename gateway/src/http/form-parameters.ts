import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Exchange } from './exchange.ts';
import { FORM_BYTES_MAX, FORM_PARAMETERS_MAX } from '../limits.ts';
import { readBody } from './read-body.ts';

/** RFC 8707, section 2: a request may name several resources. */
const REPEATABLE = new Set(['resource']);

/** The parameters of a request; one without a value counts as absent (RFC 6749, section 3.1). */
export interface Parameters {
  /** Undefined where absent. */
  get(name: string): string | undefined;
  all(name: string): string[];
}

/** @throws PenstockError VALIDATION_ERROR where a parameter comes twice (RFC 6749, sections 3.1 and 3.2) */
function parseParameters(text: string): Parameters {
  const given = new URLSearchParams(text);
  const invalid = (message: string): PenstockError => new PenstockError('VALIDATION_ERROR', message);
  if (given.size > FORM_PARAMETERS_MAX)
    throw invalid(`At most ${FORM_PARAMETERS_MAX} parameters are allowed`);
  const seen = new Set<string>();
  for (const name of given.keys()) {
    if (seen.has(name) && !REPEATABLE.has(name)) throw invalid('A parameter was sent more than once');
    seen.add(name);
  }
  return Object.freeze({
    get: (name: string) => given.get(name) || undefined,
    all: (name: string) => given.getAll(name).filter((value) => value !== ''),
  });
}

/** The parameters of the URL. */
export function queryParameters({ request }: Exchange): Parameters {
  const start = request.url.indexOf('?');
  return parseParameters(start === -1 ? '' : request.url.slice(start + 1));
}

/** The parameters of a form-encoded body. */
export async function formParameters(exchange: Exchange): Promise<Parameters> {
  return parseParameters(await readBody(exchange, 'application/x-www-form-urlencoded', FORM_BYTES_MAX));
}

/** `{ [field]: value }`, without the key where the parameter is absent: what a message's initializer takes. */
export function optional<Field extends string>(
  field: Field,
  value: string | undefined,
): { readonly [key in Field]?: string } {
  return (value === undefined ? {} : { [field]: value }) as { readonly [key in Field]?: string };
}
