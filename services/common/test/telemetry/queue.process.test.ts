import { ROOT_CONTEXT } from '@opentelemetry/api';
import { expect } from 'chai';
import { createLogger } from '../../src/logging/logger.ts';
import { createQueue, type JobQueue } from '../../src/queue/queue.ts';
import { startWorker, type JobWorker } from '../../src/queue/worker.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';
import { beginTrace, inSpan } from '../../src/telemetry/spans.ts';
import { until } from '../support/until.ts';
import { startTestRedis, type TestRedis } from '../usage/support/redis.ts';
import { record, type Recording } from './recording.ts';

describe('a queue', () => {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    service: 't',
    level: 'debug',
    destination: { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  let redis: TestRedis;
  let queue: JobQueue<null>;
  let worker: JobWorker | null = null;
  let metrics: Metrics;
  let recording: Recording;
  let name: string;
  let made = 0;
  before(async () => {
    redis = await startTestRedis();
  });
  after(() => redis.close());
  beforeEach(() => {
    lines.length = 0;
    name = `traced-${(made += 1)}`;
    metrics = createMetrics('t');
    queue = createQueue<null>(name, redis.url, logger, metrics);
    recording = record();
  });
  afterEach(async () => {
    recording.stop();
    await worker?.close();
    worker = null;
    await queue.close();
  });

  const work = (handle: () => Promise<void>): void => {
    worker = startWorker<null>({ name, redisUrl: redis.url, concurrency: 1, handle, logger, metrics });
  };
  const scraped = async (text: string): Promise<boolean> => (await metrics.registry.metrics()).includes(text);

  it('hands the trace of who adds a job on to who runs it', async () => {
    work(() => inSpan('handler', {}, async () => undefined));
    const root = beginTrace('root', {}, ROOT_CONTEXT)!;
    await root.run(() => queue.add('job', null));
    root.end();
    await until(() => recording.spans().some((span) => span.name === `${name} process`));
    const [added, ran] = [recording.named(`${name} add`), recording.named(`${name} process`)];
    expect(added.parentSpanContext?.spanId).to.equal(recording.named('root').spanContext().spanId);
    expect(ran.parentSpanContext?.spanId).to.equal(added.spanContext().spanId);
    expect(recording.named('handler').parentSpanContext?.spanId).to.equal(ran.spanContext().spanId);
    expect(ran.attributes).to.include({ 'messaging.destination.name': name, 'penstock.attempt': 1 });
    await until(() => lines.some(({ msg }) => msg === 'job done'));
    expect(lines.find(({ msg }) => msg === 'job done')).to.include({ traceId: ran.spanContext().traceId });
  });

  it('runs jobs of no trace without one', async () => {
    work(() => inSpan('handler', {}, async () => undefined));
    await queue.add('job', null);
    await until(() => lines.some(({ msg }) => msg === 'job done'));
    expect(recording.spans()).to.have.length(0);
  });

  it('says how many jobs wait, and how many are dead letters', async () => {
    const label = `{queue="${name}",state=`;
    await queue.add('job', null);
    await until(() => scraped(`penstock_queue_jobs${label}"waiting",service="t"} 1`));
    work(() => Promise.reject(new Error('no')));
    await queue.add('last', null, { attempts: 1 });
    await until(() => scraped(`penstock_queue_jobs${label}"failed",service="t"} 1`));
    expect(await scraped(`queue="${name}",job="last",outcome="failed"`)).to.equal(true);
  });
});
