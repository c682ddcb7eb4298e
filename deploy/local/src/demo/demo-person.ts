/** Somebody who can sign in to the console at once. */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { admin } from '../seed/admin.ts';
import type { RunningStack } from '../stack/stack.ts';

const PASSWORD_BYTES = 9;

/** Somebody who can sign in to the console, and how. */
export interface DemoPerson {
  readonly hint: string;
  /** The one-time code of now, in words. */
  readonly code: () => string;
}

const PERIOD_MS = 30_000;

/** Makes an administrator of the tenant. */
export async function demoPerson(stack: RunningStack, tenantId: string): Promise<DemoPerson> {
  const email = `ada-${randomBytes(2).toString('hex')}@example.com`;
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const { enrollUrl, totpSecret } = await admin<{ enrollUrl: string; totpSecret: string }>(
    stack.dataDir,
    ...[
      'user',
      'create',
      '--tenant',
      tenantId,
      '--email',
      email,
      '--role',
      'admin',
      `--password=${password}`,
    ],
  );
  const totp = new TOTP({ secret: Secret.fromBase32(totpSecret) });
  const code = (): string => {
    const until = new Date((Math.floor(Date.now() / PERIOD_MS) + 2) * PERIOD_MS);
    return `${totp.generate()}   good until ${until.toTimeString().slice(0, 8)}`;
  };
  const hint = `The console, to write SQL and see its price before it runs: ${stack.consoleUrl}

  e-mail         ${email}
  password       ${password}
  one-time code  ${code()}
                 (Enter shows the next; an authenticator app takes the key ${totpSecret})

  or with a passkey, made at ${enrollUrl}
`;
  return { hint, code };
}
