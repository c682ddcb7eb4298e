import type { Timestamp } from './protocol.ts';
import type { Role } from './session.ts';

/** A user of the tenant. */
export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly status: 'active' | 'disabled';
  readonly createdAt: Timestamp;
  /** Has a passkey, or a password and a one-time code: the invitation was taken. */
  readonly enrolled: boolean;
  /** To some minutes; null: never signed in to the console, or not known. */
  readonly lastSignedInAt: Timestamp | null;
  /** Whether this is who asks. Nobody disables themselves, or takes the admin's role from themselves. */
  readonly self: boolean;
}

/** Whom to invite. The address is unique in the service: 400 `VALIDATION_ERROR` where it is taken. */
export interface NewPerson {
  readonly email: string;
  readonly role: Role;
}

export interface PersonChange {
  readonly role: Role;
}

/** To be given to the person: the link is shown this once, works once, and for a week. */
export interface Invitation {
  readonly person: Person;
  readonly enrollUrl: string;
  readonly expiresAt: Timestamp;
}
