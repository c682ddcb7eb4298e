/** TLS on a connection that begins without it: by request, or at once (ALPN `postgresql`). */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import { SIGN_IN_TIMEOUT_MS } from '../limits.ts';
import { ConnectionGoneError } from '../session/output.ts';

const ALPN = 'postgresql';

/** The first byte of a TLS handshake; no message of the protocol begins with it, being the length of a startup. */
export const TLS_HANDSHAKE = 0x16;

/**
 * Encrypts the connection. `rest`: bytes of the handshake that came already; `direct`: the client began with it, so it must
 * name the protocol. Rejects where that fails.
 */
export async function encrypt(
  socket: Socket,
  secureContext: SecureContext,
  { rest, direct }: { readonly rest: Buffer; readonly direct: boolean },
): Promise<TLSSocket> {
  socket.pause();
  if (rest.length > 0) socket.unshift(rest);
  const encrypted = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: [ALPN] });
  encrypted.on('error', () => encrypted.destroy());
  await once(encrypted, 'secure', { signal: AbortSignal.timeout(SIGN_IN_TIMEOUT_MS) }).catch(() => {
    socket.destroy();
    throw new ConnectionGoneError('its TLS handshake failed');
  });
  if (direct && encrypted.alpnProtocol !== ALPN) {
    encrypted.destroy();
    throw new ConnectionGoneError('its TLS does not name the protocol');
  }
  encrypted.setNoDelay(true);
  return encrypted;
}
