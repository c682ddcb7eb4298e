import type { Timestamp } from './protocol.ts';

/** The user's own ways in. */
export interface Account {
  readonly email: string;
  readonly passkeys: readonly Passkey[];
  readonly hasPassword: boolean;
  readonly hasOneTimeCode: boolean;
  readonly sessions: readonly Session[];
}

export interface Passkey {
  readonly passkeyId: string;
  readonly createdAt: Timestamp;
  /** Where the authenticator says it is: `internal`, `usb`, `hybrid`, … */
  readonly transports: readonly string[];
}

/** A browser that is signed in to the console. */
export interface Session {
  readonly sessionId: string;
  readonly current: boolean;
  readonly signedInAt: Timestamp;
  /** To some minutes. */
  readonly lastUsedAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** What the browser says of itself (User-Agent), shortened; any text. */
  readonly userAgent: string;
}

/** A page of ours where a passkey or a one-time code is added; works once, for some minutes. */
export interface EnrollmentLink {
  readonly enrollUrl: string;
  readonly expiresAt: Timestamp;
}
