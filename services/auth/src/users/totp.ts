import { Secret, TOTP } from 'otpauth';
import { TOTP_PERIOD_S, TOTP_SECRET_BYTES, TOTP_WINDOW_STEPS } from '../limits.ts';

export interface TotpEnrollment {
  /** Base32. */
  readonly secret: string;
  /** For an authenticator app. */
  readonly otpauthUrl: string;
}

/** One-time codes as every authenticator app has them: SHA-1, 6 digits, 30 s (RFC 6238). */
const totpOf = (secret: Secret, label: string): TOTP =>
  new TOTP({ issuer: 'Penstock', label, algorithm: 'SHA1', digits: 6, period: TOTP_PERIOD_S, secret });

/** A new secret. */
export function newTotpEnrollment(email: string): TotpEnrollment {
  return totpEnrollmentOf(new Secret({ size: TOTP_SECRET_BYTES }).base32, email);
}

/** An existing secret (Base32), to be shown once more. */
export function totpEnrollmentOf(secret: string, email: string): TotpEnrollment {
  return { secret, otpauthUrl: totpOf(Secret.fromBase32(secret), email).toString() };
}

/**
 * The time step whose code this is, or null. The caller must refuse a step that is not above the last one accepted
 * (RFC 6238, section 5.2: a code is good once). Spaces in the code are ignored.
 */
export function totpStepOf(secret: string, code: string, nowMs: number): number | null {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const totp = totpOf(Secret.fromBase32(secret), '');
  const delta = totp.validate({ token: digits, timestamp: nowMs, window: TOTP_WINDOW_STEPS });
  return delta === null ? null : Math.floor(nowMs / 1000 / TOTP_PERIOD_S) + delta;
}

/** What the secret of a user is sealed with. */
export const totpContext = (userId: string): string => `totp:${userId}`;

/** The context that a secret is sealed with while the user has not confirmed it. */
export const pendingTotpContext = (userId: string): string => `pending totp:${userId}`;
