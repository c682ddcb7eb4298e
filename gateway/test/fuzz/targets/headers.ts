import type { Random } from '../../chaos/random.ts';
import { nastyText } from '../support/nasty.ts';

/** Headers that somebody reads, in the gateway or behind it. */
const NAMES = [
  ...[
    'authorization',
    'content-type',
    'accept',
    'x-request-id',
    'traceparent',
    'tracestate',
    'baggage',
    'cookie',
  ],
  ...[
    'origin',
    'host',
    'x-forwarded-for',
    'x-forwarded-proto',
    'forwarded',
    'mcp-protocol-version',
    'mcp-method',
  ],
  ...['mcp-name', 'mcp-session-id', 'last-event-id', 'content-encoding', 'user-agent', 'referer', 'expect'],
];

/** Longer headers are answered with 431 by Node.js itself. */
const CHARS_MAX = 3_000;

/** The headers with one of them spoiled, now and then. */
export function spoiledHeaders(
  random: Random,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (random.below(6) !== 0) return headers;
  const name = random.pick(NAMES);
  const text = nastyText(random).slice(0, CHARS_MAX).toWellFormed();
  return { ...headers, [name]: name === 'authorization' && random.below(2) === 0 ? `Bearer ${text}` : text };
}
