import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import type { DescService } from '@bufbuild/protobuf';
import { ATTEMPTS_MAX } from './limits.ts';

/**
 * The gRPC service config of a client (github.com/grpc/grpc/blob/master/doc/service_config.md): every call goes to
 * the next replica, and calls that the .proto marks as repeatable are tried again where a replica cannot be reached.
 * Calls that never left this process are tried again by grpc-js in any case.
 *
 * Streams are not tried again: a stream that broke off may have read a tenant's tables, which counts under the call's
 * usage ID. Its caller repeats it under another usage ID, and decides how often, since a query that ends its engine
 * would end the next one, too.
 */
export function serviceConfigOf(service: DescService): string {
  const repeatable = service.methods
    .filter(
      ({ methodKind, idempotency }) =>
        methodKind === 'unary' && idempotency !== Idempotency.IDEMPOTENCY_UNKNOWN,
    )
    .map(({ name }) => ({ service: service.typeName, method: name }));
  const retryPolicy = {
    maxAttempts: ATTEMPTS_MAX,
    initialBackoff: '0.05s',
    maxBackoff: '0.5s',
    backoffMultiplier: 2,
    retryableStatusCodes: ['UNAVAILABLE'],
  };
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    ...(repeatable.length === 0 ? {} : { methodConfig: [{ name: repeatable, retryPolicy }] }),
  });
}
