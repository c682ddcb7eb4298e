/**
 * Text of errors that we did not write (AWS's name the caller's role, others quote a header) loses what may not be
 * logged: ARNs, and anything that looks like one of our tokens.
 */
const ARN = /arn:aws[\w-]*:[^\s"'`,;)\]}]*/g;
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const BEARER = /Bearer\s+[^\s"']+/gi;

export function scrub(text: string): string {
  return text.replace(ARN, '[arn]').replace(JWT, '[token]').replace(BEARER, 'Bearer [token]');
}
