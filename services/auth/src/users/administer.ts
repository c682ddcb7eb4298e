import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import { newUserId } from '../ids.ts';
import type { Envelope } from '../keys/envelope.ts';
import { ENROLLMENT_LIFETIME_S } from '../limits.ts';
import type { EmailStore } from '../store/emails.ts';
import type { EnrollmentStore } from '../store/enrollments.ts';
import type { PasskeyStore } from '../store/passkeys.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { RevocationStore } from '../store/revocations.ts';
import type { TenantStore } from '../store/tenants.ts';
import { requireTenant } from '../tenants/administer.ts';
import { hashSecret, newSecret } from '../tokens/secret.ts';
import { hashPassword } from './password.ts';
import { newTotpEnrollment, totpContext } from './totp.ts';
import { FIRST_ENROLLMENT } from './user.ts';
import type { User } from './user.ts';

interface NewUser {
  readonly tenantId: string;
  readonly email: string;
  readonly role: User['role'];
  /** Null: they set one, or a passkey, by their link. */
  readonly password: string | null;
  /** Makes no one-time-code secret: the user enrolls a second factor at the first sign-in. */
  readonly enrollAtSignIn: boolean;
}

interface CreatedUser {
  readonly user: User;
  /** Empty, as the URL, where the user enrolls at sign-in. */
  readonly totpSecret: string;
  readonly otpauthUrl: string;
  readonly enrollUrl: string;
}

/** All throw `NOT_FOUND` for an unknown tenant or user. */
export interface UserAdministration {
  /** Throws `VALIDATION_ERROR` where a user of the tenant has the address, whatever its case. */
  create(user: NewUser): Promise<CreatedUser>;
  list(tenantId: string): Promise<User[]>;
  /** Ends the user and their tokens. */
  disable(userId: string): Promise<User>;
  /** Lets them in again, as they were; their tokens from before stay ended. */
  enable(userId: string): Promise<User>;
  /**
   * Ends their factors, tokens, sign-ins and earlier links, and gives a link to enroll again. Only that link lets
   * them in, since whoever holds the lost device may know the password. Without a new password the old one stays.
   */
  reenroll(userId: string, password: string | null): Promise<EnrollmentLink & { readonly user: User }>;
  /** A further link for a user as they are: it adds a factor, and ends nothing. */
  enrollmentLink(user: User, lifetimeS: number): Promise<EnrollmentLink>;
  /** What they may do, from their next request on. */
  setRole(userId: string, role: User['role']): Promise<User>;
}

/** Works once. */
export interface EnrollmentLink {
  readonly enrollUrl: string;
  /** Epoch seconds. */
  readonly expiresAtS: number;
}

export function createUserAdministration(options: {
  users: PrincipalStore<User>;
  emails: EmailStore;
  enrollments: EnrollmentStore;
  tenants: TenantStore;
  revocations: RevocationStore;
  passkeyStore: PasskeyStore;
  envelope: Envelope;
  /** Where the enrollment page is. */
  mcpUrl: string;
  clock: Clock;
}): UserAdministration {
  const { users, emails, enrollments, tenants, revocations, passkeyStore, envelope, mcpUrl, clock } = options;

  async function enrollmentLink({ userId, generation }: User, lifetimeS: number): Promise<EnrollmentLink> {
    const token = newSecret('enrollment');
    const expiresAtS = Math.floor(clock.now() / 1000) + lifetimeS;
    await enrollments.create(hashSecret(token), { userId, generation }, expiresAtS);
    return { enrollUrl: `${mcpUrl.replace(/\/$/, '')}/enroll?token=${token}`, expiresAtS };
  }

  const newEnrollUrl = async (user: User): Promise<string> =>
    (await enrollmentLink(user, ENROLLMENT_LIFETIME_S)).enrollUrl;

  async function change(userId: string, to: (current: User) => User | Promise<User>): Promise<User> {
    const changed = await users.update(userId, to);
    if (changed === null) throw new PenstockError('NOT_FOUND', `User not found: ${userId}`);
    return changed;
  }

  /** The revocation comes first: should the process die in between, tokens end too early, never too late. */
  const endTokens = (userId: string, to: (current: User) => Partial<User>): Promise<User> =>
    change(userId, async (current) => {
      const generation = current.generation + 1;
      await revocations.raise(userId, generation);
      return { ...current, ...to(current), generation };
    });

  return {
    async create({ tenantId, email, role, password, enrollAtSignIn }) {
      await requireTenant(tenants, tenantId);
      const userId = newUserId();
      const passwordHash = password === null ? null : await hashPassword(password);
      const tenantOf = async (id: string): Promise<string | null> => (await users.get(id))?.tenantId ?? null;
      if (!(await emails.claim(email, { tenantId, userId }, tenantOf))) {
        throw new PenstockError('VALIDATION_ERROR', 'A user with that e-mail address already exists');
      }
      const totp = enrollAtSignIn ? null : newTotpEnrollment(email);
      const sealedTotpSecret = totp === null ? null : await envelope.seal(totp.secret, totpContext(userId));
      const user: User = {
        userId,
        tenantId,
        email,
        role,
        status: 'active',
        generation: 1,
        enrollment: FIRST_ENROLLMENT,
        passwordHash,
        sealedTotpSecret,
        lastTotpStep: 0,
        signedOutAtS: 0,
        createdAt: new Date(clock.now()).toISOString(),
      };
      await users.create(userId, user);
      const enrollUrl = await newEnrollUrl(user);
      return { user, totpSecret: totp?.secret ?? '', otpauthUrl: totp?.otpauthUrl ?? '', enrollUrl };
    },
    async list(tenantId) {
      await requireTenant(tenants, tenantId);
      return users.list(tenantId);
    },
    disable: (userId) => endTokens(userId, () => ({ status: 'disabled' })),
    enable: (userId) => change(userId, (current) => ({ ...current, status: 'active' })),
    async reenroll(userId, password) {
      const newPassword = password === null ? {} : { passwordHash: await hashPassword(password) };
      // One write ends all of it; what is deleted afterwards counts no more.
      const user = await endTokens(userId, ({ enrollment }) => ({
        ...newPassword,
        enrollment: enrollment + 1,
        sealedTotpSecret: null,
      }));
      await passkeyStore.removeEnded(user);
      return { user, ...(await enrollmentLink(user, ENROLLMENT_LIFETIME_S)) };
    },
    enrollmentLink,
    setRole: (userId, role) => change(userId, (current) => ({ ...current, role })),
  };
}
