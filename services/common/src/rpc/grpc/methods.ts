/** The methods that a router serves, as far as a call sends one message. */
import type { DescMethod, DescMethodServerStreaming, DescMethodUnary, DescService } from '@bufbuild/protobuf';
import type { ConnectRouter, MethodImpl, ServiceImpl } from '@connectrpc/connect';

export type ServedMethod =
  | {
      readonly kind: 'unary';
      readonly method: DescMethodUnary;
      readonly run: MethodImpl<DescMethodUnary>;
    }
  | {
      readonly kind: 'server_streaming';
      readonly method: DescMethodServerStreaming;
      readonly run: MethodImpl<DescMethodServerStreaming>;
    };

/** By path: `/package.Service/Method`. */
export type ServedMethods = ReadonlyMap<string, ServedMethod>;

/** What a method's kind says of it is more than its service's type can. */
type Run = MethodImpl<DescMethodUnary> & MethodImpl<DescMethodServerStreaming>;

const isUnary = (method: DescMethod): method is DescMethodUnary & DescMethod => method.methodKind === 'unary';
const isServerStreaming = (method: DescMethod): method is DescMethodServerStreaming & DescMethod =>
  method.methodKind === 'server_streaming';

function methodsOf(service: DescService, implementation: object): [string, ServedMethod][] {
  const own = implementation as Record<string, Run | undefined>;
  return service.methods.flatMap((method): [string, ServedMethod][] => {
    const run = own[method.localName]?.bind(implementation);
    const path = `/${service.typeName}/${method.name}`;
    if (run === undefined) return [];
    if (isUnary(method)) return [[path, { kind: 'unary', method, run }]];
    if (isServerStreaming(method)) return [[path, { kind: 'server_streaming', method, run }]];
    return [];
  });
}

/** `router`, and what is registered with the one that is handed to `routes` besides. */
export function recordMethods(router: ConnectRouter, routes: (router: ConnectRouter) => void): ServedMethods {
  const methods = new Map<string, ServedMethod>();
  const recording: ConnectRouter = {
    handlers: router.handlers,
    service<T extends DescService>(
      service: T,
      implementation: Partial<ServiceImpl<T>>,
      ...rest: [Parameters<ConnectRouter['service']>[2]?]
    ) {
      router.service(service, implementation, ...rest);
      for (const [path, method] of methodsOf(service, implementation)) methods.set(path, method);
      return recording;
    },
    rpc(method, implementation, options) {
      router.rpc(method, implementation, options);
      return recording;
    },
  };
  routes(recording);
  return methods;
}
