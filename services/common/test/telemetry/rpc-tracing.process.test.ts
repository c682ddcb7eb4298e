import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { expect } from 'chai';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { QueryService } from '../../src/gen/penstock/query/v1/query_pb.js';
import { SchemaService } from '../../src/gen/penstock/schema/v1/schema_pb.js';
import { callOptions } from '../../src/rpc/client.ts';
import { beginTrace, inSpan } from '../../src/telemetry/spans.ts';
import { createHarness, rejection, type Harness } from '../rpc/harness.ts';
import { until } from '../support/until.ts';
import { CLIENT } from '../token/signer.ts';
import { record, type Recording } from './recording.ts';

describe('RPC calls in a trace', () => {
  let harness: Harness;
  let recording: Recording;
  beforeEach(async () => {
    harness = await createHarness();
    recording = record();
  });
  afterEach(async () => {
    recording.stop();
    await harness.close();
  });

  async function inTrace<T>(work: () => Promise<T>): Promise<T> {
    const root = beginTrace('root', {}, ROOT_CONTEXT)!;
    return root.run(work).finally(() => root.end());
  }
  /** Client's and server's span of the one call. */
  async function pair(name: string) {
    const found = () => recording.spans().filter((span) => span.name === name);
    await until(() => found().length === 2);
    const [client, server] = [SpanKind.CLIENT, SpanKind.SERVER].map((kind) =>
      found().find((span) => span.kind === kind)!,
    );
    return { client: client!, server: server! };
  }

  it('have a span at both ends, the server within the client', async () => {
    const server = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema: () => inSpan('handler', {}, async () => ({})),
      }),
    );
    const client = harness.connect(SchemaService, [server]);
    const options = callOptions({ token: await harness.signer.sign(), requestId: 'r-1' });
    await inTrace(() => client.getSchema({ schemaName: 'a' }, options));
    const call = await pair('penstock.schema.v1.SchemaService/GetSchema');
    expect(call.server.parentSpanContext?.spanId).to.equal(call.client.spanContext().spanId);
    expect(recording.named('handler').parentSpanContext?.spanId).to.equal(call.server.spanContext().spanId);
    expect(call.server.attributes).to.include({
      'rpc.system': 'grpc',
      'rpc.service': 'penstock.schema.v1.SchemaService',
      'rpc.method': 'GetSchema',
      'rpc.grpc.status_code': 0,
      'penstock.request_id': 'r-1',
      'penstock.tenant_id': CLIENT.tenantId,
    });
    const line = harness.lines.find(({ msg }) => msg === 'rpc');
    expect(line).to.include({ requestId: 'r-1', traceId: call.server.spanContext().traceId });
  });

  it('that fail say how, at both ends', async () => {
    const server = await harness.serve((router) =>
      router.service(SchemaService, {
        getSchema() {
          throw new PenstockError('SCHEMA_NOT_FOUND', 'Schema not found: a');
        },
      }),
    );
    const client = harness.connect(SchemaService, [server]);
    const options = callOptions({ token: await harness.signer.sign(), requestId: 'r' });
    await inTrace(() => rejection(client.getSchema({ schemaName: 'a' }, options)));
    const call = await pair('penstock.schema.v1.SchemaService/GetSchema');
    expect(call.server.attributes).to.include({
      'error.type': 'SCHEMA_NOT_FOUND',
      'rpc.grpc.status_code': 5,
    });
    expect(call.client.attributes).to.include({ 'error.type': 'NotFound', 'rpc.grpc.status_code': 5 });
  });

  it('that stream end with their last message, and what makes each message is within', async () => {
    const server = await harness.serve((router) =>
      router.service(QueryService, {
        async *execute() {
          for (const name of ['first', 'second']) {
            await inSpan(name, {}, async () => undefined);
            yield { header: { columns: [name], columnTypes: [] } };
          }
          await inSpan('last', {}, async () => undefined);
        },
      }),
    );
    const client = harness.connect(QueryService, [server]);
    const token = await harness.signer.sign();
    await inTrace(async () => {
      const request = { sql: 'SELECT 1', maxRows: 1, timeoutMs: 1000 };
      for await (const _ of client.execute(request, callOptions({ token, requestId: 'r' }))) void _;
    });
    const call = await pair('penstock.query.v1.QueryService/Execute');
    for (const name of ['first', 'second', 'last'])
      expect(recording.named(name).parentSpanContext?.spanId).to.equal(call.server.spanContext().spanId);
    const order = recording.spans().map(({ name }) => name);
    expect(order.indexOf('penstock.query.v1.QueryService/Execute')).to.be.above(order.indexOf('last'));
  });

  it('without a trace have no spans', async () => {
    const server = await harness.serve((router) => router.service(SchemaService, { getSchema: () => ({}) }));
    const client = harness.connect(SchemaService, [server]);
    await client.getSchema(
      { schemaName: 'a' },
      callOptions({ token: await harness.signer.sign(), requestId: 'r' }),
    );
    expect(recording.spans()).to.have.length(0);
  });
});
