import { ROOT_CONTEXT } from '@opentelemetry/api';
import { expect } from 'chai';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { CALL_SPANS_MAX } from '../../src/telemetry/limits.ts';
import { extractHttp, injectText, extractText } from '../../src/telemetry/propagation.ts';
import {
  annotate,
  beginTrace,
  continueTrace,
  currentTraceId,
  inCallSpan,
  inSpan,
  inThisTrace,
  openSpan,
  spanOver,
} from '../../src/telemetry/spans.ts';
import { rejection } from '../rpc/harness.ts';
import { record, type Recording } from './recording.ts';

describe('spans', () => {
  let recording: Recording;
  beforeEach(() => {
    recording = record();
  });
  afterEach(() => recording.stop());

  /** Runs work in a trace of its own. */
  async function inTrace<T>(work: () => Promise<T>): Promise<T> {
    const root = beginTrace('root', {}, ROOT_CONTEXT)!;
    try {
      return await root.run(work);
    } finally {
      root.end();
    }
  }

  it('nest, whatever is awaited between', async () => {
    await inTrace(() =>
      inSpan('outer', {}, async () => {
        await Promise.resolve();
        await inSpan('inner', {}, async (span) => span.add({ 'penstock.rows': 1 }));
      }),
    );
    const [inner, outer, root] = [
      recording.named('inner'),
      recording.named('outer'),
      recording.named('root'),
    ];
    expect(inner.parentSpanContext?.spanId).to.equal(outer.spanContext().spanId);
    expect(outer.parentSpanContext?.spanId).to.equal(root.spanContext().spanId);
    expect(inner.attributes).to.deep.equal({ 'penstock.rows': 1 });
  });

  it('are not made of work that no request asked for', async () => {
    await inSpan('alone', {}, async () => annotate(() => ({ a: 1 })));
    expect(openSpan('alone', {})).to.equal(null);
    for await (const _ of spanOver('alone', {}, () => numbers())) void _;
    expect(continueTrace('alone', {}, extractHttp({}))).to.equal(null);
    expect(recording.spans()).to.have.length(0);
    expect(currentTraceId()).to.equal(null);
  });

  it('say what kind of error ended them, and nothing of its message', async () => {
    const told = new PenstockError('TABLE_NOT_FOUND', 'Table not found: shop.secret');
    await inTrace(async () => {
      await rejection(inSpan('ours', {}, () => Promise.reject(told)));
      await rejection(inSpan('other', {}, () => Promise.reject(new TypeError('arn:aws:iam::1:role/x'))));
    });
    expect(recording.named('ours').attributes).to.deep.equal({ 'error.type': 'TABLE_NOT_FOUND' });
    expect(recording.named('other').attributes).to.deep.equal({ 'error.type': 'TypeError' });
    for (const name of ['ours', 'other']) {
      expect(recording.named(name).status).to.deep.equal({ code: 2 });
      expect(recording.named(name).events).to.deep.equal([]);
    }
  });

  it('over items last from the first to the last, and what makes the items is within', async () => {
    await inTrace(async () => {
      const made = spanOver('read', {}, async function* () {
        for (let i = 0; i < 3; i++) {
          await inSpan(`make ${i}`, {}, async () => undefined);
          yield i;
        }
      });
      for await (const i of made) await inSpan(`use ${i}`, {}, async () => undefined);
    });
    const read = recording.named('read').spanContext().spanId;
    const root = recording.named('root').spanContext().spanId;
    for (const i of [0, 1, 2]) {
      expect(recording.named(`make ${i}`).parentSpanContext?.spanId).to.equal(read);
      expect(recording.named(`use ${i}`).parentSpanContext?.spanId).to.equal(root);
    }
    const order = recording.spans().map(({ name }) => name);
    expect(order.indexOf('read')).to.be.above(order.indexOf('use 2'));
  });

  it('over items end when the consumer leaves, and close what made the items', async () => {
    let closed = false;
    await inTrace(async () => {
      const made = spanOver('read', {}, async function* () {
        try {
          yield* numbers();
        } finally {
          closed = true;
        }
      });
      for await (const _ of made) break;
    });
    expect(closed).to.equal(true);
    expect(recording.named('read').ended).to.equal(true);
  });

  it('of the calls of one piece of work are bounded, and every call is made', async () => {
    let made = 0;
    const call = () => inCallSpan('call', {}, async () => (made += 1));
    await inTrace(() =>
      inSpan('read', {}, async () => {
        for (let i = 0; i < CALL_SPANS_MAX + 20; i++) await call();
      }),
    );
    expect(made).to.equal(CALL_SPANS_MAX + 20);
    expect(recording.spans().filter(({ name }) => name === 'call')).to.have.length(CALL_SPANS_MAX);
  });

  it('go on with the trace of a caller, over HTTP and through text', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const span = beginTrace('request', {}, extractHttp({ traceparent, baggage: 'a=b' }))!;
    const text = span.run(() => injectText());
    span.end();
    const job = continueTrace('job', {}, extractText(text ?? undefined))!;
    job.end();
    expect(recording.named('request').parentSpanContext).to.include({
      spanId: 'b7ad6b7169203331',
      isRemote: true,
    });
    expect(recording.named('job').parentSpanContext?.spanId).to.equal(
      recording.named('request').spanContext().spanId,
    );
    expect(recording.named('job').spanContext().traceId).to.equal('0af7651916cd43dd8448eb211c80319c');
    // Baggage is a caller's own; nothing of ours carries it on.
    expect(text).not.to.include('baggage');
  });

  it('of a trace that is not sampled are not made, and the trace still travels', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    const span = beginTrace('request', {}, extractHttp({ traceparent }))!;
    const sent = await span.run(() => inSpan('inner', {}, async () => injectText()));
    span.end();
    expect(recording.spans()).to.have.length(0);
    expect(sent).to.include('0af7651916cd43dd8448eb211c80319c').and.include('-00"');
  });

  it('take no harm from text that is none of ours', () => {
    for (const text of ['', 'null', '{', '{"traceparent":7}', '{"traceparent":"00-x"}', '[]'])
      expect(continueTrace('job', {}, extractText(text)), text).to.equal(null);
  });

  it('put their trace on log lines, also on those of listeners', async () => {
    const lines: Record<string, unknown>[] = [];
    const destination = {
      write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    };
    const logger = createLogger({ service: 's', level: 'info', destination });
    let listener = (): void => undefined;
    let traceId: string | null = null;
    await inTrace(async () => {
      traceId = currentTraceId();
      logger.child({ requestId: 'r' }).info({ rows: 1 }, 'within');
      listener = inThisTrace(() => logger.info('listener'));
    });
    listener();
    logger.info('outside');
    expect(lines.map((line) => [line['msg'], line['traceId']])).to.deep.equal([
      ['within', traceId],
      ['listener', traceId],
      ['outside', undefined],
    ]);
  });
});

async function* numbers(): AsyncGenerator<number> {
  yield 1;
  yield 2;
}
