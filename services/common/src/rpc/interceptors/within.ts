import type { Interceptor, StreamRequest, UnaryRequest } from '@connectrpc/connect';

/** What handles a call, with its interceptors around it or without. */
export type Handle<Answer = unknown> = (request: UnaryRequest | StreamRequest) => Promise<Answer>;

/** `innermost` within all interceptors, the first of them outermost. */
export function within<Answer>(interceptors: readonly Interceptor[], innermost: Handle): Handle<Answer> {
  const around = interceptors.reduceRight<Handle>(
    (next, interceptor) => interceptor(next as Parameters<Interceptor>[0]),
    innermost,
  );
  return around as Handle<Answer>;
}
