/** Every administration command: `<noun> <verb>`, its flags, and what it asks and prints. */
import type { Client } from '@connectrpc/connect';
import type { AdminService } from '@penstock/common/gen/penstock/auth/v1/admin_pb.js';

export type AdminClient = Client<typeof AdminService>;
/** What the transport needs for each call. */
export type CallSettings = Parameters<AdminClient['listTenants']>[1];
/** Values of the flags that were given. */
export type Flags = Readonly<Record<string, string>>;

/** A command line that can't be understood; the CLI shows it with the usage text and exits 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What every command has. `switch`: a flag without a value, given as `true`. */
export interface CommandLine {
  readonly flags: Readonly<Record<string, 'required' | 'optional' | 'switch'>>;
  /** For the usage text, in the order to show. */
  readonly synopsis: string;
}

/** A command that asks auth. */
export interface Command extends CommandLine {
  readonly asks: 'auth';
  /** Where it may take longer than others. */
  readonly timeoutMs?: number;
  /** Asks, and gives the JSON to print. */
  readonly run: (admin: AdminClient, flags: Flags, call: CallSettings) => Promise<unknown>;
}

/** The value of a flag that must be there. */
export function given(flags: Flags, name: string): string {
  const value = flags[name];
  if (value === undefined) throw new UsageError(`--${name} is missing`);
  return value;
}

function wholeNumber(flags: Flags, name: string): number | undefined {
  const text = flags[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not '${text}'`);
  return Number(text);
}

/** Every user's record is read, and some are written. Below what a server allows a call (common's CALL_MS_MAX). */
const REENCRYPT_TIMEOUT_MS = 300_000;

const limit = (name: 'rateLimitRps' | 'rateLimitBurst', value: number | undefined): Record<string, number> =>
  value === undefined ? {} : { [name]: value };

/** Messages without what protobuf adds to them. */
export const plain = <T extends object>({
  $typeName: _name,
  $unknown: _unknown,
  ...fields
}: T & Record<string, unknown>) => fields;

/** A command that names one client or user, and nothing else. */
const about = (
  flag: 'client' | 'user',
  ask: (admin: AdminClient, id: string, call: CallSettings) => Promise<unknown>,
): Command => ({
  asks: 'auth',
  flags: { [flag]: 'required' },
  synopsis: `--${flag} ${flag === 'client' ? 'C' : 'U'}`,
  run: (admin, flags, call) => ask(admin, given(flags, flag), call),
});

export const commands: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  tenant: {
    create: {
      asks: 'auth',
      flags: { name: 'required' },
      synopsis: '--name N',
      async run(admin, flags, call) {
        const { tenantId } = await admin.createTenant({ name: given(flags, 'name') }, call);
        return { tenantId };
      },
    },
    list: {
      asks: 'auth',
      flags: {},
      synopsis: '',
      async run(admin, _flags, call) {
        return { tenants: (await admin.listTenants({}, call)).tenants.map(plain) };
      },
    },
    'set-limits': {
      asks: 'auth',
      flags: { tenant: 'required', rps: 'optional', burst: 'optional' },
      synopsis: '--tenant T [--rps N] [--burst N]   (left out: the default)',
      async run(admin, flags, call) {
        const request = {
          tenantId: given(flags, 'tenant'),
          ...limit('rateLimitRps', wholeNumber(flags, 'rps')),
          ...limit('rateLimitBurst', wholeNumber(flags, 'burst')),
        };
        return plain(await admin.setTenantLimits(request, call));
      },
    },
  },
  client: {
    create: {
      asks: 'auth',
      flags: { tenant: 'required', name: 'required', scopes: 'optional' },
      synopsis: '--tenant T --name N [--scopes "query schemas:read"]',
      async run(admin, flags, call) {
        const scopes = (flags['scopes'] ?? '').split(/[\s,]+/).filter(Boolean);
        const request = { tenantId: given(flags, 'tenant'), name: given(flags, 'name'), scopes };
        const { client, clientSecret } = await admin.createClient(request, call);
        return { clientId: client?.clientId, clientSecret };
      },
    },
    list: {
      asks: 'auth',
      flags: { tenant: 'required' },
      synopsis: '--tenant T',
      async run(admin, flags, call) {
        return {
          clients: (await admin.listClients({ tenantId: given(flags, 'tenant') }, call)).clients.map(plain),
        };
      },
    },
    disable: about('client', async (admin, clientId, call) =>
      plain(await admin.disableClient({ clientId }, call)),
    ),
    enable: about('client', async (admin, clientId, call) =>
      plain(await admin.enableClient({ clientId }, call)),
    ),
    'rotate-secret': about('client', async (admin, clientId, call) => {
      const { clientSecret } = await admin.rotateClientSecret({ clientId }, call);
      return { clientId, clientSecret };
    }),
  },
  user: {
    create: {
      asks: 'auth',
      flags: {
        tenant: 'required',
        email: 'required',
        role: 'required',
        password: 'optional',
        'second-factor': 'optional',
      },
      synopsis:
        '--tenant T --email E --role admin|member [--password P] [--second-factor now|at-sign-in]   (now)',
      async run(admin, flags, call) {
        const password = flags['password'];
        const secondFactor = flags['second-factor'] ?? 'now';
        if (secondFactor !== 'now' && secondFactor !== 'at-sign-in') {
          throw new UsageError('--second-factor must be now or at-sign-in');
        }
        const request = {
          enrollAtSignIn: secondFactor === 'at-sign-in',
          tenantId: given(flags, 'tenant'),
          email: given(flags, 'email'),
          role: given(flags, 'role'),
          ...(password === undefined ? {} : { password }),
        };
        const { user, totpSecret, otpauthUrl, enrollUrl } = await admin.createUser(request, call);
        return { userId: user?.userId, totpSecret, otpauthUrl, enrollUrl };
      },
    },
    list: {
      asks: 'auth',
      flags: { tenant: 'required' },
      synopsis: '--tenant T',
      async run(admin, flags, call) {
        return {
          users: (await admin.listUsers({ tenantId: given(flags, 'tenant') }, call)).users.map(plain),
        };
      },
    },
    disable: about('user', async (admin, userId, call) => plain(await admin.disableUser({ userId }, call))),
    enable: about('user', async (admin, userId, call) => plain(await admin.enableUser({ userId }, call))),
    're-enroll': {
      asks: 'auth',
      flags: { user: 'required', password: 'optional' },
      synopsis: '--user U [--password P]   (left out: the password stays)',
      async run(admin, flags, call) {
        const password = flags['password'];
        const request = { userId: given(flags, 'user'), ...(password === undefined ? {} : { password }) };
        const { user, enrollUrl } = await admin.reenrollUser(request, call);
        return { userId: user?.userId, enrollUrl };
      },
    },
  },
  key: {
    list: {
      asks: 'auth',
      flags: {},
      synopsis: '',
      async run(admin, _flags, call) {
        return { keys: (await admin.listSigningKeys({}, call)).keys.map(plain) };
      },
    },
    rotate: {
      asks: 'auth',
      flags: {},
      synopsis: '',
      async run(admin, _flags, call) {
        return plain(await admin.rotateSigningKey({}, call));
      },
    },
    're-encrypt': {
      asks: 'auth',
      flags: {},
      synopsis: '',
      timeoutMs: REENCRYPT_TIMEOUT_MS,
      async run(admin, _flags, call) {
        return plain(await admin.reencryptSecrets({}, call));
      },
    },
  },
};
