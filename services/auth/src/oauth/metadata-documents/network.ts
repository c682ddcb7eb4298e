import { lookup } from 'node:dns/promises';
import { isPublicAddress } from './public-address.ts';

/** The network that metadata documents are fetched from. Another one can only be handed in by code, for tests. */
export interface DocumentNetwork {
  /** All addresses of a host. */
  resolve(hostname: string): Promise<readonly string[]>;
  mayConnectTo(address: string): boolean;
  /** With ports beside 443, strangers could make us probe other services. */
  readonly anyPort: boolean;
  /** PEM, beside the certificate authorities that Node.js trusts. */
  readonly trustedCertificate?: string;
}

/** The public internet, and nothing else. */
export const publicInternet: DocumentNetwork = Object.freeze({
  async resolve(hostname: string): Promise<readonly string[]> {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  },
  mayConnectTo: isPublicAddress,
  anyPort: false,
});
