import { expect } from 'chai';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from '../../src/gen/grpc/health/v1/health_pb.js';
import { ServerReflection } from '../../src/gen/grpc/reflection/v1/reflection_pb.js';
import { ServerReflection as Alpha } from '../../src/gen/grpc/reflection/v1alpha/reflection_pb.js';
import { SchemaService } from '../../src/gen/penstock/schema/v1/schema_pb.js';
import { fromConnectError } from '../../src/rpc/error-mapping.ts';
import { createHarness, rejection, type Harness } from './harness.ts';

describe('what any gRPC client may ask a server', () => {
  let harness: Harness;
  let ready = true;
  let port: number;
  beforeEach(async () => {
    ready = true;
    harness = await createHarness();
    ({ port } = await harness.serve((router) => router.service(SchemaService, {}), { isReady: () => ready }));
  });
  afterEach(() => harness.close());

  const transport = () => createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` });

  it('its health, as a whole and by service', async () => {
    const health = createClient(Health, transport());
    expect((await health.check({})).status).to.equal(Status.SERVING);
    expect((await health.check({ service: SchemaService.typeName })).status).to.equal(Status.SERVING);
    ready = false;
    expect((await health.check({})).status).to.equal(Status.NOT_SERVING);
    await rejection(health.check({ service: 'no.Such' }));
  });

  it('its health as it changes', async () => {
    const health = createClient(Health, transport());
    const seen: Status[] = [];
    const controller = new AbortController();
    try {
      for await (const { status } of health.watch({}, { signal: controller.signal })) {
        seen.push(status);
        if (seen.length === 1) ready = false;
        else controller.abort();
      }
    } catch (error) {
      expect(fromConnectError(error).code).to.equal('CANCELLED');
    }
    expect(seen).to.deep.equal([Status.SERVING, Status.NOT_SERVING]);
  });

  it('its services', async () => {
    const { messageResponse } = await ask({ case: 'listServices', value: '' });
    expect(messageResponse.case).to.equal('listServicesResponse');
    const names =
      messageResponse.case === 'listServicesResponse'
        ? messageResponse.value.service.map(({ name }) => name)
        : [];
    expect(names).to.include.members([SchemaService.typeName, Health.typeName, ServerReflection.typeName]);
  });

  for (const symbol of [
    'penstock.schema.v1.SchemaService',
    'penstock.schema.v1.SchemaService.GetSchema',
    'penstock.schema.v1.Schema',
  ]) {
    it(`the files that describe ${symbol}, imports included`, async () => {
      const names = filesOf(await ask({ case: 'fileContainingSymbol', value: symbol }));
      expect(names[0]).to.equal('penstock/schema/v1/schema.proto');
      expect(names).to.include.members(['buf/validate/validate.proto', 'google/protobuf/descriptor.proto']);
      expect(new Set(names).size).to.equal(names.length);
    });
  }

  it('a file by its name', async () => {
    const answer = await ask({ case: 'fileByFilename', value: 'google/protobuf/duration.proto' });
    expect(filesOf(answer)).to.deep.equal(['google/protobuf/duration.proto']);
  });

  it('extensions of a message', async () => {
    const { messageResponse } = await ask({
      case: 'allExtensionNumbersOfType',
      value: 'google.protobuf.FieldOptions',
    });
    expect(messageResponse).to.nested.include({ 'value.baseTypeName': 'google.protobuf.FieldOptions' });
    const extension = { containingType: 'google.protobuf.FieldOptions', extensionNumber: 1159 };
    expect(filesOf(await ask({ case: 'fileContainingExtension', value: extension }))[0]).to.equal(
      'buf/validate/validate.proto',
    );
  });

  it('with an error for what it does not know', async () => {
    for (const request of [
      { case: 'fileContainingSymbol', value: 'no.Such' },
      { case: 'fileByFilename', value: 'no.proto' },
      { case: 'allExtensionNumbersOfType', value: 'no.Such' },
    ] as const) {
      expect((await ask(request)).messageResponse.case).to.equal('errorResponse');
    }
  });

  it('the same under the older name of reflection', async () => {
    const client = createClient(Alpha, transport());
    const requests = [
      { messageRequest: { case: 'fileContainingSymbol' as const, value: SchemaService.typeName } },
    ];
    for await (const { messageResponse } of client.serverReflectionInfo(streamOf(requests))) {
      expect(messageResponse.case).to.equal('fileDescriptorResponse');
      return;
    }
    throw new Error('no answer');
  });

  type Question =
    Parameters<
      ReturnType<typeof createClient<typeof ServerReflection>>['serverReflectionInfo']
    >[0] extends AsyncIterable<infer R>
      ? R
      : never;
  type Asked = NonNullable<Question['messageRequest']>;

  async function ask(messageRequest: Asked) {
    const client = createClient(ServerReflection, transport());
    for await (const answer of client.serverReflectionInfo(streamOf([{ messageRequest }]))) return answer;
    throw new Error('no answer');
  }
});

async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function filesOf(answer: { messageResponse: { case: string | undefined; value?: unknown } }): string[] {
  expect(answer.messageResponse.case).to.equal('fileDescriptorResponse');
  const { fileDescriptorProto } = answer.messageResponse.value as { fileDescriptorProto: Uint8Array[] };
  return fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name);
}
