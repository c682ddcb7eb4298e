import { expect } from 'chai';
import { startGateway, type TestGateway } from '../support/gateway.ts';

/** The fake services have no OAuth at all: every call of it fails inside. */
describe('the OAuth surface without a working authorization server', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startGateway();
  });
  after(() => gateway.close());

  const secret = 'a-secret-that-no-log-may-hold';
  const post = (path: string, type: string, body: string): Promise<Response> =>
    fetch(`${gateway.url}${path}`, { method: 'POST', headers: { 'content-type': type }, body });

  it('answers clients with 500 server_error, and tells them nothing else', async () => {
    const answers = await Promise.all([
      post('/token', 'application/x-www-form-urlencoded', `grant_type=refresh_token&refresh_token=${secret}`),
      post('/revoke', 'application/x-www-form-urlencoded', `token=${secret}`),
      post('/register', 'application/json', '{}'),
      fetch(`${gateway.url}/.well-known/oauth-authorization-server`),
    ]);
    for (const answer of answers) {
      expect(answer.status, answer.url).to.equal(500);
      expect(answer.headers.get('cache-control'), answer.url).to.equal('no-store');
      expect(Object.keys((await answer.json()) as object)).to.deep.equal(['error', 'error_description']);
    }
  });

  it('shows people a page that says to try again', async () => {
    for (const path of ['/authorize?client_id=x', '/login?interaction=x', `/enroll?token=${secret}`]) {
      const answer = await fetch(`${gateway.url}${path}`);
      expect(answer.status, path).to.be.within(500, 503);
      expect(answer.headers.get('content-type'), path).to.include('text/html');
      const text = await answer.text();
      expect(text, path).to.include('Try again shortly').and.to.include(answer.headers.get('x-request-id'));
    }
  });

  it('keeps what was sent out of the log', () => {
    expect(gateway.lines.length).to.be.above(0);
    expect(JSON.stringify(gateway.lines)).to.not.include(secret);
  });
});
