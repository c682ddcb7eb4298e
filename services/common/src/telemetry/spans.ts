/**
 * Spans of the trace under way. A trace begins where a request comes in (`beginTrace`) and is continued where it
 * travels to (`continueTrace`); work that no request asked for has none. Without a sampled trace everything here runs
 * its work and does nothing else.
 */
import {
  context,
  createContextKey,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { PenstockError } from '../errors/penstock-error.ts';
import { CALL_SPANS_MAX } from './limits.ts';
import { ATTRIBUTES } from './names.ts';

export type { Attributes } from '@opentelemetry/api';

/** Stands for the provider that startTracing registers; without one it makes spans that record nothing. */
const tracer = trace.getTracer('penstock');

const CALLS_LEFT = createContextKey('calls that may have spans');

interface SpanOptions {
  readonly kind?: SpanKind;
  /** Made where a span is, which without a sampled trace is nowhere. */
  readonly attributes?: () => Attributes;
}

/** What work adds to its span. */
export interface WorkSpan {
  add(attributes: Attributes): void;
}

const NO_SPAN: WorkSpan = Object.freeze({ add: () => undefined });

const sampledSpan = (): Span | null => {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span : null;
};

const workSpan = (span: Span): WorkSpan => ({ add: (attributes) => void span.setAttributes(attributes) });

function open(name: string, { kind = SpanKind.INTERNAL, attributes }: SpanOptions): Span {
  return tracer.startSpan(name, { kind, attributes: attributes?.() ?? {} });
}

function errorType(error: unknown): string {
  if (typeof error === 'string') return error;
  if (error instanceof PenstockError) return error.code;
  return error instanceof Error ? error.name : typeof error;
}

/** Marks a span as failed, by the kind of the error only: messages may hold what must not leave the process. */
function fail(span: Span, error: unknown): void {
  span.setAttribute(ATTRIBUTES.errorType, errorType(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

const contextOf = (span: Span): Context =>
  trace.setSpan(context.active(), span).setValue(CALLS_LEFT, { left: CALL_SPANS_MAX });

/** Runs work in a span of its own. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: WorkSpan) => Promise<T>,
): Promise<T> {
  if (sampledSpan() === null) return work(NO_SPAN);
  const span = open(name, options);
  try {
    return await context.with(contextOf(span), () => work(workSpan(span)));
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/**
 * As inSpan for one of many calls that a piece of work makes: the first CALL_SPANS_MAX in the same span have spans, the
 * others just run.
 */
export function inCallSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: WorkSpan) => Promise<T>,
): Promise<T> {
  if (sampledSpan() === null) return work(NO_SPAN);
  const calls = context.active().getValue(CALLS_LEFT) as { left: number } | undefined;
  if (calls !== undefined && calls.left-- <= 0) return work(NO_SPAN);
  return inSpan(name, options, work);
}

/** A span from the first item asked for to the last one taken; what makes the items runs within it. */
export function spanOver<T>(
  name: string,
  options: SpanOptions,
  items: (span: WorkSpan) => AsyncIterable<T>,
): AsyncIterable<T> {
  if (sampledSpan() === null) return items(NO_SPAN);
  const span = open(name, options);
  return iterateIn(contextOf(span), () => items(workSpan(span)), endingOf(span));
}

function endingOf(span: Span): Ending {
  return { failed: (error) => fail(span, error), ended: () => span.end() };
}

interface Ending {
  failed(error: unknown): void;
  ended(): void;
}

/**
 * A generator's body runs in the context of whoever asks for its next item, so each item is asked for in this
 * context.
 */
async function* iterateIn<T>(
  within: Context,
  items: () => AsyncIterable<T>,
  ending: Ending,
): AsyncGenerator<T, undefined> {
  const iterator = context.with(within, () => items()[Symbol.asyncIterator]());
  try {
    for (;;) {
      const step = await context.with(within, () => iterator.next());
      if (step.done === true) return undefined;
      yield step.value;
    }
  } catch (error) {
    ending.failed(error);
    throw error;
  } finally {
    await context.with(within, async () => iterator.return?.());
    ending.ended();
  }
}

/** A span at an edge of the process, ended by whoever made it. */
export interface EdgeSpan extends WorkSpan {
  /** Runs work within the span. */
  run<T>(work: () => T): T;
  /** The items as they come, made within the span. `ended` is called once, with the error if there was one. */
  iterate<T>(items: AsyncIterable<T>, ended: (error?: unknown) => void): AsyncIterable<T>;
  rename(name: string): void;
  /** An error, or the name of its kind. */
  failed(error: unknown): void;
  end(): void;
}

function edgeSpan(span: Span, within: Context): EdgeSpan {
  return {
    ...workSpan(span),
    run: (work) => context.with(within, work),
    iterate: (items, ended) => {
      let reason: unknown;
      return iterateIn(within, () => items, {
        failed: (error) => (reason = error),
        ended: () => ended(reason),
      });
    },
    rename: (to) => void span.updateName(to),
    failed: (error) => fail(span, error),
    end: () => span.end(),
  };
}

/** A span for a call that leaves the process; null without a sampled trace. */
export function openSpan(name: string, options: SpanOptions): EdgeSpan | null {
  if (sampledSpan() === null) return null;
  const span = open(name, options);
  return edgeSpan(span, contextOf(span));
}

/** Begins a trace, or goes on with the one of `parent`: the span of a request that came in. Null while tracing is off. */
export function beginTrace(name: string, options: SpanOptions, parent: Context): EdgeSpan | null {
  const { kind = SpanKind.SERVER, attributes } = options;
  const span = tracer.startSpan(name, { kind }, parent);
  if (!trace.isSpanContextValid(span.spanContext())) return null;
  if (attributes !== undefined && span.isRecording()) span.setAttributes(attributes());
  return edgeSpan(span, trace.setSpan(parent, span));
}

/** As beginTrace, but only where the caller sent a trace along. */
export function continueTrace(name: string, options: SpanOptions, parent: Context): EdgeSpan | null {
  return trace.getSpanContext(parent) === undefined ? null : beginTrace(name, options, parent);
}

/** As continueTrace, for work that another process of the same service handed over. */
export function continueWork(name: string, options: SpanOptions, parent: Context): EdgeSpan | null {
  return continueTrace(name, { ...options, kind: SpanKind.INTERNAL }, parent);
}

/** Adds to the span that is under way. */
export function annotate(attributes: () => Attributes): void {
  const span = trace.getActiveSpan();
  if (span?.isRecording() === true) span.setAttributes(attributes());
}

/** Keeps a listener in the trace of whoever adds it. Otherwise it would run in the trace of whoever emits. */
export function inThisTrace<F extends (...args: never[]) => unknown>(listener: F): F {
  return context.bind(context.active(), listener);
}

/** Hexadecimal, as W3C trace context has it; null outside of traces. */
export function currentTraceId(): string | null {
  return trace.getSpanContext(context.active())?.traceId ?? null;
}
