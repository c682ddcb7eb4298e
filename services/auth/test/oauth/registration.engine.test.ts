import { expect } from 'chai';
import { useStage } from '../support/stage.ts';
import { brief, registration, remoteAddress } from '../support/sign-in.ts';

describe('RegisterClient', function () {
  this.timeout(90_000);
  const stage = useStage('suite');

  const send = async (metadataJson: string, address = remoteAddress) =>
    (await stage.one.oauth.registerClient({ metadataJson, remoteAddress: address })).result;
  async function registered(metadata: object): Promise<Record<string, unknown>> {
    const result = await send(JSON.stringify(metadata));
    if (result.case !== 'clientJson') throw new Error('it was refused');
    return JSON.parse(result.value) as Record<string, unknown>;
  }
  async function refusal(metadata: unknown) {
    const result = await send(typeof metadata === 'string' ? metadata : JSON.stringify(metadata));
    if (result.case !== 'error') throw new Error('it was registered');
    return result.value;
  }

  it('gives a public client an ID and no secret', async () => {
    const client = await registered({ ...registration, client_uri: 'https://agent.example.com' });
    expect(client['client_id']).to.match(/^mcp_[0-9a-f]{32}$/);
    expect(client['client_id_issued_at']).to.be.closeTo(Date.now() / 1000, 60);
    expect(client).to.deep.equal({
      client_id: client['client_id'],
      client_id_issued_at: client['client_id_issued_at'],
      ...registration,
      client_uri: 'https://agent.example.com',
      scope: 'query schemas:read',
    });
  });

  it('leaves out what it does not know, and what would have it call somebody', async () => {
    const client = await registered({
      ...registration,
      scope: 'openid offline_access admin',
      jwks_uri: 'https://agent.example.com/keys',
      sector_identifier_uri: 'https://agent.example.com/sector',
      client_id: 'cli_mine',
      client_secret: 'mine',
      api_client: { generation: 1, scopes: ['query'] },
      application_type: 'web',
      contacts: 'nobody',
      software_statement: 'x',
    });
    expect(Object.keys(client).sort()).to.deep.equal(
      ['client_id', 'client_id_issued_at', 'scope', ...Object.keys(registration)].sort(),
    );
    expect(client['client_id']).to.match(/^mcp_/);
  });

  it('gives a refresh grant to every client, since interactive flows return refresh tokens', async () => {
    const client = await registered({ ...registration, grant_types: ['authorization_code'] });
    expect(client['grant_types']).to.deep.equal(['authorization_code', 'refresh_token']);
  });

  const wrong: Record<string, unknown> = {
    'no JSON': '{',
    'an empty body': '',
    'no object': [registration],
    'no name': { ...registration, client_name: undefined },
    'an empty name': { ...registration, client_name: ' ' },
    'a name of another type': { ...registration, client_name: 5 },
    'a long name': { ...registration, client_name: 'x'.repeat(101) },
    'a name that turns the direction of text': { ...registration, client_name: 'Pen\u202Estock' },
    'no redirect URIs': { ...registration, redirect_uris: undefined },
    'an empty list of redirect URIs': { ...registration, redirect_uris: [] },
    'redirect URIs that are no list': { ...registration, redirect_uris: 'https://a.example/cb' },
    'a custom scheme': { ...registration, redirect_uris: ['cursor://cb'] },
    'plain http elsewhere': { ...registration, redirect_uris: ['http://a.example/cb'] },
    'one wrong redirect URI among right ones': {
      ...registration,
      redirect_uris: [...registration.redirect_uris, 'http://[::1]/cb'],
    },
    'a fragment': { ...registration, redirect_uris: ['https://a.example/cb#x'] },
    'no grant types': { ...registration, grant_types: undefined },
    'grant types without authorization_code': { ...registration, grant_types: ['refresh_token'] },
    client_credentials: { ...registration, grant_types: ['authorization_code', 'client_credentials'] },
    'the implicit grant': { ...registration, grant_types: ['authorization_code', 'implicit'] },
    'no response types': { ...registration, response_types: undefined },
    'response types without code': { ...registration, response_types: [] },
    'the implicit response type': { ...registration, response_types: ['code', 'token'] },
    'no authentication method': { ...registration, token_endpoint_auth_method: undefined },
    client_secret_basic: { ...registration, token_endpoint_auth_method: 'client_secret_basic' },
    private_key_jwt: { ...registration, token_endpoint_auth_method: 'private_key_jwt' },
    'a script as display URI': { ...registration, logo_uri: 'javascript:alert(1)' },
    'more than 16 KiB': { ...registration, padding: 'x'.repeat(17_000) },
  };
  for (const [what, metadata] of Object.entries(wrong)) {
    it(`refuses ${what}`, async () => {
      const failure = await refusal(metadata);
      expect(brief(failure)).to.equal('400 invalid_client_metadata');
      expect(failure.errorDescription).not.to.equal('');
    });
  }

  it('names the field that is wrong', async () => {
    const { errorDescription } = await refusal({ ...registration, redirect_uris: ['http://a.example/cb'] });
    expect(errorDescription).to.equal(
      'redirect_uris.0: is plain http on a host that is neither 127.0.0.1 nor localhost',
    );
  });

  it('lets an address register only so many, and tells it when to come back', async () => {
    const body = JSON.stringify(registration);
    for (let i = 0; i < 200; i += 1) expect((await send(body, '198.51.100.1')).case).to.equal('clientJson');
    const result = await send(body, '198.51.100.1');
    if (result.case !== 'error') throw new Error('it was registered');
    expect(brief(result.value)).to.equal('429 temporarily_unavailable');
    expect(result.value.retryAfterS).to.be.within(1, 3600);
    expect((await send(body, '198.51.100.2')).case).to.equal('clientJson');
  });
});
