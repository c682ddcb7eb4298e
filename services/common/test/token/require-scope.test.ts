import { expect } from 'chai';
import { PenstockError } from '../../src/errors/penstock-error.ts';
import { requireScope } from '../../src/token/require-scope.ts';
import { SCOPES, type Principal, type Scope } from '../../src/token/principal.ts';

const base: Principal = {
  tenantId: 't1',
  principalId: 'p1',
  principalType: 'client',
  scopes: [],
  role: null,
  generation: 0,
  rateLimit: null,
  tokenType: 'rest',
};

function refusal(principal: Principal, scope: Scope): PenstockError | null {
  try {
    requireScope(principal, scope);
    return null;
  } catch (error) {
    if (error instanceof PenstockError) return error;
    throw error;
  }
}

describe('authorize', () => {
  for (const scope of SCOPES) {
    it(`lets an API client with the scope ${scope} do that and nothing else`, () => {
      const client: Principal = { ...base, scopes: [scope] };
      const allowed = SCOPES.filter((asked) => refusal(client, asked) === null);
      expect(allowed).to.deep.equal([scope]);
    });
  }

  it('names the scope that an API client lacks', () => {
    const error = refusal({ ...base, scopes: ['query'] }, 'schemas:write');
    expect(error?.code).to.equal('INSUFFICIENT_SCOPE');
    expect(error?.message).to.contain('schemas:write');
  });

  it('lets a member query and read schemas, and asks for an admin for the rest', () => {
    const member: Principal = { ...base, principalType: 'user', role: 'member' };
    expect(SCOPES.map((scope) => refusal(member, scope)?.code ?? 'ok')).to.deep.equal([
      'ok',
      'ok',
      'TENANT_ADMIN_REQUIRED',
      'TENANT_ADMIN_REQUIRED',
    ]);
    expect(refusal(member, 'usage:read')?.message).to.equal('Tenant admin access required');
  });

  it('lets an admin do everything', () => {
    const admin: Principal = { ...base, principalType: 'user', role: 'admin' };
    expect(SCOPES.filter((scope) => refusal(admin, scope) !== null)).to.deep.equal([]);
  });

  it('treats a user without a role as a member', () => {
    expect(refusal({ ...base, principalType: 'user' }, 'usage:read')?.code).to.equal('TENANT_ADMIN_REQUIRED');
  });

  it('holds an admin to the scopes that were consented to in an MCP token', () => {
    const admin: Principal = {
      ...base,
      principalType: 'user',
      role: 'admin',
      tokenType: 'mcp',
      scopes: ['query'],
    };
    expect(refusal(admin, 'query')).to.equal(null);
    expect(refusal(admin, 'schemas:read')?.code).to.equal('INSUFFICIENT_SCOPE');
  });
});
