import { parseExactJson } from '@penstock/common/json/exact-json.ts';

/**
 * `options.parameters` of a query body as JSON text in which every number stands as it was sent. The body must have been
 * validated.
 */
export function exactParameters(bodyText: string): string {
  const body = parseExactJson(bodyText) as { readonly options: { readonly parameters: unknown } };
  return JSON.stringify(body.options.parameters);
}
