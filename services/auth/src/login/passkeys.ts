import { parseForeignJson } from '@penstock/common/json/foreign-json.ts';
import type { Clock } from '@penstock/common/time/clock.ts';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { PASSKEY_CHALLENGE_LIFETIME_S } from '../limits.ts';
import type { Passkey, PasskeyStore } from '../store/passkeys.ts';
import type { PendingStore } from '../store/pending.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { TenantStore } from '../store/tenants.ts';
import type { User } from '../users/user.ts';

/**
 * Passkeys (WebAuthn). The relying party is the host of PENSTOCK_MCP_URL; the user is always verified by their device,
 * so a passkey is both factors. `purpose` says what a challenge is for (an interaction, an enrollment link); a challenge
 * is answered once.
 */
export interface Passkeys {
  /** For navigator.credentials.get(), as JSON. Names no user: the device shows its own. */
  signInOptions(purpose: string): Promise<string>;
  /** The user whose passkey answered; null where it is unknown or its answer does not fit. */
  verifySignIn(purpose: string, responseJson: string): Promise<User | null>;
  /** For navigator.credentials.create(), as JSON. */
  enrollmentOptions(purpose: string, user: User): Promise<string>;
  /** The new passkey, not stored yet; null where the answer does not fit. */
  verifyEnrollment(purpose: string, user: User, responseJson: string): Promise<Passkey | null>;
}

/** Loaded when a person first signs in: two hundred files, an eighth of this service's start. */
const webAuthn = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256 (COSE): what authenticators have. The library's defaults try algorithms that Node.js warns of. */
const supportedAlgorithmIDs = [-8, -7, -257];

const answerSchema = z.looseObject({
  id: z.string().min(1).max(2048),
  response: z.looseObject({ userHandle: z.string().nullish() }),
});

function parsed(text: string): z.infer<typeof answerSchema> | null {
  try {
    return answerSchema.parse(parseForeignJson(text));
  } catch {
    return null;
  }
}

const bytes = (base64url: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(base64url, 'base64url'));

export function createPasskeys(options: {
  store: PasskeyStore;
  pending: PendingStore;
  users: PrincipalStore<User>;
  tenants: TenantStore;
  mcpUrl: string;
  clock: Clock;
}): Passkeys {
  const { store, pending, users, tenants, clock } = options;
  const { origin: expectedOrigin, hostname: rpID } = new URL(options.mcpUrl);
  const rules = { expectedOrigin, expectedRPID: rpID, requireUserVerification: true } as const;
  const timeout = PASSKEY_CHALLENGE_LIFETIME_S * 1000;

  async function keepChallenge(purpose: string, challenge: string): Promise<void> {
    const expiresAtS = Math.floor(clock.now() / 1000) + PASSKEY_CHALLENGE_LIFETIME_S;
    await pending.put(`passkey:${purpose}`, challenge, expiresAtS);
  }

  return {
    async signInOptions(purpose) {
      const { generateAuthenticationOptions } = await webAuthn();
      const made = await generateAuthenticationOptions({ rpID, userVerification: 'required', timeout });
      await keepChallenge(`sign-in:${purpose}`, made.challenge);
      return JSON.stringify(made);
    },

    async verifySignIn(purpose, responseJson) {
      const answer = parsed(responseJson);
      const expectedChallenge = await pending.take(`passkey:sign-in:${purpose}`);
      const passkey = answer === null ? null : await store.get(answer.id);
      if (answer === null || expectedChallenge === null || passkey === null) return null;
      const { userHandle } = answer.response;
      if (userHandle != null && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId)
        return null;
      const { verifyAuthenticationResponse } = await webAuthn();
      const verified = await verifyAuthenticationResponse({
        ...rules,
        response: answer as unknown as AuthenticationResponseJSON,
        expectedChallenge,
        credential: {
          id: passkey.credentialId,
          publicKey: bytes(passkey.publicKey),
          counter: passkey.counter,
        },
      }).catch(() => null);
      if (verified === null || !verified.verified) return null;
      const { newCounter } = verified.authenticationInfo;
      // A counter below the stored one means that the key was copied.
      let isAhead = false;
      await store.update(passkey.credentialId, (current) => {
        isAhead = newCounter > current.counter || (newCounter === 0 && current.counter === 0);
        return isAhead ? { ...current, counter: newCounter } : current;
      });
      const user = isAhead ? await users.get(passkey.userId) : null;
      return user?.status === 'active' && user.enrollment === passkey.enrollment ? user : null;
    },

    async enrollmentOptions(purpose, user) {
      const { generateRegistrationOptions } = await webAuthn();
      const tenant = await tenants.get(user.tenantId);
      const made = await generateRegistrationOptions({
        rpName: 'Penstock',
        rpID,
        userID: new Uint8Array(Buffer.from(user.userId)),
        userName: user.email,
        // Devices list passkeys by it: a person may have one in each of several tenants.
        userDisplayName: `${user.email} (${tenant?.name ?? user.tenantId})`,
        timeout,
        attestationType: 'none',
        excludeCredentials: (await store.idsOf(user)).map((id) => ({ id })),
        supportedAlgorithmIDs,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      await keepChallenge(`enrollment:${purpose}`, made.challenge);
      return JSON.stringify(made);
    },

    async verifyEnrollment(purpose, user, responseJson) {
      const answer = parsed(responseJson);
      const expectedChallenge = await pending.take(`passkey:enrollment:${purpose}`);
      if (answer === null || expectedChallenge === null) return null;
      const { verifyRegistrationResponse } = await webAuthn();
      const verified = await verifyRegistrationResponse({
        ...rules,
        response: answer as unknown as RegistrationResponseJSON,
        expectedChallenge,
        supportedAlgorithmIDs,
      }).catch(() => null);
      if (verified === null || !verified.verified) return null;
      const { credential } = verified.registrationInfo;
      return {
        credentialId: credential.id,
        userId: user.userId,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: [...(credential.transports ?? [])],
        enrollment: user.enrollment,
        createdAt: new Date(clock.now()).toISOString(),
      };
    },
  };
}
