/** What an operator does with claims of roles: `claim <verb>`. */
import type { Client } from '@connectrpc/connect';
import { proposeExternalId } from '@penstock/common/aws/external-id.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Claim, ClaimService } from '@penstock/common/gen/penstock/schema/v1/claim_pb.js';
import {
  given,
  plain,
  type AdminClient,
  type CallSettings,
  type CommandLine,
  type Flags,
} from './commands.ts';

/** Who is asked: the registry for claims, auth for whether there is such a tenant. */
interface ClaimClients {
  readonly admin: AdminClient;
  readonly claims: Client<typeof ClaimService>;
}

/** A command that asks the registry. */
export interface ClaimCommand extends CommandLine {
  readonly asks: 'registry';
  /** Asks, and gives the JSON to print. */
  readonly run: (clients: ClaimClients, flags: Flags, call: CallSettings) => Promise<unknown>;
}

/** Claims asked for at a time. */
const PAGE = 1_000;

async function* allClaims({ claims }: ClaimClients, call: CallSettings): AsyncGenerator<Claim> {
  for (let nextToken: string | undefined; ;) {
    const page = await claims.listClaims(
      { limit: PAGE, ...(nextToken === undefined ? {} : { nextToken }) },
      call,
    );
    yield* page.claims;
    nextToken = page.nextToken;
    if (nextToken === undefined) return;
  }
}

/** A claim of a tenant that does not exist would keep everybody out. */
async function existing(clients: ClaimClients, flags: Flags, call: CallSettings): Promise<string> {
  const tenantId = given(flags, 'tenant');
  const { tenants } = await clients.admin.listTenants({}, call);
  if (tenants.some((tenant) => tenant.tenantId === tenantId)) return tenantId;
  throw new PenstockError('NOT_FOUND', `Tenant not found: ${tenantId}`);
}

const ofTenant = {
  asks: 'registry',
  flags: { claim: 'required', tenant: 'required' },
  synopsis: '--claim C --tenant T',
} as const;

export const claimCommands: Readonly<Record<string, ClaimCommand>> = {
  propose: {
    asks: 'registry',
    flags: { tenant: 'required' },
    synopsis: '--tenant T   (an external ID that nobody else can register)',
    async run(clients, flags, call) {
      return { externalId: proposeExternalId(await existing(clients, flags, call)) };
    },
  },
  list: {
    asks: 'registry',
    flags: { tenant: 'optional', refused: 'switch' },
    synopsis: '[--tenant T] [--refused]   (refused: only those that some tenant was refused)',
    async run(clients, flags, call) {
      const tenant = flags['tenant'];
      const found = [];
      for await (const claim of allClaims(clients, call)) {
        const concerned = [claim.tenantId, ...claim.lentTo, ...claim.refused];
        if (tenant !== undefined && !concerned.includes(tenant)) continue;
        if (flags['refused'] !== undefined && claim.refused.length === 0) continue;
        found.push(plain(claim));
      }
      return { claims: found };
    },
  },
  move: {
    ...ofTenant,
    async run(clients, flags, call) {
      const tenantId = await existing(clients, flags, call);
      return plain(await clients.claims.moveClaim({ claimId: given(flags, 'claim'), tenantId }, call));
    },
  },
  lend: {
    ...ofTenant,
    async run(clients, flags, call) {
      const tenantId = await existing(clients, flags, call);
      return plain(await clients.claims.lendClaim({ claimId: given(flags, 'claim'), tenantId }, call));
    },
  },
  'end-loan': {
    ...ofTenant,
    async run({ claims }, flags, call) {
      const request = { claimId: given(flags, 'claim'), tenantId: given(flags, 'tenant') };
      return plain(await claims.endLoan(request, call));
    },
  },
  release: {
    asks: 'registry',
    flags: { claim: 'required' },
    synopsis: '--claim C',
    async run({ claims }, flags, call) {
      return plain(await claims.releaseClaim({ claimId: given(flags, 'claim') }, call));
    },
  },
};
