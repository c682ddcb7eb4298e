import { expect } from 'chai';
import { ClientIdentity } from '@penstock/common/gen/penstock/auth/v1/login_pb.js';
import { until } from '../../../../common/test/support/until.ts';
import type { DocumentNetwork } from '../../../src/oauth/metadata-documents/network.ts';
import { publicInternet } from '../../../src/oauth/metadata-documents/network.ts';
import { startDocumentHost, documentHostname } from '../../support/document-host.ts';
import type { DocumentHost } from '../../support/document-host.ts';
import {
  authorize,
  authorized,
  brief,
  codeIn,
  errorOf,
  granted,
  interactionIdOf,
  newBrowser,
  newPkce,
  pageOf,
  redeem,
  redirectOf,
  refresh,
  refusalOf,
  remoteAddress,
} from '../../support/sign-in.ts';
import { useStage } from '../../support/stage.ts';
import type { Stage } from '../../support/stage.ts';

describe('Client ID metadata documents', function () {
  this.timeout(90_000);
  const pkce = newPkce();
  let host: DocumentHost;

  beforeEach(async () => {
    host = await startDocumentHost();
  });
  const stage = useStage('test', () => ({ documentNetwork: host.network }));
  afterEach(() => host.close());

  /** Another stage, whose network is another one; production's where none is given. */
  const stageIn = (documentNetwork?: DocumentNetwork): Promise<Stage> =>
    stage.another(documentNetwork === undefined ? {} : { documentNetwork });

  const begin = (clientId: string, on: Stage = stage) => authorize(on.one, newBrowser(), { clientId, pkce });
  const refused = async (clientId: string, on: Stage = stage): Promise<string> =>
    brief(errorOf(await begin(clientId, on)));

  it('identify a client from the first request to the refreshed token, on any replica', async () => {
    const clientId = host.document('/client.json');
    const { one, two, user, clock } = stage;
    const callback = await authorized(one, { clientId, pkce, user, clock });
    const tokens = granted(await redeem(two, { clientId, code: codeIn(callback), verifier: pkce.verifier }));
    granted(await refresh(one, { clientId, refreshToken: tokens.refreshToken ?? '' }));
    expect(await two.oauth.verifyAccessToken({ accessToken: tokens.accessToken })).to.include({ clientId });
  });

  it('tell the user whose host vouches for the client', async () => {
    const clientId = host.document('/client.json', { redirect_uris: ['https://app.example.com/cb'] });
    const browser = newBrowser();
    const change = { redirectUri: 'https://app.example.com/cb' };
    const step = await authorize(stage.one, browser, { clientId, pkce }, change);
    const { client } = await pageOf(stage.two, browser, interactionIdOf(redirectOf(browser, step)));
    expect(client).to.deep.include({
      name: 'Document agent',
      identity: ClientIdentity.METADATA_DOCUMENT,
      identityHost: new URL(clientId).host,
      redirectHost: 'app.example.com',
      redirectOrigin: 'https://app.example.com',
      redirectsToLocalhost: false,
    });
  });

  it('are kept as long as their headers say', async () => {
    const short = host.document('/short.json', {}, { 'cache-control': 'max-age=0' });
    const long = host.document('/long.json', {}, { 'cache-control': 'public, max-age=600' });
    for (let i = 0; i < 3; i += 1) for (const id of [short, long]) await begin(id);
    expect(host.requests()).to.equal(2);
  });

  it('are asked for without cookies, credentials or who we are', async () => {
    let headers: Record<string, unknown> = {};
    const clientId = host.document('/client.json');
    host.answer('/client.json', (request, response) => {
      headers = { ...request.headers };
      response.writeHead(404).end();
    });
    await begin(clientId);
    expect(Object.keys(headers).sort()).to.deep.equal(['accept', 'accept-encoding', 'connection', 'host']);
    expect(headers['host']).to.equal(new URL(clientId).host);
  });

  describe('are refused', () => {
    const wrong: Record<string, object> = {
      'where client_id is another URL': { client_id: 'https://agent.example/other.json' },
      'without a name': { client_name: undefined },
      'without redirect URIs': { redirect_uris: [] },
      'with a plain http redirect URI': { redirect_uris: ['http://app.example.com/cb'] },
      'with a custom scheme': { redirect_uris: ['app://cb'] },
      'with a client secret method': { token_endpoint_auth_method: 'client_secret_post' },
      'with private_key_jwt, which would fetch keys': { token_endpoint_auth_method: 'private_key_jwt' },
      'without the authorization code grant': { grant_types: ['client_credentials'] },
      'of more than 5 KB': { padding: 'x'.repeat(5200) },
    };
    for (const [what, change] of Object.entries(wrong)) {
      it(what, async () => {
        expect(await refused(host.document('/client.json', change))).to.equal('400 invalid_client_metadata');
      });
    }

    it('that are no JSON object', async () => {
      for (const [i, body] of ['', '{', '[]', '"x"', 'null'].entries()) {
        host.answer(`/${i}`, (_request, response) => response.end(body));
        expect(await refused(host.url(`/${i}`))).to.equal('400 invalid_client_metadata');
      }
      expect(host.requests()).to.equal(5);
    });

    it('with any status but 200, and no redirect is followed', async () => {
      for (const status of [201, 204, 301, 302, 307, 401, 404, 500]) {
        const path = `/${status}.json`;
        const location = host.document('/target.json', { client_id: host.url(path) });
        host.answer(path, (_request, response) => {
          response.writeHead(status, { location }).end();
        });
        expect(await refused(host.url(path)), String(status)).to.equal('400 invalid_client_metadata');
      }
      expect(host.requests()).to.equal(8);
    });

    it('that never end, as soon as they are too large', async () => {
      let closed = false;
      host.answer('/client.json', (_request, response) => {
        const timer = setInterval(() => response.write(' '.repeat(4096)), 1);
        response.on('close', () => {
          closed = true;
          clearInterval(timer);
        });
      });
      const start = performance.now();
      expect(await refused(host.url('/client.json'))).to.equal('400 invalid_client_metadata');
      expect(performance.now() - start).to.be.below(2_500);
      await until(() => closed, { timeoutMs: 1_000, what: 'the connection is closed' });
    });

    it('that take longer than three seconds, to answer or to end', async () => {
      host.answer('/silent.json', () => undefined);
      host.answer('/drip.json', (_request, response) => {
        const timer = setInterval(() => response.write(' '), 200);
        response.on('close', () => clearInterval(timer));
      });
      const start = performance.now();
      const answers = await Promise.all(
        ['/silent.json', '/drip.json'].map((path) => refused(host.url(path))),
      );
      expect(answers).to.deep.equal(Array(2).fill('400 invalid_client_metadata'));
      expect(performance.now() - start).to.be.within(2_800, 9_000);
    });

    it('from a host whose certificate is not trusted', async () => {
      const { trustedCertificate: _, ...network } = host.network;
      const wary = await stageIn(network);
      expect(await refused(host.document('/client.json'), wary)).to.equal('400 invalid_client_metadata');
      expect(host.requests()).to.equal(0);
    });

    it('only for a moment: what was wrong can be mended', async () => {
      const clientId = host.document('/client.json', { client_name: '' });
      for (let i = 0; i < 3; i += 1) expect(await refused(clientId)).to.equal('400 invalid_client_metadata');
      expect(host.requests()).to.equal(1);
      host.document('/client.json');
      stage.clock.forward(3);
      expect(redirectOf(newBrowser(), await begin(clientId)).pathname).to.equal('/login');
    });

    it('at the token endpoint too', async () => {
      const clientId = host.url('/missing.json');
      const answer = await redeem(stage.one, { clientId, code: 'x', verifier: pkce.verifier });
      expect(brief(refusalOf(answer))).to.equal('400 invalid_client_metadata');
    });

    it('after thirty from one host in a minute', async () => {
      for (let i = 0; i < 30; i += 1) await begin(host.document(`/${i}.json`));
      expect(host.requests()).to.equal(30);
      expect(await refused(host.document('/last.json'))).to.equal('400 invalid_client_metadata');
      expect(host.requests()).to.equal(30);
    });
  });

  it('may not be redirected to what they do not name', async () => {
    const clientId = host.document('/client.json');
    const change = { redirectUri: 'https://evil.example/cb' };
    const step = await authorize(stage.one, newBrowser(), { clientId, pkce }, change);
    expect(brief(errorOf(step))).to.equal('400 invalid_request');
  });

  it('cannot make a client one that acts for itself', async () => {
    const grants = ['authorization_code', 'client_credentials'];
    const clientId = host.document('/client.json', {
      grant_types: grants,
      api_client: { scopes: ['query'] },
    });
    const answer = await stage.one.oauth.exchangeToken({
      client: { clientId },
      grant: { case: 'clientCredentials', value: {} },
      remoteAddress,
    });
    expect(brief(refusalOf(answer))).to.equal('400 invalid_request');
  });

  describe('on addresses that are not public', () => {
    /** As in production, but for the names. */
    const network = (resolve: DocumentNetwork['resolve']): DocumentNetwork => ({
      ...publicInternet,
      resolve,
      anyPort: true,
    });

    it('are not connected to, however the address is written', async () => {
      const wary = await stageIn(network(async () => []));
      const { port } = new URL(host.url('/'));
      for (const name of [
        '127.0.0.1',
        '2130706433',
        '0x7f.1',
        '0177.0.0.1',
        '0.0.0.0',
        '10.0.0.1',
        '169.254.169.254',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[64:ff9b::7f00:1]',
        '[fd00::1]',
        '[fe80::1]',
      ]) {
        expect(await refused(`https://${name}:${port}/client.json`, wary), name).to.equal(
          '400 invalid_client_metadata',
        );
      }
      expect(host.connections()).to.equal(0);
    });

    it('are not connected to through a name, also where only one of its addresses is private', async () => {
      for (const addresses of [['127.0.0.1'], ['127.0.0.1', '93.184.216.34'], ['::1'], []]) {
        const wary = await stageIn(network(async () => addresses));
        expect(await refused(host.document('/client.json'), wary)).to.equal('400 invalid_client_metadata');
      }
      expect(host.connections()).to.equal(0);
    });

    it('are not reached by a name that resolves differently the next time', async () => {
      let asked = 0;
      const rebinding: DocumentNetwork = {
        ...host.network,
        async resolve() {
          asked += 1;
          return asked === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
        },
      };
      const wary = await stageIn(rebinding);
      const url = redirectOf(newBrowser(), await begin(host.document('/client.json'), wary));
      expect(url.pathname).to.equal('/login');
      // Resolved once, and connected to what was checked.
      expect(asked).to.equal(1);
    });

    it('are not waited for where the name never resolves', async () => {
      const wary = await stageIn(network(() => new Promise(() => undefined)));
      const start = performance.now();
      expect(await refused(host.document('/client.json'), wary)).to.equal('400 invalid_client_metadata');
      expect(performance.now() - start).to.be.within(2_800, 9_000);
    });

    it('nor other ports than 443, nor plain http, in production', async () => {
      let asked = 0;
      const counting = {
        ...publicInternet,
        resolve: async () => {
          asked += 1;
          return ['127.0.0.1'];
        },
      };
      const wary = await stageIn(counting);
      const answer = await refused(`https://${documentHostname}:8443/client.json`, wary);
      expect(answer).to.equal('400 invalid_client_metadata');
      expect(await refused(`http://${documentHostname}/client.json`, wary)).to.equal(
        '400 invalid_client_metadata',
      );
      expect(asked).to.equal(0);
      expect(await refused(`https://${documentHostname}/client.json`, wary)).to.equal(
        '400 invalid_client_metadata',
      );
      expect(asked).to.equal(1);
    });

    it('are what production knows: nothing of the tests is on by default', async () => {
      const plain = await stageIn();
      expect(await refused(host.document('/client.json'), plain)).to.equal('400 invalid_client_metadata');
      expect(await refused(`https://localhost:${new URL(host.url('/')).port}/client.json`, plain)).to.equal(
        '400 invalid_client_metadata',
      );
      expect(host.connections()).to.equal(0);
    });
  });
});
