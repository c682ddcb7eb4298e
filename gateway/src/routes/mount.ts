import type { Express } from 'express';
import type { Endpoint } from '../http/endpoint.ts';
import { exchangeOf } from '../http/exchange.ts';
import { methodNotAllowed } from '../middleware/errors.ts';

/** Registers the endpoints; every other method of their paths is answered 405. */
export function mount(app: Express, endpoints: readonly Endpoint[]): void {
  for (const [path, group] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const route = app.route(path);
    for (const { method, handle } of group) route[method]((request) => handle(exchangeOf(request)));
    const allowed = group.map(({ method }) => method.toUpperCase());
    const refuse = group.find(({ refuseMethod }) => refuseMethod !== undefined)?.refuseMethod;
    route.all(methodNotAllowed(allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed, refuse));
  }
}
