import type { Exchange } from './exchange.ts';

/** A parameter of the path, decoded by Express, which refuses bytes that are not UTF-8. */
export function pathParameter({ request }: Exchange, name: string): string {
  const value: unknown = request.params[name];
  if (typeof value !== 'string') throw new TypeError(`the route has no parameter ${name}`);
  return value;
}
