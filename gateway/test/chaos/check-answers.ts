/** What an answer is: right, an error of the contract, or wrong. */
import type { HttpAnswer } from '../e2e/support/http.ts';
import type { Envelope, QueryEnvelope } from '../e2e/support/tenant.ts';
import type { OtherCase, QueryCase } from './requests.ts';

/**
 * `right`: as asked. `failed`: an error of the contract that says "something is away, try again". `wrong`: all else,
 * with what it was.
 */
export type AnswerCheck =
  | { readonly kind: 'right' | 'failed' }
  | { readonly kind: 'wrong'; readonly what: string };

/** Codes that parts being away, slow or throttled may bring, with their statuses outside of queries. */
const OTHER_FAILURES: Readonly<Record<string, number>> = { UNAVAILABLE: 503, THROTTLED: 503 };

/** What a statement may be answered with 200 when it was throttled for too long (errors/codes.ts: THROTTLED). */
const THROTTLED = /^(DynamoDB throttles reads of |Too many role sessions )/;

/**
 * And when workers were killed or frozen again and again while they worked on it: what did that cannot be told from the
 * statement itself (host/limits.ts: UNCERTAIN_ENDS_MAX).
 */
const BLAMED =
  /^This statement is refused for \d+ more minutes?: a query worker had to be ended while it worked on one like it$/;

/** Nothing of how the service is built may show. */
const INTERNALS = /ECONN|127\.0\.0\.1|arn:|\.ts\b|at Object|grpc|redis/i;

const wrong = (what: string, { status, text }: HttpAnswer): AnswerCheck => ({
  kind: 'wrong',
  what: `${what}: ${status} ${text.slice(0, 300)}`,
});

function retriable(answer: HttpAnswer): AnswerCheck {
  if (INTERNALS.test(answer.text)) return wrong('shows internals', answer);
  if (!/^\d+$/.test(answer.headers.get('retry-after') ?? '')) return wrong('503 without retry-after', answer);
  return { kind: 'failed' };
}

export function checkQuery({ check, name }: QueryCase, answer: HttpAnswer<QueryEnvelope>): AnswerCheck {
  if (answer.headers.get('x-request-id') === null) return wrong(`${name}: no x-request-id`, answer);
  const problem = check(answer);
  const { status, body } = answer;
  const said = body?.error ?? '';
  // An empty expectation would take a throttled answer for the refusal that it waits for.
  if (status === 200 && body?.success === false && (THROTTLED.test(said) || BLAMED.test(said)))
    return { kind: 'failed' };
  if (problem === null) return { kind: 'right' };
  if (status === 503 && body?.success === false && said !== '') return retriable(answer);
  return wrong(`${name}: ${problem}`, answer);
}

export function checkOther({ check, name }: OtherCase, answer: HttpAnswer<Envelope>): AnswerCheck {
  if (check(answer) === null) return { kind: 'right' };
  const { error } = answer.body ?? {};
  const known = error !== undefined && OTHER_FAILURES[error.code] === answer.status;
  return known ? retriable(answer) : wrong(name, answer);
}
