/**
 * What Node.js binds to an asynchronous resource, without the property that it deprecates (DEP0172).
 *
 * HTTP/2 clients bind a function for each request. Its property `asyncResource` is made of two accessors, and V8 keeps a
 * function that is an accessor, and all that it sees, until it collects the whole heap: the request, its stream, and
 * whatever waits for the answer. Requests that came and went were copied twice, and their garbage was a good part of what
 * the whole heap is collected for.
 */
import { AsyncResource } from 'node:async_hooks';

type Bind = typeof AsyncResource.prototype.bind;

const bindPlainly: Bind = function bindPlainly<Result>(
  this: AsyncResource,
  fn: (this: unknown, ...args: unknown[]) => Result,
  thisArg?: unknown,
) {
  const run = (caller: unknown, args: unknown[]): Result =>
    this.runInAsyncScope(fn, thisArg === undefined ? caller : thisArg, ...args);
  return function bound(this: unknown, ...args: unknown[]): Result {
    return run(this, args);
  };
} as Bind;

/** For all of this process, from now on. */
export function usePlainBinding(): void {
  AsyncResource.prototype.bind = bindPlainly;
}
