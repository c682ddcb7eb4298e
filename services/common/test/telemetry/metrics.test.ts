import { expect } from 'chai';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { SchemaService } from '../../src/gen/penstock/schema/v1/schema_pb.js';
import { callOptions } from '../../src/rpc/client.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createHarness, rejection } from '../rpc/harness.ts';

describe('metrics', () => {
  it('carry the service, and are the same when asked for twice', async () => {
    const metrics = createMetrics('svc');
    metrics.counter('penstock_things_total', 'Things.', ['kind']).inc({ kind: 'a' });
    metrics.counter('penstock_things_total', 'Things.', ['kind']).inc({ kind: 'a' }, 2);
    expect(await metrics.registry.metrics()).to.contain('penstock_things_total{kind="a",service="svc"} 3');
  });

  it('of two processes are apart', async () => {
    createMetrics('a').gauge('penstock_level', 'Level.').set(1);
    expect(await createMetrics('b').registry.metrics()).to.equal('\n');
  });

  it('are observed at each scrape, by all who observe them', async () => {
    const metrics = createMetrics('svc');
    let level = 1;
    metrics.observe('penstock_level', 'Level.', ['tank'], () => [{ labels: { tank: 'a' }, value: level }]);
    metrics.observe('penstock_level', 'Level.', ['tank'], async () => [{ labels: { tank: 'b' }, value: 7 }]);
    expect(await metrics.registry.metrics()).to.contain('penstock_level{tank="a",service="svc"} 1');
    level = 2;
    const text = await metrics.registry.metrics();
    expect(text).to.contain('penstock_level{tank="a",service="svc"} 2');
    expect(text).to.contain('penstock_level{tank="b",service="svc"} 7');
  });

  it('that cannot be observed are missing from the scrape, and nothing else is', async () => {
    const metrics = createMetrics('svc');
    metrics.counter('penstock_things_total', 'Things.').inc();
    metrics.observe('penstock_broken', 'Broken.', [], () => Promise.reject(new Error('away')));
    metrics.observe('penstock_hanging', 'Hanging.', [], () => new Promise(() => undefined));
    const text = await metrics.registry.metrics();
    expect(text).to.contain('penstock_things_total{service="svc"} 1');
    expect(text).not.to.match(/^penstock_(broken|hanging)\b/m);
  });

  it('count calls by method and gRPC code, and how many are in flight', async () => {
    const harness = await createHarness();
    try {
      const metrics = createMetrics('svc');
      const server = await harness.serve(
        (router) =>
          router.service(SchemaService, {
            getSchema: ({ schemaName }) => {
              if (schemaName === 'none')
                throw new PenstockError('SCHEMA_NOT_FOUND', 'Schema not found: none');
              return {};
            },
          }),
        { metrics },
      );
      const client = harness.connect(SchemaService, [server]);
      const options = callOptions({ token: await harness.signer.sign(), requestId: 'r' });
      await client.getSchema({ schemaName: 'a' }, options);
      await client.getSchema({ schemaName: 'b' }, options);
      await rejection(client.getSchema({ schemaName: 'none' }, options));
      const text = await metrics.registry.metrics();
      const rpc = 'rpc="penstock.schema.v1.SchemaService/GetSchema"';
      const count = 'penstock_rpc_server_duration_seconds_count';
      expect(valueOf(text, count, rpc, 'code="Ok"')).to.equal('2');
      expect(valueOf(text, count, rpc, 'code="NotFound"')).to.equal('1');
      expect(valueOf(text, 'penstock_rpc_server_in_flight', rpc)).to.equal('0');
    } finally {
      await harness.close();
    }
  });
});

/** The value of the one line of this name with all of these labels. */
function valueOf(text: string, name: string, ...labels: string[]): string | undefined {
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)));
  expect(lines, `${name} ${labels.join()}`).to.have.length(1);
  return lines[0]?.split(' ').at(-1);
}
