import { expect } from 'chai';
import { html } from '../../src/login/html.ts';
import { qrCode } from '../../src/login/qr-code.ts';
import { pagePolicy } from '../../src/login/send-page.ts';

describe('html', () => {
  it('escapes text in elements and in attributes, and leaves markup of its own alone', () => {
    const inner = html`<b>${'<"&\'>'}</b>`;
    expect(html`<a title="${'"x'}">${[inner, 1, null]}</a>`.text).to.equal(
      '<a title="&quot;x"><b>&lt;&quot;&amp;&#39;&gt;</b>1</a>',
    );
  });
});

describe('the policy of a page', () => {
  it('lets forms lead to the client’s origin, and takes in nothing that is no origin', () => {
    expect(pagePolicy('https://app.example:8443')).to.include("form-action 'self' https://app.example:8443;");
    expect(pagePolicy("https://app.example; script-src 'unsafe-inline'")).to.include("form-action 'self';");
    expect(pagePolicy()).to.include("form-action 'self';");
  });
});

describe('a QR code', () => {
  it('is drawn dark on light with the quiet zone around it', () => {
    const { text } = qrCode('otpauth://totp/Penstock:a@example.com?secret=ABC');
    const size = Number(/viewBox="0 0 (\d+) /.exec(text)?.[1]);
    const corners = [...text.matchAll(/M(\d+) (\d+)h1/g)].map(([, x, y]) => [Number(x), Number(y)]);
    expect(Math.min(...corners.flat())).to.equal(4);
    expect(Math.max(...corners.flat())).to.equal(size - 5);
  });
});
