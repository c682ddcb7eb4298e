import { fromBinary, toBinary, type DescService } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import {
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
  type ServerReflection,
} from '../gen/grpc/reflection/v1/reflection_pb.js';
import {
  ServerReflectionRequestSchema as AlphaRequestSchema,
  ServerReflectionResponseSchema as AlphaResponseSchema,
  type ServerReflection as ServerReflectionAlpha,
} from '../gen/grpc/reflection/v1alpha/reflection_pb.js';
import { createReflector } from './reflection.ts';

export function reflectionService(services: readonly DescService[]): ServiceImpl<typeof ServerReflection> {
  const reflect = createReflector(services);
  return {
    async *serverReflectionInfo(requests) {
      for await (const request of requests) yield reflect(request);
    },
  };
}

/** The same under its older name: the messages are alike on the wire, so they are translated there. */
export function reflectionAlphaService(
  services: readonly DescService[],
): ServiceImpl<typeof ServerReflectionAlpha> {
  const reflect = createReflector(services);
  return {
    async *serverReflectionInfo(requests) {
      for await (const request of requests) {
        const asked = fromBinary(ServerReflectionRequestSchema, toBinary(AlphaRequestSchema, request));
        const answer = toBinary(ServerReflectionResponseSchema, reflect(asked));
        yield fromBinary(AlphaResponseSchema, answer);
      }
    },
  };
}
