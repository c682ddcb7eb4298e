import { abortable } from '@penstock/common/aws/abortable.ts';
import { classifyDynamoError } from '@penstock/common/dynamodb/errors.ts';
import { sendRaw, type RawReadCommand } from '@penstock/common/dynamodb/raw-reads.ts';
import { consumedHalfUnits } from '../decode/consumed.ts';
import type { DecodedPage, PageDecoder } from '../decode/page-decoder.ts';
import { indexOf } from '../limits/page-cost.ts';
import type { ReadContext, SettlePage } from '../read-context.ts';
import type { TableRead } from '../table-read.ts';
import { abortError, limitedError, readError } from './read-errors.ts';

/** What all requests of one read share. */
export interface ReadSession {
  readonly read: TableRead;
  readonly context: ReadContext;
  readonly decoder: PageDecoder;
  /** The context's signal, or that the rows are not wanted any more. */
  readonly signal: AbortSignal;
  /** Rows still to come before the read may stop; Infinity where it goes to the end. */
  readonly rowsLeft: () => number;
}

/** An answer as it came. */
interface Received {
  readonly body: Buffer;
  readonly halfUnits: number;
  /** READ_UNIT_LIMIT, where the statement may not go on with it. */
  readonly tooMuch: Error | null;
}

/** Asks, and counts what the answer cost as soon as it is there, also where nobody waits for it any more. */
async function ask({ context, signal }: ReadSession, command: RawReadCommand): Promise<Received> {
  const body = await sendRaw(context.client, command, signal);
  context.answers?.keep(context.schemaName, command, body);
  const halfUnits = consumedHalfUnits(body);
  try {
    context.meter.add(halfUnits);
    return { body, halfUnits, tooMuch: null };
  } catch (error) {
    return { body, halfUnits, tooMuch: error as Error };
  }
}

/**
 * Sends one request and decodes and meters its answer. Throttling is waited out until the signal aborts; other failures
 * are PenstockErrors.
 */
export async function sendPage(session: ReadSession, command: RawReadCommand): Promise<DecodedPage> {
  const { read, context, decoder, signal } = session;
  const kept = context.answers?.take(context.schemaName, command) ?? null;
  if (kept !== null) return decodeAgain(session, kept);
  const { pacer } = context;
  for (;;) {
    await pacer.pause(signal);
    if (signal.aborted) throw abortError(signal, pacer.isHoldingBack(), read, context.schemaName);
    let settle = await enterLimits(session, command);
    let halfUnits = 0;
    let holdMs = 0;
    let leave: (() => void) | null = null;
    try {
      leave = await enterPage(session);
      const sentAtMs = pacer.now();
      const asked = ask(session, command);
      context.meter.underWay(asked);
      let received: Received;
      try {
        received = await abortable(asked, signal);
      } catch (error) {
        if (signal.aborted) {
          settleLate(settle, asked);
          settle = null;
          throw abortError(signal, pacer.isHoldingBack(), read, context.schemaName);
        }
        if (classifyDynamoError(error).kind !== 'throttled') throw readError(error, read, context.schemaName);
        pacer.throttled(sentAtMs);
        holdMs = pacer.heldMs();
        continue;
      }
      pacer.answered();
      ({ halfUnits } = received);
      context.steering?.spent(halfUnits);
      try {
        if (received.tooMuch !== null) throw received.tooMuch;
        return await context.runSliced(decoder.decodeSliced(received.body));
      } catch (error) {
        throw readError(error, read, context.schemaName);
      }
    } finally {
      leave?.();
      settle?.(halfUnits, holdMs);
    }
  }
}

/** What was asked for before: it has been waited for, and is counted. */
async function decodeAgain({ context, decoder, signal }: ReadSession, body: Buffer): Promise<DecodedPage> {
  signal.throwIfAborted();
  const halfUnits = consumedHalfUnits(body);
  context.onReadAgain?.(halfUnits);
  context.steering?.spent(halfUnits);
  return context.runSliced(decoder.decodeSliced(body));
}

/** Of a page that nobody waits for any more. */
function settleLate(settle: SettlePage | null, asked: Promise<Received>): void {
  asked.then(
    ({ halfUnits }) => settle?.(halfUnits, 0),
    () => settle?.(0, 0),
  );
}

async function enterLimits(
  { read, context, signal }: ReadSession,
  command: RawReadCommand,
): Promise<SettlePage | null> {
  const limits = context.limitsOf(indexOf(command));
  if (limits === null) return null;
  try {
    return await limits.enter(command, signal);
  } catch (error) {
    throw signal.aborted ? limitedError(signal, limits.name, read, context.schemaName) : error;
  }
}

async function enterPage({ read, context, signal }: ReadSession): Promise<() => void> {
  try {
    return await context.enterPage(signal);
  } catch {
    // Nothing but the signal ends the wait.
    throw abortError(signal, context.pacer.isHoldingBack(), read, context.schemaName);
  }
}
