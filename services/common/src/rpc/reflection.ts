import { create, createRegistry, toBinary, type DescFile, type DescService } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import {
  ServerReflectionResponseSchema,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
} from '../gen/grpc/reflection/v1/reflection_pb.js';

type Answer = ServerReflectionResponse['messageResponse'];

const notFound = (errorMessage: string): Answer => ({
  case: 'errorResponse',
  value: { $typeName: 'grpc.reflection.v1.ErrorResponse', errorCode: Code.NotFound, errorMessage },
});

/** The file and all that it imports, each once, itself first. */
function withImports(file: DescFile, seen = new Map<string, DescFile>()): DescFile[] {
  if (!seen.has(file.proto.name)) {
    seen.set(file.proto.name, file);
    for (const imported of file.dependencies) withImports(imported, seen);
  }
  return [...seen.values()];
}

/** Answers reflection requests about the services, one at a time. */
export function createReflector(
  services: readonly DescService[],
): (request: ServerReflectionRequest) => ServerReflectionResponse {
  const files = new Map<string, DescFile>();
  for (const service of services) withImports(service.file, files);
  const registry = createRegistry(...files.values());

  const describe = (file: DescFile | undefined, what: string): Answer => {
    if (file === undefined) return notFound(`${what} is not known here`);
    const fileDescriptorProto = withImports(file).map(({ proto }) =>
      toBinary(FileDescriptorProtoSchema, proto),
    );
    return {
      case: 'fileDescriptorResponse',
      value: { $typeName: 'grpc.reflection.v1.FileDescriptorResponse', fileDescriptorProto },
    };
  };
  // A method is asked for as `package.Service.Method`; its file is the service's.
  const fileOf = (symbol: string): DescFile | undefined =>
    (registry.get(symbol) ?? registry.getService(symbol.slice(0, Math.max(0, symbol.lastIndexOf('.')))))
      ?.file;
  const extensionsOf = (typeName: string): number[] =>
    [...registry]
      .filter((type) => type.kind === 'extension' && type.extendee.typeName === typeName)
      .map((type) => (type.kind === 'extension' ? type.number : 0));

  const answer = ({ messageRequest: asked }: ServerReflectionRequest): Answer => {
    switch (asked.case) {
      case 'listServices': {
        const names = services.map(({ typeName }) => typeName).sort();
        const service = names.map((name) => ({
          $typeName: 'grpc.reflection.v1.ServiceResponse' as const,
          name,
        }));
        return {
          case: 'listServicesResponse',
          value: { $typeName: 'grpc.reflection.v1.ListServiceResponse', service },
        };
      }
      case 'fileByFilename':
        return describe(files.get(asked.value), `file ${asked.value}`);
      case 'fileContainingSymbol':
        return describe(fileOf(asked.value), `symbol ${asked.value}`);
      case 'fileContainingExtension': {
        const { containingType, extensionNumber } = asked.value;
        const message = registry.getMessage(containingType);
        const extension = message && registry.getExtensionFor(message, extensionNumber);
        return describe(extension?.file, `extension ${extensionNumber} of ${containingType}`);
      }
      case 'allExtensionNumbersOfType':
        if (registry.getMessage(asked.value) === undefined)
          return notFound(`type ${asked.value} is not known here`);
        return {
          case: 'allExtensionNumbersResponse',
          value: {
            $typeName: 'grpc.reflection.v1.ExtensionNumberResponse',
            baseTypeName: asked.value,
            extensionNumber: extensionsOf(asked.value),
          },
        };
      case undefined:
        return notFound('nothing was asked');
    }
  };

  return (request) =>
    create(ServerReflectionResponseSchema, {
      validHost: request.host,
      originalRequest: request,
      messageResponse: answer(request),
    });
}
