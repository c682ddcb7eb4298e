/**
 * Traces, metrics and logs of a running stack.
 *
 * Takes turns: it starts a stack that is traced whole.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { RunningStack } from '../../src/stack/stack.ts';
import { http } from '../../../../gateway/test/e2e/support/http.ts';
import { seedShop } from '../../../../gateway/test/e2e/support/shop.ts';
import {
  discardStack,
  STACK_START_TIMEOUT_MS,
  startTestStack,
} from '../../../../gateway/test/e2e/support/stack.ts';
import {
  newAccount,
  newTenant,
  registerSchema,
  type TestTenant,
} from '../../../../gateway/test/e2e/support/tenant.ts';
import { ATTRIBUTE_NAMES, LOG_FIELDS, METRICS, SPAN_NAMES } from './support/documented.ts';
import { exposedMetrics, type ExposedMetric } from './support/exposition.ts';
import { startOtlpReceiver, type OtlpReceiver } from './support/otlp-receiver.ts';
import type { ReceivedSpan } from './support/otlp-traces.ts';

const SPANS_WITHIN_MS = 10_000;
const SECRET = 'a-literal-that-nobody-may-see';

const INTERNAL = 1;
const SERVER = 2;
const CLIENT = 3;

describe('What a stack tells of itself', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let receiver: OtlpReceiver;
  let stack: RunningStack;
  let tenant: TestTenant;
  before(async () => {
    receiver = await startOtlpReceiver();
    // A stack of its own: every process tells its receiver, from its start, and nobody else's requests are among the spans.
    stack = await startTestStack({
      tracing: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, OTEL_BSP_SCHEDULE_DELAY: '200' },
    });
    tenant = await newTenant(stack);
    const account = newAccount(stack);
    await seedShop(account);
    await registerSchema(stack, tenant, account, { schemaName: 'shop' });
  });
  after(async () => {
    await discardStack(stack);
    await receiver.close();
  });

  /** A query with a trace of its caller's; its spans once all have come. */
  const traced = async (
    sql: string,
  ): Promise<{ spans: readonly ReceivedSpan[]; parent: string; requestId: string }> => {
    const traceId = randomUUID().replaceAll('-', '');
    const parent = traceId.slice(0, 16);
    const requestId = `traced-${traceId}`;
    await http('POST', `${stack.baseUrl}/v1/query`, {
      token: tenant.token,
      json: { sql },
      headers: { traceparent: `00-${traceId}-${parent}-01`, 'x-request-id': requestId },
    });
    const own = (spans: readonly ReceivedSpan[]): readonly ReceivedSpan[] =>
      spans.filter((span) => span.traceId === traceId);
    // The outermost span ends last, but other processes may deliver later.
    const isWhole = (spans: readonly ReceivedSpan[]): boolean => {
      const ids = new Set([parent, ...spans.map(({ spanId }) => spanId)]);
      return (
        spans.some((span) => span.parentSpanId === parent) &&
        spans.every((span) => ids.has(span.parentSpanId))
      );
    };
    await receiver.until((spans) => isWhole(own(spans)), SPANS_WITHIN_MS);
    return { spans: own(receiver.spans), parent, requestId };
  };

  describe('in traces', () => {
    let spans: readonly ReceivedSpan[];
    let parent: string;
    let requestId: string;
    before(async () => {
      const sql = `SELECT c.name, COUNT(*) FROM shop.customers c JOIN shop.orders o ON o.customer_id = c.id WHERE o.status <> '${SECRET}' GROUP BY c.name`;
      ({ spans, parent, requestId } = await traced(sql));
    });

    const one = (name: string, kind: number): ReceivedSpan => {
      const found = spans.filter((span) => span.name === name && span.kind === kind);
      expect(found, `${name} in ${spans.map((span) => span.name).join(', ')}`).to.have.length(1);
      return found[0]!;
    };

    it('a query is one trace from the caller to the gateway, the engine and DynamoDB', () => {
      const request = one('POST /v1/query', SERVER);
      expect(request).to.include({ parentSpanId: parent, service: 'gateway' });
      const call = one('penstock.query.v1.QueryService/Execute', CLIENT);
      expect(call).to.include({ parentSpanId: request.spanId, service: 'gateway' });
      const served = one('penstock.query.v1.QueryService/Execute', SERVER);
      expect(served).to.include({ parentSpanId: call.spanId, service: 'query-engine' });
      const work = one('query.work', INTERNAL);
      expect(work).to.include({ parentSpanId: served.spanId, service: 'query-engine' });
      for (const stage of ['query.parse', 'query.resolve', 'query.plan', 'query.compute'])
        expect(one(stage, INTERNAL), stage).to.include({ parentSpanId: work.spanId });
      const admitted = spans.filter(({ name }) => name === 'query.admit');
      expect(admitted).to.have.length.above(0);
      for (const { parentSpanId } of admitted) expect(parentSpanId).to.be.oneOf([served.spanId, work.spanId]);
      const reads = spans.filter(({ name }) => name === 'query.read');
      expect(reads.map(({ attributes }) => attributes['penstock.table'])).to.have.members([
        'customers',
        'orders',
      ]);
      for (const read of reads) {
        expect(read.parentSpanId).to.equal(work.spanId);
        const calls = spans.filter(
          ({ parentSpanId, name }) => parentSpanId === read.spanId && name.startsWith('DynamoDB.'),
        );
        expect(calls, String(read.attributes['penstock.table'])).to.have.length.above(0);
        for (const dynamo of calls)
          expect(dynamo.attributes['aws.dynamodb.table_names']).to.deep.equal([
            read.attributes['penstock.table'],
          ]);
      }
    });

    it('a query that has to look up its tables goes on in the registry', () => {
      const asked = one('penstock.query.v1.QueryService/Execute', SERVER);
      const call = one('penstock.schema.v1.CatalogService/ResolveTables', CLIENT);
      const served = one('penstock.schema.v1.CatalogService/ResolveTables', SERVER);
      expect(call.parentSpanId).to.equal(asked.spanId);
      expect(served).to.include({ parentSpanId: call.spanId, service: 'schema-registry' });
    });

    it('the spans say whose request it was and what it cost', () => {
      for (const span of [
        one('POST /v1/query', SERVER),
        one('penstock.query.v1.QueryService/Execute', SERVER),
      ])
        expect(span.attributes).to.include({
          'penstock.request_id': requestId,
          'penstock.tenant_id': tenant.tenantId,
        });
      const { attributes } = one('penstock.query.v1.QueryService/Execute', SERVER);
      const reads = spans.filter(({ name }) => name === 'query.read');
      const units = reads.reduce((sum, read) => sum + Number(read.attributes['penstock.read_units']), 0);
      expect(units).to.be.above(0);
      expect(attributes['penstock.read_units']).to.equal(units);
      expect(attributes['penstock.rows']).to.equal(2);
    });

    it('a statement of a PostgreSQL client is one trace from its message to the engine and DynamoDB', async () => {
      const { clientId, clientSecret } = tenant.credentials;
      const { host } = new URL(stack.postgresUrl);
      const client = new pg.Client(`postgresql://${clientId}:${clientSecret}@${host}/penstock`);
      await client.connect();
      await client.query('SELECT id FROM shop.customers WHERE name <> $1', [SECRET]);
      await client.end();
      const traceOf = (all: readonly ReceivedSpan[]): readonly ReceivedSpan[] => {
        const reads = all.filter(({ name }) => name === 'query.read');
        const message = all.find(
          ({ traceId, name }) =>
            name === 'postgres.message' && reads.some((read) => read.traceId === traceId),
        );
        return all.filter(({ traceId }) => traceId === message?.traceId);
      };
      // What encloses a span is delivered after it, and by another process.
      await receiver.until((all) => {
        const ids = new Set(['', ...traceOf(all).map(({ spanId }) => spanId)]);
        return ids.size > 1 && traceOf(all).every(({ parentSpanId }) => ids.has(parentSpanId));
      }, SPANS_WITHIN_MS);
      const trace = traceOf(receiver.spans);
      const byName = (name: string, kind: number): ReceivedSpan | undefined =>
        trace.find((span) => span.name === name && span.kind === kind);
      const message = byName('postgres.message', SERVER);
      expect(message).to.include({ service: 'postgres', parentSpanId: '' });
      expect(message?.attributes['penstock.tenant_id']).to.equal(tenant.tenantId);
      const call = byName('penstock.query.v1.QueryService/Execute', CLIENT);
      expect(call).to.include({ service: 'postgres', parentSpanId: message?.spanId });
      const served = byName('penstock.query.v1.QueryService/Execute', SERVER);
      expect(served).to.include({ service: 'query-engine', parentSpanId: call?.spanId });
    });

    it('names and attributes are those that are listed', () => {
      expect(receiver.spans).to.have.length.above(20);
      for (const { name, kind, attributes } of receiver.spans) {
        const shown = name
          .replace(/^(GET|POST|PUT|DELETE|PATCH)( .*)?$/, 'POST /v1/query')
          .replace(/^penstock\..*/, 'penstock.…Service/Method')
          .replace(/^DynamoDB\..*/, 'DynamoDB.Query')
          .replace(/^[a-z-]+ (add|process)$/, '{queue} $1');
        expect(SPAN_NAMES, `${name} (${kind})`).to.include(shown);
        expect(ATTRIBUTE_NAMES, name).to.include.members(Object.keys(attributes));
      }
    });

    it('nothing of a statement, no ARN, no account and no token is told', () => {
      const told = JSON.stringify(receiver.spans);
      expect(told).not.to.include(SECRET);
      expect(told).not.to.match(/arn:aws|SELECT|eyJ[\w-]+\./);
      expect(told).not.to.include(tenant.credentials.clientSecret);
      for (const { statusMessage, events } of receiver.spans)
        expect({ statusMessage, events }).to.deep.equal({ statusMessage: '', events: 0 });
    });

    it('work that nobody asked for has none', () => {
      const roots = receiver.spans.filter(
        ({ parentSpanId, name }) => parentSpanId === '' && !/^((GET|POST) |postgres\.message$)/.test(name),
      );
      expect(roots.map(({ name, service }) => `${service} ${name}`)).to.deep.equal([]);
    });

    it('a background refresh goes on with the trace of the request that asked for it', async () => {
      const isJob = ({ name }: ReceivedSpan): boolean => name.endsWith(' process');
      await receiver.until((all) => all.some(isJob), SPANS_WITHIN_MS);
      const job = receiver.spans.find(isJob)!;
      const added = receiver.spans.find(({ spanId }) => spanId === job.parentSpanId);
      expect(added?.name).to.match(/ add$/);
      expect(job).to.include({ service: 'schema-worker', traceId: added?.traceId });
    });

    it('a failed query is told by its code', async () => {
      const failed = await traced(`SELECT nothing FROM shop.customers WHERE id = '${SECRET}'`);
      const served = failed.spans.find(({ name, kind }) => name.endsWith('/Execute') && kind === SERVER);
      expect(served).to.deep.include({ status: 2, statusMessage: '' });
      expect(served?.attributes['error.type']).to.equal('COLUMN_NOT_FOUND');
    });

    it('the log lines of every process that served it have its request ID, its tenant and the trace', async () => {
      for (const name of ['gateway', 'query-engine-1', 'schema-registry']) {
        const log = await readFile(join(stack.dataDir, 'logs', `${name}.log`), 'utf8');
        const lines = log
          .split('\n')
          .filter((line) => line.includes(requestId))
          .map((line) => JSON.parse(line) as Record<string, unknown>);
        expect(lines, name).to.have.length.above(0);
        for (const line of lines) {
          expect(line, name).to.include({ requestId, traceId: spans[0]?.traceId, tenantId: tenant.tenantId });
          expect(LOG_FIELDS, name).to.include.members(Object.keys(line));
        }
      }
    });
  });

  describe('in metrics', () => {
    let exposed: ReadonlyMap<string, readonly ExposedMetric[]>;
    before(async () => {
      const texts = Object.entries(stack.metricsUrls).map(async ([name, url]) => {
        const text = await (await fetch(url)).text();
        return [name.replace(/-\d+$/, ''), exposedMetrics(text)] as const;
      });
      exposed = new Map(await Promise.all(texts));
    });

    it('every process exposes those that are listed, and no other', () => {
      for (const [name, metrics] of exposed) {
        const listed = METRICS.filter(({ processes }) => processes === null || processes.includes(name));
        expect(
          metrics.map((metric) => metric.name),
          name,
        ).to.have.members(listed.map((metric) => metric.name));
        for (const metric of metrics) {
          const { type, labels } = listed.find((one) => one.name === metric.name)!;
          expect(metric.type, metric.name).to.equal(type);
          expect(labels, metric.name).to.include.members([...metric.labels]);
        }
      }
    });

    it('each says which service it is, and observed ones have a value', () => {
      for (const [name, metrics] of exposed)
        for (const metric of metrics.filter(({ services }) => services.size > 0))
          expect([...metric.services], metric.name).to.deep.equal([name]);
      const found = (name: string, metric: string): boolean =>
        exposed.get(name)?.some((one) => one.name === metric && one.services.size > 0) === true;
      for (const [name, metric] of [
        ['gateway', 'penstock_usage_spool_bytes'],
        ['gateway', 'penstock_usage_owed_events'],
        ['query-engine', 'penstock_duckdb_memory_bytes'],
        ['query-engine', 'penstock_read_units_total'],
        ['schema-worker', 'penstock_queue_jobs'],
        ['schema-worker', 'penstock_queue_job_duration_seconds'],
        ['usage-worker', 'penstock_usage_stream_entries'],
        ['usage-worker', 'penstock_usage_set_aside_entries'],
        ['auth', 'penstock_aws_call_duration_seconds'],
      ] as const)
        expect(found(name, metric), `${name} ${metric}`).to.equal(true);
    });
  });
});
