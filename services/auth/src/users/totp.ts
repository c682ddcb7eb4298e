import { Secret, TOTP } from 'otpauth';
import { totpSecretBytes } from '../limits.ts';

export interface TotpEnrollment {
  /** Base32. */
  readonly secret: string;
  /** For an authenticator app. */
  readonly otpauthUrl: string;
}

/** A new secret for one-time codes as every authenticator app has them: SHA-1, 6 digits, 30 s (RFC 6238). */
export function newTotpEnrollment(email: string): TotpEnrollment {
  const secret = new Secret({ size: totpSecretBytes });
  const totp = new TOTP({
    issuer: 'Penstock',
    label: email,
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
    secret,
  });
  return { secret: secret.base32, otpauthUrl: totp.toString() };
}

/** What the secret of a user is sealed with. */
export const totpContext = (userId: string): string => `totp:${userId}`;
