import { expect } from 'chai';
import { redirectUriAllowed, redirectUriProblem } from '../../src/oauth/redirect-uris.ts';

describe('Redirect URIs', () => {
  for (const uri of [
    'https://app.example.com/cb',
    'https://app.example.com:8443/cb?x=1',
    'https://localhost/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:1234/cb',
    'http://localhost:8080/cb?a=b',
    'http://localhost',
  ]) {
    it(`may be ${uri}`, () => expect(redirectUriProblem(uri)).to.equal(null));
  }

  for (const uri of [
    'http://app.example.com/cb',
    'http://[::1]/cb',
    'http://127.0.0.2/cb',
    'http://0.0.0.0/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.1:80@evil.example/cb',
    'https://user:secret@app.example.com/cb',
    'https://app.example.com/cb#fragment',
    'com.example.app:/cb',
    'cursor://anysphere.cursor-deeplink/mcp/auth',
    'javascript:alert(1)',
    'data:text/html,x',
    '/cb',
    'https://app.example.com/a b',
    'http://localhost\\@evil.example/',
    '',
  ]) {
    it(`may not be ${JSON.stringify(uri)}`, () => expect(redirectUriProblem(uri)).to.be.a('string'));
  }

  const registered = ['http://127.0.0.1:3000/cb', 'http://localhost/cb?x=1', 'https://app.example.com/cb'];

  for (const uri of [
    ...registered,
    'http://127.0.0.1/cb',
    'http://127.0.0.1:55555/cb',
    'http://localhost:1/cb?x=1',
  ]) {
    it(`match ${uri}`, () => expect(redirectUriAllowed(uri, registered)).to.equal(true));
  }

  for (const uri of [
    'http://127.0.0.1:3000/cb/',
    'http://127.0.0.1:3000/CB',
    'http://127.0.0.1:3000/other',
    'http://127.0.0.1:3000/cb?x=1',
    'http://127.0.0.1:3000/cb#x',
    'http://localhost:3000/cb',
    'http://127.0.0.1:80@evil.example/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://[::1]:3000/cb',
    'https://127.0.0.1:3000/cb',
    'https://app.example.com:8443/cb',
    'https://app.example.com/cb?x=1',
    'https://app.example.com/cb/../cb',
    'https://APP.example.com/cb',
    'https://evil.example/cb',
  ]) {
    it(`do not match ${uri}`, () => expect(redirectUriAllowed(uri, registered)).to.equal(false));
  }
});
